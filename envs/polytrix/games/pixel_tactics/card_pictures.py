"""Cards as shapes: heroes, leaders, corpses, backs and the small cards of hands."""

from __future__ import annotations

from typing import NamedTuple

from polytrix.core.state import OVER
from polytrix.drawing import (
    Shape,
    circle,
    group,
    line,
    lines_of,
    polygon,
    polyline,
    rect,
    text,
    text_width,
    texts,
)
from polytrix.drawing.colours import CARD, FADED, GRID, INK

from .board.passives import ability, hero_strength, intercepting, life, ranged
from .board.stack import last_striker
from .board.units import front
from .cards.cards import CARDS, NO_ABILITY, Which
from .reading import ROWS_IN_WORDS, USES, effect_text, lives_left, marks_of, printed, shown_strength
from .state import COLUMNS, LEADER_SLOT, SLOT_NAMES, Damage, State

SEAT_COLOR = ("#1f62c4", "#c2362b")
DEAD, BACK, GOLD, BLOOD = "#c9c5bb", "#5b6470", "#c9a13a", "#c1121f"

PRINT = 11.6  # size of the words on a card
LINE = 13  # from one line of them to the next
PIPS = 5  # more counters are drawn as a number
MARK_SIZE = 11.6
WORDS_TOP, FOOT = 48, 20  # of a card on the field: above and below its words


class Box(NamedTuple):
    """Where a card lies, and in which direction the enemy is: steps right and down."""

    x: float
    y: float
    width: float
    height: float
    facing: tuple[int, int] = (0, 0)


