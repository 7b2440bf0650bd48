"""The position as a picture: the row between the MainFrames, below each card its other side, and the hands.

The viewing seat's MainFrame is at the left and its hand below; the enemy's hand is above. A side
that the viewer has not seen is a grey "?". A dot in a colour: that seat, too, knows both sides.
"""

from __future__ import annotations

from typing import NamedTuple

from polytrix.core.state import OVER
from polytrix.core.viewers import Viewer, side_of
from polytrix.drawing import Picture, Shape, group, line, place, rect, text
from polytrix.drawing.colours import FADED, INK, PAPER

from .card_pictures import (
    CARD,
    HANDLE,
    MARK,
    PROPORTION,
    SEAT_COLOR,
    card_side,
    empty_place,
    knower_dots,
    padlock,
)
from .connections import connected
from .connections import main_frame as main_frame_chips
from .deck import Seat
from .ending import is_hit_out
from .reading import (
    SEATS,
    Line,
    Sight,
    actions_left,
    hand_sights,
    hero,
    pile,
    read_face,
    read_sides,
    row_sights,
    sight,
    status,
)
from .state import (
    ACTIONS,
    HAND_SIZE,
    OPTIONS,
    Level,
    Place,
    State,
    card_place,
    deck_size,
    facing,
    hand_place,
    index_of,
)
from .text import face_in_words
from .touch import DECK_PLACE, DISCARD_PLACES, LOCK_PLACE, place_name


class Plan(NamedTuple):
    """Where everything is and how wide, in pixels."""

    width: int
    height: int
    margin: int
    pitch: int
    """From row card to row card."""
    row_card: int
    underside: int
    hand_card: int
    small_card: int
    """The other side of a hand card."""
    frame: int
    """A MainFrame."""
    letters: float
    """Size of most words."""
    caption: int
    """From a hand up or down to its caption."""
    heading: int
    """Upper edges, for words the middle line."""
    badges: int
    enemy_hand: int
    row: int
    table: int
    own_hand: int
    foot: int

    @property
    def middle(self) -> float:
        return self.width / 2

    @property
    def beside(self) -> int:
        """From a hand card to its other side."""
        return self.hand_card + 14

    @property
    def pair(self) -> int:
        """A hand card with its other side."""
        return self.beside + self.small_card

    @property
    def undersides(self) -> float:
        return self.row + PROPORTION * self.row_card + 12


WIDE = Plan(936, 734, 24, 100, 96, 60, 84, 63, 94, 16, 14, 30, 30, 58, 208, 456, 582, 716)
NARROW = Plan(400, 570, 8, 43, 41, 32, 58, 44, 40, 12, -12, 16, 44, 88, 202, 338, 458, 556)


def draw(s: State, seat: Viewer) -> Picture:
    """The position as a viewer may know it, from Red's side without a seat; None sees the ids of cards, too."""
    return drawn_as(WIDE, s, seat)


def draw_narrow(s: State, seat: Viewer) -> Picture:
    """The same with small cards, which are shown large when they are touched."""
    return drawn_as(NARROW, s, seat)


def drawn_as(plan: Plan, s: State, seat: Viewer) -> Picture:
    """The position in an arrangement."""
    own = side_of(seat)
    shapes = (
        *heading(plan, s),
        *hand(plan, s, 1 - own, seat, plan.enemy_hand),
        *row(plan, s, seat),
        *deck(plan, s),
        *drawn(plan, s, seat),
        *discards(plan, s, own),
        *hand(plan, s, own, seat, plan.own_hand),
        *foot(plan, s),
    )
    return Picture(plan.width, plan.height, shapes, background=PAPER)


def heading(plan: Plan, s: State) -> list[Shape]:
    """The status, and the actions left in the turn."""
    color = INK if hero(s) == Seat.NOBODY else SEAT_COLOR[hero(s)]
    title = text(plan.margin, plan.heading, status(s), size=1.5 * plan.letters, fill=color, class_="status")
    if s.mover == OVER or s.turn == Seat.NOBODY:
        return [title]
    actions = actions_left(s)
    step = 4.5 * plan.letters
    left = plan.width - plan.margin - step * len(actions) + 8
    words = [listed(plan, *action, left + step * i, SEAT_COLOR[s.turn]) for i, action in enumerate(actions)]
    caption = text(left - 10, plan.badges, "To do:", size=plan.letters, anchor="end", fill=INK)
    if s.options.lock_down:
        words.append(place(LOCK_PLACE, left + step * (len(actions) - 1), plan.badges - 14, step - 8, 28))
    return [title, caption, *words]


