"""Hand cards that the other seat remembers, and redealing of unknown cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, permutations
from typing import Any

import pytest

from polytrix.core.compile.programs import programs
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.cards.cards import TOKENS
from tests.chi_square import is_like
from tests.games.planted import broken
from tests.games.samples import random_game, redealt

from .obvious import Field, members_of
from .positions import placed

clause = pytest.mark.clause

SAMPLES = 12_000
RUN = programs(GAME)
ORACLE = TOKENS.index("Oracle")
Deal = tuple[frozenset[int], frozenset[int], tuple[int, ...], int, int]
"""Unknown hand cards, cards set aside, fixed top cards, leader picked, card just drawn: of one seat."""


def deal_of(s: Any, owner: int) -> Deal:
    drawn = int(s["drawn"]) if s["active"] == owner else -1
    return (
        frozenset(members_of(s["hand"][owner] & ~s["known"][owner])),
        frozenset(members_of(s["aside"][owner])),
        tuple(int(card) for card in s["top"][owner][: s["fixed"][owner]]),
        int(s["leader"][owner]) if not s["revealed"] else -1,
        drawn,
    )


def deals(s: Any, owner: int) -> set[Deal]:
    """Every deal that the other seat cannot distinguish from this one, by brute force."""
    unseen = {
        *members_of(s.deck[owner]),
        *members_of(s.hand[owner] & ~s.known[owner]),
        *members_of(s.aside[owner]),
    }
    hand, aside, top, leader, drawn = deal_of(s, owner)
    found = set()
    for order in permutations(sorted(unseen), len(hand) + len(aside) + len(top)):
        in_hand, rest = frozenset(order[: len(hand)]), order[len(hand) :]
        on_top = rest[len(aside) :]
        for picked in sorted(in_hand) if leader >= 0 else [-1]:
            for just in sorted(in_hand) if drawn in hand else [drawn]:
                found.add((in_hand, frozenset(rest[: len(aside)]), on_top, picked, just))
    return found


DEALT = "START\n~ Knight, Fighter, Gunner, Healer, Witch | ~ Oracle, Fighter, Gunner, Healer, Witch"
CASES = {
    "a hand": ("R2 V / 0: L=Knight hand=Witch,Fighter deck=Gunner,Healer,Oracle / 1: L=Oracle", 1),
    "a known card": (
        "R2 V / 0: L=Knight hand=Witch,Fighter,Mystic known=Mystic deck=Gunner,Healer / 1: L=Healer",
        1,
    ),
    "a fixed top": (
        "R2 V / 0: L=Knight hand=Witch top=Healer,Gunner deck=Gunner,Healer,Oracle,Templar / 1: L=Healer",
        1,
    ),
    "all known": ("R2 V / 0: L=Knight hand=Witch known=Witch deck=- / 1: L=Healer", 1),
    "the own hand and the other's": (
        "R2 V / 0: L=Knight hand=Witch,Oracle / 1: L=Healer hand=Gunner,Fighter deck=Mystic,Witch",
        0,
    ),
    "cards set aside": (
        "R2 R / 0: L=Knight Ra=Summoner hand=Gunner deck=Oracle,Witch,Mystic,Templar / 1: L=Healer\n"
        "> power Ra | ~ Oracle, Witch, Mystic",
        1,
    ),
    "one set aside and one on top": (
        "R2 R / 0: L=Knight Ra=Summoner hand=Gunner deck=Oracle,Witch,Mystic,Templar / 1: L=Healer\n"
        "> power Ra | ~ Oracle, Witch, Mystic | > card Oracle",
        1,
    ),
    "the card just drawn": (
        "R2 R / 0: L=Knight Ra=Mystic hand=Gunner deck=Oracle,Witch,Templar / 1: L=Healer\n"
        "> power Ra | ~ Witch",
        1,
    ),
    "the card just drawn, a known one": (
        "R2 R / 0: L=Knight Ra=Mystic hand=Gunner known=Gunner deck=Oracle,Witch / 1: L=Oracle\n"
        "> power Ra | ~ Witch",
        1,
    ),
    "cards being put in order": (
        "R2 F / 0: L=Knight Fa=Oracle deck=Witch,Mystic,Gunner,Templar hand=Fighter / 1: L=Healer\n"
        "> power Fa | ~ Gunner, Witch, Mystic | > card Mystic",
        1,
    ),
}


@clause("PT-100", "PT-101", "PT-103")
@pytest.mark.parametrize("name", CASES)
def test_every_deal_is_equally_likely(name: str) -> None:
    text, seat = CASES[name]
    s = placed(text).s
    expected = deals(s, 1 - seat)
    assert deal_of(s, 1 - seat) in expected and len(expected) <= 800
    states = redealt(GAME, s, seat, SAMPLES)
    assert all(not broken(GAME, state) for state in states[:10])
    found = Counter(deal_of(state, 1 - seat) for state in states)
    assert is_like(found, dict.fromkeys(expected, 1)), (len(expected), found.most_common(3))


@clause("PT-10")
def test_a_hidden_leader_is_any_card_of_the_hand() -> None:
    """Too many hands to list them: the leader, and the leader as a place in the hand, are uniform."""
    s = placed(DEALT + " | > card Knight").s
    states = redealt(GAME, s, 1, 25_000)
    assert all(int(state["hand"][0]) >> int(state["leader"][0]) & 1 for state in states)
    types = Counter(states["leader"][:, 0].tolist())
    assert set(types) == set(range(25)) and max(types.values()) < 1.25 * min(types.values())
    ranks = Counter(members_of(state["hand"][0]).index(int(state["leader"][0])) for state in states)
    assert set(ranks) == set(range(5)) and max(ranks.values()) < 1.1 * min(ranks.values())
    assert (states["answer"] == s.answer).all() and s.answer == -1


# -- perfect recall -------------------------------------------------------------------------------


@clause("PT-103", "PT-106")
def test_what_was_seen_is_remembered_until_it_leaves_the_hand() -> None:
    """Event by event through random games."""
    remembered = open_hands = 0
    for before, after in pairs(games=10, seed=3):
        for seat in (0, 1):
            hand, known = int(after.hand[seat]), int(after.known[seat])
            assert known & ~hand == 0
            if before.match == after.match:
                assert int(before.known[seat]) & hand & ~known == 0
                remembered += known.bit_count()
            if after.revealed and Field(after).ability(1 - seat) == ORACLE:
                assert known == hand
                open_hands += 1
    assert remembered > 500 and open_hands > 50


def pairs(games: int, seed: int) -> Iterator[tuple[Any, Any]]:
    """Each state of random games, with the one before it."""
    for number in range(games):
        states = random_game(GAME, seed + number, best_of=3, max_rounds=4)
        yield from pairwise(s.copy() for s in states)
