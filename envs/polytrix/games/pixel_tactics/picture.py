"""The position as a picture: the viewer's unit below, the other above, piles beside them, hands outside.

Left of each unit are its deck, with the fixed cards that the viewer knows, and its discard; right of it the
state of the seat. Slots and cards that can be chosen are outlined.
"""

from __future__ import annotations

from polytrix.core.viewers import Viewer, side_of
from polytrix.drawing import Picture, Shape, group, line, place, rect, text

from .card_pictures import (
    BACK,
    CARD_HEIGHT,
    CARD_WIDTH,
    FADED,
    GOLD,
    GRID,
    INK,
    PAPER,
    SEAT_COLOR,
    SMALL_HEIGHT,
    SMALL_WIDTH,
    back,
    corpse,
    empty_slot,
    face_down_leader,
    hero,
    leader,
    small_card,
    small_print,
)
from .cards.cards import CARDS, TOKENS
from .flow.matches import trophies_needed
from .notation import legal_ids
from .reading import (
    SEAT_NAMES,
    aside_of,
    cards_in,
    drawn_card,
    effect_names,
    hand_of,
    leader_of,
    outlined,
    question,
    situation,
    standing,
    top_of,
)
from .state import COLUMN_NAMES, COLUMNS, LEADER_SLOT, ROWS, SLOT_NAMES, State
from .touch import column_place, deck_place, hand_place, row_place, slot_place, touch

GAP = 8
MARGIN = 20
PILES = 176  # width of the area left of the units
SIDE = 190  # width of the area right of them
FIELD = MARGIN + PILES
PICTURE_WIDTH = FIELD + COLUMNS * (CARD_WIDTH + GAP) + SIDE
ENEMY_HAND_TOP = 66
UPPER = ENEMY_HAND_TOP + SMALL_HEIGHT + 16
BETWEEN = 26
PILE_PRINT = 11.5
LOWER = UPPER + ROWS * (CARD_HEIGHT + GAP) + BETWEEN
OWN_HAND_TOP = LOWER + ROWS * (CARD_HEIGHT + GAP) + 8
PICTURE_HEIGHT = OWN_HAND_TOP + SMALL_HEIGHT + 18


def draw(s: State, seat: Viewer) -> Picture:
    """The position as a viewer may know it, from South's side without a seat."""
    own = side_of(seat)
    shapes = (
        *heading(s),
        *hand(s, 1 - own, seat, ENEMY_HAND_TOP),
        *field(s, 1 - own, seat, UPPER, up=True),
        *middle(),
        *field(s, own, seat, LOWER, up=False),
        *column_places(),
        *unit_places(1 - own, UPPER, up=True),
        *unit_places(own, LOWER, up=False),
        *piles(s, 1 - own, seat, UPPER),
        *piles(s, own, seat, LOWER),
        *beside(s, 1 - own, UPPER),
        *beside(s, own, LOWER),
        *stack(s, seat),
        *hand(s, own, seat, OWN_HAND_TOP),
    )
    return Picture(PICTURE_WIDTH, PICTURE_HEIGHT, shapes, background=PAPER)


def heading(s: State) -> list[Shape]:
    """The pending question, and the round and wave."""
    color = SEAT_COLOR[s.mover] if s.mover >= 0 else INK
    return [
        text(MARGIN, 22, question(s), size=20, fill=color, class_="question"),
        text(MARGIN, 48, situation(s), size=15, fill=FADED, class_="situation"),
    ]


# -- the fields -----------------------------------------------------------------------------------


def field(s: State, u: int, viewer: Viewer, top: float, up: bool) -> list[Shape]:
    """A unit; its vanguard is next to the middle."""
    chosen = outlined(s)[u]
    slots = range(ROWS * COLUMNS)
    return [content(s, u, slot, viewer, *corner_of(slot, top, up), slot in chosen, up) for slot in slots]


def corner_of(slot: int, top: float, up: bool) -> tuple[float, float]:
    """Upper left corner of a slot, in pixels."""
    row, column = divmod(slot, COLUMNS)
    line = ROWS - 1 - row if up else row
    return FIELD + (CARD_WIDTH + GAP) * column, top + (CARD_HEIGHT + GAP) * line


def column_places() -> list[Shape]:
    """The columns of both units, to be touched."""
    height = LOWER + ROWS * (CARD_HEIGHT + GAP) - GAP - UPPER
    return [
        place(column_place(column), *corner_of(column, UPPER, up=False), CARD_WIDTH, height)
        for column in range(COLUMNS)
    ]


def unit_places(u: int, top: float, up: bool) -> list[Shape]:
    """The rows and slots of a unit, to be touched."""
    width = COLUMNS * (CARD_WIDTH + GAP) - GAP
    rows = [
        place(row_place(u, row), *corner_of(COLUMNS * row, top, up), width, CARD_HEIGHT) for row in range(ROWS)
    ]
    slots = [
        place(slot_place(u, slot), *corner_of(slot, top, up), CARD_WIDTH, CARD_HEIGHT)
        for slot in range(ROWS * COLUMNS)
    ]
    return [*rows, *slots]


def content(s: State, u: int, slot: int, viewer: Viewer, x: float, y: float, chosen: bool, up: bool) -> Shape:
    """The content of a slot."""
    if slot == LEADER_SLOT:
        if s.revealed:
            return leader(s, u, x, y, chosen, up)
        if s.leader[u] >= 0:
            return face_down_leader(s, u, leader_of(s, u, viewer), x, y)
    elif int(s.corpses[u]) >> slot & 1:
        return corpse(s, u, slot, x, y, chosen)
    elif int(s.heroes[u]) >> slot & 1:
        return hero(s, u, slot, x, y, chosen, up)
    return empty_slot(x, y, SLOT_NAMES[slot], chosen)