def listed(plan: Plan, name: str, is_left: bool, x: float, color: str) -> Shape:
    """One of the turn's actions: crossed out if it is taken."""
    middle = x + 2.25 * plan.letters - 4
    ink, kind = (color, "left") if is_left else (FADED, "taken")
    word = text(middle, plan.badges, name.capitalize(), size=plan.letters, anchor="middle", fill=ink)
    half = 1.6 * plan.letters
    through = line((middle - half, plan.badges), (middle + half, plan.badges), stroke=ink, stroke_width=1.5)
    return group(word, *([] if is_left else [through]), class_=f"action {kind}")


# -- the row ------------------------------------------------------------------------------


def row(plan: Plan, s: State, seat: Viewer) -> list[Shape]:
    """The MainFrames and the cards between them, in the middle of the picture."""
    own = side_of(seat)
    cards = row_sights(s, seat)
    left = plan.middle - plan.pitch * len(cards) / 2
    shapes = [
        *main_frame(plan, s, own, left - plan.frame),
        *main_frame(plan, s, 1 - own, left + plan.pitch * len(cards)),
    ]
    for position, card in enumerate(cards):
        x = left + plan.pitch * position + (plan.pitch - plan.row_card) / 2
        shapes += row_card(plan, card, position, own, x, wired_lines(s, card, index_of(s, own, position), own))
    shapes += [row_card_place(plan, s, own, card, position, left) for position, card in enumerate(cards)]
    return shapes


def row_card_place(plan: Plan, s: State, own: int, card: Sight | None, position: int, left: float) -> Shape:
    """A card of the row, to be touched; spoken of by the viewer's position."""
    size = plan.pitch, PROPORTION * plan.row_card
    name = place_name(index_of(s, own, position))
    says = card_in_words(card, own)
    return place(name, left + plan.pitch * position, plan.row, *size, label=f"row {position + 1}", says=says)


def wired_lines(s: State, card: Sight | None, i: int, reader: int) -> list[Line]:
    """The lines of the row card at index i that belong to a connection from end to end."""
    chips = [
        connected(s, colour, main_frame_chips(s, colour))
        & connected(s, colour, main_frame_chips(s, 1 - colour))
        for colour in (Seat.RED, Seat.BLUE)
    ]
    wired = []
    for stretch in card.front.lines if card and card.front else ():
        near, far = stretch.near, stretch.far
        at_far_end, chip = (0, near) if near is not None else (1, far or 0)
        if chips[stretch.colour] >> 2 * (i + (reader ^ at_far_end)) + (chip ^ reader) & 1:
            wired.append(stretch)
    return wired


def row_card(
    plan: Plan, card: Sight | None, position: int, own: int, x: float, wired: list[Line]
) -> list[Shape]:
    """A card of the row with its position, and below it the underside as it would lie after a flip."""
    middle = x + plan.row_card / 2
    label = " · ".join([str(position + 1), *filter(None, (card.name, card.note) if card else ())])
    shapes = [
        text(middle, plan.row - 14, label, size=plan.letters, anchor="middle", fill=INK, class_="position")
    ]
    if card is None:
        return [*shapes, empty_place(x, plan.row, plan.row_card)]
    shapes.append(group(*card_side(card.front, own, x, plan.row, plan.row_card, wired), class_="row-card"))
    left, right = x + 15, x + plan.row_card - 15
    shapes += [padlock(lock, left if lock == own else right, plan.row + 17) for lock in card.locks]
    if card.note:
        size = plan.row_card, PROPORTION * plan.row_card
        shapes.append(
            rect(x, plan.row, *size, radius=7, fill="none", stroke=MARK, stroke_width=4, class_="note")
        )
    shapes.append(other_side(card, own, middle - plan.underside / 2, plan.undersides, plan.underside))
    dots = knower_dots(card.knowers, middle, plan.undersides + PROPORTION * plan.underside + 11)
    return [*shapes, *dots]


