"""Hand cards that the other seat remembers, and redealing of unknown cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.programs import programs
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER, RecordArray
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.cards.cards import TOKENS
from polytrix.games.pixel_tactics.redeal import redeal
from polytrix.games.pixel_tactics.rules import chance
from tests.chi_square import is_like
from tests.games.samples import redealt

from .obvious import Field, members_of
from .play import simulators
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
    found = Counter(deal_of(state, 1 - seat) for state in redealt(GAME, s, seat, SAMPLES))
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


@clause("PT-100", "PT-103")
@pytest.mark.parametrize("name", CASES)
def test_a_deal_keeps_what_is_known_and_every_number_of_cards(name: str) -> None:
    text, seat = CASES[name]
    before = placed(text).s
    s, owner = before.copy(), 1 - seat
    for _ in range(5):
        redeal(s, seat)
        zones = [int(s[zone][owner]) for zone in ("hand", "deck", "aside")]
        old = [int(before[zone][owner]) for zone in ("hand", "deck", "aside")]
        assert [cards.bit_count() for cards in zones] == [cards.bit_count() for cards in old]
        assert zones[0] | zones[1] | zones[2] == old[0] | old[1] | old[2]
        assert s.known[owner] & ~zones[0] == 0 and s.known[owner] == before.known[owner]
        fixed = [int(card) for card in s.top[owner, : int(s.fixed[owner])]]
        assert len({*fixed}) == before.fixed[owner] and all(zones[1] >> card & 1 for card in fixed)
        assert s.drawn < 0 or zones[0] >> int(s.drawn) & 1


def test_in_games() -> None:
    """The seat's view and all own and public fields stay the same; the other seat's cards change."""
    fields = [name for name in GAME.state.names or () if name not in OTHERS]
    changed = 0
    for number, simulator in enumerate(simulators(80, 6, best_of=3, max_rounds=8)):
        for seat in (0, 1):
            twins = simulator.states.copy()
            twins["generator"]["key"] += np.uint64(number + 1 << 40)
            before = [array.tobytes() for array in look(twins, seat)]
            old = twins.copy()
            RUN.redeal_rows(twins.view(np.ndarray), np.arange(len(twins)), np.full(len(twins), seat))
            assert [array.tobytes() for array in look(twins, seat)] == before
            for name in fields:
                assert twins[name].tobytes() == old[name].tobytes(), name
            for name in set(OTHERS) - {"drawn", "generator"}:
                assert twins[name][:, seat].tobytes() == old[name][:, seat].tobytes(), name
            changed += sum(a.tobytes() != b.tobytes() for a, b in zip(twins["hand"], old["hand"], strict=True))
    assert changed > 400


OTHERS = ("generator", "hand", "deck", "aside", "top", "leader", "drawn")
"""Fields of the other seat that a redeal may change."""


def look(states: RecordArray, seat: int) -> tuple[Any, Any]:
    """Observation and mask of a seat in each state."""
    rows = np.arange(len(states))
    observation = np.empty((len(states), GAME.observations.size), np.int8)
    mask = np.empty((len(states), GAME.actions.size), np.int8)
    ids = np.zeros(GAME.max_legal, np.int16)
    RUN.view(states.view(np.ndarray), rows, np.full(len(states), seat), observation, mask, ids)
    return observation, mask


# -- perfect recall -------------------------------------------------------------------------------


@clause("PT-103", "PT-106")
def test_what_was_seen_is_remembered_until_it_leaves_the_hand() -> None:
    """Event by event through random games."""
    remembered = open_hands = 0
    for before, after in events(games=10, seed=3):
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


def events(games: int, seed: int) -> Iterator[tuple[Any, Any]]:
    """Each state of random games, with the one before it."""
    choose = random.Random(seed)
    simulator = Simulator(GAME, 1, {"best_of": 3, "max_rounds": 4}, seed=seed)
    for number in range(games):
        simulator.seed(seed + number)
        states = simulator.states
        while states[0].mover != OVER:
            s = states[0]
            before = s.copy()
            chosen = choose.randrange(chance(s)) if s.mover == CHANCE else choose.choice(GAME.legal_ids(s))
            RUN.advance(states.view(np.ndarray), np.array([chosen]))
            yield before, states[0]
