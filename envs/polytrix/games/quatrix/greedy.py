"""The greedy policy: it takes the action that leads to the best position, and looks no further.

Habits are greedy but for one thing: what they leave out of the value, or what they prefer above all.
"""

from __future__ import annotations

from polytrix.core.bits import lowest, size
from polytrix.core.constants import Constants
from polytrix.core.layout import hot
from polytrix.core.state import OVER, ByteArray, FloatArray, IdArray, RecordArray

from .bitboard import ALL_COLUMNS, COLUMNS, DISTANCE, LAST_SQUARE, NEAR_SQUARES, ROWS, SQUARES, row_of
from .ending import zone
from .observation import Obs
from .rules import apply
from .state import SOURCES, STEP, Act, Direction, Phase, Seat, State, clear_board, toggle_disc, toggle_ring

WINNING = 1_000_000
PREFERENCE = 1_000
"""Above the differences between other positions."""


class Habit(Constants):
    """Habits that `rate` implements."""

    CONTRARY, RECKLESS, IGNORES_ENEMY, NEVER_POPS, ALWAYS_POPS, RUSHES, KEEPS_PIPS = range(7)
    UNSEEN_STRAGGLERS, UNSEEN_SIDEWAYS, UNSEEN_RINGS_FIRST = range(7, 10)


HABITS = Habit.written()


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Rate each action by the value of the position that it leads to."""
    rate_results(observation, ids, count, work, score, 1, 1)


def rate(
    habit: int, observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """Rate actions as one of `HABITS` does."""
    enemy_weight, danger_weight = int(habit != Habit.IGNORES_ENEMY), int(habit != Habit.RECKLESS)
    rate_results(observation, ids, count, work, score, enemy_weight, danger_weight)
    for i in range(count):
        if habit == Habit.CONTRARY:
            score[i] = -score[i]
        elif ids[i] < Act.PLACE:
            score[i] += PREFERENCE * preference(habit, observation, int(ids[i]))


def preference(habit: int, observation: ByteArray, action: int) -> int:
    """How a habit rates a die move, above all that greedy thinks of."""
    square, direction = action // 4 % SOURCES, action % 4
    if habit == Habit.RUSHES:
        return square // COLUMNS
    if habit == Habit.UNSEEN_STRAGGLERS:
        return -(square // COLUMNS)
    if habit == Habit.UNSEEN_SIDEWAYS:
        return int(direction >= Direction.LEFT)
    if habit == Habit.UNSEEN_RINGS_FIRST:
        return 1 - int(observation[Obs.OWN_DISC + square])
    if action >= Act.PIP:
        return 0
    if habit == Habit.KEEPS_PIPS:
        return -int(observation[Obs.OWN_PIP + square])
    die = hot(observation, Obs.DICE + 6 * (action // (4 * SOURCES)), 6) + 1
    lands = observation[Obs.ENEMY_RING + square + die * int(STEP[direction])]
    pops = int(observation[Obs.OWN_DISC + square]) * int(lands)  # QX-60
    if habit == Habit.NEVER_POPS:
        return -pops
    return pops if habit == Habit.ALWAYS_POPS else 0


def rate_results(
    observation: ByteArray,
    ids: IdArray,
    count: int,
    work: RecordArray,
    score: FloatArray,
    enemy_weight: int,
    danger_weight: int,
) -> None:
    """Rate each action by its result: the own units, and with their weights the enemy's, and the danger."""
    reconstruct(observation, work[0])
    enemy = value(work[0], Seat.BLUE)
    for i in range(count):
        work[1] = work[0]
        trial = work[1]
        apply(trial, ids[i])
        if trial.mover == OVER:
            score[i] = WINNING
        else:
            moved = trial.phase == Phase.PLACE or work[0].phase == Phase.PLACE  # a popped ring, or its return
            score[i] = (
                value(trial, Seat.RED)
                - enemy_weight * (value(trial, Seat.BLUE) if moved else enemy)
                - danger_weight * danger(trial)
            )