def card_in_words(card: Sight | None, own: int) -> str:
    """A card as it lies, and what is on its other side, in sentences; left is the reader's own MainFrame."""
    if card is None:
        return "No card."
    lines = [f"This side: {face_in_words(card.front)}.", f"Other side: {face_in_words(card.back)}."]
    lines += [f"Dot: {SEATS[other].capitalize()} has seen both sides." for other in card.knowers]
    lines += [f"Lock: {SEATS[lock].capitalize()} has locked it." for lock in card.locks]
    return "\n".join(lines)


def other_side(card: Sight, own: int, x: float, y: float, width: float) -> Shape:
    """The side of a card turned away from the viewer."""
    return group(*card_side(card.back, own, x, y, width), class_="back known" if card.back else "back unknown")


def main_frame(plan: Plan, s: State, seat: int, x: float) -> list[Shape]:
    """An end of the row, with its seat and level, and a box for each hit."""
    height, middle, level = PROPORTION * plan.row_card, x + plan.frame / 2, int(s.defcon[seat])
    step, hits = 0.19 * plan.frame, level - Level.LOWEST + is_hit_out(s, seat)
    steps = [
        rect(
            x + 0.13 * plan.frame + step * i,
            plan.row + 0.82 * height,
            0.8 * step,
            0.09 * height,
            radius=0.15 * step,
            fill_opacity=1 if i < hits else 0.25,
            class_="step reached" if i < hits else "step",
        )
        for i in range(Level.HIGHEST)
    ]
    caption = text(
        middle, plan.row + height + 14, "DEFCON", size=plan.letters, anchor="middle", fill=SEAT_COLOR[seat]
    )
    frame = group(
        rect(x, plan.row, plan.frame, height, radius=7, fill=SEAT_COLOR[seat]),
        text(middle, plan.row + 0.17 * height, SEATS[seat].capitalize(), size=plan.letters, anchor="middle"),
        text(
            middle,
            plan.row + 0.52 * height,
            str(level),
            size=0.45 * plan.frame,
            anchor="middle",
            class_="level",
        ),
        *steps,
        fill="#fff",
        class_=f"main-frame {SEATS[seat]}",
    )
    says = (
        f"{SEATS[seat].capitalize()}'s MainFrame: DEFCON {level}, {hits} of {Level.HIGHEST} boxes full.\n"
        "Each hit fills a box, and DEFCON rises by 1. A hit at DEFCON 4 decides the game.\n"
        "A Resistor that a line in this colour links to this MainFrame empties a box."
    )
    return [frame, caption, place(f"{SEATS[seat]}-main-frame", x, plan.row, plan.frame, height, says=says)]


def ghost(s: State, action: int) -> Picture | None:
    """The side that a flip or a switch brings up, if the mover knows it."""
    block, where = ACTIONS.locate(action)
    if block.name not in ("flip", "switch"):
        return None
    seat, first = s.mover, where[0]
    if block.name == "flip":
        card = sight(s, index_of(s, seat, first), seat)
        face = card.back if card else None
    else:
        place = card_place(seat, HAND_SIZE * where[1] + where[2])
        face = read_face(int(s.card[place]), facing(s, place, seat), where[3], seat)
    if face is None:
        return None
    x = (WIDE.pitch - WIDE.row_card) / 2
    shapes = card_side(face, seat, x, 0, WIDE.row_card)
    return Picture(WIDE.pitch, round(PROPORTION * WIDE.row_card), tuple(shapes), background="none")


# -- hands and piles ----------------------------------------------------------------------


def hand(plan: Plan, s: State, owner: int, seat: Viewer, y: float) -> list[Shape]:
    """A seat's hand: each card with the side that faces the viewer, and the other one."""
    own = side_of(seat)
    caption = f"{SEATS[owner].capitalize()}'s hand"
    shapes = [
        text(
            plan.margin,
            y + plan.caption,
            caption,
            size=1.2 * plan.letters,
            fill=SEAT_COLOR[owner],
            class_="hand-name",
        )
    ]
    for slot, card in enumerate(hand_sights(s, owner, seat)):
        x = plan.middle - plan.pair - 20 + (plan.pair + 40) * slot
        number = text(x - 10, y + 12, str(slot + 1), size=plan.letters, anchor="end", fill=INK)
        shapes.append(group(number, *free_card(plan, card, own, x, y), class_=f"hand {SEATS[owner]}"))
        size = plan.pair, PROPORTION * plan.hand_card
        shapes.append(place(place_name(hand_place(owner, slot)), x, y, *size, says=card_in_words(card, own)))
    return shapes


