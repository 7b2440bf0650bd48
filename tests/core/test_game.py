"""The description of a game: what it refuses, and which rules replace which placeholders."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from polytrix.core import rules
from polytrix.core.game import Game
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


def test_a_private_field_needs_redeal() -> None:
    with pytest.raises(ValueError, match="secret: the field 'secret' is private; define redeal"):
        replace(SECRET, redeal=rules.redeal)


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


# -- found by names -----------------------------------------------------------------------------

STONES_STATE = """
import numpy as np
from polytrix.core.layout import Layout, block
from polytrix.core.options import Options
from polytrix.core.state import Record, field
OPTIONS = Options(max_decisions=9)
MAX_LEGAL = 2
class State(Record):
    pile: int = field(np.int8, 0, 9)
class Act(Layout):
    TAKE = block(2, meaning="take 1, 2")
class Obs(Layout):
    LEFT = block(meaning="left on the pile", high=9)
"""

STONES_RULES = """
from tests.toys import setup as setup_of_another_game
def setup(s): ...
def legal(s, ids): ...
def apply(s, action): ...
def payoff(s, out): ...
def observe(s, seat, out): ...
"""

STONES_WORDS = """
def format_action(s, action): ...
def text(s, seat): ...
"""

INVARIANTS = """
from polytrix.core.invariants import invariant
@invariant
def fine(before, s): return True
"""

STONES = {
    "__init__": "",
    "state": STONES_STATE,
    "rules": STONES_RULES,
    "words": STONES_WORDS,
    "picture": "from .rules import legal\ndef draw(s, seat): ...\n",
    "invariants": INVARIANTS,
    "test_stones": "raise AssertionError('no module of the game')\n",
}


@pytest.fixture
def stones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Game]]:
    """Makes a game of a package with these modules, besides those of STONES."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(**modules: str) -> Game:
        (tmp_path / "found_stones").mkdir()
        for name, code in (STONES | modules).items():
            (tmp_path / "found_stones" / f"{name}.py").write_text(code)
        return Game.of("found_stones", title="Stones", seats=("north", "south"))

    yield make
    for name in [name for name in sys.modules if name.startswith("found_stones")]:
        del sys.modules[name]


def test_a_package_is_searched_for_rules_and_tables(stones: Callable[..., Game]) -> None:
    game = stones()
    assert (game.name, game.version, game.max_legal) == ("found_stones", 0, 2)
    assert (game.actions.size, game.observations.size) == (2, 1)
    assert [field.name for field in game.fields] == ["pile"] and game.invariants == ("fine",)
    for module, name in {"rules": "legal", "words": "text", "picture": "draw"}.items():
        assert getattr(game, name) is getattr(sys.modules[f"found_stones.{module}"], name)
    assert game.setup.__module__ == "found_stones.rules"
    assert (game.chance, game.redeal, game.greedy) == (rules.chance, rules.redeal, None)


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ({"ending": "def payoff(s, out): ..."}, r"rules and .*ending both define 'payoff'; keep one"),
        ({"ending": "MAX_LEGAL = 3"}, r"state and .*ending both define 'MAX_LEGAL'; keep one"),
        ({"greedy": INVARIANTS}, r"greedy and .*invariants both define 'invariants'; keep one"),
    ],
)
def test_what_stands_in_two_modules_is_refused(
    stones: Callable[..., Game], modules: dict[str, str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        stones(**modules)


def test_what_is_missing_is_named(stones: Callable[..., Game]) -> None:
    with pytest.raises(ValueError, match=r"found_stones defines no draw, format_action in state, rules"):
        stones(words=STONES_WORDS.replace("format_action", "name_action"), picture="")
