"""`redeal` samples hidden information with the probabilities that follow from a seat's knowledge."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE
from polytrix.games.estimatrix import GAME, evidence
from polytrix.games.estimatrix.lexicon import FACE
from polytrix.games.estimatrix.state import CODES, Phase
from tests.chi_square import is_like
from tests.games.samples import redealt

from .play import go, new_game, word

clause = pytest.mark.clause


def position(readings: dict[int, str], players: int, acquaintance: int, wavelengths: int = 3) -> Any:
    """A game whose introduced food words (ice-cream, candy) the seats read as given; the first is the viewer.

    Seats of equal readings share a wavelength.
    """
    options = {"players": players, "acquaintance": acquaintance, "wavelengths": wavelengths}
    s = Simulator(GAME, options=options, seed=1, mode=Mode.PLAIN).states[0]
    names = ["ice-cream", "candy"][2 - acquaintance :]
    ways = list(dict.fromkeys(readings.values()))
    for seat in range(players):
        s.wave[seat, 0] = ways.index(readings[seat])
        for name, code in zip(names, readings[seat], strict=True):
            s.reading[s.wave[seat, 0], word(name)] = CODES.index(code)
    evidence.introduce_words(s)
    return s


def exhaustive(s: Any, seat: int) -> Counter[tuple[int, ...]]:
    """The other seats' wavelengths, counted over all draws of faces (food, introduced words) that fit."""
    w, n = int(s.options.wavelengths), int(s.num_players)
    words = list(range(8 - int(s.options.acquaintance), 8))
    others = [p for p in range(n) if p != seat]
    public = {p: [int(s.known[p, v]) - 1 for v in words] for p in range(n)}
    own = int(s.wave[seat, 0])
    counts: Counter[tuple[int, ...]] = Counter()
    strange = [t for t in range(w) if t != own]
    for faces in product(range(6), repeat=len(strange) * len(words)):
        drawn = np.reshape(faces, (len(strange), len(words)))
        reads = {
            t: [int(FACE[v, face]) for v, face in zip(words, row, strict=True)]
            for t, row in zip(strange, drawn, strict=True)
        }
        reads[own] = public[seat]
        fitting = [[t for t in range(w) if reads[t] == public[p]] for p in others]
        for waves in product(*fitting):
            counts[waves] += 1
    return counts


CASES = {
    "three seats": ({0: "R", 1: "R", 2: "G"}, 3, 1, 3),
    "all alike": ({0: "R", 1: "R", 2: "R"}, 3, 1, 3),
    "rare and common": ({0: "Y", 1: "R", 2: "G", 3: "R"}, 4, 1, 3),
    "two wavelengths": ({0: "P", 1: "R", 2: "P", 3: "P", 4: "R"}, 5, 1, 2),
    "two words": ({0: "WR", 1: "WG", 2: "WR"}, 3, 2, 3),
    "two words, four seats": ({0: "WR", 1: "WR", 2: "RR", 3: "BP"}, 4, 2, 3),
    "no introduced words": ({0: "", 1: "", 2: "", 3: ""}, 4, 0, 3),
    "six seats": ({0: "R", 1: "R", 2: "G", 3: "G", 4: "R", 5: "B"}, 6, 1, 3),
}


@clause("ES-10", "ES-12")
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("seat", [0, 2])
def test_wavelengths_by_exhaustion(name: str, seat: int) -> None:
    s = position(*CASES[name])
    others = [p for p in range(int(s.num_players)) if p != seat]
    expected = exhaustive(s, seat)
    assert tuple(int(s.wave[p, 0]) for p in others) in expected
    states = redealt(GAME, s, seat)
    found = Counter(map(tuple, states["wave"][:, others, 0].tolist()))
    assert is_like(found, dict(expected)), (found.most_common(4), expected.most_common(4))


@clause("ES-08", "ES-10")
def test_readings_of_other_wavelengths_are_fresh_faces() -> None:
    s = position(*CASES["rare and common"])
    states = redealt(GAME, s, 0)
    for name in ("banana", "apple", "wine"):
        for w in (1, 2):
            found = Counter(states["reading"][:, w, word(name)].tolist())
            assert is_like(found, Counter(FACE[word(name)].tolist()))
    both = Counter(
        zip(
            states["reading"][:, 1, word("wine")].tolist(),
            states["reading"][:, 2, word("wine")].tolist(),
            strict=True,
        )
    )
    assert is_like(both, dict.fromkeys(product((0, 2, 5), repeat=2), 1.0))
    assert (states["reading"][:, 0, :8] == s.reading[0, :8]).all() and (states["wave"][:, 0] == s.wave[0]).all()


@clause("ES-12")
def test_a_wavelength_without_seats_gets_a_random_face_of_an_introduced_word() -> None:
    states = redealt(GAME, position(*CASES["all alike"]), 0)
    free = ~(states["wave"][:, :3, 0] == 2).any(axis=1)
    assert free.sum() > 500
    found = Counter(states["reading"][free, 2, word("candy")].tolist())
    assert is_like(found, Counter(FACE[word("candy")].tolist()))


@clause("ES-25")
def test_hidden_dice_are_any_of_five_colours() -> None:
    states = new_game(players=4, hints="none")
    s = go(states, 0, "ban green", "set red", "set blue")
    dealt_anew = redealt(GAME, s, 2)["die"]
    assert (dealt_anew[:, [0, 3]] == -1).all() and (dealt_anew[:, 2] == 4).all()
    pairs = Counter(map(tuple, redealt(GAME, s, 3)["die"][:, 1:3].tolist()))
    assert is_like(pairs, dict.fromkeys(product((0, 1, 2, 4, 5), repeat=2), 1.0))
    assert (redealt(GAME, s, 1)["die"][:, 1] == 2).all()


@clause("ES-08", "ES-09")
def test_in_the_set_up_nobody_knows_anything() -> None:
    states = new_game(players=3)
    while states[0].dealt_row < 50:
        go(states, 0)
    s = states[0]
    assert s.phase == Phase.SETUP and s.mover == CHANCE
    many = redealt(GAME, s, 1, 6000)
    assert is_like(
        Counter(many["reading"][:, 1, word("apple")].tolist()), Counter(FACE[word("apple")].tolist())
    )
    assert is_like(Counter(many["wave"][:, 1, 2].tolist()), dict.fromkeys(range(3), 1.0))
    assert (many["wave"][:, 2] == -1).all() and (many["negater"] == s.negater).all()
