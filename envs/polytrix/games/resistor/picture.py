"""The position as a picture: the row between the MainFrames, below each card its other side, and the hands.

The viewing seat's MainFrame is at the left and its hand below; the enemy's hand is above. A side
that the viewer has not seen is a grey "?". A dot in a colour: that seat, too, knows both sides.
"""

from __future__ import annotations

from polytrix.core.constants import Constants
from polytrix.core.state import OVER
from polytrix.core.viewers import Viewer, side_of
from polytrix.drawing import Picture, Shape, group, place, rect, text

from .card_pictures import (
    CARD,
    EMPTY,
    HANDLE,
    MARK,
    PROPORTION,
    SEAT_COLOR,
    card_side,
    empty_place,
    knower_dots,
    padlock,
)
from .deck import Seat
from .reading import (
    SEATS,
    Sight,
    actions_left,
    hand_sights,
    hero,
    pile,
    read_sides,
    row_sights,
    sight,
    status,
)
from .state import OPTIONS, ROW, Level, Place, State, deck_size, hand_place, index_of
from .touch import DECK_PLACE, DISCARD_PLACES, LOCK_PLACE, place_name

MARGIN = 24
HEIGHT = 734


class Width(Constants):
    """Widths, in pixels."""

    PITCH, ROW_CARD, UNDERSIDE = 100, 96, 60  # from row card to row card; the card; its underside
    HAND_CARD, SMALL_CARD = 84, 63  # a hand card and its other side
    FRAME = 94  # a MainFrame


class Top(Constants):
    """Upper edges, in pixels; the middle line of headings."""

    HEADING, ENEMY_HAND, ROW, TABLE, OWN_HAND, FOOT = 30, 58, 208, 456, 582, 716


BESIDE = Width.HAND_CARD + 14  # from a hand card to its other side
PAIR = BESIDE + Width.SMALL_CARD
UNDERSIDES = Top.ROW + PROPORTION * Width.ROW_CARD + 12
WIDTH = 2 * (MARGIN + Width.FRAME) + ROW * Width.PITCH
MIDDLE = WIDTH / 2

PAPER, INK, FADED = "#f5f3ee", "#2b2a28", "#6b675f"


def draw(s: State, seat: Viewer) -> Picture:
    """The position as a viewer may know it, from Red's side without a seat; None sees the ids of cards, too."""
    own = side_of(seat)
    shapes = (
        *heading(s),
        *hand(s, 1 - own, seat, Top.ENEMY_HAND),
        *row(s, seat),
        *deck(s),
        *drawn(s, seat),
        *discards(s, own),
        *hand(s, own, seat, Top.OWN_HAND),
        *foot(s),
    )
    return Picture(WIDTH, HEIGHT, shapes, background=PAPER)


def heading(s: State) -> list[Shape]:
    """The status, and the actions left in the turn."""
    color = INK if hero(s) == Seat.NOBODY else SEAT_COLOR[hero(s)]
    title = text(MARGIN, Top.HEADING, status(s), size=24, fill=color, class_="status")
    if s.mover == OVER or s.turn == Seat.NOBODY:
        return [title]
    actions = actions_left(s)
    left = WIDTH - MARGIN - 72 * len(actions) + 8
    badges = [badge(*action, left + 72 * i, SEAT_COLOR[s.turn]) for i, action in enumerate(actions)]
    if s.options.lock_down:
        badges.append(place(LOCK_PLACE, left + 72 * (len(actions) - 1), Top.HEADING - 14, 64, 28))
    return [title, *badges]


def badge(name: str, is_left: bool, x: float, color: str) -> Shape:
    """One of the turn's actions: full if it is still to be taken."""
    ink = "#fff" if is_left else FADED
    paint = {"fill": color} if is_left else {"fill": "none", "stroke": EMPTY, "stroke_width": 1.5}
    return group(
        rect(x, Top.HEADING - 14, 64, 28, radius=14, **paint),
        text(x + 32, Top.HEADING, name.capitalize(), size=16, anchor="middle", fill=ink),
        class_="action left" if is_left else "action taken",
    )


# -- the row ------------------------------------------------------------------------------


