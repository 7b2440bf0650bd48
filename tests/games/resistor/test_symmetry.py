"""The two seats are alike: exchange colours, cards, ends and seats, and the other player has this game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.core.state import CHANCE, OVER, Record, RecordArray
from polytrix.games.resistor import GAME

from .obvious import PHASES, TOKENS
from .side_by_side import RUN, play, views

clause = pytest.mark.clause

TWIN = 48  # its sides are each other's colour exchange
OTHER_CARD = np.array([*(card ^ 1 for card in range(48)), 48, 49, -1])  # the last stands for no card
RECYCLE = 8  # the first of the actions Pa, Pb
OTHER_WINNER = {-1: -1, 0: 1, 1: 0, 2: 2}


def recoloured(tokens: list[str]) -> set[str]:
    return {token.translate(str.maketrans("rb", "br")) for token in tokens}


@clause("RS-01")
def test_the_deck_is_closed_under_exchange_of_colours() -> None:
    for card in range(50):
        for side in (0, 1):
            assert recoloured(TOKENS[card][side]) == {*TOKENS[OTHER_CARD[card]][side ^ (card == TWIN)]}


def bits_swapped(flags: Any) -> Any:
    """Bits 0 and 1 change places."""
    return (flags >> 1 & 1) | (flags & 1) << 1


def exchanged(s: Record) -> Record:
    """The position in which the other seat has what this one's players have."""
    t = s.copy()
    n = int(s.length)
    row = np.arange(n)[::-1]
    places = np.array([*row, *range(n, 7), 9, 10, 7, 8, 11])
    cards = s.card[places]
    swapped = np.where(cards >= 0, cards == TWIN, False)
    t.card[:] = OTHER_CARD[cards]
    in_row = np.arange(12) < 7
    there = cards >= 0
    t.side[:] = np.where(there, s.side[places] ^ swapped ^ ~in_row, s.side[places])
    t.turned[:] = np.where(there & in_row, 1 - s.turned[places], s.turned[places])
    t.known[:] = bits_swapped(s.known[places])
    t.lock[:] = bits_swapped(s.lock[places[:7]])
    t.pile[:] = OTHER_CARD[s.pile]
    t.deck = sum(1 << int(OTHER_CARD[card]) for card in range(50) if int(s.deck) >> card & 1)
    t.defcon[:], t.to_draw[:] = s.defcon[::-1], s.to_draw[::-1]
    t.turn = 1 - s.turn if s.turn >= 0 else s.turn
    t.mover = 1 - s.mover if s.mover >= 0 else s.mover
    t.flipped = n - 1 - s.flipped if s.flipped >= 0 else -1
    t.resolving = n - 1 - s.resolving if s.resolving >= 0 else -1
    t.winner = OTHER_WINNER[int(s.winner)]
    return t


def exchanged_all(states: RecordArray) -> RecordArray:
    others = states.copy()
    for i, s in enumerate(states):
        others[i] = exchanged(s)
    return others


def other_choice(s: Record, number: int) -> int:
    """The action or outcome that is this one in the exchanged position."""
    top = int(s.pile[int(s.pile_size) - 1]) if s.pile_size else -1
    if s.mover != CHANCE:
        is_recycling = PHASES[s.phase] == "ACT" and number in (RECYCLE, RECYCLE + 1)
        return 2 * RECYCLE + 1 - number if is_recycling and top == TWIN else number
    if PHASES[s.phase] == "TIE":
        card, side, turned = sides_laid(int(s.deck))[number // 2] + (number % 2,)
        there = sides_laid(int(exchanged(s).deck))
        return 2 * there.index((int(OTHER_CARD[card]), side ^ (card == TWIN))) + 1 - turned
    deck = [card for card in range(50) if int(s.deck) >> card & 1]
    card, side = deck[number // 2], number % 2
    there = sorted(OTHER_CARD[deck].tolist())
    return 2 * there.index(OTHER_CARD[card]) + (1 - side ^ (card == TWIN))


def sides_laid(deck: int) -> list[tuple[int, int]]:
    """What may be laid, by number."""
    cards = [card for card in range(50) if deck >> card & 1]
    return [(card, side) for card in cards for side in (0, 1) if "*" not in TOKENS[card][side]]


def expected_view(states: RecordArray, seen: np.ndarray) -> np.ndarray:
    """In `pile_top`, and nowhere else, sides a and b of card 48 change places."""
    top = states["pile"][np.arange(len(states)), states["pile_size"] - 1]
    is_twin = (top == TWIN) & (states["pile_size"] > 0)
    pile_top = GAME.observations.view(seen)["pile_top"]
    pile_top[is_twin] = pile_top[is_twin, ::-1]
    return seen


def after_set_up(states: RecordArray) -> RecordArray:
    """Without the opening, in which Red's end of the row and Red's hand come first."""
    return states[~np.isin(states["phase"], [PHASES.index("LAY"), PHASES.index("DEAL")])]


@clause("RS-01", "RS-04", "RS-12", "RS-64", "RS-65")
@pytest.mark.parametrize("rigged", [False, True], ids=["from the start", "rigged"])
def test_the_other_seat_sees_and_may_do_the_same(rigged: bool) -> None:
    compared = twins = 0
    for every, _ in play(1, seed=7, rigged=rigged):
        states = after_set_up(every)
        others = exchanged_all(states)
        twins += int((states["pile"] == TWIN).any(axis=1).sum())
        for seat in (0, 1):
            seen, mask = views(states, seat)
            other_seen, other_mask = views(others, 1 - seat)
            assert (expected_view(states, seen) == other_seen).all()
            assert (mask == other_mask).all()
        compared += len(states)
    assert compared > 300 and twins > 20


@clause("RS-01", "RS-30", "RS-32", "RS-35", "RS-41", "RS-44", "RS-45", "RS-46")
@pytest.mark.parametrize("rigged", [False, True], ids=["from the start", "rigged"])
def test_play_commutes_with_the_exchange(rigged: bool) -> None:
    """To exchange and play the other one's choice is to play and then to exchange, to the byte."""
    rng = np.random.default_rng(11)
    phases = set()
    for every, _ in play(1 if not rigged else 2, seed=13, rigged=rigged):
        running = after_set_up(every)
        states = running[running["mover"] != OVER].copy()
        if not len(states):
            continue
        numbers = np.array([random_choice(s, rng) for s in states])
        others = exchanged_all(states)
        choices = np.array([other_choice(s, int(n)) for s, n in zip(states, numbers, strict=True)])
        phases |= {PHASES[phase] for phase in states["phase"]}
        RUN.advance(states.view(np.ndarray), numbers)
        RUN.advance(others.view(np.ndarray), choices)
        assert exchanged_all(states).tobytes() == others.tobytes()
    assert phases >= {"ACT", "TRASH", "FORCED", "UNDO", "TAKE", "REDRAW"}


def random_choice(s: Record, rng: np.random.Generator) -> int:
    if s.mover == CHANCE:
        return int(rng.integers(GAME.chance(s)))
    ids = np.zeros(GAME.max_legal, np.int16)
    return int(ids[rng.integers(GAME.legal(s, ids))])


def test_the_potential_is_the_other_seats_after_the_exchange() -> None:
    for every, _ in play(1, seed=29):
        for s in after_set_up(every[every["mover"] >= 0]):
            assert GAME.potential(s, 0) == GAME.potential(exchanged(s), 1)
            assert GAME.potential(s, 0) == pytest.approx(-GAME.potential(s, 1))
