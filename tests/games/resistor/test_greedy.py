"""The greedy policy: its ratings, by a slow and obvious evaluation of the table.

A row is worth 2000 times the root of the cards that the enemy lacks, less the same of the own colour; 3000 more
for a line. A card that has no line counts 1, one that is not known 0.6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest

from polytrix.core.state import new_records
from polytrix.games.resistor import GAME
from polytrix.games.resistor.greedy import HABITS
from tests.games.ratings import ratings as ratings_of

from .obvious import BLUE, Card, Table
from .obvious_row import Face, lines_of
from .side_by_side import play


def ratings(s: Any, name: str = "greedy") -> dict[str, float]:
    """The mover's rating of each legal action."""
    work = new_records(2, GAME.state)
    found = ratings_of(GAME, s, name, work)
    assert not work["sketch"].any()  # it leaves its work space clean
    return found


# -- by a slow evaluation of the obvious table -----------------------------------------------------

Laid = tuple[Face, bool] | None
"""A face and whether it lies turned, as the seat reads it; None if it is not known."""


class Thinker:
    """The ratings of a seat at the obvious table; rows run from its own MainFrame on."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.cards: list[Card] = table.row if seat != BLUE else table.row[::-1]
        self.row = [self.laid(card, card.side, bool(card.turned)) for card in self.cards]

    def laid(self, card: Card, side: int, turned: bool) -> Laid:
        """A card of the row as this seat reads it, None unless it has seen that side."""
        if side not in card.seen[self.seat]:
            return None
        return tuple(card.tokens(side)), turned != (self.seat == BLUE)

    def under(self, card: Card) -> Laid:
        return self.laid(card, 1 - card.side, not card.turned)

    def toward_me(self, card: Card) -> Face:
        return tuple(card.tokens(card.side if self.seat != BLUE else 1 - card.side))

    def ends(self, laid: tuple[Face, bool], enemy: bool) -> tuple[set[int], set[int], set[tuple[int, int]]]:
        """Near and far chips that lead to a diamond, and the pairs of near and far chips that are linked."""
        near, far, pairs = set(), set(), set()
        for (junction, chip), other in lines_of(*laid, 0, "rb"[self.seat != enemy]):
            if other[1] != "*":
                ((_, a), (_, b)) = sorted([(junction, chip), other])
                pairs.add((a, b))
            else:
                (far if junction else near).add(chip)
        return near, far, pairs | set(product(near, far))

    def lacking(self, row: list[Laid], enemy: bool) -> int:
        """Tenths of cards that a colour lacks for a line."""
        at = {0: 0, 1: 0}
        for laid in row:
            beyond = dict.fromkeys((0, 1), min(at.values()) + (6 if laid is None else 10))
            for a, b in self.ends(laid, enemy)[2] if laid else ():
                beyond[b] = min(beyond[b], at[a])
            at = beyond
        return min(at.values())

    def worth(self, row: list[Laid]) -> int:
        own, enemy = self.lacking(row, False), self.lacking(row, True)
        line = 3000 * (own == 0) - 3000 * (enemy == 0)
        return round(2000 * sqrt(enemy / 10)) - round(2000 * sqrt(own / 10)) + line

    def leads_home(self, row: list[Laid], i: int, enemy: bool) -> bool:
        """Whether a line runs from a diamond straight to the MainFrame of a colour."""
        diamond = row[i]
        assert diamond is not None
        live = self.ends(diamond, enemy)[1 if enemy else 0]
        for laid in row[i + 1 :] if enemy else row[:i][::-1]:
            pairs = self.ends(laid, enemy)[2] if laid else set()
            live = {b if enemy else a for a, b in pairs if (a if enemy else b) in live}
        return bool(live)

    def worth_past(self, row: list[Laid], i: int) -> int:
        levels, total = self.table.levels, -300
        for who, sign in ((self.seat, 1), (1 - self.seat, -1)):
            if levels[who] > 1 and self.leads_home(row, i, who != self.seat):
                total += 2000 * sign
        return total + self.worth(row[:i] + row[i + 1 :]) // 2

    def put(self, i: int, laid: Laid) -> int:
        row = [*self.row[:i], laid, *self.row[i + 1 :]]
        return self.worth_past(row, i) if laid and "*" in laid[0] else self.worth(row)

    def keeping(self, card: Card) -> int:
        face = self.toward_me(card)
        open_places = [i for i, there in enumerate(self.cards) if not there.locks]
        best = max(self.put(i, (face, turned)) for i in open_places for turned in (False, True))
        seen = [side for side in (0, 1) if side in card.seen[self.seat]]
        return best + 300 * any("*" in card.tokens(side) for side in seen)

    def held(self, hand: str, slot: str) -> Card:
        card = self.table.hands[self.seat if hand == "o" else 1 - self.seat][int(slot) - 1]
        assert card is not None
        return card

    def rating(self, action: str) -> int:
        kind, i = action[0], int(action[1]) - 1 if action[1:2].isdigit() else -1
        if kind == "F":
            return self.put(i, self.under(self.cards[i]))
        if kind in "DP":
            return self.worth(self.row) - (50 if kind == "D" else 100)
        if kind == "T":
            card = self.table.drawn if action == "T-" else self.held(action[1], action[2])
            assert card is not None
            return -self.keeping(card)
        if kind == "S":
            return self.put(i, (self.toward_me(self.held(action[2], action[3])), action[4] == "-"))
        if kind == "L":
            return self.worth(self.row) - self.put(i, None)
        if kind == "R":
            return self.worth_past(self.row, i)
        flipped = self.cards.index(self.table.undoable)
        return self.put(flipped, self.row[flipped] if kind == "K" else self.under(self.cards[flipped]))


def asked(positions: Iterable[tuple[Any, list[Table]]], share: float) -> Iterable[tuple[Any, Table]]:
    """Some of the decisions, and all of the rarer kinds."""
    rng = np.random.default_rng(4)
    for states, tables in positions:
        for s, table in zip(states, tables, strict=True):
            rare = table.phase in ("RESOLVE", "UNDO") or "L" in {choice[0] for choice in table.choices}
            if table.mover is not None and rng.random() < share * (1 + 4 * rare):
                yield s, table


@pytest.mark.parametrize(("rigged", "share"), [(False, 0.01), (True, 0.3)], ids=["from the start", "rigged"])
def test_ratings_are_those_of_the_slow_evaluation(rigged: bool, share: float) -> None:
    tested: Counter[str] = Counter()
    for s, table in asked(play(2 if rigged else 1, seed=41, rigged=rigged), share):
        assert table.mover is not None
        thinker = Thinker(table, table.mover)
        found = ratings(s)
        assert found == {action: thinker.rating(action) for action in found}
        tested.update({action[0] for action in found})
    floors = {"F": 20, "D": 10, "T": 10, "S": 20, "L": 10} | ({"R": 10, "U": 10, "P": 5} if rigged else {})
    assert all(tested[kind] >= floor for kind, floor in floors.items()), tested


# -- habits ---------------------------------------------------------------------------------------


class OwnLines(Thinker):
    """Looks at its own colour only."""

    def worth(self, row: list[Laid]) -> int:
        own = self.lacking(row, False)
        return 3000 * (own == 0) - round(2000 * sqrt(own / 10))


class EnemyLines(Thinker):
    """Looks at the enemy's colour only."""

    def worth(self, row: list[Laid]) -> int:
        enemy = self.lacking(row, True)
        return round(2000 * sqrt(enemy / 10)) - 3000 * (enemy == 0)


