"""Cards as shapes: heroes, leaders, corpses, backs and the small cards of hands."""

from __future__ import annotations

from polytrix.drawing import Shape, circle, group, line, lines_of, polygon, polyline, rect, text, text_width

from .board.passives import ability, hero_strength, intercepting, life, ranged, strength
from .board.stack import last_striker
from .board.units import front
from .cards.cards import CARDS, LIFE, NO_ABILITY, STRENGTH, Which
from .reading import effect_text, marks_of
from .state import LEADER_SLOT, Damage, State

SEAT_COLOR = ("#1f62c4", "#c2362b")
PAPER, CARD, INK, FADED, GRID = "#f5f3ee", "#ffffff", "#2b2a28", "#6b675f", "#d8d3c6"
DEAD, BACK, GOLD, MARK, BLOOD = "#c9c5bb", "#5b6470", "#c9a13a", "#ffb703", "#c1121f"

CARD_WIDTH, CARD_HEIGHT = 192, 118
SMALL_WIDTH, SMALL_HEIGHT = 150, 80
PRINT, SMALL_PRINT = 12.5, 11  # sizes of the words on a card, and on one in a hand
PIPS = 8  # more counters are drawn as a number
MARK_SIZE = 10.5


def small_print(words: str, x: float, y: float, width: float, size: float = PRINT) -> list[Shape]:
    """Lines of small text not wider than `width`, the first at height y."""
    return [
        text(x, y + 1.2 * size * i, each, size=size, fill=INK, class_="words")
        for i, each in enumerate(lines_of(words, width, size))
    ]


# -- on the field ---------------------------------------------------------------------------------


def sheet(x: float, y: float, fill: str, stroke: str, width: float) -> Shape:
    """The shape of a card on the field."""
    return rect(x, y, CARD_WIDTH, CARD_HEIGHT, radius=8, fill=fill, stroke=stroke, stroke_width=width)


def empty_slot(x: float, y: float, name: str, chosen: bool) -> Shape:
    """A slot without a card."""
    stroke, width = (MARK, 4.0) if chosen else (GRID, 1.5)
    box = sheet(x, y, "none", stroke, width)
    label = text(x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2, name, size=13, anchor="middle", fill=FADED)
    return group(box, label, class_=f"slot {name}{' choice' if chosen else ''}")


def corpse(s: State, u: int, slot: int, x: float, y: float, chosen: bool) -> Shape:
    """A corpse: grey and face down, but its name can be read; with its damage until its last strike."""
    box = sheet(x, y, DEAD, MARK if chosen else FADED, 4 if chosen else 1)
    cross = [
        line((x + 14, y + 37), (x + CARD_WIDTH - 14, y + CARD_HEIGHT - 12), stroke=FADED, stroke_width=1.5),
        line((x + 14, y + CARD_HEIGHT - 12), (x + CARD_WIDTH - 14, y + 37), stroke=FADED, stroke_width=1.5),
    ]
    name = text(x + 10, y + 17, CARDS[s.card[u, slot]].name, size=16, fill=INK)
    shapes = [box, *cross, name, *counters(int(s.damage[u, slot]), x + 100, y + 37), *marks(s, u, slot, x, y)]
    if last_striker(s, u) == slot:  # PT-74
        force = hero_strength(s, u, slot, -1, Damage.MELEE)
        shapes.append(text(x + 10, y + 37, f"{force}", size=18, fill=SEAT_COLOR[u], class_="strength"))
    return group(*shapes, class_=f"corpse{' choice' if chosen else ''}")


