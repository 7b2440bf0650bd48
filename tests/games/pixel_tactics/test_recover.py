"""The board that the greedy policy reads from its observation is the real one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.recover import read_board
from tests.games.by_hand import observed
from tests.games.ratings import leftovers

from .positions import Table, placed
from .random_positions import random_positions

OF_UNITS = ("heroes", "corpses", "captives", "acted", "fresh", "moved", "hurt", "card", "damage", "boost")


def seen_by(s: Any, seat: int) -> Any:
    """The board that a seat reads, over a record with other content."""
    work = leftovers(GAME)[0]
    read_board(observed(GAME, s, seat), work)
    return work


@pytest.mark.parametrize("seed", range(6))
def test_the_board_is_read_as_it_is_with_the_own_unit_first(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for text in random_positions(seed):
        s = Table(text).s
        for u in (0, 1):
            s.boost[u] = rng.integers(0, 20, 9) * (s.card[u] >= 0)
            s.level[u] = rng.integers(0, 30)
            s.acted[u] ^= rng.integers(0, 2) << 4
        for seat in (0, 1):
            board, order = seen_by(s, seat), [seat, 1 - seat]
            for name in (*OF_UNITS, "leader", "level"):
                assert (board[name] == s[name][order]).all(), (name, seat, text)
            assert board.hand[0] == s.hand[seat]
            assert board.revealed == 1 and board.round_number == s.round_number
            assert board.first == (s.first != seat)


def test_before_the_reveal_the_own_leader_alone_is_there() -> None:
    s = placed(
        "START\n~ Knight, Fighter, Gunner, Healer, Witch | ~ Oracle, Fighter, Gunner, Healer, Witch\n"
        "> card Gunner"
    ).s
    for seat, leaders in ((0, [s.leader[0], -1]), (1, [-1, -1])):
        board = seen_by(s, seat)
        assert board.revealed == 0 and board.round_number == 0
        assert board.leader.tolist() == leaders
        for name in OF_UNITS:
            assert (board[name] == s[name]).all(), name