def row(s: State, seat: Viewer) -> list[Shape]:
    """The MainFrames and the cards between them, in the middle of the picture."""
    own = side_of(seat)
    cards = row_sights(s, seat)
    left = MIDDLE - Width.PITCH * len(cards) / 2
    shapes = [main_frame(s, own, left - Width.FRAME), main_frame(s, 1 - own, left + Width.PITCH * len(cards))]
    for position, card in enumerate(cards):
        shapes += row_card(
            card, position, own, left + Width.PITCH * position + (Width.PITCH - Width.ROW_CARD) / 2
        )
    shapes += [row_card_place(s, own, position, left) for position in range(len(cards))]
    return shapes


def row_card_place(s: State, own: int, position: int, left: float) -> Shape:
    """A card of the row, to be touched; spoken of by the viewer's position."""
    size = Width.PITCH, PROPORTION * Width.ROW_CARD
    name = place_name(index_of(s, own, position))
    return place(name, left + Width.PITCH * position, Top.ROW, *size, label=f"row {position + 1}")


def row_card(card: Sight | None, position: int, own: int, x: float) -> list[Shape]:
    """A card of the row with its position, and below it the underside as it would lie after a flip."""
    middle = x + Width.ROW_CARD / 2
    label = " · ".join([str(position + 1), *filter(None, (card.name, card.note) if card else ())])
    shapes = [text(middle, Top.ROW - 14, label, size=16, anchor="middle", fill=INK, class_="position")]
    if card is None:
        return [*shapes, empty_place(x, Top.ROW, Width.ROW_CARD)]
    shapes.append(group(*card_side(card.front, own, x, Top.ROW, Width.ROW_CARD), class_="row-card"))
    left, right = x + 15, x + Width.ROW_CARD - 15
    shapes += [padlock(lock, left if lock == own else right, Top.ROW + 17) for lock in card.locks]
    if card.note:
        size = Width.ROW_CARD, PROPORTION * Width.ROW_CARD
        shapes.append(
            rect(x, Top.ROW, *size, radius=7, fill="none", stroke=MARK, stroke_width=4, class_="note")
        )
    shapes.append(other_side(card, own, middle - Width.UNDERSIDE / 2, UNDERSIDES, Width.UNDERSIDE))
    dots = knower_dots(card.knowers, middle, UNDERSIDES + PROPORTION * Width.UNDERSIDE + 11)
    return [*shapes, *dots]


def other_side(card: Sight, own: int, x: float, y: float, width: float) -> Shape:
    """The side of a card turned away from the viewer."""
    return group(*card_side(card.back, own, x, y, width), class_="back known" if card.back else "back unknown")


def main_frame(s: State, seat: int, x: float) -> Shape:
    """An end of the row, with its seat and level."""
    height, middle, level = PROPORTION * Width.ROW_CARD, x + Width.FRAME / 2, int(s.defcon[seat])
    steps = [level_step(x + 13 + 17.5 * i, is_reached=i < level) for i in range(Level.HIGHEST)]
    return group(
        rect(x, Top.ROW, Width.FRAME, height, radius=7, fill=SEAT_COLOR[seat]),
        text(middle, Top.ROW + 20, SEATS[seat].capitalize(), size=19, anchor="middle"),
        text(middle, Top.ROW + 43, "DEFCON", size=16, anchor="middle"),
        text(middle, Top.ROW + 73, str(level), size=42, anchor="middle", class_="level"),
        *steps,
        fill="#fff",
        class_=f"main-frame {SEATS[seat]}",
    )


def level_step(x: float, is_reached: bool) -> Shape:
    """A step of the gauge of levels."""
    opacity, name = (1, "step reached") if is_reached else (0.25, "step")
    return rect(x, Top.ROW + 104, 14.5, 12, radius=3, fill_opacity=opacity, class_=name)


# -- hands and piles ----------------------------------------------------------------------


def hand(s: State, owner: int, seat: Viewer, y: float) -> list[Shape]:
    """A seat's hand: each card with the side that faces the viewer, and the other one."""
    own = side_of(seat)
    caption = f"{SEATS[owner].capitalize()}'s hand"
    shapes = [text(MARGIN, y + 14, caption, size=19, fill=SEAT_COLOR[owner], class_="hand-name")]
    for slot, card in enumerate(hand_sights(s, owner, seat)):
        x = MIDDLE - PAIR - 25 + (PAIR + 50) * slot
        number = text(x - 10, y + 12, str(slot + 1), size=16, anchor="end", fill=INK)
        shapes.append(group(number, *free_card(card, own, x, y), class_=f"hand {SEATS[owner]}"))
        shapes.append(place(place_name(hand_place(owner, slot)), x, y, PAIR, PROPORTION * Width.HAND_CARD))
    return shapes


