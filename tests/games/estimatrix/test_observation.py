"""Observations: they hold all of the wide coding, and nothing about hidden dice and readings.

To find leaks, each hidden die in random positions is swapped for every other colour that it might show.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, ByteArray, Record, RecordArray, new_records
from polytrix.games.estimatrix import GAME, observation
from polytrix.games.estimatrix.notation import legal_ids
from polytrix.games.estimatrix.observation import Obs
from polytrix.testing import check_no_leak

from .forged import forge
from .obvious import obvious_position
from .play import go, new_game, observed
from .random_positions import VARIETY, random_states, some_options
from .wide import wide, widened

clause = pytest.mark.clause


def swapped(s: Any) -> Iterator[tuple[int, Any]]:
    """Seats with hidden dice, each with a copy of the state in which its die shows another colour."""
    n = int(s.num_players)
    if (s.die[:n] >= 0).all():
        return
    for seat in range(n):
        for colour in range(6):
            if s.die[seat] >= 0 and colour not in (s.die[seat], s.banned):
                twin = s.copy()
                twin.die[seat] = colour
                yield seat, twin


def views(game: Game, states: RecordArray, seat: int) -> tuple[ByteArray, ByteArray]:
    """A seat's observation and legal actions in each state."""
    count = len(states)
    observation = np.zeros((count, game.observations.size), np.int8)
    mask = np.zeros((count, game.actions.size), np.int8)
    ids = np.zeros(game.max_legal, np.int16)
    raw = states.view(np.ndarray)
    programs(game).view(raw, np.arange(count), np.full(count, seat), observation, mask, ids)
    return observation, mask


def leaks(game: Game, s: Any) -> int:
    """The number of swapped dice that another seat notices. The owner must notice all."""
    twins = list(swapped(s))
    if not twins:
        return 0
    states = new_records(1 + len(twins), game.state)
    states[0] = s
    for i, (_, twin) in enumerate(twins):
        states[1 + i] = twin
    owners = np.array([owner for owner, _ in twins])
    found = 0
    for seat in range(int(s.num_players)):
        observation, mask = views(game, states, seat)
        changed = (observation[1:] != observation[0]).any(axis=1) | (mask[1:] != mask[0]).any(axis=1)
        assert changed[owners == seat].all()
        found += int(changed[owners != seat].sum())
    return found


@clause("ES-25")
@pytest.mark.parametrize("number", range(len(VARIETY)))
def test_swapped_dice_change_nothing_for_others(number: int) -> None:
    moments = 0
    for simulator in random_states(VARIETY[number], 90, seed=number, games=4):
        for s in simulator.states:
            moments += any(True for _ in swapped(s))
            assert leaks(GAME, s) == 0
    assert moments > 100


