"""The position as a picture: the row between the MainFrames, below each card its other side, and the hands.

The viewing seat's MainFrame is at the left and its hand below; the enemy's hand is above. A side
that the viewer has not seen is a grey "?". A dot in a colour: that seat, too, knows both sides.
"""

from __future__ import annotations

from polytrix.core.state import OVER
from polytrix.drawing import Picture, Shape, group, rect, text

from .card_pictures import (
    CARD,
    EMPTY,
    HANDLE,
    MARK,
    PROPORTION,
    SEAT_COLOR,
    empty_place,
    knower_dots,
    known_card,
    padlock,
    unknown_card,
)
from .deck import RED
from .reading import SEATS, Sight, actions_left, hand_sights, hero, read_discard, row_sights, sight, status
from .state import DRAWN, HIGHEST, NO_SEAT, OPTIONS, ROW, State

PITCH, ROW_CARD = 100, 96  # from row card to row card; the card itself
FRAME = 94  # width of a MainFrame
HAND_CARD, SMALL_CARD = 84, 63  # a hand card and its other side
BESIDE = HAND_CARD + 14  # from a hand card to its other side
PAIR = BESIDE + SMALL_CARD
UNDERSIDE = 60
MARGIN = 24
WIDTH = 2 * (MARGIN + FRAME) + ROW * PITCH
MIDDLE = WIDTH / 2
HEADING = 30
ENEMY_HAND = 58
ROW_TOP = 208
UNDERSIDES = ROW_TOP + PROPORTION * ROW_CARD + 12
TABLE = 456
OWN_HAND = 582
FOOT = 716
HEIGHT = 734

PAPER, INK, FADED = "#f5f3ee", "#2b2a28", "#8c887f"


def draw(s: State, seat: int | None) -> Picture:
    """The position as `seat` may know it; None sees everything, as Red, with the ids of cards."""
    own = RED if seat is None else seat
    shapes = (
        *heading(s),
        *hand(s, 1 - own, seat, ENEMY_HAND),
        *row(s, seat),
        *deck(s),
        *drawn(s, seat),
        *discards(s, own),
        *hand(s, own, seat, OWN_HAND),
        *foot(s),
    )
    return Picture(WIDTH, HEIGHT, shapes, background=PAPER)


def heading(s: State) -> list[Shape]:
    """What is going on, and the actions left in the turn."""
    color = INK if hero(s) == NO_SEAT else SEAT_COLOR[hero(s)]
    title = text(MARGIN, HEADING, status(s), size=24, fill=color, class_="status")
    if s.mover == OVER or s.turn == NO_SEAT:
        return [title]
    actions = actions_left(s)
    left = WIDTH - MARGIN - 72 * len(actions) + 8
    badges = [badge(*action, left + 72 * i, SEAT_COLOR[s.turn]) for i, action in enumerate(actions)]
    return [title, *badges]


def badge(name: str, is_left: bool, x: float, color: str) -> Shape:
    """One of the turn's actions: full if it is still to be taken."""
    paint = {"fill": color} if is_left else {"fill": "none", "stroke": EMPTY, "stroke_width": 1.5}
    return group(
        rect(x, HEADING - 14, 64, 28, radius=14, **paint),
        text(x + 32, HEADING, name.capitalize(), size=14, anchor="middle", fill="#fff" if is_left else FADED),
        class_="action left" if is_left else "action taken",
    )


# -- the row ------------------------------------------------------------------------------


def row(s: State, seat: int | None) -> list[Shape]:
    """The MainFrames and the cards between them, in the middle of the picture."""
    own = RED if seat is None else seat
    cards = row_sights(s, seat)
    left = MIDDLE - PITCH * len(cards) / 2
    shapes = [main_frame(s, own, left - FRAME), main_frame(s, 1 - own, left + PITCH * len(cards))]
    for position, card in enumerate(cards):
        shapes += row_card(card, position, own, left + PITCH * position + (PITCH - ROW_CARD) / 2)
    return shapes


def row_card(card: Sight | None, position: int, own: int, x: float) -> list[Shape]:
    """A card of the row with its position, and below it the underside as it would lie after a flip."""
    middle = x + ROW_CARD / 2
    label = " · ".join([str(position + 1), *filter(None, (card.name, card.note) if card else ())])
    shapes = [text(middle, ROW_TOP - 14, label, size=15, anchor="middle", fill=INK, class_="position")]
    if card is None:
        return [*shapes, empty_place(x, ROW_TOP, ROW_CARD)]
    shapes.append(group(*known_card(card.front, own, x, ROW_TOP, ROW_CARD), class_="row-card"))
    shapes += [padlock(lock, x + (15 if lock == own else ROW_CARD - 15), ROW_TOP + 17) for lock in card.locks]
    if card.note:
        size = ROW_CARD, PROPORTION * ROW_CARD
        shapes.append(
            rect(x, ROW_TOP, *size, radius=7, fill="none", stroke=MARK, stroke_width=4, class_="note")
        )
    shapes.append(other_side(card, own, middle - UNDERSIDE / 2, UNDERSIDES, UNDERSIDE))
    dots = knower_dots(card.knowers, middle, UNDERSIDES + PROPORTION * UNDERSIDE + 11)
    return [*shapes, *dots]


def other_side(card: Sight, own: int, x: float, y: float, width: float) -> Shape:
    """The side of a card that the viewer does not see now: drawn if it is known, else a question mark."""
    if card.back is None:
        return group(*unknown_card(x, y, width), class_="back unknown")
    return group(*known_card(card.back, own, x, y, width), class_="back known")