def small_print(words: str, at: Box, top: float, foot: float = 0) -> list[Shape]:
    """Lines of small text below the top of a card, as many as there is room for above its foot."""
    room = max(0, int((at.height - top - foot + LINE / 2) // LINE))
    lines = lines_of(words, at.width - 15, PRINT)
    if len(lines) > room:
        lines = (*lines[: room - 1], f"{lines[room - 1]} ...") if room > 1 else ()
    return texts(at.x + 9, at.y + top, lines, size=PRINT, step=LINE, fill=INK, class_="words")


# -- on the field ---------------------------------------------------------------------------------


def sheet(at: Box, fill: str, stroke: str, width: float) -> Shape:
    """The shape of a card."""
    return rect(*at[:4], radius=7, fill=fill, stroke=stroke, stroke_width=width)


def empty_slot(at: Box, slot: int) -> Shape:
    """A slot without a card."""
    box = sheet(at, "none", GRID, 1.5)
    name, row = SLOT_NAMES[slot], "leader" if slot == LEADER_SLOT else ROWS_IN_WORDS[slot // COLUMNS]
    words, middle = f"{name} · {row}", at.x + at.width / 2
    label = text(middle, at.y + at.height / 2, words, size=12, anchor="middle", fill=FADED)
    return group(box, label, class_=f"slot {name}")


def corpse(s: State, u: int, slot: int, at: Box) -> Shape:
    """A corpse: grey and face down, but its name can be read; with its damage until its last strike."""
    box = sheet(at, DEAD, FADED, 1)
    name = text(at.x + 9, at.y + 14, CARDS[s.card[u, slot]].name, size=13, fill=INK)
    shapes = [
        box,
        *cross(at),
        name,
        *counters(int(s.damage[u, slot]), at.x + 75, at.y + 33),
        *marks(s, u, slot, at),
    ]
    if last_striker(s, u) == slot:  # PT-74
        force = hero_strength(s, u, slot, -1, Damage.MELEE)
        shapes.append(text(at.x + 9, at.y + 33, f"{force}", size=15, fill=SEAT_COLOR[u], class_="strength"))
    return group(*shapes, class_="corpse")


def cross(at: Box) -> list[Shape]:
    """Two lines through a card that has fallen."""
    left, right, top, low = at.x + 14, at.x + at.width - 14, at.y + 26, at.y + at.height - 10
    ends = [((left, top), (right, low)), ((left, low), (right, top))]
    return [line(*each, stroke=FADED, stroke_width=1.5, class_="cross") for each in ends]


def hero(s: State, u: int, slot: int, at: Box) -> Shape:
    """A living hero with its numbers, signs and marks, and the ability of its row."""
    card = int(s.card[u, slot])
    owner = u ^ (int(s.captives[u]) >> slot & 1)
    frame = SEAT_COLOR[owner]
    captive, inner = ("", []) if owner == u else (" captive", [inner_frame(at, frame)])
    shapes = [
        sheet(at, CARD, frame, 2),
        *inner,
        text(at.x + 9, at.y + 14, CARDS[card].name, size=13, fill=INK, class_="name"),
        *numbers(s, u, slot, at),
        *front_edge(s, u, slot, at),
        *small_print(effect_text(card, slot // 3), at, WORDS_TOP, FOOT * bool(marks(s, u, slot, at))),
        *marks(s, u, slot, at),
    ]
    return group(*shapes, class_=f"hero seat{u}{captive}")


def inner_frame(at: Box, stroke: str) -> Shape:
    """The second frame of a captive."""
    return rect(
        at.x + 4, at.y + 4, at.width - 8, at.height - 8, radius=6, fill="none", stroke=stroke, stroke_width=2
    )


def leader(s: State, u: int, at: Box) -> Shape:
    """A revealed leader on gold, with its present ability."""
    has = ability(s, u)
    level = f" · level {s.level[u]}" if s.level[u] else ""
    copied = f" as {CARDS[has].name}" if has not in (int(s.leader[u]), NO_ABILITY) else ""
    name = CARDS[s.leader[u]].name + copied + level
    words = effect_text(int(s.leader[u]) if has == NO_ABILITY else has, Which.LEADER)
    fallen = s.mover == OVER and s.damage[u, LEADER_SLOT] >= life(s, u, LEADER_SLOT)
    shapes = [
        sheet(at, "#fdf6e3", SEAT_COLOR[u], 2),
        text(at.x + 9, at.y + 14, name, size=13, fill=SEAT_COLOR[u], class_="name"),
        *numbers(s, u, LEADER_SLOT, at),
        *front_edge(s, u, LEADER_SLOT, at),
        *small_print(words, at, WORDS_TOP, FOOT * bool(marks(s, u, LEADER_SLOT, at))),
        *marks(s, u, LEADER_SLOT, at),
        *(cross(at) if fallen else []),
    ]
    return group(*shapes, class_=f"leader seat{u}")


def face_down_leader(s: State, u: int, card: int | None, at: Box) -> Shape:
    """A leader that has been picked and not revealed; its owner sees which one."""
    name = "?" if card is None else CARDS[card].name
    return group(
        sheet(at, BACK, SEAT_COLOR[u], 2),
        text(at.x + at.width / 2, at.y + at.height / 2, name, size=14, anchor="middle", fill="#fff"),
        class_=f"leader down seat{u}",
    )


def numbers(s: State, u: int, slot: int, at: Box) -> list[Shape]:
    """Strength and remaining life, damage counters, and the signs of Ranged and Intercept."""
    lives, damage = life(s, u, slot), int(s.damage[u, slot])
    color = BLOOD if damage else INK
    force = shown_strength(s, u, slot)
    beside = at.x + (27 if force < 10 else 36)
    shapes = [
        text(at.x + 9, at.y + 33, f"{force}", size=15, fill=SEAT_COLOR[u], class_="strength"),
        text(beside, at.y + 33, f"{lives_left(s, u, slot)} / {lives}", size=12.5, fill=color, class_="life"),
        *counters(damage, beside + 48, at.y + 33),
    ]
    right = at.x + at.width - 14
    if ranged(s, u) >> slot & 1:
        shapes.append(bow(right, at.y + 14))
        right -= 20
    if intercepting(s, u) >> slot & 1:
        shapes.append(shield(right, at.y + 14))
    return shapes


def front_edge(s: State, u: int, slot: int, at: Box) -> list[Shape]:
    """A bar on the enemy's side of a front member."""
    if not front(s, u) >> slot & 1:
        return []
    right, down = at.facing
    x = at.x + (7 if not right else at.width - 6 if right > 0 else 3)
    y = at.y + (7 if not down else at.height - 6 if down > 0 else 3)
    width, height = (3, at.height - 14) if right else (at.width - 14, 3)
    return [rect(x, y, width, height, radius=1, fill=SEAT_COLOR[u], class_="front")]


def counters(damage: int, x: float, y: float) -> list[Shape]:
    """Damage as red counters, or as a number."""
    if damage > PIPS:
        return [
            circle(x + 4, y, 6, fill=BLOOD, class_="damage"),
            text(x + 14, y, f"x {damage}", size=12, fill=BLOOD),
        ]
    return [circle(x + 9 * i, y, 3.8, fill=BLOOD, class_="damage") for i in range(damage)]


def bow(x: float, y: float) -> Shape:
    """The sign of Ranged."""
    curve = [(x - 5, y - 8), (x + 2, y - 5), (x + 4, y), (x + 2, y + 5), (x - 5, y + 8)]
    return group(
        polyline(curve, stroke=INK, stroke_width=1.8),
        line((x - 5, y - 8), (x - 5, y + 8), stroke=INK, stroke_width=1),
        line((x - 8, y), (x + 7, y), stroke=INK, stroke_width=1.4),
        class_="bow",
    )


def shield(x: float, y: float) -> Shape:
    """The sign of Intercept."""
    outline = [(x - 7, y - 8), (x + 7, y - 8), (x + 6, y + 3), (x, y + 8), (x - 6, y + 3)]
    return polygon(outline, fill=GRID, stroke=INK, stroke_width=1.5, class_="shield")


def marks(s: State, u: int, slot: int, at: Box) -> list[Shape]:
    """The marks of a card in this wave, and its boost."""
    names = marks_of(s, u, slot)
    if s.boost[u, slot]:
        names.insert(0, f"+{s.boost[u, slot]}")
    shapes = []
    left = at.x + 6
    for name in names:
        wide = 8 + text_width(name, MARK_SIZE)
        top = at.y + at.height - 19
        shapes.append(rect(left, top, wide, 14, radius=7, fill=GRID, class_=f"mark {name}"))
        shapes.append(text(left + wide / 2, top + 7, name, size=MARK_SIZE, anchor="middle", fill=INK))
        left += wide + 3
    return shapes


# -- in hands and on piles ------------------------------------------------------------------------


def small_card(kind: int, which: int, at: Box, color: str, *, known: bool = False) -> Shape:
    """A card in a hand, with what it says in one use of it; an eye if the opponent knows it."""
    words = f"{USES[which]}: {effect_text(kind, which)}"
    shapes = [
        sheet(at, CARD, color, 1.5),
        text(at.x + 6, at.y + 13, CARDS[kind].name, size=12, fill=INK),
        text(at.x + 6, at.y + 29, " / ".join(map(str, printed(kind, which))), size=12, fill=color),
        *small_print(words, at, 44),
    ]
    if known:
        shapes.append(eye(at.x + at.width - 12, at.y + 29))
    return group(*shapes, class_=f"card {CARDS[kind].code}")


def eye(x: float, y: float) -> Shape:
    """The sign of a card that the opponent knows."""
    lid = [(x - 7, y), (x - 3, y - 4), (x + 3, y - 4), (x + 7, y), (x + 3, y + 4), (x - 3, y + 4), (x - 7, y)]
    return group(polyline(lid, stroke=FADED, stroke_width=1.2), circle(x, y, 2, fill=FADED), class_="eye")


def back(at: Box, color: str) -> Shape:
    """The back of a card."""
    inner = rect(
        at.x + 6, at.y + 6, at.width - 12, at.height - 12, radius=4, fill="none", stroke="#fff", opacity=0.4
    )
    return group(sheet(at, BACK, color, 2), inner, class_="back")
