"""Redeals are exactly uniform over all deals with the same observation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.state import RecordArray, new_records
from polytrix.games.resistor import GAME
from tests.chi_square import is_uniform

from .obvious import TOKENS
from .obvious_row import shipped_content
from .play import Board, built
from .side_by_side import RUN, open_places, play, shows

clause = pytest.mark.clause

SAMPLES = 20_000
Deal = tuple[tuple[int, int], ...]
"""Card and visible side at each open place, in the order of the places."""


def deals(s: Any, seat: int) -> set[Deal]:
    """Every deal, by brute force: all choices of cards and sides for the open places."""
    places = open_places(s, seat)
    pool = [card for card in range(50) if int(s.deck) >> card & 1] + [int(s.card[p]) for p in places]
    faces = [{*TOKENS[s.card[p]][shows(s, p, seat)]} for p in places]
    fitting = [[(c, side) for c in pool for side in (0, 1) if {*TOKENS[c][side]} == face] for face in faces]
    return {deal for deal in product(*fitting) if len({card for card, _ in deal}) == len(deal)}


def deal_of(s: Any, seat: int) -> Deal:
    return tuple((int(s.card[p]), shows(s, p, seat)) for p in open_places(s, seat))


def counted(states: RecordArray, seat: int) -> Counter[Deal]:
    """How often each deal occurs."""
    _, firsts, counts = np.unique(
        np.concatenate([states["card"], states["side"]], axis=1), axis=0, return_index=True, return_counts=True
    )
    return Counter({deal_of(states[i], seat): int(n) for i, n in zip(firsts, counts, strict=True)})


def redealt(s: Any, seat: int, samples: int = SAMPLES, key: int = 1) -> RecordArray:
    """The position dealt again several times, each from a stream of its own."""
    states = new_records(samples, GAME.state)
    states[:] = s
    states["generator"]["key"] = np.arange(samples, dtype=np.uint64) + np.uint64(key << 32)
    RUN.redeal_rows(states.view(np.ndarray), np.arange(samples), np.full(samples, seat))
    assert not states["sketch"].any()  # nothing that was tried is left
    return states


HANDS = {"red": "20a 21a", "blue": "40a 41a"}
POSITIONS: dict[str, Callable[[], Board]] = {
    "one underside": lambda: built("42a+ 20b+ 21b+", deck="44 46 1 3"),
    "a face that exists once": lambda: built("40a+ 36a+", red="38a 39a", deck="42 44"),
    "two that share cards": lambda: built("42a+ 44b- 20b+", deck="46 28 4 45"),
    "three in the same few cards": lambda: built("48a+ 18b+ 26b-", **HANDS, deck="46 29"),
    "a drawn card": lambda: built("42a+ 44b- 20b+", deck="46 28 4 45").play("D", "45b"),
    "a card that is still to be drawn": lambda: built("42a+ 44b- 20b+", deck="46 28 4 45").play("D"),
    "some flags": lambda: built("42a+ 44b- 20b+", known="42:B 44:R 20:RB 36:R", deck="46 28 4 45 38"),
    "cards with both faces in the pool": lambda: built("48a+ 28b+ 20b+", deck="29 44 45 19"),
    "diamonds in hands": lambda: built("42a+ 20b+", red="0a 3a", blue="1b 2b", deck="4 5 44"),
    "equal cards": lambda: built("22a+ 42a+", deck="24 44 23 25"),
    "a redraw under way": lambda: built("42a+ 0b- 44a+ 20b+", deck="46 45 28", left="F").play("F2", "46a"),
    "an undo": lambda: built("42a+ 20b+", deck="44 46", levels=(2, 1), comeback_circuits=True).play("F2"),
    "the end": lambda: built("42a+ 44b- 20b+", deck="46", left="D").play("D", "46a").play("T-"),
    "the set-up": lambda: Board().happens("40a+ 42a- 36a+"),
    "a replaced centre": lambda: Board().happens("40a+ 2b+ 14b- 49b+ 3b+ 15b- 41a+ 12a 13a 8a 9a"),
    "nothing yet": Board,
}


@clause("RS-62", "RS-63")
@pytest.mark.parametrize("seat", [0, 1], ids=["red", "blue"])
@pytest.mark.parametrize("name", POSITIONS)
def test_every_deal_is_equally_likely(name: str, seat: int) -> None:
    s = POSITIONS[name]().state
    expected = deals(s, seat)
    assert deal_of(s, seat) in expected
    assert len(expected) <= 400  # else there are too few samples for each
    found = counted(redealt(s, seat), seat)
    assert is_uniform(found, expected), (len(expected), found.most_common(3), found.most_common()[-3:])


@clause("RS-62", "RS-63")
@pytest.mark.parametrize("seat", [0, 1], ids=["red", "blue"])
@pytest.mark.parametrize("name", POSITIONS)
def test_every_deal_is_possible_and_uses_each_card_once(name: str, seat: int) -> None:
    board = POSITIONS[name]()
    expected, before = deals(board.state, seat), all_cards(board.states)
    for _ in range(30):
        GAME.redeal(board.state, seat)
        assert deal_of(board.state, seat) in expected
        assert (all_cards(board.states) == before).all()


@clause("RS-62")
@pytest.mark.parametrize(
    ("row", "pile", "under"), [
        ("42a+ 20b+ 21b+", "", {42: 1 / 3, 44: 1 / 3, 46: 1 / 3}),
        ("42a+ 20b+ 21b+", "44", {42: 1 / 2, 46: 1 / 2}),
        ("40a+ 20b+ 21b+", "", {40: 1}),
    ],
)  # fmt: skip
def test_what_may_lie_under_a_card(row: str, pile: str, under: dict[int, float]) -> None:
    states = redealt(built(row, pile=pile).state, 0)
    found = Counter(states["card"][:, 0].tolist())
    assert {*found} == {*under}
    for card, share in under.items():
        assert found[card] / SAMPLES == pytest.approx(share, abs=0.015)


# -- that the test can fail -------------------------------------------------------------------------


def slot_by_slot(options: list[list[tuple[int, int]]], rng: np.random.Generator) -> Deal:
    """The obvious wrong way: pick for one place after the other among what is left."""
    deal: list[tuple[int, int]] = []
    for picks in options:
        left = [pick for pick in picks if pick[0] not in {card for card, _ in deal}]
        if not left:
            return slot_by_slot(options, rng)
        deal.append(left[rng.integers(len(left))])
    return tuple(deal)


def test_picking_slot_by_slot_would_be_noticed() -> None:
    expected = deals(POSITIONS["two that share cards"]().state, 0)
    options = [sorted({*picks}) for picks in zip(*expected, strict=True)]
    rng = np.random.default_rng(3)
    found = Counter(slot_by_slot(options, rng) for _ in range(SAMPLES // 4))
    assert {*found} == expected
    assert not is_uniform(found, expected)


def test_a_deal_that_never_comes_would_be_noticed() -> None:
    expected = deals(POSITIONS["two that share cards"]().state, 0)
    rest = sorted(expected)[1:]
    assert not is_uniform(Counter(dict.fromkeys(rest, 1000)), expected)
    assert is_uniform(Counter(dict.fromkeys(expected, 1000)), expected)


# -- what stays -----------------------------------------------------------------------------------


FIXED = [name for name in GAME.state.names or () if name not in ("generator", "deck", "card", "side")]


@clause("RS-62", "RS-64", "RS-65")
@pytest.mark.parametrize("seat", [0, 1], ids=["red", "blue"])
def test_all_that_is_public_stays_as_it_is(seat: int) -> None:
    """At every event of games of all option sets, chance, set-up and the end included."""
    changed = 0
    for states, _ in play(1, seed=53):
        twins = states.copy()
        twins["generator"]["key"] += np.uint64(1 << 40)
        RUN.redeal_rows(twins.view(np.ndarray), np.arange(len(twins)), np.full(len(twins), seat))
        for name in FIXED:
            assert twins[name].tobytes() == states[name].tobytes(), name
        moved = (twins["card"] != states["card"]) | (twins["side"] != states["side"])
        is_open = (states["card"] >= 0) & (states["known"] >> seat & 1 == 0)
        assert not moved[~is_open].any()
        assert (all_cards(twins) == all_cards(states)).all()
        changed += int(moved.any(axis=1).sum())
    assert changed > 1000


def all_cards(states: RecordArray) -> Any:
    """How often each card is in the deck or at a place, one row a state."""
    numbers = np.arange(50)
    in_deck = states["deck"][:, None] >> numbers & 1
    return in_deck + (states["card"][:, :, None] == numbers).sum(axis=1)


def test_the_same_stream_gives_the_same_deal_in_either_mode() -> None:
    plain = programs(GAME, Mode.PLAIN)
    s = POSITIONS["three in the same few cards"]().state
    for key in range(1, 30):
        one, other = redealt(s, 0, 1, key), new_records(1, GAME.state)
        other[:] = s
        other["generator"]["key"] = np.uint64(key << 32)
        plain.redeal_rows(other, np.arange(1), np.zeros(1, np.int64))
        assert one.tobytes() == other.tobytes()


def test_nothing_is_left_to_deal_where_all_is_known() -> None:
    row = "42a+ 20b+ 21b+"
    known = " ".join(f"{card}:R" for card in (42, 20, 21, 36, 37, 34, 35))
    s = built(row, known=known).state
    for twin in redealt(s, 0, 20):
        assert (twin.card == s.card).all() and twin.deck == s.deck


@clause("RS-62")
def test_a_card_with_two_equal_sides_counts_twice() -> None:
    """In another deck: card 42 shows one red straight on either side, and so could lie there in two ways."""
    content = shipped_content()
    content["cards"][42] = ["ST.r", "ST.r"]
    game = GAME.with_data(deck=content)
    s = built("44a+ 20b+ 21b+", pile="46", deck="42 45 47").state
    found: Counter[Deal] = Counter()
    for _ in range(900):
        game.redeal(s, 0)
        found[((int(s.card[0]), int(s.side[0])),)] += 1
    assert is_uniform(found, {((44, 0),), ((42, 0),), ((42, 1),)})


def test_the_enumeration_itself() -> None:
    """Two straights among three cards: six deals, the pairs of different cards."""
    s = built("42a+ 44a+", red="20a 21a", deck="46 47").state
    three = {(42, 0), (44, 0), (46, 0)}
    assert {deal[:2] for deal in deals(s, 0)} == {*permutations(three, 2)}