def main_frame(s: State, seat: int, x: float) -> Shape:
    """An end of the row: whose, and how damaged."""
    height, middle, level = PROPORTION * ROW_CARD, x + FRAME / 2, int(s.defcon[seat])
    steps = [level_step(x + 13 + 17.5 * i, is_reached=i < level) for i in range(HIGHEST)]
    return group(
        rect(x, ROW_TOP, FRAME, height, radius=7, fill=SEAT_COLOR[seat]),
        text(middle, ROW_TOP + 20, SEATS[seat].capitalize(), size=19, anchor="middle"),
        text(middle, ROW_TOP + 43, "DEFCON", size=12, anchor="middle", fill_opacity=0.8),
        text(middle, ROW_TOP + 73, str(level), size=42, anchor="middle", class_="level"),
        *steps,
        fill="#fff",
        class_=f"main-frame {SEATS[seat]}",
    )


def level_step(x: float, is_reached: bool) -> Shape:
    """A step of the gauge of levels."""
    opacity, name = (1, "step reached") if is_reached else (0.25, "step")
    return rect(x, ROW_TOP + 104, 14.5, 12, radius=3, fill_opacity=opacity, class_=name)


# -- hands and piles ----------------------------------------------------------------------


def hand(s: State, owner: int, seat: int | None, y: float) -> list[Shape]:
    """A seat's hand: each card with the side that faces the viewer, and the other one."""
    own = RED if seat is None else seat
    caption = f"{SEATS[owner].capitalize()}'s hand"
    shapes = [text(MARGIN, y + 14, caption, size=19, fill=SEAT_COLOR[owner], class_="hand-name")]
    for slot, card in enumerate(hand_sights(s, owner, seat)):
        x = MIDDLE - PAIR - 25 + (PAIR + 50) * slot
        number = text(x - 10, y + 12, str(slot + 1), size=15, anchor="end", fill=INK)
        shapes.append(group(number, *free_card(card, own, x, y), class_=f"hand {SEATS[owner]}"))
    return shapes


def free_card(card: Sight | None, own: int, x: float, y: float) -> list[Shape]:
    """A card that is not in the row: the side that faces the viewer, and beside it the other one."""
    if card is None:
        return [empty_place(x, y, HAND_CARD)]
    beside = x + BESIDE
    shapes = [
        group(*known_card(card.front, own, x, y, HAND_CARD), class_="front"),
        other_side(card, own, beside, y + PROPORTION * (HAND_CARD - SMALL_CARD), SMALL_CARD),
        *knower_dots(card.knowers, beside + 16, y + 13),
    ]
    if card.name:
        shapes.append(text(beside + SMALL_CARD, y + 13, card.name, size=13, anchor="end", fill=FADED))
    return shapes


def drawn(s: State, seat: int | None) -> list[Shape]:
    """The card that was just drawn."""
    card = sight(s, DRAWN, seat)
    if card is None:
        return []
    x = MIDDLE - PAIR / 2
    caption = text(x - 14, TABLE + 12, "drawn", size=15, anchor="end", fill=INK)
    own = RED if seat is None else seat
    return [group(caption, *free_card(card, own, x, TABLE), class_="drawn")]


def deck(s: State) -> list[Shape]:
    """The deck, of which nothing can be seen but its size."""
    y = TABLE + PROPORTION * (HAND_CARD - SMALL_CARD)
    layers = [
        rect(MARGIN + 3 * i, y - 3 * i, SMALL_CARD, PROPORTION * SMALL_CARD, radius=5, fill=CARD, stroke=HANDLE)
        for i in range(min(3, int(s.deck_size)))
    ]
    if not layers:
        layers = [empty_place(MARGIN, y, SMALL_CARD)]
    top = 3 * (len(layers) - 1)
    middle = MARGIN + top + SMALL_CARD / 2, y - top + PROPORTION * SMALL_CARD / 2
    color = "#fff" if s.deck_size else FADED
    number = text(*middle, str(s.deck_size), size=26, anchor="middle", fill=color, class_="deck-size")
    caption = text(MARGIN + SMALL_CARD + 18, y + PROPORTION * SMALL_CARD - 8, "deck", size=15, fill=INK)
    return [*layers, number, caption]


def discards(s: State, own: int) -> list[Shape]:
    """Both sides of the newest discard, and how many there are."""
    y = TABLE + PROPORTION * (HAND_CARD - SMALL_CARD)
    step = SMALL_CARD + 16
    left = WIDTH - MARGIN - step - SMALL_CARD
    caption = f"{s.pile_size} discard{'' if s.pile_size == 1 else 's'}"
    low = y + PROPORTION * SMALL_CARD - 8
    shapes = [text(left - 16, low, caption, size=15, anchor="end", fill=INK, class_="discards")]
    newest = read_discard(s, own)
    if newest is None:
        return [*shapes, empty_place(left, y, SMALL_CARD), empty_place(left + step, y, SMALL_CARD)]
    for i, face in enumerate(newest):
        x = left + step * i
        shapes.append(text(x + SMALL_CARD / 2, y - 10, "ab"[i], size=14, anchor="middle", fill=FADED))
        shapes.append(group(*known_card(face, own, x, y, SMALL_CARD), class_="discard"))
    return shapes


def foot(s: State) -> list[Shape]:
    """The optional rules in force, and what a dot means."""
    names = [name.replace("_", " ") for name, value in OPTIONS.read(s.options).items() if value is True]
    legend = "a dot in a colour: that seat knows both sides"
    return [
        text(MARGIN, FOOT, ", ".join(names), size=13, fill=FADED, class_="options"),
        text(WIDTH - MARGIN, FOOT, legend, size=13, anchor="end", fill=FADED),
    ]
