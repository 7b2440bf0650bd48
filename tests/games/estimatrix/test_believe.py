"""`believe`: seats that have shown the viewer's readings are more likely on its wavelength."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE
from polytrix.games.estimatrix import GAME, redeal
from polytrix.games.estimatrix.lexicon import FACE
from polytrix.games.estimatrix.state import Phase

from .chances import every_outcome
from .play import go, new_game
from .random_positions import VARIETY

clause = pytest.mark.clause


def game(**options: Any) -> Any:
    """The first state after the set-up."""
    return Simulator(GAME, options=options, seed=1, mode=Mode.PLAIN).states[0]


def in_play(options: dict[str, Any], decisions: int, seed: int) -> Any:
    """A game with hidden dice, after at least `decisions` random decisions."""
    simulator = Simulator(GAME, options=options, seed=seed, mode=Mode.PLAIN)
    for played in range(300):
        s = simulator.states[0]
        if played >= decisions and s.phase == Phase.DIE and (s.die >= 0).sum() > 1:
            return s
        if simulator.over[0]:
            simulator.restart()
        simulator.step(simulator.random_actions())
    raise AssertionError("no hidden dice")


@pytest.mark.parametrize("wavelengths", [2, 3])
@pytest.mark.parametrize("signs", [((0, 0), (4, 0)), ((0, 1), (3, 0)), ((5, 2), (0, 0)), ((1, 1), (0, 3))])
def test_who_shares_a_wavelength_is_kept_by_the_odds_that_greedy_gives_it(
    wavelengths: int, signs: tuple[tuple[int, int], ...]
) -> None:
    """Greedy's belief relative to the one without memory; likelier assignments are always accepted."""
    s = game(players=3, wavelengths=wavelengths)
    seat, domain, others = 1, 4, (0, 2)
    for other, (echo, clash) in zip(others, signs, strict=True):
        s.echo[seat, other, domain], s.clash[seat, other, domain] = echo, clash
    for waves in product(range(wavelengths), (1,), range(wavelengths)):
        s.wave[:3, domain] = waves
        expected = Fraction(1)
        for other, (echo, clash) in zip(others, signs, strict=True):
            belief = Fraction(4 + echo, 4 * wavelengths + echo + 8 * clash)
            odds = {True: belief * wavelengths, False: (1 - belief) * wavelengths / (wavelengths - 1)}
            expected *= odds[waves[other] == waves[seat]] / max(odds.values())
        found = every_outcome(redeal, lambda: redeal.is_believed(s, seat, domain))
        assert sum(chance for kept, chance in found if kept) == expected, waves


@pytest.mark.parametrize("options", [o for o in VARIETY if o.get("hints", "lexicon") == "lexicon"], ids=str)
def test_on_other_wavelengths_words_are_read_as_was_shown_there(options: dict[str, Any]) -> None:
    """The last seat on a wavelength decides. Dice in colours that the word lacks do not count."""
    rng = np.random.default_rng(3)
    s = game(**options)
    n, w = int(s.num_players), int(s.options.wavelengths)
    introduced = 8 - int(s.options.acquaintance)
    seen = 0
    for domain in range(6):
        words = range(8 * domain, 8 * domain + introduced)
        s.known[:n, words] = rng.integers(0, 7, (n, introduced))
        seat = int(rng.integers(n))
        before = s.copy()
        redeal.read_as_shown(s, seat, domain)
        for v, wave in product(words, range(w)):
            shown = [int(s.known[p, v]) - 1 for p in range(n) if s.wave[p, domain] == wave and s.known[p, v]]
            shown = [colour for colour in shown if colour in FACE[v]]
            if wave == s.wave[seat, domain]:
                shown = []
            assert s.reading[wave, v] == (shown[-1] if shown else before.reading[wave, v])
            seen += bool(shown)
        assert (s.known == before.known).all()
    assert seen > 4


@clause("ES-22", "ES-25")
def test_hidden_dice_show_what_their_owners_read_in_the_hint_unless_it_is_banned() -> None:
    s = game(players=5)
    s.hint, s.banned = 12, 3
    s.wave[:5, 1] = (0, 1, 2, 0, 0)
    s.reading[:, 12] = (0, 1, 3)
    s.die[:5] = (2, 2, 2, -1, 2)
    redeal.set_readings(s, 4)
    assert s.die.tolist() == [0, 1, 2, -1, 2, -1]


@pytest.mark.parametrize("number", range(len(VARIETY)))
def test_what_a_seat_believes_could_be_and_follows_from_what_it_knows(number: int) -> None:
    """States that a seat cannot distinguish give the same result, and known fields stay."""
    s = in_play(VARIETY[number], 6, seed=number)
    for seat in range(int(s.num_players)):
        believed, other = s.copy(), s.copy()
        redeal.redeal(other, seat)
        other.generator = s.generator
        redeal.believe(believed, seat)
        redeal.believe(other, seat)
        assert GAME.check(believed, believed) == 0
        assert believed.tobytes() == other.tobytes()
        for name in GAME.state.names or ():
            if name not in ("generator", "die", "wave", "reading", "echo", "clash"):
                assert (believed[name] == s[name]).all(), name
        for name in ("die", "wave", "echo", "clash"):
            assert (believed[name][seat] == s[name][seat]).all(), name


@clause("ES-08", "ES-09")
@pytest.mark.parametrize("deal", [redeal.redeal, redeal.believe])
def test_in_the_set_up_what_has_been_drawn_is_drawn_anew(deal: Any) -> None:
    """Readings are faces, wavelengths are allowed, and later draws are still pending."""
    states = new_game(players=3)
    while states[0].dealt_row < 50:
        go(states, 0)
    s = states[0]
    readings, waves = set(), set()
    for _ in range(25):
        assert s.mover == CHANCE
        deal(s, 0)
        assert GAME.check(s, s) == 0
        readings.add(int(s.reading[1, 3]))
        waves.add(int(s.wave[1, 5]))
    assert readings == set(FACE[3].tolist()) and waves == {0, 1, 2}