def middle() -> list[Shape]:
    """The line between the units, with the names of the columns."""
    y = LOWER - BETWEEN / 2 - GAP / 2
    shapes = [line((FIELD, y), (FIELD + COLUMNS * (CARD_WIDTH + GAP) - GAP, y), stroke=GRID, stroke_width=2)]
    for column, name in enumerate(COLUMN_NAMES):
        x = FIELD + (CARD_WIDTH + GAP) * column + CARD_WIDTH / 2
        shapes.append(rect(x - 12, y - 9, 24, 18, radius=9, fill=PAPER))
        shapes.append(text(x, y, name, size=14, anchor="middle", fill=FADED))
    return shapes


# -- beside them ----------------------------------------------------------------------------------


def piles(s: State, owner: int, viewer: Viewer, top: float) -> list[Shape]:
    """Deck, fixed top cards, discard, cards out of the game."""
    color = SEAT_COLOR[owner]
    number = str(int(s.deck[owner]).bit_count())
    deck = group(
        rect(MARGIN, top, 60, 78, radius=6, fill=BACK, stroke=color, stroke_width=2),
        text(MARGIN + 30, top + 39, number, size=24, anchor="middle", fill="#fff"),
        class_=f"deck seat{owner}",
    )
    shapes = [deck, place(deck_place(owner), MARGIN - 4, top - 4, 68, 86)]
    for i, card in enumerate(top_of(s, owner, viewer)):
        name = "?" if card is None else CARDS[card].name
        shapes.append(
            text(MARGIN + 70, top + 10 + 17 * i, f"{i + 1}. {name}", size=12.5, fill=INK, class_="fixed")
        )
    y = top + 96
    for title, cards in (("discard", s.discard), ("out", s.out)):
        names = [TOKENS[kind] for kind in cards_in(cards[owner])]
        if names or title == "discard":
            shapes.append(text(MARGIN, y, f"{title} {len(names)}", size=14, fill=color, class_=title))
            printed = small_print(", ".join(names), MARGIN, y + 18, PILES - 14, PILE_PRINT)
            shapes += printed
            y += 26 + 1.2 * PILE_PRINT * len(printed)
    known, others = aside_of(s, owner, viewer)
    if known or others:
        words = ", ".join([CARDS[kind].name for kind in known] + ["?"] * others)
        shapes.append(text(MARGIN, y + 4, f"set aside: {words}", size=11, fill=INK, class_="aside"))
    return shapes


def beside(s: State, seat: int, top: float) -> list[Shape]:
    """Seat, leader, trophies, and the state of the seat."""
    x = FIELD + COLUMNS * (CARD_WIDTH + GAP) + 6
    shapes = [text(x, top + 12, SEAT_NAMES[seat], size=19, fill=SEAT_COLOR[seat], class_="seat")]
    if s.revealed:
        shapes.append(
            text(x, top + 32, CARDS[s.leader[seat]].leader_name, size=13, fill=INK, class_="leader-name")
        )
    for i, note in enumerate(standing(s, seat)):
        shapes.append(text(x, top + 56 + 18 * i, note, size=14, fill=INK, class_="note"))
    if s.options.best_of > 1:
        for i in range(trophies_needed(s)):
            won = i < s.trophies[seat]
            shapes.append(
                rect(
                    x + 26 * i, top + 160, 20, 26, radius=4, fill=GOLD if won else "none", stroke=GOLD,
                    stroke_width=1.5, class_="trophy won" if won else "trophy",
                )
            )  # fmt: skip
    return shapes


def stack(s: State, viewer: Viewer) -> list[Shape]:
    """The effects on the stack, the latest first, beside the middle."""
    x, y = FIELD + COLUMNS * (CARD_WIDTH + GAP) + 6, LOWER - BETWEEN - 60
    lines = effect_names(s)[:5]
    drawn = drawn_card(s, viewer)
    if drawn is not None:
        lines = [f"just drawn: {CARDS[drawn].name}", *lines]
    return [text(x, y + 16 * i, words, size=13, fill=INK, class_="effect") for i, words in enumerate(lines)]


# -- hands ----------------------------------------------------------------------------------------


def hand(s: State, owner: int, viewer: Viewer, y: float) -> list[Shape]:
    """A hand: known cards first, then backs; many cards overlap."""
    known, others = hand_of(s, owner, viewer)
    count = len(known) + others
    room = PICTURE_WIDTH - 2 * MARGIN - SMALL_WIDTH
    step = min(SMALL_WIDTH + 6, room / max(1, count - 1))
    touched = {name for action in legal_ids(s) for name in touch(s, action)}
    color = SEAT_COLOR[owner]
    open_own = viewer in (None, owner)
    shapes = []
    for i, kind in enumerate(known):
        x, name = MARGIN + step * i, hand_place(owner, kind)
        seen = open_own and bool(int(s.known[owner]) >> kind & 1)
        shapes.append(small_card(kind, x, y, color, known=seen, chosen=name in touched))
        shapes.append(place(name, x, y, SMALL_WIDTH, SMALL_HEIGHT))
    shapes += [back(MARGIN + step * i, y, color) for i in range(len(known), count)]
    return [group(*shapes, class_=f"hand seat{owner}")]
