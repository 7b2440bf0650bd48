"""The position as a picture: the viewer's unit and the other, face to face, with hands and piles outside.

In a wide place the units are side by side, the viewer's at the left; in a narrow one the viewer's is below.
What a card says beyond its numbers is told when it is touched.
"""

from __future__ import annotations

from typing import NamedTuple

from polytrix.core.viewers import Viewer, side_of
from polytrix.drawing import Picture, Shape, group, line, place, rect, text
from polytrix.drawing.colours import FADED, GRID, INK, PAPER

from .board.passives import ability, intercepting, life, ranged, strength
from .board.units import front
from .card_pictures import (
    BACK,
    GOLD,
    SEAT_COLOR,
    Box,
    back,
    corpse,
    empty_slot,
    face_down_leader,
    hero,
    leader,
    small_card,
)
from .cards.cards import CARDS, LIFE, STRENGTH, Which
from .flow.matches import trophies_needed
from .reading import (
    SEAT_NAMES,
    USES,
    aside_of,
    cards_in,
    drawn_card,
    effect_names,
    effect_text,
    hand_of,
    leader_of,
    lives_left,
    marks_of,
    printed,
    question,
    recruit_row,
    shown_strength,
    situation,
    standing,
    top_of,
)
from .state import COLUMN_NAMES, COLUMNS, LEADER_SLOT, ROWS, Damage, Decision, State
from .touch import column_place, deck_place, hand_place, row_place, slot_place

GAP, MARGIN = 4, 6
DECK = 44  # width of a deck
SIGNS = {
    "bow": "Bow: it shoots.",
    "shield": "Shield: it intercepts.",
    "bar": "Bar at the edge: nothing is before it in its column, so it can strike, and strikes can hit it.",
    "acted": "acted: it has attacked in this wave, and cannot do so again.",
    "fresh": "fresh: it has come in this turn, and does not attack yet.",
    "moved": "moved: it has moved in this wave, and does not attack.",
    "hurt": "hurt: it has been damaged in this wave.",
    "struck": "struck: it has struck in this wave.",
}
TERMS = {
    "shoot": "A card that shoots can attack any enemy that has no intercepting card before it in its column.",
    "intercept": "A card that intercepts stops shots: none hits what is behind it in its column.",
    "Power:": "A power is an attack like a strike or a shot, and takes an action.",
}
"""By a word on the cards: what it means."""


class Plan(NamedTuple):
    """Where everything is, in pixels."""

    width: int
    height: int
    side_by_side: bool
    card: tuple[int, int]
    small: tuple[int, int]
    """A card in a hand."""
    field: int
    """Upper edge of the units."""
    between: int
    """From one unit to the other."""
    hands: tuple[Box, Box]
    """Deck and hand of the viewer and of the other seat."""
    notes: tuple[tuple[float, float], tuple[float, float]]
    """Where the lines about the viewer's seat and the other one begin."""


WIDE = Plan(
    width=802, height=530, side_by_side=True, card=(126, 105), small=(112, 98), field=98, between=18,
    hands=(Box(MARGIN, 427, 790, 98), Box(404, 6, 392, 44)), notes=((MARGIN, 62), (404, 62)),
)  # fmt: skip
NARROW = Plan(
    width=400, height=700, side_by_side=False, card=(126, 64), small=(100, 42), field=136, between=22,
    hands=(Box(MARGIN, 638, 388, 56), Box(MARGIN, 50, 388, 44)), notes=((MARGIN, 576), (MARGIN, 104)),
)  # fmt: skip


def draw(s: State, seat: Viewer) -> Picture:
    """The position as a viewer may know it, from South's side without a seat."""
    return drawn_as(WIDE, s, seat)


def draw_narrow(s: State, seat: Viewer) -> Picture:
    """The same with the units one above the other, on cards with names and numbers only."""
    return drawn_as(NARROW, s, seat)


