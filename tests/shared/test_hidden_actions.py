"""Rules for actions that other seats see later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import polytrix
from polytrix.core.state import Record
from polytrix.games.estimatrix import redeal
from polytrix.games.estimatrix.state import Act
from polytrix.testing import check_hidden_actions
from tests.games.by_hand import dealt, go

GAME = polytrix.find("estimatrix")


@pytest.mark.clause("ES-25", "PM-06")
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("estimatrix", {}),
        ("estimatrix", {"players": 6, "hints": "symbols"}),
        ("pressure_matrix", {}),
        ("pressure_matrix", {"players": 4}),
    ],
)
def test_hidden_actions_are_those_that_others_do_not_see(name: str, options: dict[str, Any]) -> None:
    assert check_hidden_actions(polytrix.find(name), options) > 10


DIE = ("estimatrix", {"players": 3, "hints": "none"}, ("ban white", "set red"))
BIDS = ("pressure_matrix", {"players": 3}, ("bid 3", "bid 2"))
ALL_BIDS = (*BIDS[:2], (*BIDS[2], "bid 0"))


@pytest.mark.parametrize(
    ("game", "seat", "others"),
    [
        (DIE, 1, {"set yellow", "set green", "set blue", "set purple"}),  # any colour but the banned one
        (BIDS, 0, {"bid 0", "bid 1", "bid 2", "bid 4", "bid 5"}),
        (BIDS, 1, {"bid 0", "bid 1", "bid 3", "bid 4", "bid 5"}),
        (BIDS, 2, set()),  # it has not bid
        *((ALL_BIDS, seat, set()) for seat in range(3)),
    ],
)
def test_what_may_take_the_place_of_a_hidden_action(game: tuple[Any, ...], seat: int, others: set[str]) -> None:
    name, options, played = game
    found = polytrix.find(name)
    s = go(found, dealt(found, **options), *played)
    put = set()
    for action in range(found.actions.size):
        twin = s.copy()
        found.set_hidden_action(twin, seat, action)
        if twin.tobytes() != s.tobytes():
            assert found.hidden_action(twin, seat) == action
            put.add(found.format_action(s, action))
    assert put == others


def test_other_games_have_none() -> None:
    for name in ("quatrix", "resistor", "pixel_tactics"):
        assert check_hidden_actions(polytrix.find(name)) == 0


def off_by_one(s: Record, seat: int) -> int:
    found = redeal.hidden_action(s, seat)  # type: ignore[arg-type]
    return found if found < 0 else found ^ 1


def put_anything(s: Record, seat: int, action: int) -> None:
    if redeal.hidden_action(s, seat) >= 0:  # type: ignore[arg-type]
        s.die[seat] = action % 6


def put_without_one(s: Record, seat: int, action: int) -> None:
    s.die[seat] = 0


def put_and_show(s: Record, seat: int, action: int) -> None:
    redeal.set_hidden_action(s, seat, action)  # type: ignore[arg-type]
    if redeal.hidden_action(s, seat) == action:  # type: ignore[arg-type]
        s.last_die[seat] = action - Act.SET


@pytest.mark.parametrize(
    ("defect", "found"),
    [
        ({"hidden_action": off_by_one}, "the hidden action is"),
        ({"set_hidden_action": put_anything}, "in vain putting action"),
        ({"set_hidden_action": put_without_one}, "in vain putting action"),
        ({"set_hidden_action": put_and_show}, "sees that action"),
    ],
    ids=["another", "anything", "where there is none", "shown"],
)
def test_a_defect_is_found(defect: dict[str, Callable[..., Any]], found: str) -> None:
    with pytest.raises(AssertionError, match=found):
        check_hidden_actions(replace(GAME, name="defect", **defect))  # type: ignore[arg-type]


def test_both_rules_or_neither() -> None:
    with pytest.raises(ValueError, match="give both hidden_action and set_hidden_action"):
        replace(GAME, name="half", set_hidden_action=None)
