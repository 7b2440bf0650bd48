"""Observations in positions that are rare in play; `test_whole_games.py` compares those of games."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER
from polytrix.games.estimatrix import GAME, evidence, exchange, rules
from polytrix.games.estimatrix.state import Act, Phase

from .obvious import obvious_position
from .play import observed
from .random_positions import some_options

# -- any letters, roles, words and dice that break no invariant -------------------------------------


def forge(s: Any, rng: random.Random) -> None:
    """Turn a game that has just begun into another position of it."""
    options = GAME.options.read(s.options)
    n = int(s.num_players)
    words = [v for v in range(48) if options["hints"] != "none" and int(options["domains"]) >> v // 8 & 1]
    for word in rng.sample(words, len(words) * rng.randint(0, 2) // 2):
        s.hint, s.kvanter, s.banned = word, rng.randrange(n), rng.randrange(6)
        s.die[:n] = [other_colour(s, rng) for _ in range(n)]
        evidence.remember(s)
    exchanges = rng.random()
    for one, other in combinations(range(n), 2):
        if rng.random() < exchanges and max(s.pair[[one, other]].sum(axis=1)) < n - 2:
            exchange.set_pair(s, one, other, 1)
    s.turn = rng.randint(1, int(options["max_turns"]))
    if s.turn > 1:
        s.last_kvanter, s.last_negater = rng.sample(range(n), 2)
        s.last_die[:n] = [rng.randrange(6) for _ in range(n)]
    s.kvanter, s.negater = rng.sample(range(n), 2)
    begin_turn(s, rng, words)
    s.decisions = rng.randrange(int(options["max_decisions"]))
    if s.mover >= 0 and rng.random() < 0.1:
        s.decisions, s.mover, s.truncated = options["max_decisions"], OVER, 1


def begin_turn(s: Any, rng: random.Random, words: list[int]) -> None:
    """Play a turn up to a random decision, or to its end."""
    rules.begin_turn(s)
    if rng.random() < 0.2:
        return
    rules.ban(s, rng.randrange(6))
    if s.phase == Phase.HINT:
        if rng.random() < 0.2:
            return
        rules.apply(s, Act.HINT + rng.choice(words))
    if rng.random() < 0.5:
        rules.apply(s, Act.WAIT)
    for _ in range(rng.randint(0, int(s.num_players))):
        rules.apply(s, Act.SET + other_colour(s, rng))


def other_colour(s: Any, rng: random.Random) -> int:
    """Any colour that is not banned."""
    return rng.choice([colour for colour in range(6) if colour != s.banned])


# -- what is seen of them ---------------------------------------------------------------------------


@pytest.mark.clause("ES-10", "ES-12", "ES-25", "ES-46")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_positions_that_are_rare_in_play_look_as_the_obvious_table_says(players: int) -> None:
    rng = random.Random(players)
    games = [some_options(rng) | {"players": players, "max_turns": rng.choice((40, 1000))} for _ in range(80)]
    simulator = Simulator(GAME, len(games), games, seed=players)
    for s in simulator.states:
        forge(s, rng)
        assert GAME.check(s, s) == 0
    for seat in range(players):
        compiled = simulator.view(seat)[0]
        for row, s in enumerate(simulator.states):
            expected = obvious_position(s).observation(seat)
            assert (compiled[row] == expected).all(), GAME.observations.describe(compiled[row] - expected)
            assert row % 8 or (observed(s, seat) == expected).all()