def drawn_as(plan: Plan, s: State, seat: Viewer) -> Picture:
    """The position in an arrangement."""
    own = side_of(seat)
    shapes = (
        *heading(s, seat),
        *hand(plan, s, 1 - own, seat),
        *(content(plan, s, u, slot, seat) for u in (1 - own, own) for slot in range(ROWS * COLUMNS)),
        *middle(plan),
        *(place(column_place(column), *column_box(plan, column)[:4]) for column in range(COLUMNS)),
        *(shape for u in (1 - own, own) for shape in unit_places(plan, s, u, seat)),
        *deck(plan, s, 1 - own, seat),
        *deck(plan, s, own, seat),
        *beside(plan, s, 1 - own, seat),
        *beside(plan, s, own, seat),
        *hand(plan, s, own, seat),
    )
    return Picture(plan.width, plan.height, shapes, background=PAPER)


def heading(s: State, viewer: Viewer) -> list[Shape]:
    """The pending question, and the round and wave or the effects that are carried out, the latest first."""
    color = SEAT_COLOR[s.mover] if s.mover >= 0 else INK
    drawn = drawn_card(s, viewer)
    effects = [*([f"just drawn: {CARDS[drawn].name}"] if drawn is not None else []), *effect_names(s)]
    return [
        text(MARGIN, 16, question(s), size=15, fill=color, class_="question"),
        text(MARGIN, 37, ", ".join(effects[:2]) or situation(s), size=12, fill=FADED, class_="situation"),
    ]


# -- the fields -----------------------------------------------------------------------------------


def slot_box(plan: Plan, own: bool, slot: int) -> Box:
    """The box of a slot of the viewer's unit or the other; each vanguard is next to the middle."""
    row, column = divmod(slot, COLUMNS)
    from_start = (row if own else ROWS - 1 - row) if not plan.side_by_side else (ROWS - 1 - row if own else row)
    second = own != plan.side_by_side
    along = from_start + ROWS * second
    right, down = (along, column) if plan.side_by_side else (column, along)
    width, height = plan.card
    apart = plan.between * second
    return Box(
        MARGIN + (width + GAP) * right + apart * plan.side_by_side,
        plan.field + (height + GAP) * down + apart * (not plan.side_by_side),
        width,
        height,
        ((1 if own else -1), 0) if plan.side_by_side else (0, (-1 if own else 1)),
    )


def around(one: Box, other: Box) -> Box:
    """The box that holds two."""
    x, y = min(one.x, other.x), min(one.y, other.y)
    right, low = (max(a.x + a.width for a in (one, other)), max(a.y + a.height for a in (one, other)))
    return Box(x, y, right - x, low - y)


def column_box(plan: Plan, column: int) -> Box:
    """A column of both units."""
    rear = (ROWS - 1) * COLUMNS + column
    return around(slot_box(plan, True, rear), slot_box(plan, False, rear))


def unit_places(plan: Plan, s: State, u: int, viewer: Viewer) -> list[Shape]:
    """The rows and slots of a unit, to be touched."""
    own = u == side_of(viewer)
    ends = [[slot_box(plan, own, COLUMNS * row + column) for column in (0, COLUMNS - 1)] for row in range(ROWS)]
    rows = [place(row_place(u, row), *around(*ends[row])[:4]) for row in range(ROWS)]
    slots = [
        place(
            slot_place(u, slot),
            *slot_box(plan, own, slot)[:4],
            says=with_terms(slot_in_words(s, u, slot, viewer)),
        )
        for slot in range(ROWS * COLUMNS)
    ]
    return [*rows, *slots]


def content(plan: Plan, s: State, u: int, slot: int, viewer: Viewer) -> Shape:
    """The content of a slot."""
    at = slot_box(plan, u == side_of(viewer), slot)
    if slot == LEADER_SLOT:
        if s.revealed:
            return leader(s, u, at)
        if s.leader[u] >= 0:
            return face_down_leader(s, u, leader_of(s, u, viewer), at)
    elif int(s.corpses[u]) >> slot & 1:
        return corpse(s, u, slot, at)
    elif int(s.heroes[u]) >> slot & 1:
        return hero(s, u, slot, at)
    return empty_slot(at, slot)


