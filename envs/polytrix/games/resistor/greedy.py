"""The heuristic opponent: short of a line as little as possible, the enemy as much; one action ahead.

A face is kept as the bits of its entries in the observation, and the row as seven such faces
from the own MainFrame on, in `sketch`. A face that is not known has no bits.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.state import ByteArray, FloatArray, IdArray, RecordArray

from .rules import (
    DRAW_ACTION,
    FLIP_ACTION,
    KEEP_ACTION,
    LOCK_ACTION,
    RECYCLE_ACTION,
    RESOLVE_ACTION,
    SWITCH_ACTION,
    SWITCHES,
    TRASH_ACTION,
    UNDO_ACTION,
)
from .state import HAND_CARD, HAND_SIZE, ROW, ROW_CARD, State
from .tables import FACE_SIZE
from .observation import (
    DEFCON,
    DRAWN_CARD,
    ENEMY_LOCK,
    FACE_DOWN,
    FACE_UP,
    HAND_CARDS,
    LENGTH,
    OWN_LOCK,
    ROW_CARDS,
    TOWARD_ENEMY,
    TOWARD_ME,
    UNDOABLE,
)

OWN, ENEMY = 0, 1
UNKNOWN = 0
DIAMOND = 1 << 1
LINES, STUBS = 2, 10  # first bits; the enemy's are four further on

# Places in `sketch`.
UP, DOWN, HELD = 0, ROW, 2 * ROW
CANDIDATES = 2 * HAND_SIZE + 1  # own and enemy hand cards, the drawn card

# Worths in thousandths.
COMPLETE = 3000  # a line from end to end
REPAIR = 2000
DIAMOND_RISK = 300
DRAW_PRICE, RECYCLE_PRICE = 50, 100
RESISTOR_PRICE = 300  # trashing one gives the enemy a flip
LEAST = -1_000_000

CROSS, CROSS_UNKNOWN = 10, 6  # tenths of a card, to pass one that has no line
ROOT = np.array([round(2000 * (cost / 10) ** 0.5) for cost in range(CROSS * ROW + 1)], np.int64)
"""[cost in tenths]: what it is worth to be so far from a line."""


def _turned(bits: int) -> int:
    """Four lines 0-0, 0-1, 1-0, 1-1 or four stubs near 0, near 1, far 0, far 1, turned by 180 degrees."""
    return sum(1 << i for i in range(4) if bits >> (3 - i) & 1)


def _turned_lines(bits: int) -> int:
    """Turning exchanges 0-0 with 1-1, and leaves the diagonals."""
    return bits & 0b0110 | bits >> 3 & 1 | (bits & 1) << 3


TURNED_STUBS = np.array([_turned(bits) for bits in range(16)], np.int64)
TURNED_LINES = np.array([_turned_lines(bits) for bits in range(16)], np.int64)
THROUGH = np.array(
    [
        sum(
            1 << (2 * near + far)
            for near in (0, 1)
            for far in (0, 1)
            if bits >> near & 1 and bits >> 2 + far & 1
        )
        for bits in range(16)
    ],
    np.int64,
)
"""[stubs]: the lines that run through a diamond."""


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Rate each action by the row that it leads to, as far as the seat can tell."""
    s = work[0]
    read(observation, s)
    length = row_length(observation)
    now = value(s, length)
    for i in range(count):
        score[i] = rate(observation, s, length, now, int(ids[i]))
    s.sketch[:] = 0


def read(observation: ByteArray, s: State) -> None:
    """The faces that the seat sees, and those that it has seen."""
    for position in range(ROW):
        at = ROW_CARDS + ROW_CARD * position
        s.sketch[UP + position] = face_at(observation, at + FACE_UP)
        s.sketch[DOWN + position] = face_at(observation, at + FACE_DOWN)
    for which in range(CANDIDATES):
        s.sketch[HELD + which] = face_at(observation, held_at(which) + TOWARD_ME)


def held_at(which: int) -> int:
    """Where a hand card or the drawn card begins in the observation."""
    return DRAWN_CARD if which == CANDIDATES - 1 else HAND_CARDS + HAND_CARD * which


def face_at(observation: ByteArray, at: int) -> int:
    """The entries of a face as bits."""
    face = 0
    for i in range(FACE_SIZE):
        face |= int(observation[at + i]) << i
    return face


def row_length(observation: ByteArray) -> int:
    """Cards in the row."""
    length = 1
    while observation[LENGTH + length - 1] == 0:
        length += 1
    return length


