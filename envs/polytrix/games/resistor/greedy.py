"""The greedy policy: one action ahead, it keeps the own colour close to a line and the enemy far from one.

Habits are greedy but for one thing: what they do not look at, or what they prefer above all. `looks` are the
colours at whose distance from a line a policy looks, of `SEES_OWN` and `SEES_ENEMY`.

A face is a number: the bits of its entries in the observation, none if the face is unknown. `sketch` holds the
row as seven such faces from the own MainFrame on.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.layout import hot
from polytrix.core.state import ByteArray, FloatArray, IdArray, RecordArray

from .observation import HandCard, Obs, RowCard
from .state import HAND_SIZE, ROW, SWITCHES, Act, State
from .tables import FACE_SIZE, Entry

UNKNOWN_FACE = 0
DIAMOND_BIT = 1 << Entry.DIAMOND
CANDIDATES = 2 * HAND_SIZE + 1  # own and enemy hand cards, the drawn card


class Colour(Constants):
    """Colours as the seat sees them."""

    OWN, ENEMY = range(2)


SEES_OWN, SEES_ENEMY = 1 << Colour.OWN, 1 << Colour.ENEMY


class Habit(Constants):
    """Habits that `rate` implements."""

    CONTRARY, OWN_LINES, ENEMY_LINES, FORGETFUL, FLIPS_FIRST, TRASHES_DRAWN, NEAR_SIDE = range(7)
    UNSEEN_FAR_SIDE, UNSEEN_ONE_WAY, UNSEEN_CURIOUS = range(7, 10)


HABITS = Habit.written()
PREFERENCE = 100_000
"""Above the differences between other ratings."""


class Sketch(Constants):
    """Where `sketch` has the faces that lie up, the undersides, and the hand cards."""

    UP, DOWN, HELD = 0, ROW, 2 * ROW


class Worth(Constants):
    """In thousandths."""

    COMPLETE = 3000  # a line from end to end
    REPAIR = 2000
    DIAMOND_RISK = 300
    DRAW_PRICE, RECYCLE_PRICE = 50, 100
    RESISTOR_PRICE = 300  # trashing one gives the enemy a flip
    LEAST = -1_000_000


CROSS, CROSS_UNKNOWN = 10, 6  # tenths of a card, to pass one that has no line
ROOT = np.array([round(2000 * (cost / 10) ** 0.5) for cost in range(CROSS * ROW + 1)], np.int64)
"""[cost in tenths]: the worth of this distance from a line."""


_FOUR = np.arange(16)  # sets of lines 0-0, 0-1, 1-0, 1-1, or of stubs near 0, near 1, far 0, far 1
TURNED_LINES = _FOUR & 0b0110 | _FOUR >> 3 | (_FOUR & 1) << 3
"""[lines]: turned by 180 degrees, which exchanges 0-0 with 1-1, and leaves the diagonals."""
TURNED_STUBS = _FOUR >> 3 | (_FOUR & 4) >> 1 | (_FOUR & 2) << 1 | (_FOUR & 1) << 3
"""[stubs]: turned by 180 degrees."""
THROUGH = (_FOUR & 1) * (_FOUR >> 2) | (_FOUR >> 1 & 1) * (_FOUR >> 2) << 2
"""[stubs]: the lines that run through a diamond."""


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Rate each action by the row that results, as far as the seat can tell."""
    rate_rows(observation, ids, count, work, score, SEES_OWN | SEES_ENEMY, True)