def slot_in_words(s: State, u: int, slot: int, viewer: Viewer) -> str:
    """What lies on a slot, in sentences."""
    where = f"{SEAT_NAMES[u]}, {USES[slot // COLUMNS].lower()} {COLUMN_NAMES[slot % COLUMNS]}"
    known = leader_of(s, u, viewer)
    if slot == LEADER_SLOT and not s.revealed:
        return (
            f"{where}: the leader, face down.\n{card_in_words(known)}"
            if known is not None
            else f"{where}: the leader."
        )
    if slot == LEADER_SLOT:
        has = ability(s, u)
        words = effect_text(has if has < len(CARDS) else int(s.leader[u]), Which.LEADER)
        first = f"{CARDS[s.leader[u]].name}, the leader of {SEAT_NAMES[u]}"
        return f"{first}: {numbers_in_words(s, u, slot)}\nAs the leader: {words}."
    card = int(s.card[u, slot])
    if int(s.corpses[u]) >> slot & 1:
        return f"{where}: the corpse of the {CARDS[card].name}."
    if not int(s.heroes[u]) >> slot & 1:
        return f"{where}: empty."
    row = slot // COLUMNS
    return f"{CARDS[card].name} ({where}): {numbers_in_words(s, u, slot)}\n{card_in_words(card, row)}"


def numbers_in_words(s: State, u: int, slot: int) -> str:
    """Strength and lives of a living card, and what its signs and marks mean."""
    lives, shown = life(s, u, slot), shown_strength(s, u, slot)
    shot, shoots = strength(s, u, slot, -1, Damage.RANGED), int(ranged(s, u)) >> slot & 1
    differs = f" ({shot} in a shot)" if shoots and shot != shown else ""
    first = f"strength {shown}{differs}, {lives_left(s, u, slot)} of {lives} lives left."
    sets = {"bow": ranged(s, u), "shield": intercepting(s, u), "bar": front(s, u)}
    signs = [sign for sign, slots in sets.items() if int(slots) >> slot & 1] + marks_of(s, u, slot)
    return "\n".join([first, *(SIGNS[sign] for sign in signs)])


def card_in_words(kind: int, now: int = -1) -> str:
    """All that a card says; what counts `now`, where it lies, first."""
    lines = [f"{title}: {effect_text(kind, which)}." for which, title in enumerate(USES)]
    force, lives = printed(kind, Which.LEADER)
    lines[-1] = f"Leader, strength {force}, {lives} lives: {effect_text(kind, Which.LEADER)}."
    if now >= 0:
        lines = [f"Here: {effect_text(kind, now)}.", *(each for row, each in enumerate(lines) if row != now)]
    return "\n".join(lines)


def with_terms(words: str) -> str:
    """Sentences, and below them what the terms in them mean."""
    return "\n".join([words, *(meaning for term, meaning in TERMS.items() if term in words)])


def middle(plan: Plan) -> list[Shape]:
    """The line between the units, with the names of the columns."""
    boxes = [column_box(plan, column) for column in range(COLUMNS)]
    middles = [(box.x + box.width / 2, box.y + box.height / 2) for box in boxes]
    shapes = []
    if plan.side_by_side:
        x = middles[0][0]
        shapes.append(line((x, boxes[0].y), (x, boxes[-1].y + boxes[-1].height), stroke=GRID, stroke_width=2))
    else:
        y = middles[0][1]
        shapes.append(line((boxes[0].x, y), (boxes[-1].x + boxes[-1].width, y), stroke=GRID, stroke_width=2))
    for name, (x, y) in zip(COLUMN_NAMES, middles, strict=True):
        shapes.append(rect(x - 8, y - 8, 16, 16, radius=8, fill=PAPER))
        shapes.append(text(x, y, name, size=13, anchor="middle", fill=FADED))
    return shapes


# -- beside them ----------------------------------------------------------------------------------


def deck(plan: Plan, s: State, owner: int, viewer: Viewer) -> list[Shape]:
    """The deck with its number of cards; touched, it tells of all piles of its seat."""
    box = plan.hands[owner != side_of(viewer)]
    height = min(box.height, 64)
    number = str(int(s.deck[owner]).bit_count())
    shape = group(
        rect(
            box.x + 2,
            box.y + 2,
            DECK - 8,
            height - 4,
            radius=6,
            fill=BACK,
            stroke=SEAT_COLOR[owner],
            stroke_width=2,
        ),
        text(box.x + DECK / 2 - 2, box.y + height / 2, number, size=17, anchor="middle", fill="#fff"),
        class_=f"deck seat{owner}",
    )
    says = "\n".join(piles(s, owner, viewer))
    return [shape, place(deck_place(owner), box.x, box.y, DECK - 4, height, says=says)]


