"""What checked programs require of positions, and compiled ones trust."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode, program
from polytrix.core.compile.programs import as_argument
from polytrix.core.drivers import settle
from polytrix.core.random import draw
from polytrix.core.rules import apply
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, IntArray, Record, RecordArray
from polytrix.core.trust import MOST_ROUNDS, require
from tests.toys import SECRET

CAREFUL = pytest.mark.parametrize("mode", [Mode.PLAIN, Mode.CHECKED], ids=lambda mode: mode.value)


def require_each(holds: IntArray) -> int:
    for each in holds:
        require(each != 0)
    return len(holds)


def draw_below(states: RecordArray, n: int) -> int:
    return draw(states[0].generator, n)


def settle_first(states: RecordArray) -> None:
    settle(states[0])


def never_dealt(s: Record, action: int) -> None:
    s.pile = action
    s.mover = CHANCE


def states(mode: Mode) -> RecordArray:
    return as_argument(Simulator(SECRET, 1, seed=1, mode=Mode.PLAIN).states, mode)


@CAREFUL
def test_what_does_not_hold_is_an_error(mode: Mode) -> None:
    run = program(require_each, {}, mode, "test-require")
    assert run(np.ones(3, np.int64)) == 3
    with pytest.raises(IndexError, match="none of this game's"):
        run(np.array([1, 0]))


def test_compiled_programs_trust_it() -> None:
    assert program(require_each, {}, Mode.COMPILED, "test-require")(np.zeros(3, np.int64)) == 3


@CAREFUL
def test_a_draw_needs_an_outcome(mode: Mode) -> None:
    run = program(draw_below, {}, mode, "test-draw")
    assert run(states(mode), 1) == 0 and 0 <= run(states(mode), 2**32) < 2**32
    for n in (0, -1, -(2**40), 2**32 + 1):
        with pytest.raises(IndexError, match="none of this game's"):
            run(states(mode), n)


@CAREFUL
def test_chance_ends(mode: Mode) -> None:
    replacements = {**SECRET.replacements, apply: never_dealt}
    run = program(settle_first, replacements, mode, "test-settle")
    waiting = states(mode)
    run(waiting)  # a seat is to move
    waiting["mover"] = CHANCE
    before = int(waiting["generator"]["counter"][0])
    with pytest.raises(IndexError, match="none of this game's"):
        run(waiting)
    assert waiting["generator"]["counter"][0] >= before + MOST_ROUNDS
