"""The greedy policy chooses well where the choice is obvious."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polytrix.core.state import new_records
from polytrix.games.pixel_tactics import GAME

from .positions import Table, placed


def chosen(table: Table) -> set[str]:
    """The actions with its highest rating."""
    simulator = table.simulator
    simulator.refresh()
    ids = simulator.legal_ids[0, : simulator.num_legal[0]]
    score = np.zeros(GAME.max_legal, np.float32)
    work = new_records(2, GAME.state)
    work.view(np.uint8)[:] = 1  # leftovers
    assert GAME.greedy is not None
    GAME.greedy(simulator.observation[0], ids, len(ids), work, score)
    rated = {GAME.format_action(table.s, int(i)): float(rate) for i, rate in zip(ids, score, strict=False)}
    return {action for action, rate in rated.items() if rate == max(rated.values())}


CASES = Path(__file__).with_name("greedy_positions.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]


@pytest.mark.parametrize("case", CASES)
def test_choices(case: str) -> None:
    position, _, expected = case.partition("\n! ")
    assert chosen(placed(position)) == set(expected.split(", "))