def hero(s: State, u: int, slot: int, x: float, y: float, chosen: bool, up: bool) -> Shape:
    """A living hero with its numbers, signs and marks, and the ability of its row."""
    card = int(s.card[u, slot])
    owner = u ^ (int(s.captives[u]) >> slot & 1)
    frame = SEAT_COLOR[owner]
    captive, inner = ("", []) if owner == u else (" captive", [inner_frame(x, y, frame)])
    shapes = [
        sheet(x, y, CARD, MARK if chosen else frame, 5 if chosen else 2),
        *inner,
        text(x + 10, y + 17, CARDS[card].name, size=16, fill=INK, class_="name"),
        *numbers(s, u, slot, x, y),
        *front_edge(s, u, slot, x, y, up),
        *small_print(effect_text(card, slot // 3), x + 10, y + 56, CARD_WIDTH - 20),
        *marks(s, u, slot, x, y),
    ]
    return group(*shapes, class_=f"hero seat{u}{captive}{' choice' if chosen else ''}")


def inner_frame(x: float, y: float, stroke: str) -> Shape:
    """The second frame of a captive."""
    wide, high = CARD_WIDTH - 8, CARD_HEIGHT - 8
    return rect(x + 4, y + 4, wide, high, radius=6, fill="none", stroke=stroke, stroke_width=2)


def leader(s: State, u: int, x: float, y: float, chosen: bool, up: bool) -> Shape:
    """A revealed leader in gold, with its present ability."""
    has = ability(s, u)
    level = f" · level {s.level[u]}" if s.level[u] else ""
    copied = f" as {CARDS[has].name}" if has not in (int(s.leader[u]), NO_ABILITY) else ""
    name = CARDS[s.leader[u]].name + copied + level
    words = effect_text(int(s.leader[u]) if has == NO_ABILITY else has, Which.LEADER)
    shapes = [
        sheet(x, y, "#fdf6e3", MARK if chosen else GOLD, 5 if chosen else 4),
        *name_line(name, x + 10, y + 17, SEAT_COLOR[u]),
        *numbers(s, u, LEADER_SLOT, x, y),
        *front_edge(s, u, LEADER_SLOT, x, y, up),
        *small_print(words, x + 10, y + 56, CARD_WIDTH - 20),
        *marks(s, u, LEADER_SLOT, x, y),
    ]
    return group(*shapes, class_=f"leader seat{u}{' choice' if chosen else ''}")


def name_line(name: str, x: float, y: float, color: str) -> list[Shape]:
    """A leader's name, in smaller letters if it is long."""
    size = min(16.0, 16 * (CARD_WIDTH - 62) / text_width(name, 16))  # the signs stand right of it
    return [text(x, y, name, size=size, fill=color, class_="name")]


def face_down_leader(s: State, u: int, card: int | None, x: float, y: float) -> Shape:
    """A leader that has been picked and not revealed; its owner sees which one."""
    name = "?" if card is None else CARDS[card].name
    return group(
        sheet(x, y, BACK, GOLD, 4),
        text(x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2, name, size=16, anchor="middle", fill="#fff"),
        class_=f"leader down seat{u}",
    )


def numbers(s: State, u: int, slot: int, x: float, y: float) -> list[Shape]:
    """Strength and remaining life, damage counters, and the signs of Ranged and Intercept."""
    lives, damage = life(s, u, slot), int(s.damage[u, slot])
    color = BLOOD if damage else INK
    force = strength(s, u, slot, -1, Damage.MELEE)
    shapes = [
        text(x + 10, y + 37, f"{force}", size=18, fill=SEAT_COLOR[u], class_="strength"),
        text(x + 34, y + 37, f"{lives - damage} / {lives}", size=15, fill=color, class_="life"),
        *counters(damage, x + 100, y + 37),
    ]
    right = x + CARD_WIDTH - 14
    if ranged(s, u) >> slot & 1:
        shapes.append(bow(right, y + 15))
        right -= 20
    if intercepting(s, u) >> slot & 1:
        shapes.append(shield(right, y + 15))
    return shapes


def front_edge(s: State, u: int, slot: int, x: float, y: float, up: bool) -> list[Shape]:
    """A bar on the enemy's side of a front member; with `up` the enemy is below."""
    if not front(s, u) >> slot & 1:
        return []
    edge = y + CARD_HEIGHT - 6 if up else y + 3
    return [rect(x + 7, edge, CARD_WIDTH - 14, 3, radius=1, fill=SEAT_COLOR[u], class_="front")]


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


def marks(s: State, u: int, slot: int, x: float, y: float) -> list[Shape]:
    """The marks of a card in this wave, and its boost."""
    names = marks_of(s, u, slot)
    if s.boost[u, slot]:
        names.insert(0, f"+{s.boost[u, slot]}")
    shapes = []
    left = x + 8
    for name in names:
        wide = 10 + text_width(name, MARK_SIZE)
        top = y + CARD_HEIGHT - 21
        shapes.append(rect(left, top, wide, 14, radius=7, fill=GRID, class_=f"mark {name}"))
        shapes.append(text(left + wide / 2, top + 7, name, size=MARK_SIZE, anchor="middle", fill=INK))
        left += wide + 3
    return shapes


# -- in hands and on piles ------------------------------------------------------------------------


def small_card(
    kind: int, x: float, y: float, color: str, *, known: bool = False, chosen: bool = False
) -> Shape:
    """A card in a hand: name, strength, life and order; an eye if the opponent knows it."""
    shapes = [
        rect(
            x, y, SMALL_WIDTH, SMALL_HEIGHT, radius=6, fill=CARD, stroke=MARK if chosen else color,
            stroke_width=4 if chosen else 1.5,
        ),
        text(x + 8, y + 15, CARDS[kind].name, size=14, fill=INK),
        text(
            x + SMALL_WIDTH - 8, y + 15, f"{STRENGTH[kind]} / {LIFE[kind]}", size=13, anchor="end", fill=color
        ),
        *small_print(effect_text(kind, Which.ORDER), x + 8, y + 36, SMALL_WIDTH - 16, SMALL_PRINT),
    ]  # fmt: skip
    if known:
        shapes.append(eye(x + SMALL_WIDTH - 15, y + SMALL_HEIGHT - 11))
    return group(*shapes, class_=f"card {CARDS[kind].code}{' choice' if chosen else ''}")


def eye(x: float, y: float) -> Shape:
    """The sign of a card that the opponent knows."""
    lid = [(x - 7, y), (x - 3, y - 4), (x + 3, y - 4), (x + 7, y), (x + 3, y + 4), (x - 3, y + 4), (x - 7, y)]
    return group(polyline(lid, stroke=FADED, stroke_width=1.2), circle(x, y, 2, fill=FADED), class_="eye")


def back(x: float, y: float, color: str) -> Shape:
    """The back of a card."""
    return group(
        rect(x, y, SMALL_WIDTH, SMALL_HEIGHT, radius=6, fill=BACK, stroke=color, stroke_width=2),
        rect(
            x + 8, y + 8, SMALL_WIDTH - 16, SMALL_HEIGHT - 16, radius=4, fill="none", stroke="#fff", opacity=0.4
        ),
        class_="back",
    )
