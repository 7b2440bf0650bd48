"""The position as text for a terminal, as far as the viewer may know it; `words.LEGEND` says how to read it.

What that leaves out: `+5` is a boost, and `(Templar) 6 *5` strikes once more with strength 6 as it falls.
"""

from __future__ import annotations

from polytrix.core.viewers import Viewer, side_of

from .board.passives import hero_strength, intercepting, life, ranged
from .board.stack import last_striker
from .cards.cards import CARDS, TOKENS
from .reading import (
    SEAT_NAMES,
    ability_name,
    aside_of,
    drawn_card,
    hand_of,
    leader_of,
    marks_of,
    names_of,
    question,
    shown_strength,
    situation,
    standing,
    top_of,
)
from .state import LEADER_SLOT, SLOT_NAMES, Damage, State

SLOT_WIDTH = 25  # three of them fit into 80 columns


def text(s: State, seat: Viewer) -> str:
    """The position as a viewer may know it, from South's side without a seat."""
    own = side_of(seat)
    lines = [situation(s), *cards(s, 1 - own, seat), *unit(s, 1 - own, seat, (6, 3, 0))]
    lines += [*unit(s, own, seat, (0, 3, 6)), *cards(s, own, seat), *extras(s, seat), question(s)]
    return "\n".join(lines)


def cards(s: State, owner: int, viewer: Viewer) -> list[str]:
    """Hand, deck, discard and other zones of a seat."""
    words = [SEAT_NAMES[owner], f"hand {counted(*hand_of(s, owner, viewer))}", deck_words(s, owner, viewer)]
    words.append(f"discard: {names_of(s.discard[owner])}")
    for name, zone in (("out", s.out), ("in play", s.in_play)):
        if zone[owner]:
            words.append(f"{name}: {names_of(zone[owner])}")
    if s.aside[owner]:
        words.append(f"aside {counted(*aside_of(s, owner, viewer))}")
    if s.options.best_of > 1:
        words.append(f"trophies {s.trophies[owner]}")
    lines = ["; ".join(words)]
    if owner == viewer and s.known[owner]:
        lines.append(f"  known to {SEAT_NAMES[1 - owner]}: {names_of(s.known[owner])}")
    return lines


def counted(known: list[int], others: int) -> str:
    """The number of cards, and the known ones.

    >>> counted([10, 24], 1)
    '3: Knight Witch and 1 unknown'
    """
    names = " ".join(TOKENS[kind] for kind in known)
    unknown = f"{others} unknown" if others else ""
    listed = " and ".join(part for part in (names, unknown) if part)
    return f"{len(known) + others}" + (f": {listed}" if names else "")


def deck_words(s: State, owner: int, viewer: Viewer) -> str:
    """The size of the deck and its top cards; for the owner all its cards."""
    words = f"deck {int(s.deck[owner]).bit_count()}"
    top = top_of(s, owner, viewer)
    if top:
        words += " on top " + " ".join("?" if card is None else TOKENS[card] for card in top)
    if viewer in (None, owner):
        words += f" of {names_of(s.deck[owner])}"
    return words


def unit(s: State, u: int, viewer: Viewer, rows: tuple[int, ...]) -> list[str]:
    """A line for each row; `rows` are the first slots of the rows, from top to bottom."""
    lines = []
    for row in rows:
        cells = [f"{SLOT_NAMES[slot]:2} {cell(s, u, slot, viewer)}" for slot in range(row, row + 3)]
        lines.append("   " + " ".join(cell.ljust(SLOT_WIDTH) for cell in cells).rstrip())
    return lines


def cell(s: State, u: int, slot: int, viewer: Viewer) -> str:
    """The content of a slot."""
    if slot == LEADER_SLOT:
        return leader_cell(s, u, viewer)
    bit = 1 << slot
    if int(s.corpses[u]) & bit:
        return f"({TOKENS[s.card[u, slot]]}){falling(s, u, slot)}{marks(s, u, slot)}"
    if not int(s.heroes[u]) & bit:
        return "."
    sign = "~" if int(s.captives[u]) & bit else ""
    return f"{sign}{TOKENS[s.card[u, slot]]}{member(s, u, slot)}"


def member(s: State, u: int, slot: int) -> str:
    """Strength, life left, reach and marks of a member."""
    lives = life(s, u, slot)
    numbers = f" {shown_strength(s, u, slot)}, {lives - int(s.damage[u, slot])}/{lives}"
    reach = ("r" if ranged(s, u) >> slot & 1 else "") + ("i" if intercepting(s, u) >> slot & 1 else "")
    return numbers + (f" {reach}" if reach else "") + marks(s, u, slot)


def falling(s: State, u: int, slot: int) -> str:
    """PT-71, PT-74: strength and damage of a corpse before its last strike."""
    strikes = f" {hero_strength(s, u, slot, -1, Damage.MELEE)}" if last_striker(s, u) == slot else ""
    return strikes + (f" *{s.damage[u, slot]}" if s.damage[u, slot] else "")


def marks(s: State, u: int, slot: int) -> str:
    """Marks and boost."""
    letters = "".join(name[0] for name in marks_of(s, u, slot))
    boost = f" +{s.boost[u, slot]}" if s.boost[u, slot] else ""
    return boost + (f" !{letters}" if letters else "")


def leader_cell(s: State, u: int, viewer: Viewer) -> str:
    """The leader, if the viewer knows it."""
    card = leader_of(s, u, viewer)
    if card is None:
        return "?" if s.leader[u] >= 0 else "."
    if not s.revealed:
        return f"{TOKENS[card]} face down"
    has = ability_name(s, u)
    level = f" level {s.level[u]}" if s.level[u] else ""
    return TOKENS[card] + member(s, u, LEADER_SLOT) + (f" {has}" if has else "") + level


def extras(s: State, viewer: Viewer) -> list[str]:
    """The state of the turn and the wave."""
    words = [
        f"{name}: {', '.join(standing(s, seat))}" for seat, name in enumerate(SEAT_NAMES) if standing(s, seat)
    ]
    drawn = drawn_card(s, viewer)
    if drawn is not None:
        words.append(f"just drawn: {CARDS[drawn].name}")
    return ["; ".join(words)] if words else []