@clause("ES-25")
@pytest.mark.parametrize("steps", [12, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("number", range(len(VARIETY)))
def test_nor_in_words_and_pictures(number: int, steps: int) -> None:
    moments = 0
    for simulator in random_states(VARIETY[number], steps, seed=30 + number, games=1):
        s = simulator.states[0]
        for owner, twin in list(swapped(s))[::7]:
            moments += 1
            names = [GAME.format_action(s, action) for action in legal_ids(s)]
            assert names == [GAME.format_action(twin, action) for action in legal_ids(twin)]
            for seat in range(int(s.num_players)):
                same = seat != owner
                assert (GAME.text(s, seat) == GAME.text(twin, seat)) == same
                assert (GAME.draw(s, seat).svg() == GAME.draw(twin, seat).svg()) == same
            assert GAME.text(s, None) != GAME.text(twin, None)
    assert moments > 4


def peeping_observe(s: Record, seat: int, out: ByteArray) -> None:
    """A wrong rule: everybody sees the Kvanter's die."""
    observation.observe(s, seat, out)
    if s.kvanter >= 0 and s.die[s.kvanter] >= 0:
        out[Obs.OWN_DIE + int(s.die[s.kvanter])] = 1


def test_the_swaps_find_a_leak() -> None:
    game = replace(GAME, name="estimatrix_peeping", observe=peeping_observe)
    states = new_game(hints="none", players=4)
    go(states, 0, "ban white", "set red")
    assert leaks(GAME, states[0]) == 0

    def found(observe: Any) -> int:
        s, count = states[0], 0
        for _, twin in swapped(s):
            out = np.zeros((2, GAME.observations.size), np.int8)
            observe(s, 2, out[0])
            observe(twin, 2, out[1])
            count += (out[0] != out[1]).any()
        return count

    assert found(game.observe) == 4 and found(GAME.observe) == 0


@clause("ES-25", "ES-45")
def test_dice_stay_hidden_where_the_limit_cuts_a_turn_off() -> None:
    states = new_game(hints="none", players=3, max_decisions=3)
    s = go(states, 0, "ban white", "set red", "set blue")
    assert s.mover == OVER and s.truncated and leaks(GAME, s) == 0
    assert "?" in GAME.text(s, 0) and "Seat" in GAME.draw(s, 0).svg()


@clause("ES-45")
@pytest.mark.parametrize("bans", [0, 1])
def test_once_over_no_hint_is_weighed(bans: int) -> None:
    """A game cut off before the ban or the hint has no `share`."""
    simulator = Simulator(GAME, options={"players": 3}, seed=1)
    for _ in range(bans):
        simulator.step([0])
    kvanter = int(simulator.mover[0])
    shares = [GAME.observations.view(observed(simulator.states[0], kvanter))["share"]]
    simulator.states[0].mover, simulator.states[0].truncated = OVER, 1
    shares.append(GAME.observations.view(observed(simulator.states[0], kvanter))["share"])
    assert shares[0].any() and not shares[1].any()


@clause("ES-10", "ES-25")
@pytest.mark.parametrize("number", range(len(VARIETY)))
def test_nothing_that_is_dealt_anew_is_seen(number: int) -> None:
    differing = check_no_leak(GAME, VARIETY[number], games=2, decisions=25, playouts=1, pictures=0, seed=number)
    assert differing > 0


@clause("ES-10")
def test_others_readings_are_seen_by_nobody() -> None:
    """Change the others' readings of words that are not introduced."""
    for simulator in random_states({"players": 4}, 12, seed=8, games=1):
        s = simulator.states[0]
        for seat in range(4):
            twin = s.copy()
            others = [p for p in range(4) if p != seat]
            for word in range(48):
                if word % 8 < 7:
                    for w in set(range(3)) - {int(s.wave[seat, word // 8])}:
                        twin.reading[w, word] = (s.reading[w, word] + 1) % 6
            twin.echo[others], twin.clash[others] = 7, 3
            both = np.stack([s, twin]).view(np.recarray)
            observation, mask = views(GAME, both, seat)
            assert (observation[0] == observation[1]).all() and (mask[0] == mask[1]).all()
            assert GAME.text(s, seat) == GAME.text(twin, seat)
            assert GAME.draw(s, seat).svg() == GAME.draw(twin, seat).svg()


def test_plain_python_hides_as_well() -> None:
    assert check_no_leak(GAME, {"players": 3, "acquaintance": 2}, games=1, decisions=14, mode=Mode.PLAIN) > 0


@pytest.mark.parametrize("number", range(len(VARIETY)))
def test_the_observation_holds_all_that_the_plain_coding_does(number: int) -> None:
    simulator = Simulator(GAME, 2, VARIETY[number], seed=50 + number)
    for step in range(80):
        if step % 5 == 0:
            for seat in range(int(simulator.num_players[0])):
                for s, observation in zip(simulator.states, simulator.view(seat)[0], strict=True):
                    assert (widened(observation) == wide(s, seat)).all()
        simulator.restart(np.flatnonzero(simulator.over))
        simulator.step(simulator.random_actions())


@clause("ES-10", "ES-12", "ES-25", "ES-46")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_positions_that_are_rare_in_play_look_as_the_obvious_table_says(players: int) -> None:
    rng = random.Random(players)
    games = [some_options(rng) | {"players": players} for _ in range(80)]
    states = Simulator(GAME, len(games), games, seed=players).states
    for s in states:
        forge(s, rng)
        assert GAME.check(s, s) == 0
    for seat in range(players):
        compiled, _ = views(GAME, states, seat)
        for row, s in enumerate(states):
            expected = obvious_position(s).observation(seat)
            assert (compiled[row] == expected).all(), GAME.observations.describe(compiled[row] - expected)
            assert row % 8 or (observed(s, seat) == expected).all()
