"""Actions by name: which one is meant, and the error if none is."""

from __future__ import annotations

import pytest

from polytrix.core.errors import NotationError
from polytrix.core.notation import action_named

LEGAL = {"pass": 0, "melee Va": 77}
KNOWN = [*LEGAL, "melee Vb"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("melee Vb", "'melee Vb' is illegal here; legal are pass, melee Va"),
        ("melee Vx", "'melee Vx' is no action; write melee Va; did you mean 'melee Va'?"),
        ("7", "'7' is no action; write melee Va; legal are pass, melee Va"),
    ],
)
def test_what_names_no_legal_action_is_refused_with_a_hint(text: str, message: str) -> None:
    with pytest.raises(NotationError) as refused:
        action_named(text, LEGAL, KNOWN, "melee Va")
    assert str(refused.value).startswith(message)
