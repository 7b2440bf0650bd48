"""The description of a game: what it refuses, and which rules replace which placeholders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from polytrix.core import rules
from polytrix.core.state import Record
from tests import toys
from tests.toys import SECRET


@pytest.mark.parametrize("name", ["Secret", "the secret", "secret-2", "2secrets", ""])
def test_a_name_is_of_lower_case_letters_digits_and_underscores(name: str) -> None:
    with pytest.raises(ValueError, match=r"game name '.*': use lower case letters, digits and underscores"):
        replace(SECRET, name=name)
    assert replace(SECRET, name="secret_2").id == "polytrix/secret_2-v0"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rate": None}, "both heuristics and the rule rate"),
        ({"heuristics": ()}, "both heuristics and the rule rate"),
    ],
)
def test_a_description_at_odds_with_itself_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"secret: .*{message}"):
        replace(SECRET, **change)


def seat_rule(s: Record, seat: int) -> None:
    """Stands for any rule about a seat."""


@pytest.mark.parametrize(
    ("placeholder", "name"),
    [
        (rules.potential, "potential"),
        (rules.greedy, "greedy"),
        (rules.rate, "rate"),
        (rules.believe, "believe"),
    ],
)
def test_a_rule_that_a_game_may_lack_is_replaced_where_it_has_one(
    placeholder: Callable[..., Any], name: str
) -> None:
    companion = {"rate": {"heuristics": ()}}.get(name, {})
    without: dict[str, Any] = {name: None, **companion}
    assert placeholder not in replace(SECRET, **without).replacements
    having: dict[str, Any] = {name: seat_rule}
    assert replace(SECRET, **having).replacements[placeholder] is seat_rule


def test_the_rules_of_every_game_are_replaced() -> None:
    names = ("setup", "chance", "legal", "apply", "payoff", "observe", "redeal", "check")
    replacements = SECRET.replacements
    assert [replacements[getattr(rules, name)] for name in names] == [getattr(toys, name) for name in names]