def rate(
    habit: int, observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """Rate actions as one of `HABITS` does."""
    looks = SEES_OWN | SEES_ENEMY
    if habit == Habit.OWN_LINES:
        looks = SEES_OWN
    elif habit == Habit.ENEMY_LINES:
        looks = SEES_ENEMY
    rate_rows(observation, ids, count, work, score, looks, habit != Habit.FORGETFUL)
    for i in range(count):
        if habit == Habit.CONTRARY:
            score[i] = -score[i]
        else:
            score[i] += PREFERENCE * preference(habit, observation, int(ids[i]))


def preference(habit: int, observation: ByteArray, action: int) -> int:
    """How a habit rates an action, above all that greedy thinks of."""
    flips, switches = action < Act.DRAW, Act.SWITCH <= action < Act.LOCK
    position = action - Act.FLIP if flips else (action - Act.SWITCH) // SWITCHES if switches else 0
    if habit == Habit.FLIPS_FIRST:
        return int(flips)
    if habit == Habit.TRASHES_DRAWN:
        return int(action == Act.SWITCH - 1)
    if habit == Habit.NEAR_SIDE:
        return -position
    if habit == Habit.UNSEEN_FAR_SIDE:
        return position
    if habit == Habit.UNSEEN_ONE_WAY:
        return -int(switches and (action - Act.SWITCH) % 2 == 1)
    if habit == Habit.UNSEEN_CURIOUS and flips:
        return int(face_at(observation, Obs.ROW + RowCard.SIZE * position + RowCard.DOWN) == UNKNOWN_FACE)
    return 0


def rate_rows(
    observation: ByteArray,
    ids: IdArray,
    count: int,
    work: RecordArray,
    score: FloatArray,
    looks: int,
    remembers: bool,
) -> None:
    """Rate each action by the row that results; without memory, undersides are not known."""
    s = work[0]
    read(observation, s)
    if not remembers:
        s.sketch[Sketch.DOWN : Sketch.DOWN + ROW] = UNKNOWN_FACE
    length = 1 + hot(observation, Obs.LENGTH, ROW)
    now = value(s, length, looks)
    for i in range(count):
        score[i] = score_of(observation, s, length, looks, now, int(ids[i]))
    s.sketch[:] = 0


def read(observation: ByteArray, s: State) -> None:
    """Read the faces that the seat knows into `sketch`."""
    for position in range(ROW):
        at = Obs.ROW + RowCard.SIZE * position
        s.sketch[Sketch.UP + position] = face_at(observation, at + RowCard.UP)
        s.sketch[Sketch.DOWN + position] = face_at(observation, at + RowCard.DOWN)
    for which in range(CANDIDATES):
        s.sketch[Sketch.HELD + which] = face_at(observation, held_at(which) + HandCard.TOWARD_ME)


def held_at(which: int) -> int:
    """The first entry of a hand card or the drawn card in the observation."""
    return Obs.DRAWN if which == CANDIDATES - 1 else Obs.HAND + HandCard.SIZE * which


def face_at(observation: ByteArray, at: int) -> int:
    """The entries of a face as bits."""
    face = 0
    for i in range(FACE_SIZE):
        face |= int(observation[at + i]) << i
    return face


def score_of(observation: ByteArray, s: State, length: int, looks: int, now: int, action: int) -> int:
    """The worth of an action, in thousandths; `now` is that of the present row."""
    if action < Act.DRAW:
        position = action - Act.FLIP
        return worth_with(observation, s, length, looks, position, int(s.sketch[Sketch.DOWN + position]))
    if action < Act.RECYCLE:
        return now - Worth.DRAW_PRICE
    if action < Act.TRASH:
        return now - Worth.RECYCLE_PRICE
    if action < Act.SWITCH:
        which = action - Act.TRASH
        return -keeping(observation, s, length, looks, which)
    if action < Act.LOCK:
        switch = action - Act.SWITCH
        face = int(s.sketch[Sketch.HELD + switch // 2 % 4])
        return worth_with(observation, s, length, looks, switch // SWITCHES, turn(face) if switch % 2 else face)
    if action < Act.RESOLVE:
        return now - worth_with(observation, s, length, looks, action - Act.LOCK, UNKNOWN_FACE)
    if action < Act.UNDO:
        return worth_past(observation, s, length, looks, action - Act.RESOLVE)
    position = 0
    while observation[Obs.ROW + RowCard.SIZE * position + RowCard.UNDOABLE] == 0:
        position += 1
    face = Sketch.DOWN if action == Act.UNDO else Sketch.UP
    return worth_with(observation, s, length, looks, position, int(s.sketch[face + position]))


def worth_with(observation: ByteArray, s: State, length: int, looks: int, position: int, face: int) -> int:
    """The worth of the row with another face at a position."""
    before = int(s.sketch[Sketch.UP + position])
    s.sketch[Sketch.UP + position] = face
    worth = (
        worth_past(observation, s, length, looks, position) if face & DIAMOND_BIT else value(s, length, looks)
    )
    s.sketch[Sketch.UP + position] = before
    return worth


def keeping(observation: ByteArray, s: State, length: int, looks: int, which: int) -> int:
    """The best worth of the row with one of the five cards, and a bonus for keeping a Resistor."""
    face = int(s.sketch[Sketch.HELD + which])
    best = Worth.LEAST
    for position in range(length):
        at = Obs.ROW + RowCard.SIZE * position
        if observation[at + RowCard.OWN_LOCK] | observation[at + RowCard.ENEMY_LOCK]:
            continue
        best = max(best, worth_with(observation, s, length, looks, position, face))
        best = max(best, worth_with(observation, s, length, looks, position, turn(face)))
    if (face | face_at(observation, held_at(which) + HandCard.TOWARD_ENEMY)) & DIAMOND_BIT:
        best += Worth.RESISTOR_PRICE
    return best


def worth_past(observation: ByteArray, s: State, length: int, looks: int, position: int) -> int:
    """The worth of a diamond at a position: half that of the row without it, and its repairs."""
    worth = -Worth.DIAMOND_RISK
    if observation[Obs.DEFCON] == 0 and leads_home(s, length, position, Colour.OWN):
        worth += Worth.REPAIR
    if observation[Obs.DEFCON + 4] == 0 and leads_home(s, length, position, Colour.ENEMY):
        worth -= Worth.REPAIR
    face = int(s.sketch[Sketch.UP + position])
    for i in range(position, length - 1):
        s.sketch[Sketch.UP + i] = s.sketch[Sketch.UP + i + 1]
    worth += value(s, length - 1, looks) // 2
    for i in range(length - 1, position, -1):
        s.sketch[Sketch.UP + i] = s.sketch[Sketch.UP + i - 1]
    s.sketch[Sketch.UP + position] = face
    return worth


def leads_home(s: State, length: int, position: int, colour: int) -> bool:
    """Whether a line runs from the diamond at a position straight to that colour's MainFrame."""
    step, shift = (-1, 0) if colour == Colour.OWN else (1, 2)
    live = int(s.sketch[Sketch.UP + position]) >> (Entry.STUBS + 4 * colour + shift) & 3
    position += step
    while live and 0 <= position < length:
        lines = lines_of(int(s.sketch[Sketch.UP + position]), colour)
        live = nears(lines, live) if colour == Colour.OWN else fars(lines, live)
        position += step
    return live != 0


def nears(lines: int, fars: int) -> int:
    """The near chips from which lines lead to some of the far chips."""
    return (1 if lines & fars else 0) | (2 if lines >> 2 & fars else 0)


def fars(lines: int, nears: int) -> int:
    """The far chips to which lines lead from some of the near chips."""
    return (lines & 3 if nears & 1 else 0) | (lines >> 2 if nears & 2 else 0)


def turn(face: int) -> int:
    """A face turned by 180 degrees."""
    result = face & 3
    for colour in range(2):
        lines, stubs = Entry.LINES + 4 * colour, Entry.STUBS + 4 * colour
        result |= int(TURNED_LINES[face >> lines & 15]) << lines
        result |= int(TURNED_STUBS[face >> stubs & 15]) << stubs
    return result


def lines_of(face: int, colour: int) -> int:
    """The lines of a colour across a face, also through a diamond."""
    return face >> (Entry.LINES + 4 * colour) & 15 | int(THROUGH[face >> (Entry.STUBS + 4 * colour) & 15])


def value(s: State, length: int, looks: int) -> int:
    """The worth of the row: the enemy's distance from a line, less the own distance."""
    worth = 0
    if looks & SEES_OWN:
        own = cost(s, length, Colour.OWN)
        worth += (Worth.COMPLETE if own == 0 else 0) - int(ROOT[own])
    if looks & SEES_ENEMY:
        enemy = cost(s, length, Colour.ENEMY)
        worth += int(ROOT[enemy]) - (Worth.COMPLETE if enemy == 0 else 0)
    return worth


def cost(s: State, length: int, colour: int) -> int:
    """The cheapest chain of a colour across the row, in tenths of a card that has no line."""
    at0 = at1 = 0
    for position in range(length):
        face = int(s.sketch[Sketch.UP + position])
        lines = lines_of(face, colour)
        far0 = far1 = min(at0, at1) + (CROSS_UNKNOWN if face == UNKNOWN_FACE else CROSS)
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
