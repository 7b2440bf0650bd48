"""Notation is exact: a text that is not an action's name to the letter is refused, in every game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import polytrix
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import NotationError
from polytrix.core.game import Game
from polytrix.core.notation import action_named, ids_of, spelt
from polytrix.core.simulator import Simulator
from tests.every_game import every_game

GAMES = polytrix.all_games()
BLANKS = ("\n", "\t", "  ", "\u00a0", "\u3000", "\u200b")
ZEROS = (0x660, 0xFF10, 0x1D7CE)  # of Arabic, wide and bold digits; the others follow
OTHER_DIGITS = [{ord("0") + digit: zero + digit for digit in range(10)} for zero in ZEROS]


def misspelt(name: str) -> set[str]:
    """Texts that look like a name, or mean it, and are another text."""
    around = {text for blank in (" ", *BLANKS) for text in (name + blank, blank + name)}
    within = {name.replace(" ", blank) for blank in ("", *BLANKS)} | {" ".join(name)}
    case = {name.swapcase(), name.upper(), name.lower(), name.title()}
    return (around | within | case | {name.translate(digits) for digits in OTHER_DIGITS}) - {name}


def decisions(game: Game, games: int, steps: int) -> Iterator[Simulator]:
    """Positions of random games."""
    sim = Simulator(game, games, game.options.defaults, seed=3, mode=Mode.PLAIN)
    for _ in range(steps):
        yield sim
        sim.step(sim.random_actions())


@every_game
def test_only_the_exact_name_is_an_action(game: Game) -> None:
    for sim in decisions(game, games=2, steps=12):
        for s in sim.states:
            names = {game.format_action(s, action): action for action in ids_of(game.legal, s, game.max_legal)}
            for name in list(names)[:: max(1, len(names) // 5)]:
                assert game.parse_action(s, name) == names[name]
                for text in misspelt(name) - names.keys():
                    with pytest.raises(NotationError):
                        game.parse_action(s, text)


@every_game
def test_no_two_legal_actions_differ_only_in_blanks_and_case(game: Game) -> None:
    for sim in decisions(game, games=2, steps=12):
        for s in sim.states:
            names = [game.format_action(s, action) for action in ids_of(game.legal, s, game.max_legal)]
            assert [spelt(name.swapcase(), names) for name in names] == names


LEGAL = {"pass": 0, "melee Va": 77}
KNOWN = [*LEGAL, "melee Vb"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("melee Vb", "'melee Vb' is illegal here; legal are pass, melee Va"),
        ("melee Vx", "'melee Vx' is not an action; write melee Va; did you mean 'melee Va'?"),
        ("7", "'7' is not an action; write melee Va; legal are pass, melee Va"),
    ],
)
def test_what_names_no_legal_action_is_refused_with_a_hint(text: str, message: str) -> None:
    with pytest.raises(NotationError) as refused:
        action_named(text, LEGAL, KNOWN, "melee Va")
    assert str(refused.value).startswith(message)