class Forgetful(Thinker):
    """Knows no undersides."""

    def under(self, card: Card) -> Laid:
        return None


THINKERS = {"own-lines": OwnLines, "enemy-lines": EnemyLines, "forgetful": Forgetful}


def preference(habit: str, thinker: Thinker, action: str) -> int:
    """What a habit prefers, by the notation of actions."""
    places = int(action[1]) - 1 if action[0] in "FS" else 0
    found = {
        "flips-first": action[0] == "F",
        "trashes-drawn": action == "T-",
        "near-side": -places,
        "unseen-far-side": places,
        "unseen-one-way": -(action[0] == "S" and action[-1] == "-"),
        "unseen-curious": action[0] == "F" and thinker.under(thinker.cards[places]) is None,
    }
    return int(found.get(habit, 0))


@pytest.mark.parametrize("habit", HABITS)
def test_a_habit_is_what_its_name_says_and_else_greedy(habit: str) -> None:
    differing = 0
    for s, table in asked(play(1, seed=43, rigged=True), 0.1):
        assert table.mover is not None
        thinker = THINKERS.get(habit, Thinker)(table, table.mover)
        like_greedy, found = ratings(s), ratings(s, habit)
        sign = -1 if habit == "contrary" else 1
        assert found == {a: sign * thinker.rating(a) + 100_000 * preference(habit, thinker, a) for a in found}
        chosen = [{a for a in each if each[a] == max(each.values())} for each in (found, like_greedy)]
        differing += chosen[0] != chosen[1]
    assert differing > 5
