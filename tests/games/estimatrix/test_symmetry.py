"""The colours are alike: exchange them everywhere, also in the lexicon, and the game is the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import RecordArray
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.lexicon import shipped
from polytrix.games.estimatrix.state import CODES, Act, Phase
from tests.games.commuting import differences

from .random_positions import VARIETY, random_states

COLOURS = np.array([each["colour"] for each in GAME.symmetries])
WORDLESS = 40 * [options for options in VARIETY if options.get("hints", "lexicon") != "lexicon"]


def exchanged(states: RecordArray, which: np.ndarray) -> RecordArray:
    """The states with their colours exchanged, each by one of `COLOURS`."""
    others = states.copy()
    for s, colours in zip(others, COLOURS[which], strict=True):
        if s.banned >= 0:
            s.banned = colours[s.banned]
        for name in ("die", "last_die", "reading"):
            s[name][:] = np.where(s[name] < 0, -1, colours[s[name]])
        for name in ("known", "known_ban", "said"):
            s[name][:] = np.where(s[name] == 0, 0, 1 + colours[s[name] - 1])
    return others


def lexicon_in(colours: np.ndarray) -> Any:
    """The shipped lexicon with its colours exchanged."""
    content = shipped()
    exchange = str.maketrans(CODES, "".join(CODES[each] for each in colours))
    for domain in content["domains"]:
        for word in domain["words"]:
            word["faces"] = word["faces"].translate(exchange)
    return content


def found(
    options: list[dict[str, Any]], which: np.ndarray, other: Simulator, declared: Game = GAME
) -> set[str]:
    """What of random positions and of the exchanged ones, put into the other simulator, does not agree."""
    names = set()
    for one in random_states(options, 60, seed=2, games=len(options)):
        if not one.over.any():
            other.states[:] = exchanged(one.states, which)
            other.refresh()
            names |= differences(declared, which, one, other, lambda states: exchanged(states, which))
    return names


def found_without_words(declared: Game = GAME) -> set[str]:
    which = np.random.default_rng(3).integers(1, 720, size=len(WORDLESS))
    return found(WORDLESS, which, Simulator(GAME, len(WORDLESS), seed=0), declared)


@pytest.mark.clause("ES-13", "ES-14")
def test_colours_without_words() -> None:
    assert len({*map(tuple, COLOURS)}) == 720
    assert found_without_words() == set()


@pytest.mark.clause("ES-08", "ES-10")
@pytest.mark.parametrize("number", [1, 433])
def test_colours_with_those_of_the_lexicon(number: int) -> None:
    options = [each for each in VARIETY if each not in WORDLESS]
    game = GAME.with_data(lexicon=lexicon_in(COLOURS[number]))
    other = Simulator(game, len(options), seed=0, mode=Mode.PLAIN)
    assert found(options, np.full(len(options), number), other) == set()


@pytest.mark.clause("ES-19")
def test_the_roll_of_the_die() -> None:
    """Its outcomes are numbered like the colours."""
    rng, run = np.random.default_rng(4), programs(GAME, Mode.COMPILED)
    simulator = Simulator(GAME, 200, {"hints": "symbols"}, seed=1)
    run.advance(simulator.states, np.full(200, Act.ROLL))
    assert (simulator.states["phase"] == Phase.ROLL).all()
    which, outcomes = rng.integers(720, size=200), rng.integers(6, size=200)
    others = exchanged(simulator.states, which)
    run.advance(simulator.states, outcomes)
    run.advance(others, COLOURS[which, outcomes])
    assert exchanged(simulator.states, which).tobytes() == others.tobytes()
