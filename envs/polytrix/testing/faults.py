"""What is wrong with positions, in words."""

from __future__ import annotations

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import as_argument, programs
from polytrix.core.game import Game
from polytrix.core.inspection import FAULT, FINE, ROW, broken_invariant, fault_of, scratch_for
from polytrix.core.loaded import checked
from polytrix.core.records import as_records
from polytrix.core.state import Record, RecordArray


def first_fault(game: Game, states: RecordArray, mode: Mode = Mode.COMPILED) -> tuple[int, str] | None:
    """The row of the first state in which a rule finds a fault, and the fault in words; None if all are fine.

    It runs the rules that only read a state: invariants, chance, legal actions and observations. In
    machine code every index is checked.
    """
    mode = checked(mode)
    scratch = scratch_for(game)
    looked_at = as_argument(states.copy(), mode)
    try:
        programs(game, mode).first_fault(looked_at, scratch)
    except (LookupError, ArithmeticError, ValueError) as error:
        return int(scratch.found[ROW]), str(error)
    if scratch.found[FAULT] == FINE:
        return None
    row = int(scratch.found[ROW])
    return row, fault_of(game, as_records(looked_at)[row], scratch)


def check_invariants(game: Game, s: Record, where: str = "") -> None:
    """Assert that a state satisfies all invariants of its game, except those that compare two states.

    Args:
        game: the game.
        s: one of its states; the check runs in plain Python.
        where: a description of the state for the error message.

    Raises:
        AssertionError: with the text of the first invariant that does not hold.
    """
    number = game.check(s, s)
    assert number == 0, f"{where or game.name}: {broken_invariant(game, number)}"
