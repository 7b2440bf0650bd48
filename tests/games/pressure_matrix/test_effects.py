"""The steps of effects."""

from __future__ import annotations

import pytest

from polytrix.core.compile.substitution import with_tables
from polytrix.core.state import OVER
from polytrix.games.pressure_matrix import GAME, rules
from polytrix.games.pressure_matrix.effects import CONDITION, STEPS, Op, When
from polytrix.games.pressure_matrix.state import Act, Phase
from polytrix.games.pressure_matrix.tiles import FACE_CODE

from .random_positions import met


@pytest.mark.parametrize("operation", [-1, len(Op)])
def test_a_step_without_a_case_is_refused(operation: int) -> None:
    steps = STEPS.copy()
    steps[1:, 0, 0] = operation
    apply = with_tables({"apply": rules.apply}, [(STEPS, steps)])["apply"]
    s = met(lambda s: s["phase"] == Phase.NODE)[0]
    codes = FACE_CODE[s.up[s.runner[s.active]]]
    assert (CONDITION[codes] == When.INSTANT).any()
    for action in GAME.legal_ids(s):
        after = s.copy()
        apply(after, action)
        refused = CONDITION[codes[action - Act.NODE]] == When.INSTANT
        assert (GAME.check(s, after) != 0) == refused == (after.mover == OVER)
