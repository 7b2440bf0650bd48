"""The greedy policy: ratings computed by hand, and by a slow and obvious evaluation of the table.

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

from polytrix.core.drivers import GREEDY, RANDOM
from polytrix.core.simulator import Simulator
from polytrix.core.state import new_records
from polytrix.games.resistor import GAME
from polytrix.games.resistor.greedy import Colour, cost, leads_home, turn, worth_past
from polytrix.games.resistor.greedy import lines_of as lines_in
from polytrix.games.resistor.tables import ENTRIES, PAIRS, lying

from .obvious import BLUE, Card, Table
from .obvious_row import Face, lines_of
from .play import NAMES, Board, built
from .side_by_side import play

SEATS = (0, 1)


def ratings(s: Any) -> dict[str, float]:
    """The mover's rating of each legal action."""
    seen = np.zeros(GAME.observations.size, np.int8)
    GAME.observe(s, int(s.mover), seen)
    ids, score = np.zeros(GAME.max_legal, np.int16), np.zeros(GAME.max_legal, np.float32)
    count = GAME.legal(s, ids)
    assert GAME.greedy is not None
    GAME.greedy(seen, ids, count, new_records(2, GAME.state), score)
    return {NAMES[i]: float(rate) for i, rate in zip(ids[:count], score, strict=False)}


# -- by hand --------------------------------------------------------------------------------------

