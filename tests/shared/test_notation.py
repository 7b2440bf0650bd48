"""Notation is exact: a text that is not an action's name to the letter is refused, in every game."""

from __future__ import annotations

import pytest

from polytrix.core.errors import NotationError
from polytrix.core.game import Game
from polytrix.core.notation import not_named, spelt
from polytrix.core.simulator import Simulator
from tests.every_game import every_game
from tests.shared.test_words import positions

BLANKS = ("\n", "\t", "  ", "\u00a0", "\u3000", "\u200b")
ZEROS = (0x660, 0xFF10, 0x1D7CE)  # of Arabic, wide and bold digits; the others follow
OTHER_DIGITS = [{ord("0") + digit: zero + digit for digit in range(10)} for zero in ZEROS]


def misspelt(name: str) -> set[str]:
    """Texts that look like a name, or mean it, and are another text."""
    around = {text for blank in (" ", *BLANKS) for text in (name + blank, blank + name)}
    within = {name.replace(" ", blank) for blank in ("", *BLANKS)} | {" ".join(name)}
    case = {name.swapcase(), name.upper(), name.lower(), name.title()}
    return (around | within | case | {name.translate(digits) for digits in OTHER_DIGITS}) - {name}


@every_game
def test_only_the_exact_name_is_an_action(game: Game) -> None:
    for s in positions(game, 2):
        names = {game.format_action(s, action): action for action in game.legal_ids(s)}
        for name in list(names)[:: max(1, len(names) // 5)]:
            assert game.parse_action(s, name) == names[name]
            for text in misspelt(name) - names.keys():
                with pytest.raises(NotationError):
                    game.parse_action(s, text)


@every_game
def test_no_two_legal_actions_differ_only_in_blanks_and_case(game: Game) -> None:
    for s in positions(game, 4):
        names = [game.format_action(s, action) for action in game.legal_ids(s)]
        assert [spelt(name.swapcase(), names) for name in names] == names


@every_game
def test_nothing_is_legal_at_chance_events_or_after_the_end(game: Game) -> None:
    over = Simulator(game, 1, {"max_decisions": 1}, seed=1)
    over.step(over.random_actions())
    for s in (game.opening(game.options.defaults)[0], over.states[0]):
        assert game.legal_ids(s) == []
        with pytest.raises(NotationError, match="no seat is to move"):
            game.parse_action(s, game.format_action(s, 0))


@pytest.mark.parametrize(
    ("text", "reason", "message"),
    [
        ("melee Vx", "", "'melee Vx' names no legal action; did you mean 'melee Va'?"),
        ("7", "", "'7' names no legal action; legal are pass, melee Va (2 in all)"),
        ("fly", "it rains", "'fly' names no legal action: it rains; legal are pass, melee Va (2 in all)"),
    ],
)
def test_what_names_no_legal_action_is_refused_with_a_hint(text: str, reason: str, message: str) -> None:
    assert str(not_named(text, ["pass", "melee Va"], reason)) == message


def test_a_name_may_be_written_without_the_sign_at_its_end_but_not_with_one_more() -> None:
    assert spelt("ab", ["a b#", "c"]) == "a b#"
    assert spelt("ab", ["a b#", "a b"]) == "a b"
    assert spelt("c#", ["a b#", "c"]) == "c#"