def piles(s: State, owner: int, viewer: Viewer) -> list[str]:
    """A sentence for the deck, the cards set aside, the discard and the cards out of the game."""
    lines = [f"Deck of {SEAT_NAMES[owner]}: {int(s.deck[owner]).bit_count()} cards."]
    known, others = aside_of(s, owner, viewer)
    fixed = [
        f"{i + 1}. {'?' if card is None else CARDS[card].name}"
        for i, card in enumerate(top_of(s, owner, viewer))
    ]
    aside = [CARDS[kind].name for kind in known] + ["?"] * others
    for title, names in (
        ("On top", fixed),
        ("Set aside", aside),
        ("Discard", [CARDS[kind].name for kind in cards_in(s.discard[owner])]),
        ("Out of the game", [CARDS[kind].name for kind in cards_in(s.out[owner])]),
    ):
        if names:
            lines.append(f"{title}: {', '.join(names)}.")
    return lines


def beside(plan: Plan, s: State, seat: int, viewer: Viewer) -> list[Shape]:
    """Seat, leader, trophies, discard, and the state of the seat."""
    x, y = plan.notes[seat != side_of(viewer)]
    who = f"{SEAT_NAMES[seat]}{' (you)' * (seat == viewer)}"
    discards = len(cards_in(s.discard[seat]))
    notes = [*standing(s, seat), f"discard {discards}"]
    shapes = [
        text(x, y, who, size=15, fill=SEAT_COLOR[seat], class_="seat"),
        text(x + 100, y, led_by(s, seat), size=12, fill=INK, class_="leader-name"),
        text(x, y + 19, ", ".join(notes), size=12, fill=INK, class_="note"),
    ]
    if s.options.best_of > 1:
        for i in range(trophies_needed(s)):
            won = i < s.trophies[seat]
            shapes.append(
                rect(
                    x + 360 - 20 * i, y - 8, 15, 19, radius=4, fill=GOLD if won else "none", stroke=GOLD,
                    stroke_width=1.5, class_="trophy won" if won else "trophy",
                )
            )  # fmt: skip
    return shapes


def led_by(s: State, seat: int) -> str:
    """The leader of a seat by the name it bears as such, and by its card's."""
    card = CARDS[s.leader[seat]]
    return f"leader: {card.leader_name} ({card.name})" if s.revealed else ""


# -- hands ----------------------------------------------------------------------------------------


def hand(plan: Plan, s: State, owner: int, viewer: Viewer) -> list[Shape]:
    """A hand: known cards first, then backs; many cards overlap."""
    own = owner == side_of(viewer)
    box = plan.hands[not own]
    known, others = hand_of(s, owner, viewer)
    count = len(known) + others
    width, height = plan.small[0], min(plan.small[1], box.height)
    step = min(width + 5, (box.width - DECK - width) / max(1, count - 1))
    color = SEAT_COLOR[owner]
    row = recruit_row(s) if s.decision == Decision.RECRUITS else s.wave
    which = Which.LEADER if not s.revealed else Which.ORDER if s.decision == Decision.ORDERS else row
    open_own = viewer in (None, owner)
    shapes = []
    for i in range(count):
        at = Box(box.x + DECK + step * i, box.y, width, height)
        if i >= len(known):
            shapes.append(back(at, color))
            continue
        kind = known[i]
        name = hand_place(owner, kind)
        seen = open_own and bool(int(s.known[owner]) >> kind & 1)
        shapes.append(small_card(kind, which, at, color, known=seen))
        says = f"{CARDS[kind].name}: strength {STRENGTH[kind]}, {LIFE[kind]} lives.\n{card_in_words(kind)}"
        shapes.append(place(name, *at[:4], says=with_terms(says)))
    return [group(*shapes, class_=f"hand seat{owner}")]