def free_card(card: Sight | None, own: int, x: float, y: float) -> list[Shape]:
    """A card that is not in the row: the side that faces the viewer, and beside it the other one."""
    if card is None:
        return [empty_place(x, y, Width.HAND_CARD)]
    beside = x + BESIDE
    shapes = [
        group(*card_side(card.front, own, x, y, Width.HAND_CARD), class_="front"),
        other_side(card, own, beside, y + PROPORTION * (Width.HAND_CARD - Width.SMALL_CARD), Width.SMALL_CARD),
        *knower_dots(card.knowers, beside + 16, y + 13),
    ]
    if card.name:
        shapes.append(text(beside + Width.SMALL_CARD, y + 13, card.name, size=16, anchor="end", fill=FADED))
    return shapes


def drawn(s: State, seat: Viewer) -> list[Shape]:
    """The card that was just drawn."""
    card = sight(s, Place.DRAWN, seat)
    if card is None:
        return []
    x = MIDDLE - PAIR / 2
    caption = text(x - 14, Top.TABLE + 12, "drawn", size=16, anchor="end", fill=INK)
    own = side_of(seat)
    touched = place(place_name(Place.DRAWN), x, Top.TABLE, PAIR, PROPORTION * Width.HAND_CARD)
    return [group(caption, *free_card(card, own, x, Top.TABLE), class_="drawn"), touched]


def deck(s: State) -> list[Shape]:
    """The deck and its size."""
    y = Top.TABLE + PROPORTION * (Width.HAND_CARD - Width.SMALL_CARD)
    size = Width.SMALL_CARD, PROPORTION * Width.SMALL_CARD
    layers = [
        rect(MARGIN + 3 * i, y - 3 * i, *size, radius=5, fill=CARD, stroke=HANDLE)
        for i in range(min(3, deck_size(s)))
    ]
    if not layers:
        layers = [empty_place(MARGIN, y, Width.SMALL_CARD)]
    top = 3 * (len(layers) - 1)
    middle = MARGIN + top + size[0] / 2, y - top + size[1] / 2
    color = "#fff" if deck_size(s) else FADED
    number = text(*middle, str(deck_size(s)), size=26, anchor="middle", fill=color, class_="deck-size")
    caption = text(MARGIN + size[0] + 18, y + size[1] - 8, "deck", size=16, fill=INK)
    return [*layers, number, caption, place(DECK_PLACE, MARGIN + top, y - top, *size)]


def discards(s: State, own: int) -> list[Shape]:
    """Both sides of the newest discard, and the number of discards."""
    y = Top.TABLE + PROPORTION * (Width.HAND_CARD - Width.SMALL_CARD)
    step = Width.SMALL_CARD + 16
    left = WIDTH - MARGIN - step - Width.SMALL_CARD
    caption = f"{s.pile_size} discard{'' if s.pile_size == 1 else 's'}"
    low = y + PROPORTION * Width.SMALL_CARD - 8
    shapes = [text(left - 16, low, caption, size=16, anchor="end", fill=INK, class_="discards")]
    if s.pile_size == 0:
        return [*shapes, empty_place(left, y, Width.SMALL_CARD), empty_place(left + step, y, Width.SMALL_CARD)]
    for i, face in enumerate(read_sides(pile(s)[0], own)):
        x = left + step * i
        shapes.append(text(x + Width.SMALL_CARD / 2, y - 10, "ab"[i], size=16, anchor="middle", fill=FADED))
        shapes.append(group(*card_side(face, own, x, y, Width.SMALL_CARD), class_="discard"))
        shapes.append(place(DISCARD_PLACES[i], x, y, Width.SMALL_CARD, PROPORTION * Width.SMALL_CARD))
    return shapes


def foot(s: State) -> list[Shape]:
    """The optional rules in force, and the legend of dots."""
    names = [name.replace("_", " ") for name, value in OPTIONS.read(s.options).items() if value is True]
    legend = "a dot in a colour: that seat knows both sides"
    return [
        text(MARGIN, Top.FOOT, ", ".join(names), size=16, fill=FADED, class_="options"),
        text(WIDTH - MARGIN, Top.FOOT, legend, size=16, anchor="end", fill=FADED),
    ]
