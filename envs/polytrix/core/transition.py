"""A step of games as a pure function from rows of bytes to other rows: for JAX, whose arrays never change.

A row holds a game's record and who decides for which seat: all that its future depends on.
"""

from __future__ import annotations

import numpy as np

from .drivers import BEGIN, EXTERNAL, FORFEIT, Outputs, begin, decide, play_built_in, settle, show
from .game import Game
from .random import next_game_key, reseed
from .rules import believe, legal, payoff, potential
from .state import (
    GENERATOR,
    OVER,
    Array,
    ByteArray,
    FloatArray,
    Generator,
    IdArray,
    IntArray,
    Record,
    RecordArray,
    record_dtype,
)

LOOK, BELIEVE = -2, -3
"""Instead of an action: only show the game, or first replace it by one that, to its mover, it may as well be
(`rules.believe`)."""

PATIENCE = 100
"""Consecutive games that may end before the caller's first decision."""


class Row:
    """One game, as `transition` reads and writes it."""

    game: Record
    chooser: Generator
    """Draws for the built-in policies."""
    policy: Array
    """(P,) who decides for each seat, see `drivers.EXTERNAL`; for at least one the caller."""
    goes_on: int
    """1: the next game begins when one has ended."""
    rotates: int
    """1: with each game all players move on by one seat; they begin at the game's seed."""
    shaping: float
    """Weight of the change of each seat's potential in its rewards; a finished game has potential 0."""
    potential: Array
    """(P,) of each seat, at the decision that was shown last; 0 without shaping."""


def row_dtype(game: Game) -> np.dtype[np.void]:
    """The type of a game's rows."""
    return record_dtype(
        [
            ("game", game.state),
            ("chooser", GENERATOR),
            ("policy", np.int8, (game.max_players,)),
            ("goes_on", np.int8, ()),
            ("rotates", np.int8, ()),
            ("shaping", np.float32, ()),
            ("potential", np.float32, (game.max_players,)),
        ]
    )


def transition(
    before: RecordArray,
    actions: IntArray,
    after: RecordArray,
    out: Outputs,
    terminated: ByteArray,
    truncated: ByteArray,
    work: RecordArray,
    score: FloatArray,
) -> None:
    """Write to `after[b]` the game of `before[b]` after the caller's action and what follows it; report it.

    A finished game stays as it is, and is paid no more. An illegal action ends the game: its seat gets FORFEIT,
    the others 0. BEGIN begins the game given by the row.

    Once over, the caller's first seat is shown, and all actions count as legal, of which `out.legal_ids` names
    one: code that draws from them needs one, and none has an effect. If the next game has begun, its first
    decision is shown, beside the rewards and the end of the last.
    """
    for b in range(before.shape[0]):
        after[b] = before[b]
        row = after[b]
        s = row.game
        observation, ids, reward = out.observation[b], out.legal_ids[b], out.reward[b]
        reward[:] = 0.0
        terminated[b] = 0
        truncated[b] = 0
        pays = s.mover != OVER or actions[b] == BEGIN
        offender = -1
        if actions[b] == BEGIN:
            if row.rotates:
                rotate(row, int(s.generator.key % np.uint64(s.num_players)))
            begin(s)
        elif actions[b] == BELIEVE and s.mover >= 0:
            believe(s, s.mover)
        elif actions[b] != LOOK and s.mover >= 0:
            if is_legal(s, actions[b], ids):
                decide(s, actions[b])
            else:
                offender = s.mover
                s.mover = OVER
        settle(s)
        play_built_in(s, row.policy, observation, ids, row.chooser, work, score, ids[:0])
        if s.mover == OVER:
            truncated[b] = s.truncated
            terminated[b] = 1 - s.truncated
            if offender >= 0:
                reward[offender] = FORFEIT
            elif pays:
                payoff(s, reward)
        shape(row, reward, actions[b] >= 0)
        games = 0
        while s.mover == OVER and row.goes_on and games < PATIENCE:
            games += 1
            if row.rotates:
                rotate(row, 1)
            reseed(s.generator, next_game_key(s.generator))
            begin(s)
            settle(s)
            play_built_in(s, row.policy, observation, ids, row.chooser, work, score, ids[:0])
        if games > 0:
            shape(row, reward, False)
        seat = s.mover if s.mover >= 0 else first_seat(row)
        out.mover[b] = seat
        out.num_legal[b] = show(s, seat, observation, out.mask[b], ids)
        if s.mover == OVER:
            out.mask[b, :] = 1
            ids[0] = 0
            out.num_legal[b] = 1


def shape(row: Row, reward: FloatArray, pays: bool) -> None:
    """Note each seat's potential; if it `pays`, add its change to the rewards."""
    s = row.game
    if row.shaping != 0.0:
        for seat in range(s.num_players):
            now = np.float32(0.0)
            if s.mover != OVER:
                now = np.float32(potential(s, seat))
            if pays:
                reward[seat] += row.shaping * (now - row.potential[seat])
            row.potential[seat] = now


def is_legal(s: Record, action: int, ids: IdArray) -> bool:
    """Whether the mover may take an action; overwrites `ids`."""
    found = False
    for i in range(legal(s, ids)):
        found = found or ids[i] == action
    return found


def rotate(row: Row, seats: int) -> None:
    """Move all players on by a number of seats."""
    players = row.game.num_players
    for _ in range(seats):
        last = row.policy[players - 1]
        for seat in range(players - 1, 0, -1):
            row.policy[seat] = row.policy[seat - 1]
        row.policy[0] = last


def first_seat(row: Row) -> int:
    """The first seat for which the caller decides."""
    seat = 0
    while row.policy[seat] != EXTERNAL and seat < row.game.num_players - 1:
        seat += 1
    return seat