def rate(observation: ByteArray, s: State, length: int, now: int, action: int) -> int:
    """What an action is worth, in thousandths; `now` is the worth of the row as it lies."""
    if action < DRAW_ACTION:
        position = action - FLIP_ACTION
        return changed(observation, s, length, position, int(s.sketch[DOWN + position]))
    if action < RECYCLE_ACTION:
        return now - DRAW_PRICE
    if action < TRASH_ACTION:
        return now - RECYCLE_PRICE
    if action < SWITCH_ACTION:
        which = action - TRASH_ACTION
        return -keeping(observation, s, length, which)
    if action < LOCK_ACTION:
        switch = action - SWITCH_ACTION
        face = int(s.sketch[HELD + switch // 2 % 4])
        return changed(observation, s, length, switch // SWITCHES, turned(face) if switch % 2 else face)
    if action < RESOLVE_ACTION:
        return now - changed(observation, s, length, action - LOCK_ACTION, UNKNOWN)
    if action < UNDO_ACTION:
        return resolved(observation, s, length, action - RESOLVE_ACTION)
    position = 0
    while observation[ROW_CARDS + ROW_CARD * position + UNDOABLE] == 0:
        position += 1
    face = UP if action == KEEP_ACTION else DOWN
    return changed(observation, s, length, position, int(s.sketch[face + position]))


def changed(observation: ByteArray, s: State, length: int, position: int, face: int) -> int:
    """The worth of the row with another face at a position."""
    before = int(s.sketch[UP + position])
    s.sketch[UP + position] = face
    worth = resolved(observation, s, length, position) if face & DIAMOND else value(s, length)
    s.sketch[UP + position] = before
    return worth


def keeping(observation: ByteArray, s: State, length: int, which: int) -> int:
    """The best that one of the five cards can do in the row, and a little for not trashing a Resistor."""
    face = int(s.sketch[HELD + which])
    best = LEAST
    for position in range(length):
        at = ROW_CARDS + ROW_CARD * position
        if observation[at + OWN_LOCK] | observation[at + ENEMY_LOCK]:
            continue
        best = max(best, changed(observation, s, length, position, face))
        best = max(best, changed(observation, s, length, position, turned(face)))
    if (face | face_at(observation, held_at(which) + TOWARD_ENEMY)) & DIAMOND:
        best += RESISTOR_PRICE
    return best


def resolved(observation: ByteArray, s: State, length: int, position: int) -> int:
    """The worth of a diamond at a position: half the row without it, and the repairs that it brings."""
    worth = -DIAMOND_RISK
    if observation[DEFCON] == 0 and leads_home(s, length, position, OWN):
        worth += REPAIR
    if observation[DEFCON + 4] == 0 and leads_home(s, length, position, ENEMY):
        worth -= REPAIR
    face = int(s.sketch[UP + position])
    for i in range(position, length - 1):
        s.sketch[UP + i] = s.sketch[UP + i + 1]
    worth += value(s, length - 1) // 2
    for i in range(length - 1, position, -1):
        s.sketch[UP + i] = s.sketch[UP + i - 1]
    s.sketch[UP + position] = face
    return worth


def leads_home(s: State, length: int, position: int, colour: int) -> bool:
    """Whether a line runs from the diamond at a position straight to that colour's MainFrame."""
    step, shift = (-1, 0) if colour == OWN else (1, 2)
    live = int(s.sketch[UP + position]) >> (STUBS + 4 * colour + shift) & 3
    position += step
    while live and 0 <= position < length:
        lines = lines_of(int(s.sketch[UP + position]), colour)
        live = nears(lines, live) if colour == OWN else fars(lines, live)
        position += step
    return live != 0


def nears(lines: int, fars: int) -> int:
    """The near chips from which lines lead to some of the far chips."""
    return (1 if lines & fars else 0) | (2 if lines >> 2 & fars else 0)


def fars(lines: int, nears: int) -> int:
    """The far chips to which lines lead from some of the near chips."""
    return (lines & 3 if nears & 1 else 0) | (lines >> 2 if nears & 2 else 0)


def turned(face: int) -> int:
    """A face turned by 180 degrees."""
    result = face & 3
    for colour in range(2):
        lines, stubs = LINES + 4 * colour, STUBS + 4 * colour
        result |= int(TURNED_LINES[face >> lines & 15]) << lines
        result |= int(TURNED_STUBS[face >> stubs & 15]) << stubs
    return result


def lines_of(face: int, colour: int) -> int:
    """The lines of a colour across a face, also through a diamond."""
    return face >> (LINES + 4 * colour) & 15 | int(THROUGH[face >> (STUBS + 4 * colour) & 15])


def value(s: State, length: int) -> int:
    """The worth of the row: how far the enemy is from a line, less how far the own colour is."""
    own, enemy = cost(s, length, OWN), cost(s, length, ENEMY)
    worth = int(ROOT[enemy]) - int(ROOT[own])
    if own == 0:
        worth += COMPLETE
    if enemy == 0:
        worth -= COMPLETE
    return worth


def cost(s: State, length: int, colour: int) -> int:
    """The cheapest chain of a colour across the row, in tenths of a card that has no line."""
    at0 = at1 = 0
    for position in range(length):
        face = int(s.sketch[UP + position])
        lines = lines_of(face, colour)
        far0 = far1 = min(at0, at1) + (CROSS_UNKNOWN if face == UNKNOWN else CROSS)
        if lines & 1:
            far0 = min(far0, at0)
        if lines & 2:
            far1 = min(far1, at0)
        if lines & 4:
            far0 = min(far0, at1)
        if lines & 8:
            far1 = min(far1, at1)
        at0, at1 = far0, far1
    return min(at0, at1)
