"""The picture is read back from its SVG and compared with the position, by the names of its shapes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree

import pytest

from polytrix.core.compile.substitution import with_tables
from polytrix.core.state import OVER, Record
from polytrix.drawing import Picture
from polytrix.games.resistor import GAME, picture
from polytrix.games.resistor.card_pictures import LINE_COLOR
from polytrix.games.resistor.deck import shipped_deck
from polytrix.games.resistor.picture import draw
from polytrix.games.resistor.state import NONE, ROW, Place, Reason, deck_size
from polytrix.games.resistor.tables import ENTRIES, lying
from tests.games.pictures import named, number

from .positions import Position
from .random_positions import random_positions

Element = ElementTree.Element
SEATS = (None, 0, 1)
NAMES = ("red", "blue")
DECK = shipped_deck()

# A face in a picture: has it a diamond; its lines as ("red", near, far), `*` for the diamond; its arrow.
Face = tuple[bool, frozenset[tuple[str, str, str]], str]


@dataclass
class Drawn:
    """What a reader of the picture sees."""

    svg: str
    root: Element

    def named(self, *names: str) -> list[Element]:
        """The shapes that have all of these names."""
        return named(self.root, *names)

    def texts(self, *names: str) -> list[str]:
        return [content(e) for e in self.named(*names)]


def read(drawn: Picture) -> Drawn:
    svg = drawn.svg()
    return Drawn(svg, ElementTree.fromstring(svg))


@cache
def pictures(seat: int | None) -> tuple[tuple[Record, Drawn], ...]:
    """Positions of random games, each with what a viewer is shown."""
    return tuple((s, read(draw(s, seat))) for s in random_positions()[::2])


def content(e: Element) -> str:
    return " ".join(e.itertext())


def middle(e: Element) -> float:
    """Where the ground of a card has its middle, from left to right."""
    return number(e[0], "x") + number(e[0], "width") / 2


def face(card: Element) -> Face | None:
    """A card as drawn, None if it is a question mark."""
    if "unknown" in str(card.get("class")):
        assert content(card) == "?"
        return None
    ground = card[0]
    left, width = number(ground, "x"), number(ground, "width")
    centre = number(ground, "y") + number(ground, "height") / 2

    def end(point: str) -> tuple[str, float]:
        x, y = map(float, point.split(","))
        if x == pytest.approx(left + width / 2, abs=0.1):
            return "*", x
        return ("0" if y < centre else "1"), x

    lines = set()
    for line in named(card, "line"):
        points = str(line.get("points")).split()
        (near, x1), (far, x2) = end(points[0]), end(points[-1])
        assert x1 < x2
        lines.add((str(line.get("class")).split()[1], near, far))
    (arrow,) = named(card, "arrow")
    return bool(named(card, "diamond")), frozenset(lines), str(arrow.get("class")).split()[1]


def expected_face(card: int, side: int, turned: bool) -> Face:
    """A side of a card of the deck, read by somebody before whom it lies turned or not (RS-04)."""
    shown = DECK[card].faces[side]
    lines = [(colour, str(left), str(right)) for colour, left, right in shown.lines]
    lines += [(c, str(chip), "*") if at == "L" else (c, "*", str(chip)) for c, at, chip in shown.stubs]
    if turned:
        around = {"0": "1", "1": "0", "*": "*"}
        lines = [(colour, around[far], around[near]) for colour, near, far in lines]
    return shown.diamond, frozenset((NAMES[c], a, b) for c, a, b in lines), "down" if turned else "up"


def knows(s: Record, place: int, seat: int | None) -> bool:
    return seat is None or bool(s.known[place] >> seat & 1)


def places_of_row(s: Record, seat: int | None) -> list[int]:
    """The places of the row from the left of the picture on."""
    places = [i for i in range(int(s.length)) if s.card[i] != NONE]
    return places[::-1] if seat == 1 else places


@pytest.mark.clause("RS-01", "RS-04", "RS-21", "RS-62")
@pytest.mark.parametrize("seat", SEATS)
def test_the_row_is_drawn_from_the_own_end_with_undersides_as_after_a_flip(seat: int | None) -> None:
    for s, drawn in pictures(seat):
        cards = drawn.named("row-card")
        places = places_of_row(s, seat)
        xs = [middle(card) for card in cards]
        assert xs == sorted(xs)
        turned = [bool(s.turned[i]) ^ (seat == 1) for i in places]
        assert [face(card) for card in cards] == [
            expected_face(int(s.card[i]), int(s.side[i]), way) for i, way in zip(places, turned, strict=True)
        ]
        undersides = [e for e in drawn.named("back") if number(e[0], "width") == picture.WIDE.underside]
        assert [middle(e) for e in undersides] == pytest.approx(xs)
        assert [face(e) for e in undersides] == [
            expected_face(int(s.card[i]), 1 - int(s.side[i]), not way) if knows(s, i, seat) else None
            for i, way in zip(places, turned, strict=True)
        ]


@pytest.mark.clause("RS-12", "RS-22", "RS-62")
@pytest.mark.parametrize("seat", SEATS)
def test_hands_show_the_side_toward_the_viewer_and_the_other_one_if_it_is_known(seat: int | None) -> None:
    own = seat or 0
    for s, drawn in pictures(seat):
        for owner, name in enumerate(NAMES):
            slots = drawn.named("hand", name)
            assert [content(e[0]) for e in slots] == ["1", "2"]
            for slot, e in enumerate(slots):
                check_free_card(s, e, Place.HANDS + 2 * owner + slot, seat)
        own_hand, enemy_hand = (drawn.named("hand", name)[0] for name in (NAMES[own], NAMES[1 - own]))
        assert number(own_hand[0], "y") > picture.WIDE.undersides > number(enemy_hand[0], "y")
        on_the_table = drawn.named("drawn")
        assert len(on_the_table) == (s.card[Place.DRAWN] != NONE)
        for e in on_the_table:
            check_free_card(s, e, Place.DRAWN, seat)


def check_free_card(s: Record, e: Element, place: int, seat: int | None) -> None:
    """A card that is not in the row, as drawn in the group `e`."""
    if s.card[place] == NONE:
        assert len(named(e, "empty")) == 1 and not named(e, "front") and not named(e, "back")
        return
    (front,), (back,) = named(e, "front"), named(e, "back")
    card, side = int(s.card[place]), int(s.side[place]) ^ (seat or 0)
    assert face(front) == expected_face(card, side, False)
    assert face(back) == (expected_face(card, 1 - side, False) if knows(s, place, seat) else None)
    assert middle(front) < middle(back)


@pytest.mark.clause("RS-63", "RS-64")
@pytest.mark.parametrize("seat", SEATS)
def test_dots_tell_which_cards_others_know(seat: int | None) -> None:
    for s, drawn in pictures(seat):
        for other, name in enumerate(NAMES):
            dots = drawn.named("knows", name)
            known = [] if other == seat else [i for i in range(12) if s.known[i] >> other & 1]
            assert len(dots) == len(known)
            below = [
                number(e, "cx") for e in dots if picture.WIDE.undersides < number(e, "cy") < picture.WIDE.table
            ]
            cards = dict(zip(places_of_row(s, seat), map(middle, drawn.named("row-card")), strict=True))
            assert len(below) == sum(i < ROW for i in known)
            assert all(any(abs(x - cards[i]) < 10 for x in below) for i in known if i < ROW)


@pytest.mark.clause("RS-59")
@pytest.mark.parametrize("seat", SEATS)
def test_locks_lie_on_their_cards(seat: int | None) -> None:
    locks = 0
    for s, drawn in pictures(seat):
        cards = dict(zip(places_of_row(s, seat), drawn.named("row-card"), strict=True))
        for owner, name in enumerate(NAMES):
            locked = [i for i in range(ROW) if s.lock[i] >> owner & 1]
            found = drawn.named("lock", name)
            assert len(found) == len(locked) <= 1
            for e, i in zip(found, locked, strict=True):
                assert abs(number(e[0], "cx") - middle(cards[i])) < picture.WIDE.row_card / 2
                assert LINE_COLOR[owner] in [part.get("fill") for part in e]
                locks += 1
    assert locks > 10


@pytest.mark.clause("RS-01", "RS-02")
@pytest.mark.parametrize("seat", SEATS)
def test_the_own_main_frame_is_at_the_left_and_shows_the_level(seat: int | None) -> None:
    own = seat or 0
    levels = set()
    for s, drawn in pictures(seat):
        frames = {name: drawn.named("main-frame", name)[0] for name in NAMES}
        xs = [middle(card) for card in drawn.named("row-card")]
        assert all(middle(frames[NAMES[own]]) < x < middle(frames[NAMES[1 - own]]) for x in xs)
        for other, name in enumerate(NAMES):
            level = int(s.defcon[other])
            assert [content(e) for e in named(frames[name], "level")] == [str(level)]
            hits = len(named(frames[name], "step", "reached"))
            hit_out = s.mover == OVER and s.reason == Reason.HIT and s.winner != other
            assert (hits, len(named(frames[name], "step"))) == (level - 1 + hit_out, 4)
            assert f"MainFrame: DEFCON {level}, {hits} of 4 boxes full." in drawn.svg
            levels.add(level)
    assert levels == {1, 2, 3, 4}


@pytest.mark.clause("RS-13", "RS-24")
@pytest.mark.parametrize("seat", SEATS)
def test_deck_and_discards(seat: int | None) -> None:
    for s, drawn in pictures(seat):
        assert drawn.texts("deck-size") == [str(deck_size(s))]
        count = f"newest of {s.pile_size} discarded"
        assert drawn.texts("discards") == [count if s.pile_size else "no discards"]
        if s.pile_size:
            assert "side a" in drawn.svg and "Side b of the newest discard: " in drawn.svg
            top = int(s.pile[int(s.pile_size) - 1])
            sides = [expected_face(top, side, False) for side in (0, 1)]
            assert [face(e) for e in drawn.named("discard")] == sides
        else:
            assert not drawn.named("discard")


@pytest.mark.parametrize(
    ("position", "actions", "status", "left", "taken"),
    [
        ("row 42a+ 20b+ 44a+", "", "Red to act", "Flip Draw Switch", ""),
        ("row 20b+ 44a+ 21a+; left DS", "D[8b] T-", "Blue has to flip a card", "Switch", "Flip Draw"),
        ("row 20b+ 44a+; opt lock_down; left FL", "", "Red to act", "Flip Lock", "Draw Switch"),
        ("row 0b+ 2b- 21a+; left F; lv 1/3", "F3", "Red wins: a hit at DEFCON 4", "", ""),
        ("row 48a+ 32a+ 18a-; left F; lv 4/4", "F3", "Drawn game: a hit at DEFCON 4", "", ""),
    ],
)
def test_the_heading(position: str, actions: str, status: str, left: str, taken: str) -> None:
    table = Position(position).play(actions)
    for seat in SEATS:
        drawn = read(draw(table.state, seat))
        assert drawn.texts("status") == [status]
        assert drawn.texts("action", "left") == left.split()
        assert drawn.texts("action", "taken") == taken.split()


def test_all_pictures_have_one_size_and_nothing_lies_outside() -> None:
    for seat in SEATS:
        for _, drawn in pictures(seat):
            for e in drawn.root.iter("{http://www.w3.org/2000/svg}rect"):
                assert 0 <= number(e, "x") <= picture.WIDE.width - number(e, "width")
                assert 0 <= number(e, "y") <= picture.WIDE.height - number(e, "height")
        assert draw(random_positions()[-1], seat).rgb().shape == (picture.WIDE.height, picture.WIDE.width, 3)


def test_lines_from_end_to_end_light_up() -> None:
    for viewer in SEATS:
        wired = read(draw(Position("row 0b+ 2b- 21a+; left F; lv 1/3").play("F3").state, viewer))
        assert len(wired.named("light")) == 6
        loose = read(draw(Position("row 0b+ 42a+ 44a+").state, viewer)).named("light")
        assert len(loose) == 3  # not the line of the first card that leads nowhere
        assert not read(draw(Position("row 42a+ 20b+ 44a+").state, viewer)).named("light")


def ghost_face(drawn: Drawn) -> Face | None:
    """A card that stands alone in a picture, on its ground."""
    (body,) = drawn.root
    body.remove(body[0])
    return face(body)


def test_the_ghost_of_a_move_is_the_side_that_comes_up() -> None:
    position = "row 42a+ 44a+ 20b+; know 42:R"
    s = Position(position).state
    for played, place in [("S2o1-", 1), ("S1e2+", 0), ("F1", 0)]:
        shown = GAME.ghost(s, GAME.parse_action(s, played))
        assert shown is not None
        after = read(draw(Position(position).play(played).state, 0))
        assert ghost_face(read(shown)) == face(after.named("row-card")[place])
    assert GAME.ghost(s, GAME.parse_action(s, "F2")) is None  # nobody has seen the other side


def test_another_deck_is_drawn() -> None:
    s = Position("row 42a+ 20b+").state
    entries = ENTRIES.copy()
    face_42a = entries[0, lying(42, 0, 0)]
    face_42a[:] = 0
    face_42a[[0, 9]] = 1  # a blue line from 1 to 1
    other = with_tables({"draw": draw}, [(ENTRIES, entries)])["draw"]
    assert face(read(draw(s, 0)).named("row-card")[0]) == (False, {("red", "0", "0")}, "up")
    assert face(read(other(s, 0)).named("row-card")[0]) == (False, {("blue", "1", "1")}, "up")
