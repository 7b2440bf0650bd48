"""Named integers for rules: plain integers wherever they are used, compiled as well."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode, fingerprint, program
from polytrix.core.constants import Constants


class Phase(Constants):
    ROLL, MOVE, OVER = range(3)
    NONE = -1


TABLE = np.arange(10) ** 2
STATES = np.zeros(2, [("phase", np.int8), ("count", np.int8, 4)]).view(np.recarray)


def uses(states, x):
    s = states[0]
    s.phase = Phase.OVER
    s.count[Phase.MOVE] = Phase.NONE
    total = 0
    for i in range(Phase.OVER):
        total += i + TABLE[Phase.OVER]
    if s.phase in (Phase.ROLL, Phase.OVER):
        total += 100
    phase = Phase.MOVE if x > Phase.MOVE else x
    total += (1 << Phase.OVER) + (x & ~Phase.MOVE) + max(x, Phase.MOVE) + int(Phase.OVER) - Phase.NONE
    for other in (Phase.ROLL, Phase.MOVE):
        total += 1000 * other
    return total + helper(Phase.OVER) + 10_000 * phase


def helper(phase):
    return -phase


@pytest.mark.parametrize("mode", Mode)
def test_members_are_integers_in_every_mode(mode: Mode) -> None:
    STATES[:] = 0
    run = program(uses, {}, mode, "constants")
    states = STATES if mode is Mode.PLAIN else STATES.view(np.ndarray)
    assert int(run(states, 5)) == 9 + 100 + (4 + 4 + 5 + 2 + 1) + 1000 - 2 + 10_000
    assert STATES.phase[0] == 2
    assert STATES.count[0].tolist() == [0, -1, 0, 0]


def missing(x):
    return x + Phase.LOST  # type: ignore[attr-defined]


def test_a_member_that_is_missing_is_an_error_in_every_mode() -> None:
    with pytest.raises(AttributeError, match="LOST"):
        program(missing, {}, Mode.PLAIN, "missing")(1)
    with pytest.raises(Exception, match="LOST"):
        program(missing, {}, Mode.COMPILED, "missing")(1)


def test_another_value_is_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(uses, {})

    class Other(Constants):
        ROLL, MOVE, OVER = range(3)
        NONE = -2

    monkeypatch.setitem(globals(), "Phase", Other)
    assert fingerprint(uses, {}) != before


def test_members_by_name() -> None:
    assert Phase.names() == ("ROLL", "MOVE", "OVER", "NONE")
    assert list(Phase) == [0, 1, 2, -1]
    assert len(Phase) == 4
    assert Phase.name_of(2) == "OVER"
    with pytest.raises(KeyError, match="no member with value 7"):
        Phase.name_of(7)


@pytest.mark.parametrize("value", [1.0, "one", True, np.int64(1), None])
def test_members_must_be_integers(value: object) -> None:
    with pytest.raises(TypeError, match=r"Bad\.ONE is .*; allowed: integers of type int"):
        type(Constants)("Bad", (Constants,), {"ONE": value})


def test_members_keep_their_values() -> None:
    with pytest.raises(AttributeError, match=r"Phase\.ROLL: constants cannot be reassigned"):
        Phase.ROLL = 7
    assert Phase.ROLL == 0
