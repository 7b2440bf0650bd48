"""An operation without a case stops the game, and the invariants refuse it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode, program
from polytrix.core.compile.programs import as_argument
from polytrix.core.compile.substitution import with_tables
from polytrix.core.state import OVER, IntArray, RecordArray
from polytrix.games.pixel_tactics import GAME, rules
from polytrix.games.pixel_tactics.cards.cards import OPERATIONS, Which
from polytrix.games.pixel_tactics.cards.effects import Operation
from polytrix.games.pixel_tactics.flow.powers import UNKNOWN, can_begin
from polytrix.games.pixel_tactics.invariants import Broken, check
from polytrix.games.pixel_tactics.invariants.stack import stack_fits
from polytrix.games.pixel_tactics.operations.cards import cards_operation
from polytrix.games.pixel_tactics.operations.damage import damage_operation
from polytrix.games.pixel_tactics.operations.dispatch import step_operations
from polytrix.games.pixel_tactics.operations.field import field_operation
from polytrix.games.pixel_tactics.state import SLOT_NAMES, Row
from polytrix.games.pixel_tactics.table.stack import REFUSED, push_order, push_power

from .positions import CARD, Table

POSITION = "R2 F / 0: L=Knight*9 Va=Fighter Fa=Scientist hand=Witch / 1: L=Trapper Va=Assassin hand=Gunner"
FAKES = (max(Operation) + 1, -1, 99)


def planted(card: str, which: int, operation: int) -> IntArray:
    """The table of operations with this one as the first of an effect."""
    table: IntArray = OPERATIONS.copy()
    table[CARD[card], which, 0, 0] = operation
    return table


def with_fake(table: IntArray) -> dict[str, Any]:
    """The rules with this table."""
    return with_tables(
        {"apply": rules.apply, "check": check, "begin": rules.begin_turn_loop}, [(OPERATIONS, table)]
    )


@pytest.mark.parametrize("fake", FAKES)
def test_an_order(fake: int) -> None:
    played = with_fake(planted("Witch", Which.ORDER, fake))
    s = Table(POSITION).s
    before = s.copy()
    played["apply"](s, GAME.parse_action(s, "order Witch"))
    assert s.mover == OVER
    assert played["check"](before, s) == Broken.FRAMES


@pytest.mark.parametrize("fake", FAKES)
def test_a_power_is_not_offered(fake: int) -> None:
    played = with_fake(planted("Scientist", Row.FLANK, fake))
    s = Table(POSITION).s
    assert int(s.may_power) >> SLOT_NAMES.index("Fa") & 1 and check(s.copy(), s) == 0
    played["begin"](s)
    assert s.may_power == 0
    assert played["check"](s.copy(), s) == Broken.QUESTION


FRAMES: dict[str, Callable[[Any], None]] = {
    "order": lambda s: push_order(s, 0, CARD["Witch"]),
    "power": lambda s: push_power(s, 0, SLOT_NAMES.index("Fa"), CARD["Scientist"], Row.FLANK),
}


def go_on(states: RecordArray) -> None:
    """Go on with the top frame."""
    s = states[0]
    step_operations(s, s.stack[s.depth - 1])


@pytest.mark.parametrize("mode", [Mode.PLAIN, Mode.CHECKED], ids=str)
def test_the_frame_of_an_effect(mode: Mode) -> None:
    table = planted("Witch", Which.ORDER, FAKES[0])
    table[CARD["Scientist"], Row.FLANK, 0, 0] = FAKES[0]
    new = with_tables({"go_on": go_on, "stack_fits": stack_fits}, [(OPERATIONS, table)])
    run = program(new["go_on"], {}, mode, "pixel_tactics-go_on")
    for push in FRAMES.values():
        position = Table(POSITION)
        s = position.s
        push(s)
        run(as_argument(position.simulator.states, mode))
        assert (s.mover, s.depth, s.stack[0].step) == (OVER, 1, REFUSED)
        assert not new["stack_fits"](s)


@pytest.mark.parametrize("ladder", [damage_operation, field_operation, cards_operation])
def test_each_ladder_refuses(ladder: Callable[..., None]) -> None:
    """Each ladder has only the cases of its own operations."""
    s = Table(POSITION).s
    push_order(s, 0, CARD["Witch"])
    ladder(s, s.stack[0], Operation.STOP, 0, 0, 0)
    assert (s.mover, s.stack[0].step) == (OVER, REFUSED)


def test_can_begin_names_every_operation() -> None:
    s = Table(POSITION).s
    answers = {operation: can_begin(s, 0, 3, Row.FLANK, operation, 0, 0) for operation in [*Operation, *FAKES]}
    unknown = {operation for operation, answer in answers.items() if answer == UNKNOWN}
    assert unknown == {Operation.STOP, Operation.COPY, *FAKES}, "neither begins a power that does not copy"


def test_names_follow_the_numbers() -> None:
    assert list(Operation) == list(range(len(Operation)))
    known = np.isin(OPERATIONS[..., 0], list(Operation))
    assert known.all()