ROW = "42a+ 44a+ 20b+"  # red 0-0, red 0-0, two blue lines: red lacks one card, blue two


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        # 2828 for the two cards that blue lacks, less 2000 for one; a draw costs 50, from the discards 100
        (built(ROW), {"D": 778}),
        (built(ROW, turn="blue"), {"D": -878}),
        (built(ROW, pile="21", levels=(2, 1), recycling_subsystems=True), {"D": 778, "Pa": 728, "Pb": 728}),
        # unseen undersides: red lacks 1.6 or 0.6 cards, 2530 or 1549; blue 1.6 or 2.6, 2530 or 3225
        (built(ROW), {"F1": 0, "F3": 3225 - 1549}),
        (built(ROW, turn="blue"), {"F1": 1549 - 3225, "F3": 0}),
        # 20a- has red 0-1: red has its line, blue lacks all three
        (built(ROW, known="20:R"), {"F3": 3464 + 3000}),
        (built(ROW, known="20:B"), {"F3": 3225 - 1549}),
        # 36a has red 1-1, turned 0-0; 35a, in blue's hand, two blue lines like 20b
        (built(ROW), {"S3o1-": 6464, "S3o1+": 3464 - 2000, "S1o1+": 0, "S3e2+": 828, "S3e2-": 828}),
        # for 20b, blue's first card: 36b has no line; 34b has none for blue, but for red, as blue reads it, 1-1
        # or turned 0-0, which is 0-0 or 1-1 for red
        (built(ROW, turn="blue"), {"S1e1+": 2000 - 3464, "S1o1+": -3000 - 2828, "S1o1-": 2000 - 2828}),
        # red has its line, blue lacks two; under a locked card that is not known it might be 1676
        (built("40a+ 44a+ 46a+", lock_down=True, left="FDSL"), {"L1": 5828 - 1676}),
        # the diamond 0a+ leads red home: 2000 for a repair above level 1, 300 for the risk, half of the rest
        (built("42a+ 0b- 44a+", known="0:RB", levels=(2, 1)), {"F2": 2000 - 300 + 5828 // 2}),
        (built("42a+ 0b- 44a+", known="0:RB", levels=(1, 2)), {"F2": -300 + 5828 // 2}),
        (built("42a+ 0b- 44a+", known="0:RB", levels=(2, 1), turn="blue"), {"F2": -2000 - 300 - 5828 // 2}),
        # 45a- has blue 1-1: from the diamond's chip 0 no line goes on
        (built("42a- 0b- 44a+", known="0:RB", levels=(2, 1)), {"F2": -300 + (2828 - 2000) // 2}),
        # 21a+ 0a- 2a- 20b+: red lacks two of the other three cards (one diamond conducts), blue lacks one
        (built("21a+ 0b+ 4b- 2b+ 20b+").play("F3"), {"R2": -300 - 828 // 2, "R3": -300 - 828 // 2}),
        # after the flip both sides are known: 42a+ was better for red than 42b-
        (built(ROW, levels=(2, 1), comeback_circuits=True).play("F1"), {"U": 828, "K": 0}),
        # the card to go is the one that could do least: 36a and 34a would make a line, the others 828
        (built(ROW).play("D", "45a"), {"To1": -6464, "To2": -828, "Te1": -6464, "Te2": -828, "T-": -828}),
        # blue sees 49b, an empty face: it would at least break red's line, and blue still lacks all three
        (built("42a+ 44a+ 46a+", turn="blue").play("D", "49a"), {"T-": 3464 - 2000}),
        # 0a, as the last card, is resolved on a row with a line; and who trashes it gives the enemy a flip
        (built(ROW).play("D", "0a"), {"T-": 300 - 5828 // 2 - 300}),
        (built(ROW, levels=(2, 1)).play("D", "0a"), {"T-": 300 - 5828 // 2 - 300 - 2000}),
    ],
)  # fmt: skip
def test_ratings_by_hand(board: Board, expected: dict[str, int]) -> None:
    found = ratings(board.state)
    assert {action: found[action] for action in expected} == expected


@pytest.mark.parametrize(
    ("board", "chosen"),
    [
        (built(ROW), {"S3o1-", "S3e1+", "S3e1-"}),  # a line at once, by 36a or by 34a from blue's hand
        (built(ROW, left="FD"), {"F3"}),
        (built(ROW, left="FD", known="42:R 44:R 20:B"), {"F3"}),
        (built("42a+ 44a+ 46a+", left="FD"), {"D"}),  # nothing to gain by a flip
        (built("42a+ 44a+ 46a+", left="FD", turn="blue"), {"F1", "F2", "F3"}),
    ],
)
def test_choices_by_hand(board: Board, chosen: set[str]) -> None:
    found = ratings(board.state)
    assert {action for action, rate in found.items() if rate == max(found.values())} == chosen


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


def test_it_beats_random_players() -> None:
    simulator = Simulator(GAME, 60, seed=0)
    simulator.policy[:] = RANDOM
    seats = np.arange(60) % 2
    simulator.policy[np.arange(60), seats] = GREEDY
    simulator.restart()
    assert simulator.over.all()
    assert (simulator.reward[np.arange(60), seats] > 0).sum() >= 50


# -- its parts, against plain definitions -----------------------------------------------------------


def bits_of(card: int, side: int, turned: int, seat: int = 0) -> int:
    """A face as the greedy policy keeps it."""
    entries = ENTRIES[seat, lying(card, side, turned)]
    return sum(1 << i for i, entry in enumerate(entries) if entry)


FACES = [(card, side, turned) for card, side, turned in product(range(50), (0, 1), (0, 1))]


@pytest.mark.parametrize("seat", SEATS)
def test_it_turns_faces_as_the_deck_does(seat: int) -> None:
    for card, side, way in FACES:
        assert turn(bits_of(card, side, way, seat)) == bits_of(card, side, 1 - way, seat)


@pytest.mark.parametrize("seat", SEATS)
def test_it_reads_the_lines_of_both_colours(seat: int) -> None:
    for card, side, way in FACES:
        face = bits_of(card, side, way, seat)
        own, enemy = lines_in(face, Colour.OWN), lines_in(face, Colour.ENEMY)
        assert own | enemy << 4 == PAIRS[seat, lying(card, side, way)]


def sketched(rng: np.random.Generator, length: int) -> tuple[Any, list[int]]:
    """A record in which faces are sketched, some of them unknown or empty, and these faces."""
    faces = [bits_of(*FACES[k]) * int(k % 7 > 0) for k in rng.integers(len(FACES), size=length)]
    s = new_records(1, GAME.state)[0]
    s.sketch[:length] = faces
    return s, faces


def cheapest(faces: list[int], colour: int) -> int:
    """The cost of the cheapest of all ways over the chips."""

    def price(face: int, near: int, far: int) -> int:
        if lines_in(face, colour) >> (2 * near + far) & 1:
            return 0
        return 6 if face == 0 else 10

    ways = product((0, 1), repeat=len(faces) + 1)
    return min(sum(price(face, *way[i : i + 2]) for i, face in enumerate(faces)) for way in ways)


def test_the_cheapest_chain_is_that_of_all_chains() -> None:
    rng = np.random.default_rng(3)
    for _ in range(150):
        s, faces = sketched(rng, int(rng.integers(1, 5)))
        for colour in (Colour.OWN, Colour.ENEMY):
            assert cost(s, len(faces), colour) == cheapest(faces, colour)


def leads(faces: list[int], position: int, colour: int) -> bool:
    """Whether the diamond there leads to the MainFrame of its colour, from card to card."""
    way = range(position - 1, -1, -1) if colour == Colour.OWN else range(position + 1, len(faces))
    stubs = faces[position] >> (10 + 4 * colour)
    live = {chip for chip in (0, 1) if stubs >> (chip if colour == Colour.OWN else 2 + chip) & 1}
    for i in way:
        pairs = [
            (near, far)
            for near, far in product((0, 1), (0, 1))
            if lines_in(faces[i], colour) >> (2 * near + far) & 1
        ]
        live = (
            {near for near, far in pairs if far in live}
            if colour == Colour.OWN
            else {far for near, far in pairs if near in live}
        )
    return bool(live)


def test_a_diamond_leads_home_by_lines_without_a_gap() -> None:
    rng = np.random.default_rng(4)
    found: Counter[tuple[int, bool]] = Counter()
    for _ in range(400):
        s, faces = sketched(rng, 3)
        position, side = int(rng.integers(3)), int(rng.integers(2))
        faces[position] = bits_of(int(rng.integers(16)), 0, side)
        s.sketch[position] = faces[position]
        for colour in (Colour.OWN, Colour.ENEMY):
            found[colour, leads(faces, position, colour)] += 1
            assert leads_home(s, 3, position, colour) == leads(faces, position, colour)
    assert len(found) == 4 and min(found.values()) > 20, found


def test_a_row_without_a_card_is_only_imagined() -> None:
    seen = np.zeros(GAME.observations.size, np.int8)
    s, faces = sketched(np.random.default_rng(5), 5)
    for position in range(5):
        worth_past(seen, s, 5, position)
        assert s.sketch.tolist() == faces + [0] * (len(s.sketch) - 5)


def test_a_card_is_worth_keeping_for_the_best_that_a_switch_could_do() -> None:
    """Also where the first card is locked."""
    board = built("40a+ 44a+ 20b+", locks="blue:40", lock_down=True)
    switches = {name: rate for name, rate in ratings(board.state).items() if name.startswith(("S2", "S3"))}
    trashes = ratings(board.play("D", "45a").state)
    for hand in ("o1", "o2", "e1", "e2"):
        best = max(rate for name, rate in switches.items() if name[2:4] == hand)
        assert trashes[f"T{hand}"] == -best


def test_it_leaves_its_work_space_clean() -> None:
    s = built(ROW).state
    seen, work = np.zeros(GAME.observations.size, np.int8), new_records(2, GAME.state)
    GAME.observe(s, 0, seen)
    ids, score = np.zeros(GAME.max_legal, np.int16), np.zeros(GAME.max_legal, np.float32)
    assert GAME.greedy is not None
    GAME.greedy(seen, ids, GAME.legal(s, ids), work, score)
    assert not work["sketch"].any()
