"""Observations and knowledge of the seats: RS-12, RS-13 and RS-62 to RS-65.

In games of all option sets, against two watchers at the obvious table, who remember every side that they have
seen. Their observations must show all of it and depend on nothing else: the tests put every card that could lie
there into every place, one after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polytrix.core.state import CHANCE, RecordArray, Seen, new_records
from polytrix.games.resistor import GAME
from polytrix.testing import check_public

from .obvious import BLUE, TOKENS, Card, Table
from .obvious_observation import ENDS, observation
from .play import PHASES, built
from .side_by_side import open_places, play, shows, views

clause = pytest.mark.clause

SEATS = (0, 1)
OLD = 60
"""A memory is old after this many looks at the table; a game has about 150."""


# -- what they remember -----------------------------------------------------------------------------


@clause("RS-12", "RS-22", "RS-62", "RS-63", "RS-64")
@pytest.mark.parametrize(("rigged", "games"), [(False, 1), (True, 3)], ids=["from the start", "rigged"])
def test_flags_and_observations_are_what_the_watchers_have_seen(rigged: bool, games: int) -> None:
    """All 758 entries for both seats after every event, chance and set-up included."""
    looked_at: Counter[str] = Counter()
    for states, tables in play(games, seed=17, rigged=rigged):
        for seat in SEATS:
            for s, table, seen in zip(states, tables, views(states, seat)[0], strict=True):
                expected = observation(table, seat)
                assert seen.tobytes() == expected.tobytes(), GAME.observations.describe(seen - expected)
                looked_at[table.phase] += 1
                for card, flags in zip(placed(table), s.known.tolist(), strict=True):
                    assert (flags >> seat & 1) == (card is not None and card.knows(seat))
    assert {*looked_at} >= {*PHASES} - {"TIE", "LAY", "DEAL", "RESOLVE"}
    assert looked_at["REDRAW"] > 50


def placed(table: Table) -> list[Card | None]:
    """The cards by place, as the record numbers them."""
    row = [*table.row, *[None] * (7 - len(table.row))]
    return [*row, *table.hands[0], *table.hands[1], table.drawn]


@clause("RS-62", "RS-63")
def test_what_was_seen_can_be_read_many_turns_later() -> None:
    """From the entries back to lines: the other side of every card that a seat has seen from both."""
    old: Counter[str] = Counter()
    readable: dict[int, tuple[set[Card], set[Card]]] = {}
    for states, tables in play(2, seed=23):
        for seat in SEATS:
            for table, seen in zip(tables, views(states, seat)[0], strict=True):
                read = readable.setdefault(id(table), (set(), set()))[seat]
                now = set()
                for place, card, tokens in other_sides(table, seen, seat):
                    hidden = other_side(card, place, seat)
                    assert (tokens is not None) == (hidden in card.seen[seat])
                    if tokens is not None:
                        assert tokens == {*card.tokens(hidden)}
                        old[place] += table.looks - card.seen[seat][hidden] > OLD
                        now.add(card)
                read &= {*placed(table)}  # the others are in the pile, open to all
                assert read <= now, "a seat has forgotten what it knew"
                read |= now
    assert old["row"] > 500 and old["hand"] > 500, old


def other_side(card: Card, place: str, seat: int) -> int:
    """The side of a card that the seat does not see now."""
    return card.side if place != "row" and seat == BLUE else 1 - card.side


def other_sides(table: Table, seen: np.ndarray, seat: int) -> Iterator[tuple[str, Card, set[str] | None]]:
    """Where it lies, the card, and its other side as the observation tells it, None if it does not."""
    blocks = GAME.observations.view(seen)
    row = table.row if seat != BLUE else table.row[::-1]
    for card, entries in zip(row, blocks["row"], strict=False):
        if card is not None:
            yield "row", card, tokens_of(entries[19:37], bool(1 - entries[18]), seat)
    hands = zip([*table.hands[seat], *table.hands[1 - seat]], blocks["hand"].reshape(4, 37), strict=True)
    for card, entries in [*hands, (table.drawn, blocks["drawn"])]:
        if card is not None:
            yield "hand", card, tokens_of(entries[18:36], False, seat)


def tokens_of(entries: np.ndarray, turned: bool, seat: int) -> set[str] | None:
    """What is printed on a face, from its 18 entries; the inverse of `obvious_observation.face`."""
    if not entries[0]:
        assert not entries.any()
        return None
    tokens = {"*"} if entries[1] else set()
    for i in np.flatnonzero(entries[2:10]):
        near, far = ENDS[i % 4]
        left, right = (1 - far, 1 - near) if turned else (near, far)
        tokens.add(f"{'rb'[seat ^ (i // 4)]}{left}{right}")
    for i in np.flatnonzero(entries[10:]):
        is_near, chip = i % 4 < 2, i % 2
        tokens.add(f"{'rb'[seat ^ (i // 4)]}{'L' if is_near != turned else 'R'}{1 - chip if turned else chip}")
    return tokens


# -- what they cannot know --------------------------------------------------------------------------


def candidates(s: Any, seat: int) -> dict[int, list[tuple[int, int]]]:
    """For each open place every (card, side) that the seat must reckon with, the present one first."""
    places = open_places(s, seat)
    pool = {card for card in range(50) if int(s.deck) >> card & 1} | {int(s.card[p]) for p in places}
    found = {}
    for p in places:
        present = (int(s.card[p]), shows(s, p, seat))
        face = {*TOKENS[present[0]][present[1]]}
        alike = [(card, side) for card in sorted(pool) for side in (0, 1) if {*TOKENS[card][side]} == face]
        found[p] = sorted(alike, key=lambda pick: pick != present)
    return found


def deals_with(first: int, options: dict[int, list[tuple[int, int]]]) -> Iterator[dict[int, tuple[int, int]]]:
    """For every card that could lie at one place a deal of all open places in which it does."""
    rest = [p for p in options if p != first]

    def complete(deal: dict[int, tuple[int, int]], left: list[int]) -> dict[int, tuple[int, int]] | None:
        if not left:
            return deal
        for pick in options[left[0]]:
            if pick[0] not in {card for card, _ in deal.values()}:
                full = complete({**deal, left[0]: pick}, left[1:])
                if full is not None:
                    return full
        return None

    for pick in options[first]:
        deal = complete({first: pick}, rest)
        if deal is not None:
            yield deal


def lay(s: Any, seat: int, deal: dict[int, tuple[int, int]]) -> None:
    """Change what lies at the open places, and what is left for the deck."""
    pool = int(s.deck) | sum(1 << int(s.card[p]) for p in deal)
    for p, (card, side) in deal.items():
        s.card[p], s.side[p] = card, side if p < 7 or seat == 0 else 1 - side
    s.deck = pool & ~sum(1 << card for card, _ in deal.values())


def alternatives(s: Any, seat: int) -> RecordArray:
    """The position with, in turn, every card at every open place that could lie there."""
    options = candidates(s, seat)
    deals = [deal for place in options for deal in deals_with(place, options)]
    twins = new_records(len(deals), GAME.state)
    twins[:] = s
    for twin, deal in zip(twins, deals, strict=True):
        lay(twin, seat, deal)
    return twins


def differing(s: Any, seat: int) -> tuple[int, int]:
    """Of the alternatives: how many there are, and how many change what the seat or the mover is given."""
    twins = alternatives(s, seat)
    own = new_records(1, GAME.state)
    own[0] = s
    changed = (views(own, seat)[0] != views(twins, seat)[0]).any(axis=1)
    for mover in SEATS:
        changed |= (views(own, mover)[1] != views(twins, mover)[1]).any(axis=1)
    return len(twins), int(changed.sum())


@clause("RS-13", "RS-62", "RS-65")
@pytest.mark.parametrize("rigged", [False, True], ids=["from the start", "rigged"])
def test_nothing_changes_with_what_a_seat_cannot_know(rigged: bool) -> None:
    """Neither its observation, nor its mask, nor what the mover may do, whoever that is."""
    rng = np.random.default_rng(5)
    tried: Counter[str] = Counter()
    for states, tables in play(3 if rigged else 1, seed=31, rigged=rigged):
        for s, table in zip(states, tables, strict=True):
            if rng.random() < 0.1 or table.phase in ("TIE", "RESOLVE"):
                for seat in SEATS:
                    count, changed = differing(s, seat)
                    assert changed == 0
                    tried[table.phase] += count
    assert sum(tried.values()) > 5000
    assert all(tried[phase] for phase in ("ACT", "TRASH", "FORCED", "UNDO", "TAKE", "REDRAW")), tried


def test_the_alternatives_are_what_they_should_be() -> None:
    """42a lies open: 44 and 46 have that face too. 40a exists once."""
    board = built("42a+ 40a+", red="36a 37a", blue="34a 35a")
    found = candidates(board.state, 0)
    assert found[0] == [(42, 0), (44, 0), (46, 0)]
    assert found[1] == [(40, 0)]
    twins = alternatives(board.state, 0)
    assert {int(card) for card in twins["card"][:, 0]} == {42, 44, 46}
    for twin in twins:
        placed_cards = sum(1 << int(card) for card in twin.card if card >= 0)
        assert int(twin.deck) | placed_cards == (1 << 50) - 1


def test_what_a_seat_should_not_see_would_be_noticed() -> None:
    """With a flag too many the same comparison finds differences."""
    board = built("42a+ 20b+ 21b+")
    assert differing(board.state, 0)[1] == 0
    peeking = built("42a+ 20b+ 21b+")
    options = candidates(peeking.state, 0)
    peeking.state.known[0] = 1
    twins = new_records(len(options[0]), GAME.state)
    twins[:] = peeking.state
    for twin, pick in zip(twins, options[0], strict=True):
        lay(twin, 0, {0: pick})
    seen, _ = views(twins, 0)
    assert (seen != seen[0]).any(axis=1).sum() == len(twins) - 1


# -- single acts ------------------------------------------------------------------------------------


@clause("RS-63")
@pytest.mark.parametrize(
    ("action", "known"),
    [
        ("F1", "42:RB"),
        ("S1o1+", "36:B 42:B"),
        ("S1e1-", "34:B 42:B"),
        ("D 45a T-", ""),
        ("D 45a To1", ""),
        ("F1 S1o1+", "36:B 42:RB"),
        ("S1o1+ F1", "36:RB 42:B"),
    ],
)
def test_what_each_act_lets_the_seats_know(action: str, known: str) -> None:
    board = built("42a+ 44a+ 20b+")
    for word in action.split():
        if word[0].isdigit():
            board.happens(word)
        else:
            board.play(word)
    assert board.known == known


@clause("RS-63")
def test_what_is_known_stays_known_wherever_the_card_goes() -> None:
    board = built("42a+ 44a+ 20b+", known="42:R 44:B 36:R").play("S1o1+")
    assert board.known == "36:RB 42:RB 44:B"


@clause("RS-63", "RS-64")
@pytest.mark.parametrize(
    ("known", "red", "blue"), [("42:R", 0, 1), ("42:B", 1, 0), ("42:RB", 1, 1), ("", 0, 0)]
)
def test_each_seat_sees_whether_the_other_knows_the_underside(known: str, red: int, blue: int) -> None:
    """Entry 37 of a row card; a hand card has its own as entry 36."""
    board = built("42a+ 44a+ 20b+", known=known)
    assert board.sees("red")["row"][0, 37] == red
    assert board.sees("blue")["row"][2, 37] == blue
    hand = built("44a+ 20b+", red="42a 37a", known=known)
    assert hand.sees("red")["hand"][0, 0, 36] == red
    assert hand.sees("blue")["hand"][1, 0, 36] == blue


@clause("RS-62")
def test_equal_cards_cannot_be_told_apart() -> None:
    """22 and 24 have the same faces: no number of a card is shown, not even in the pile."""
    for colour in ("red", "blue"):
        one, other = (built(f"{a}a+ 20b+", pile=f"{b}", deck="45 46") for a, b in ((22, 24), (24, 22)))
        for name, block in one.sees(colour).items():
            assert (block == other.sees(colour)[name]).all()


@clause("RS-65")
def test_chance_has_no_mask() -> None:
    board = built("42a+ 44a+ 20b+").play("D")
    assert board.state.mover == CHANCE
    assert not views(board.states, 0)[1].any() and not views(board.states, 1)[1].any()


# -- nobody misses what is public ---------------------------------------------------------------------

BOUND = {
    "mover": "follows from the phase and whose turn it is",
    "num_players": "there are always two",
    "length": "it is the number of cards in the row",
    "pile_size": "it is the number of cards in the pile",
}
"""Public fields that cannot change alone, and why."""


def test_everything_public_that_can_change_alone_is_seen() -> None:
    changed = check_public(GAME, {"lock_down": True, "comeback_circuits": True}, games=12, decisions=80)
    assert {name for name, count in changed.items() if not count} == BOUND.keys()


@clause("RS-50")
def test_everybody_sees_which_flip_may_be_undone() -> None:
    """Of two cards that both know."""
    board = built("42a+ 20b+ 44a+ 21b+", known="42:RB", levels=(2, 1), comeback_circuits=True).play("F2")
    before = [board.sees(colour)["row"].copy() for colour in ("red", "blue")]
    board.state.flipped = 0
    assert GAME.check(board.state, board.state) == 0
    for colour, row in zip(("red", "blue"), before, strict=True):
        assert (board.sees(colour)["row"] != row).any()


def test_what_is_decided_is_seen_while_the_game_goes_on() -> None:
    """Once it is over nothing is, so these fields are not declared public; none of these games ends."""
    shown = {"phase", "turn", "left"}
    fields = [replace(field, seen=Seen.PUBLIC) if field.name in shown else field for field in GAME.fields]
    changed = check_public(replace(GAME, fields=fields), {"lock_down": True}, games=12, decisions=30)
    assert changed["left"]
    assert not changed["phase"] and not changed["turn"]  # what lies on the table, and the mover, fit one only
