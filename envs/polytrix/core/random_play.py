"""Random play that checks everything after every event: the driver of campaigns.

Compiled with every index checked, it plays a hundred thousand games in minutes. It stops at
the first fault and stores it as numbers; `testing/random_play.py` describes it in words.
"""

from __future__ import annotations

import numpy as np

from .drivers import GREEDY, RANDOM, begin, choose, decide, happen
from .inspection import (
    BAD_PAYOFF,
    DETAIL,
    FAULT,
    FINE,
    PAID_ABSENT,
    ROW,
    SEAT,
    Scratch,
    count_outcomes,
    inspect,
    list_actions,
    observe_all,
)
from .random import POLICY_STREAM, draw, next_game_key, reseed
from .rules import payoff
from .state import CHANCE, OVER, FloatArray, Generator, IntArray, Record, RecordArray

MIXED = -1
"""Besides RANDOM and GREEDY: each seat is one of the two, chosen by the bits of the game's seed."""

ONE_IN = 8
"""A greedy seat plays one in `ONE_IN` decisions at random; otherwise its games would be too similar."""

DECISIONS, TERMINATED, TRUNCATED, LEGAL_ACTIONS, MOST_LEGAL = range(5)
"""Entries of `tally`, which accumulate from call to call."""

TOLERANCE = 1e-6  # of a sum of float32 payoffs, relative to their size


def play_randomly(
    states: RecordArray,
    rounds: int,
    kind: int,
    generators: RecordArray,
    before: RecordArray,
    work: RecordArray,
    score: FloatArray,
    tally: IntArray,
    scratch: Scratch,
) -> None:
    """Play `rounds` decisions per game; restarting a finished game takes one round.

    The next game is seeded from the state's generator, and all choices in it follow from the same
    key. At a fault everything stays as it is. `before` is one scratch state, `work` two.
    """
    found = scratch.found
    for b in range(states.shape[0]):
        s = states[b]
        found[ROW] = b
        for _ in range(rounds):
            if s.mover == OVER:
                fault = begin_inspected(s, generators[b], found)
            else:
                fault = decide_inspected(s, kind, generators[b], before, work, score, tally, scratch)
            if fault == FINE:
                fault = settle_inspected(s, before, scratch)
            if fault == FINE and s.mover == OVER:
                fault = observe_all(s, scratch)
                if fault == FINE:
                    fault = end(s, scratch.payoffs, tally, found)
            if fault != FINE:
                found[FAULT] = fault
                return


def decide_inspected(
    s: Record,
    kind: int,
    generator: Generator,
    before: RecordArray,
    work: RecordArray,
    score: FloatArray,
    tally: IntArray,
    scratch: Scratch,
) -> int:
    """Let the mover decide, and check what it sees, what it may do, and the state that follows."""
    fault = observe_all(s, scratch)
    if fault == FINE:
        fault = list_actions(s, scratch)
    if fault != FINE:
        return fault
    count = int(scratch.found[DETAIL])
    count_actions(count, tally)
    chooser = chooser_of(s, kind, generator)
    action = choose(chooser, scratch.observation, scratch.ids, count, generator, work, score)
    before[0] = s
    decide(s, action)
    return inspect(before[0], s, scratch.found)


def begin_inspected(s: Record, generator: Generator, found: IntArray) -> int:
    """Begin a game, and the random stream of its choices."""
    begin(s)
    reseed(generator, np.uint64(s.generator.key) | POLICY_STREAM)
    return inspect(s, s, found)


def settle_inspected(s: Record, before: RecordArray, scratch: Scratch) -> int:
    """Like `drivers.settle`, but check the state after every outcome."""
    fault = FINE
    while fault == FINE and s.mover == CHANCE:
        fault = count_outcomes(s, scratch)
        if fault == FINE:
            before[0] = s
            happen(s, draw(s.generator, scratch.found[DETAIL]))
            fault = inspect(before[0], s, scratch.found)
    return fault


def count_actions(count: int, tally: IntArray) -> None:
    """Count a decision with `count` legal actions."""
    tally[DECISIONS] += 1
    tally[LEGAL_ACTIONS] += count
    tally[MOST_LEGAL] = max(tally[MOST_LEGAL], count)


def chooser_of(s: Record, kind: int, generator: Generator) -> int:
    """The policy for the mover's next decision."""
    if kind == MIXED and int(np.uint64(s.generator.key) >> np.uint64(s.mover)) & 1 == 0:
        return RANDOM
    if kind == RANDOM or draw(generator, ONE_IN) == 0:
        return RANDOM
    return GREEDY


def end(s: Record, payoffs: FloatArray, tally: IntArray, found: IntArray) -> int:
    """Check that payoffs sum to zero, with none for absent seats. Set the generator to the next game."""
    payoffs[:] = 0
    payoff(s, payoffs)
    total = 0.0
    size = 1.0
    for seat in range(payoffs.shape[0]):
        if seat >= s.num_players and payoffs[seat] != 0:
            found[SEAT] = seat
            return PAID_ABSENT
        total += float(payoffs[seat])
        size += abs(float(payoffs[seat]))
    if not abs(total) <= TOLERANCE * size:  # also catches NaN
        return BAD_PAYOFF
    tally[TRUNCATED if s.truncated else TERMINATED] += 1
    reseed(s.generator, next_game_key(s.generator))
    return FINE
