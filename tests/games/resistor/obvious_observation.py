"""The expected observation of a seat, from the sides that it has seen at the obvious table."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from polytrix.games.resistor import GAME

from .obvious import BLUE, TOKENS, Card, Table
from .obvious_row import COLOURS, Face, Row, graph_of, need

DECISIONS = ("ACT", "TRASH", "FORCED", "UNDO", "RESOLVE")
ENDS = [(0, 0), (0, 1), (1, 0), (1, 1)]
KINDS: list[frozenset[frozenset[str]]] = []
for _card in TOKENS:
    _kind = frozenset(frozenset(side) for side in _card)
    if _kind not in KINDS:
        KINDS.append(_kind)


def face(tokens: list[str], turned: bool, seat: int) -> list[int]:
    """The 18 entries of a face, `turned` in the seat's own reading.

    known, diamond; lines near-far 0-0, 0-1, 1-0, 1-1 own and enemy; stubs near 0, near 1, far 0, far 1 likewise
    """
    out = [1, int("*" in tokens)] + 16 * [0]
    for token in tokens:
        if token == "*":
            continue
        enemy = "rb".index(token[0]) != seat
        if token[1] in "LR":
            is_near, chip = token[1] == "L", int(token[2])
            if turned:
                is_near, chip = not is_near, 1 - chip
            out[10 + 4 * enemy + (0 if is_near else 2) + chip] = 1
        else:
            near, far = int(token[1]), int(token[2])
            if turned:
                near, far = 1 - far, 1 - near
            out[2 + 4 * enemy + ENDS.index((near, far))] = 1
    return out


NOTHING = 18 * [0]


def held(card: Card | None, seat: int) -> list[int]:
    """A hand card or the drawn card."""
    if card is None:
        return 37 * [0]
    mine = card.side if seat != BLUE else 1 - card.side
    other = face(card.tokens(1 - mine), False, seat) if 1 - mine in card.seen[seat] else NOTHING
    return [*face(card.tokens(mine), False, seat), *other, int(mine in card.seen[1 - seat])]


def laid(table: Table, card: Card | None, seat: int) -> list[int]:
    """A card of the row."""
    if card is None:
        return 41 * [0]
    turned = bool(card.turned) != (seat == BLUE)
    under = 1 - card.side
    return [
        *face(card.tokens(), turned, seat),
        int(turned),
        *(face(card.tokens(under), not turned, seat) if under in card.seen[seat] else NOTHING),
        int(under in card.seen[1 - seat]),
        int(seat in card.locks),
        int(1 - seat in card.locks),
        int(table.undoable is card),
    ]


def prospects(table: Table, seat: int) -> list[int]:
    """The gaps and gains, by laying out each changed row and measuring it."""
    if table.turn is None:
        return [0] * (16 + 14 + 140)
    cards = table.row if seat != BLUE else table.row[::-1]
    row: Row = [(tuple(card.tokens()), bool(card.turned)) for card in table.row]
    own_end_first = range(len(row)) if seat != BLUE else range(len(row))[::-1]
    gaps = gaps_of(row, seat)
    out = [int(gap == number) for gap in gaps for number in range(8)]

    def gains(i: int, tokens: list[str], turned: bool) -> list[int]:
        changed = gaps_of([*row[:i], (tuple(tokens), turned), *row[i + 1 :]], seat)
        return [gap - other for gap, other in zip(gaps, changed, strict=True)]

    for i, card in zip(own_end_first, cards, strict=True):
        under = 1 - card.side
        out += gains(i, card.tokens(under), not card.turned) if under in card.seen[seat] else [0, 0]
    out += [0, 0] * (7 - len(row))
    matters = table.phase != "OVER" and ("S" in table.left or table.phase == "TRASH")
    for held_card in (*table.hands[seat], *table.hands[1 - seat], table.drawn):
        if held_card is None or not matters:
            out += [0] * 28
            continue
        mine = held_card.side if seat != BLUE else 1 - held_card.side
        for i in own_end_first:
            for turned in (False, True):
                out += gains(i, held_card.tokens(mine), turned != (seat == BLUE))
        out += [0] * 4 * (7 - len(row))
    return out


def gaps_of(row: Row, seat: int) -> list[int]:
    """Cards that the own and the enemy colour lack."""
    return [lacking(tuple(row), COLOURS[who]) for who in (seat, 1 - seat)]


@lru_cache(maxsize=100_000)
def lacking(row: tuple[tuple[Face, bool], ...], colour: str) -> int:
    """Cards that a colour lacks in a row; cached, as the same rows occur again and again."""
    return need(graph_of(list(row), colour))


def observation(table: Table, seat: int) -> np.ndarray:
    """All of a seat's observation."""
    enemy, out = 1 - seat, []
    out += [int(table.phase == phase) for phase in DECISIONS]
    running = table.phase != "OVER"
    out += [int(running and table.mover == seat), int(running and table.turn == seat)]
    out += [int(running and letter in table.left) for letter in "FDSL"]
    out += [int(table.levels[who] == level) for who in (seat, enemy) for level in (1, 2, 3, 4)]
    out += [len(table.deck)]
    out += [int(len(table.row) == length) for length in range(1, 8)]
    row = table.row if seat != BLUE else table.row[::-1]
    for i in range(7):
        out += laid(table, row[i] if i < len(row) else None, seat)
    for who in (seat, enemy):
        for card in table.hands[who]:
            out += held(card, seat)
    out += held(table.drawn, seat)
    for side in (0, 1):
        out += face(table.pile[-1].tokens(side), False, seat) if table.pile else NOTHING
    out += prospects(table, seat)
    discards = [0] * len(KINDS)
    for card in table.pile:
        kind = KINDS.index(frozenset(frozenset(side) for side in TOKENS[card.number]))
        discards[kind ^ 1 if seat == BLUE and kind < 46 else kind] += 1
    out += discards
    out += [int(table.options[name]) for name in table.options]
    assert len(out) == GAME.observations.size
    return np.array(out, np.int8)
