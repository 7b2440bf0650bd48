"""Compiled checks of what must hold in every state of every game.

The first fault is stored as numbers; `fault_of` describes it in words.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .game import Game
from .rules import chance, check, legal, observe
from .state import CHANCE, OVER, ByteArray, FloatArray, IdArray, IntArray, Record, RecordArray

FINE, BROKEN, BAD_MOVER, NO_OUTCOME, BAD_COUNT = range(5)
BAD_ACTION, BAD_ORDER, BAD_OBSERVATION, BAD_PAYOFF, PAID_ABSENT = range(5, 10)
"""Faults: none, a violated invariant of the game, or a violation of the contracts in `rules.py`."""

FAULT, ROW, SEAT, DETAIL = range(4)
"""Entries of `found`: the fault, its row, the seat of a faulty observation or payoff, and a detail."""


class Scratch(NamedTuple):
    """What the drivers write, the faulty values after a fault; and the bounds that a game declares."""

    ids: IdArray
    observation: ByteArray
    payoffs: FloatArray
    found: IntArray
    low: ByteArray
    high: ByteArray
    max_legal: int
    max_chance: int


def scratch_for(game: Game) -> Scratch:
    """Arrays of the sizes that the drivers need, and the bounds of a game."""
    return Scratch(
        ids=np.zeros(game.actions.size, np.int16),
        observation=np.zeros(game.observations.size, np.int8),
        payoffs=np.zeros(game.max_players, np.float32),
        found=np.zeros(DETAIL + 1, np.int64),
        low=game.observations.low,
        high=game.observations.high,
        max_legal=game.max_legal,
        max_chance=game.max_chance,
    )


def fault_of(game: Game, s: Record, scratch: Scratch) -> str:
    """Describe the fault that a driver found, in words."""
    fault, seat, detail = (int(scratch.found[i]) for i in (FAULT, SEAT, DETAIL))
    if fault == BROKEN:
        return broken_invariant(game, detail)
    if fault == BAD_MOVER:
        return f"the mover is {s.mover}; there are {s.num_players} players"
    if fault == NO_OUTCOME:
        return f"chance is to move and has {detail} outcomes"
    if fault == BAD_COUNT:
        return f"{detail} legal actions; allowed: 1 to max_legal, {game.max_legal}"
    if fault == BAD_ACTION:
        return f"legal actions {scratch.ids[:detail].tolist()}; the game has 0..{game.actions.size - 1}"
    if fault == BAD_ORDER:
        return f"the legal actions do not ascend: {scratch.ids[:detail].tolist()}"
    if fault == BAD_OBSERVATION:
        block, place = game.observations.locate(detail)
        return (
            f"seat {seat}'s observation {block.name}{list(place)} is {scratch.observation[detail]}; "
            f"its block allows {block.low}..{block.high}"
        )
    if fault == PAID_ABSENT:
        return f"payoffs {scratch.payoffs.tolist()}: seat {seat} is none of the {s.num_players} players"
    assert fault == BAD_PAYOFF
    return f"payoffs {scratch.payoffs.tolist()} do not sum to zero"


def broken_invariant(game: Game, number: int) -> str:
    """The description of an invariant, by number."""
    if not 1 <= number <= len(game.invariants):
        return f"check returns {number}; there are {len(game.invariants)} invariants"
    return game.invariants[number - 1]


def first_fault(states: RecordArray, scratch: Scratch) -> None:
    """Check each state by itself, up to the first fault."""
    found = scratch.found
    for b in range(states.shape[0]):
        found[ROW] = b
        found[FAULT] = fault_in(states[b], scratch)
        if found[FAULT] != FINE:
            return


def fault_in(s: Record, scratch: Scratch) -> int:
    """Check a state by itself."""
    fault = inspect(s, s, scratch.found)
    if fault == FINE and s.mover == CHANCE:
        fault = count_outcomes(s, scratch)
    if fault == FINE and s.mover >= 0:
        fault = list_actions(s, scratch)
    return observe_all(s, scratch) if fault == FINE else fault


def inspect(before: Record, s: Record, found: IntArray) -> int:
    """Check that the mover exists and the game's own invariants hold."""
    if s.mover < OVER or s.mover >= s.num_players:
        return BAD_MOVER
    found[DETAIL] = check(before, s)
    return BROKEN if found[DETAIL] != 0 else FINE


def count_outcomes(s: Record, scratch: Scratch) -> int:
    """Check that the pending chance event has outcomes; `found[DETAIL]` is their number."""
    count = chance(s)
    scratch.found[DETAIL] = count
    return FINE if 1 <= count <= scratch.max_chance else NO_OUTCOME


def observe_all(s: Record, scratch: Scratch) -> int:
    """Check that all observations keep their bounds. The mover's is made last, so that it remains."""
    observation, low, high = scratch.observation, scratch.low, scratch.high
    for turn in range(int(s.num_players)):
        seat = (int(s.mover) + 1 + turn) % int(s.num_players)
        observation[:] = 0
        observe(s, seat, observation)
        for i in range(observation.shape[0]):
            if observation[i] < low[i] or observation[i] > high[i]:
                scratch.found[SEAT] = seat
                scratch.found[DETAIL] = i
                return BAD_OBSERVATION
    return FINE


def list_actions(s: Record, scratch: Scratch) -> int:
    """Check that the legal actions exist, ascend and are no more than `max_legal`; their number is a detail."""
    ids = scratch.ids
    count = legal(s, ids)
    scratch.found[DETAIL] = count
    if count < 1 or count > scratch.max_legal:
        return BAD_COUNT
    for i in range(count):
        if ids[i] < 0 or ids[i] >= ids.shape[0]:
            return BAD_ACTION
        if i > 0 and ids[i] <= ids[i - 1]:
            return BAD_ORDER
    return FINE