def free_card(plan: Plan, card: Sight | None, own: int, x: float, y: float) -> list[Shape]:
    """A card that is not in the row: the side that faces the viewer, and beside it the other one."""
    if card is None:
        return [empty_place(x, y, plan.hand_card)]
    beside = x + plan.beside
    shapes = [
        group(*card_side(card.front, own, x, y, plan.hand_card), class_="front"),
        other_side(card, own, beside, y + PROPORTION * (plan.hand_card - plan.small_card), plan.small_card),
        *knower_dots(card.knowers, beside + 16, y + 13),
    ]
    if card.name:
        shapes.append(
            text(beside + plan.small_card, y + 13, card.name, size=plan.letters, anchor="end", fill=FADED)
        )
    return shapes


def drawn(plan: Plan, s: State, seat: Viewer) -> list[Shape]:
    """The card that was just drawn."""
    card = sight(s, Place.DRAWN, seat)
    if card is None:
        return []
    x = plan.middle - plan.pair / 2
    caption = text(x - 14, plan.table + 12, "drawn", size=plan.letters, anchor="end", fill=INK)
    own = side_of(seat)
    size = plan.pair, PROPORTION * plan.hand_card
    touched = place(place_name(Place.DRAWN), x, plan.table, *size, says=card_in_words(card, own))
    return [group(caption, *free_card(plan, card, own, x, plan.table), class_="drawn"), touched]


def deck(plan: Plan, s: State) -> list[Shape]:
    """The deck and its size."""
    y = plan.table + PROPORTION * (plan.hand_card - plan.small_card)
    size = plan.small_card, PROPORTION * plan.small_card
    layers = [
        rect(plan.margin + 3 * i, y - 3 * i, *size, radius=5, fill=CARD, stroke=HANDLE)
        for i in range(min(3, deck_size(s)))
    ]
    if not layers:
        layers = [empty_place(plan.margin, y, plan.small_card)]
    top = 3 * (len(layers) - 1)
    middle = plan.margin + top + size[0] / 2, y - top + size[1] / 2
    color = "#fff" if deck_size(s) else FADED
    number = text(
        *middle, str(deck_size(s)), size=1.6 * plan.letters, anchor="middle", fill=color, class_="deck-size"
    )
    caption = text(plan.margin + size[0] + 18, y + size[1] - 8, "deck", size=plan.letters, fill=INK)
    return [*layers, number, caption, place(DECK_PLACE, plan.margin + top, y - top, *size)]


def discards(plan: Plan, s: State, own: int) -> list[Shape]:
    """Both sides of the newest discard, and the number of discards."""
    y = plan.table + PROPORTION * (plan.hand_card - plan.small_card)
    step = plan.small_card + 16
    left = plan.width - plan.margin - step - plan.small_card
    caption = f"newest of {s.pile_size} discarded" if s.pile_size else "no discards"
    low = y + PROPORTION * plan.small_card + 14
    shapes = [
        text(
            plan.width - plan.margin, low, caption, size=plan.letters, anchor="end", fill=INK, class_="discards"
        )
    ]
    if s.pile_size == 0:
        return [*shapes, empty_place(left, y, plan.small_card), empty_place(left + step, y, plan.small_card)]
    for i, face in enumerate(read_sides(pile(s)[0], own)):
        x, side = left + step * i, f"side {'ab'[i]}"
        shapes.append(
            text(x + plan.small_card / 2, y - 10, side, size=plan.letters, anchor="middle", fill=FADED)
        )
        shapes.append(group(*card_side(face, own, x, y, plan.small_card), class_="discard"))
        size = plan.small_card, PROPORTION * plan.small_card
        says = f"{side.capitalize()} of the newest discard: {face_in_words(face)}."
        shapes.append(place(DISCARD_PLACES[i], x, y, *size, says=says))
    return shapes


def foot(plan: Plan, s: State) -> list[Shape]:
    """The optional rules in force."""
    names = [name.replace("_", " ") for name, value in OPTIONS.read(s.options).items() if value is True]
    return [text(plan.margin, plan.foot, ", ".join(names), size=plan.letters, fill=FADED, class_="options")]