def reconstruct(observation: ByteArray, s: State) -> None:
    """Rebuild the position from an observation, with the observer as red."""
    clear_board(s)
    for square in range(SQUARES):
        if observation[Obs.OWN_RING + square] | observation[Obs.OWN_PIP + square]:
            toggle_ring(s, Seat.RED, square)
        if observation[Obs.OWN_DISC + square] | observation[Obs.OWN_PIP + square]:
            toggle_disc(s, Seat.RED, square)
        if observation[Obs.ENEMY_RING + square] | observation[Obs.ENEMY_PIP + square]:
            toggle_ring(s, Seat.BLUE, LAST_SQUARE - square)
        if observation[Obs.ENEMY_DISC + square] | observation[Obs.ENEMY_PIP + square]:
            toggle_disc(s, Seat.BLUE, LAST_SQUARE - square)
    for die in range(2):
        s.dice[die] = 1 + hot(observation, Obs.DICE + 6 * die, 6)
        s.used[die] = 1 - observation[Obs.UNUSED + die]
    s.first_kind = 1 + hot(observation, Obs.MOVED_KIND, 3)  # NONE before the first die move
    s.first_to = max(0, hot(observation, Obs.MOVED_SQUARE, SQUARES))
    s.first_direction = max(0, hot(observation, Obs.MOVED_DIRECTION, 4))
    s.first_from = 0  # the position after an action does not depend on it
    s.options.finish_depth = 1 + hot(observation, Obs.FINISH_DEPTH, 3)
    s.options.combined_straight = hot(observation, Obs.COMBINED_STRAIGHT, 2)
    s.phase = Phase.PLACE if observation[Obs.PHASE + Phase.PLACE] else Phase.MOVE
    s.turn_seat = Seat.RED
    s.mover = Seat.RED


def value(s: State, seat: int) -> int:
    """The value of a colour's units, less the distances of its single discs to their nearest ring."""
    total = 0
    for row in range(ROWS):
        rings = row_of(s.ring[seat], row)
        discs = row_of(s.disc[seat], row)
        if rings | discs == 0:
            continue
        progress = min(row, zone(s))
        pips = size(rings & discs)
        total += pips * (20 * progress + 15 + (25 if progress == zone(s) else 0))
        total += 10 * progress * size(rings ^ discs)
    for half in range(2):
        single = int(s.disc[seat, half] & ~s.ring[seat, half])
        while single:
            total -= 2 * nearest_ring(s, seat, half * NEAR_SQUARES + lowest(single))
            single &= single - 1
    return total


def nearest_ring(s: State, seat: int, square: int) -> int:
    """Rows plus columns to the colour's nearest single ring; 0 if it has none."""
    best = ROWS + COLUMNS
    for half in range(2):
        rings = int(s.ring[seat, half] & ~s.disc[seat, half])
        while rings:
            best = min(best, DISTANCE[square, half * NEAR_SQUARES + lowest(rings)])
            rings &= rings - 1
    return best if best < ROWS + COLUMNS else 0


def danger(s: State) -> int:
    """3 a row for each of red's single rings in line with an enemy single disc, at most 6 away."""
    total = 0
    for row in range(1, ROWS):
        rings = row_of(s.ring[Seat.RED], row) & ~row_of(s.disc[Seat.RED], row)
        if rings == 0:
            continue
        exposed = ALL_COLUMNS if enemy_discs(s, row) else 0  # no two columns are more than 6 apart
        for other in range(max(0, row - 6), min(ROWS, row + 7)):
            exposed |= enemy_discs(s, other)
        total += 3 * min(row, zone(s)) * size(rings & exposed)
    return total


def enemy_discs(s: State, row: int) -> int:
    """The enemy's single discs in a row of red's view."""
    return row_of(s.enemy_disc[Seat.RED], row) & ~row_of(s.enemy_ring[Seat.RED], row)
