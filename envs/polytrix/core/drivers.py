"""The loops over many games that all APIs share, written once and compiled for each game.

Each driver is a plain function that calls the placeholders of `rules.py`; `compile/programs.py`
compiles it with a game's own functions. Arrays have one row per game; `rows` lists the rows
to process. The arrays of a call never overlap in memory: the compiler relies on it. Drivers allocate nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .random import draw, next_game_key, reseed
from .rules import apply, chance, greedy, hidden_action, legal, observe, payoff, potential, rate, redeal, setup
from .state import CHANCE, OVER, ByteArray, FloatArray, Generator, IdArray, IntArray, Record, RecordArray
from .trust import MOST_ROUNDS, require

EXTERNAL = 0
RANDOM = 1
GREEDY = 2
HEURISTICS = 3
"""Who decides for a seat: the caller, or a policy inside the loop. Numbers from `HEURISTICS` on are the
policies of `Game.heuristics` and `Game.habits`, in order."""

BEGIN = -1
"""Instead of an action: begin the game given by the record's options and generator."""

FORFEIT = -1.0
"""The offender's reward when an illegal action ends the game."""


class Outputs(NamedTuple):
    """What is reported of each game, a row each; see `Simulator`."""

    observation: ByteArray
    mask: ByteArray
    legal_ids: IdArray
    num_legal: npt.NDArray[np.int32]
    mover: ByteArray
    reward: FloatArray


def settle(s: Record) -> None:
    """Draw and apply chance outcomes until a seat is to move or the game is over."""
    rounds = 0
    while s.mover == CHANCE:
        require(rounds < MOST_ROUNDS)
        rounds += 1
        happen(s, draw(s.generator, chance(s)))


def begin(s: Record) -> None:
    """Begin the game given by the record's options, players and generator."""
    s.decisions = 0
    s.truncated = 0
    s.mover = CHANCE
    setup(s)


def decide(s: Record, action: int) -> None:
    """Apply a seat's action. Chance stays pending."""
    apply(s, action)
    s.decisions += 1
    cut_off(s)


def decide_and_note(s: Record, action: int, played: IdArray) -> None:
    """Apply a seat's action, and note it at the number of the decision, if there is room."""
    if s.decisions < played.shape[0]:
        played[s.decisions] = action
    decide(s, action)


def happen(s: Record, outcome: int) -> None:
    """Apply an outcome of the pending chance event."""
    apply(s, outcome)
    cut_off(s)


def cut_off(s: Record) -> None:
    """Truncate the game if a seat is to move but the decision limit is reached."""
    if s.mover >= 0 and s.decisions >= s.options.max_decisions:
        s.mover = OVER
        s.truncated = 1


def choose(
    kind: int,
    observation: ByteArray,
    ids: IdArray,
    count: int,
    generator: Generator,
    work: RecordArray,
    score: FloatArray,
) -> int:
    """A built-in policy's choice among the legal actions `ids[:count]`."""
    if kind == RANDOM:
        return int(ids[draw(generator, count)])
    rate_actions(kind, observation, ids, count, work, score)
    return int(ids[pick_best(score, count, generator)])


def rate_actions(
    kind: int, observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """Score the legal actions by a heuristic."""
    if kind == GREEDY:
        greedy(observation, ids, count, work, score)
    else:
        rate(kind - HEURISTICS, observation, ids, count, work, score)


def pick_best(score: FloatArray, count: int, generator: Generator) -> int:
    """The index of the highest score; ties are broken at random."""
    best = 0
    ties = 1
    for i in range(1, count):
        if score[i] > score[best]:
            best = i
            ties = 1
        elif score[i] == score[best]:
            ties += 1
    if ties > 1:  # take the pick-th of the tied ones
        pick = draw(generator, ties)
        for i in range(best + 1, count):
            if pick == 0:
                break
            if score[i] == score[best]:
                best = i
                pick -= 1
    return best


def play_built_in(
    s: Record,
    policy: ByteArray,
    observation: ByteArray,
    ids: IdArray,
    generator: Generator,
    work: RecordArray,
    score: FloatArray,
    played: IdArray,
) -> None:
    """Let the built-in policies move, and note that, until the caller is to move, or the game is over."""
    while s.mover >= 0 and policy[s.mover] != EXTERNAL:
        kind = policy[s.mover]
        if kind != RANDOM:
            observation[:] = 0
            observe(s, s.mover, observation)
        count = legal(s, ids)
        decide_and_note(s, choose(kind, observation, ids, count, generator, work, score), played)
        settle(s)


def show(s: Record, seat: int, observation: ByteArray, mask: ByteArray, ids: IdArray) -> int:
    """Write what `seat` sees and may do; return the number of legal actions, 0 if it is not the mover."""
    observation[:] = 0
    observe(s, seat, observation)
    mask[:] = 0
    if seat != s.mover:
        return 0
    count = legal(s, ids)
    require(count > 0)
    for i in range(count):
        mask[ids[i]] = 1
    return count


def step(
    states: RecordArray,
    rows: IntArray,
    actions: IntArray,
    policy: ByteArray,
    generators: RecordArray,
    work: RecordArray,
    score: FloatArray,
    out: Outputs,
    played: IdArray,
) -> None:
    """Apply `actions[i]` in row `rows[i]`, play on to the caller's next decision, and report it.

    The action BEGIN begins a game. (One driver for both, since each driver compiles all rules again.) The first
    actions of a game are noted in `played`, as many as its rows have room for.
    """
    for i in range(rows.shape[0]):
        b = rows[i]
        s = states[b]
        if actions[i] == BEGIN:
            begin(s)
        else:
            decide_and_note(s, actions[i], played[b])
        settle(s)
        play_built_in(s, policy[b], out.observation[b], out.legal_ids[b], generators[b], work, score, played[b])
        report(s, b, out)


def report(s: Record, b: int, out: Outputs) -> None:
    """Write row `b` of all outputs. Once over, the view is seat 0's and the rewards are the payoffs."""
    require(OVER <= s.mover < s.num_players)
    out.mover[b] = s.mover
    for seat in range(out.reward.shape[1]):
        out.reward[b, seat] = 0.0
    if s.mover == OVER:
        payoff(s, out.reward[b])
    out.num_legal[b] = show(s, max(s.mover, 0), out.observation[b], out.mask[b], out.legal_ids[b])


def first_illegal(states: RecordArray, rows: IntArray, actions: IntArray, mask: ByteArray) -> int:
    """The first i whose game is over (-2 - i) or whose action is not legal (i); -1 if there is none."""
    for i in range(rows.shape[0]):
        if states[rows[i]].mover < 0:
            return -2 - i
        if actions[i] < 0 or actions[i] >= mask.shape[1] or mask[rows[i], actions[i]] == 0:
            return i
    return -1


def refresh(states: RecordArray, rows: IntArray, out: Outputs) -> None:
    """Report the rows again after their states were changed from outside."""
    for i in range(rows.shape[0]):
        b = rows[i]
        report(states[b], b, out)


def view(
    states: RecordArray, rows: IntArray, seats: IntArray, observation: ByteArray, mask: ByteArray, ids: IdArray
) -> None:
    """Write what `seats[i]` sees and may do in game `rows[i]` to row i of `observation` and `mask`."""
    for i in range(rows.shape[0]):
        show(states[rows[i]], seats[i], observation[i], mask[i], ids)


def next_keys(states: RecordArray, rows: IntArray) -> None:
    """Set each row's generator to the stream of its next game."""
    for i in range(rows.shape[0]):
        s = states[rows[i]]
        reseed(s.generator, next_game_key(s.generator))


def potentials(states: RecordArray, rows: IntArray, out: FloatArray) -> None:
    """Write each seat's potential in game `rows[i]` to row i, which is zero; skip finished games."""
    for i in range(rows.shape[0]):
        s = states[rows[i]]
        if s.mover != OVER:
            for seat in range(s.num_players):
                out[i, seat] = potential(s, seat)


def redeal_rows(states: RecordArray, rows: IntArray, seats: IntArray) -> None:
    """Resample in game `rows[i]` all that `seats[i]` cannot know."""
    for i in range(rows.shape[0]):
        redeal(states[rows[i]], seats[i])


def hidden_actions(states: RecordArray, rows: IntArray, seats: IntArray, out: IntArray) -> None:
    """Write the hidden actions, in game `rows[i]`, of the seat after `seats[i]` and so on; -1 for none."""
    for i in range(rows.shape[0]):
        s = states[rows[i]]
        out[i, :] = -1
        for k in range(s.num_players - 1):
            out[i, k] = hidden_action(s, (seats[i] + 1 + k) % s.num_players)


def answer(
    kind: int,
    observation: ByteArray,
    mask: ByteArray,
    generators: RecordArray,
    work: RecordArray,
    ids: IdArray,
    score: FloatArray,
    actions: IntArray,
) -> None:
    """Choose actions by a built-in policy from observations and masks alone; one generator for all rows."""
    for b in range(observation.shape[0]):
        count = 0
        for action in range(mask.shape[1]):
            if mask[b, action]:
                ids[count] = action
                count += 1
        actions[b] = choose(kind, observation[b], ids, count, generators[0], work, score)


def pick_random(rows: IntArray, out: Outputs, generators: RecordArray, actions: IntArray) -> None:
    """A random legal action for each row, from the lists of the last step; -1 where the game is over."""
    for i in range(rows.shape[0]):
        b = rows[i]
        count = out.num_legal[b]
        actions[i] = out.legal_ids[b, draw(generators[b], count)] if count > 0 else -1


def outcomes(states: RecordArray, out: IntArray) -> None:
    """Write each game's number of equally likely outcomes of the pending chance event; 0 if none is pending."""
    for b in range(states.shape[0]):
        out[b] = chance(states[b]) if states[b].mover == CHANCE else 0


def advance(states: RecordArray, actions: IntArray) -> None:
    """Apply one action or chance outcome in each game, without drawing the chance that follows."""
    for b in range(states.shape[0]):
        s = states[b]
        if s.mover == CHANCE:
            happen(s, actions[b])
        else:
            decide(s, actions[b])


def perft(stack: RecordArray, ids: IdArray, left: IntArray, depth: int, counts: IntArray) -> None:
    """Count the move tree below `stack[0]`: `counts[d]` = paths of d actions and chance outcomes.

    `stack`, `ids` and `left`, which are scratch space, have depth + 1 rows. Every chance outcome is expanded.
    """
    counts[:] = 0
    counts[0] = 1
    level = 0
    left[0] = -1
    while level >= 0:
        s = stack[level]
        if left[level] < 0:  # just entered
            if level == depth or s.mover == OVER:
                left[level] = 0
            elif s.mover == CHANCE:
                left[level] = chance(s)
            else:
                left[level] = legal(s, ids[level])
        if left[level] == 0:
            level -= 1
        else:
            left[level] -= 1
            stack[level + 1] = stack[level]
            child = stack[level + 1]
            if child.mover == CHANCE:
                happen(child, left[level])
            else:
                decide(child, ids[level, left[level]])
            level += 1
            counts[level] += 1
            left[level] = -1


def rollout(states: RecordArray, decisions: int, ids: IdArray, generators: RecordArray) -> int:
    """Play random decisions in every game, restarting finished ones; return how many games ended.

    Without observations: the speed of the bare rules.
    """
    ended = 0
    for b in range(states.shape[0]):
        s = states[b]
        for _ in range(decisions):
            count = legal(s, ids)
            decide(s, int(ids[draw(generators[b], count)]))
            settle(s)
            if s.mover == OVER:
                ended += 1
                reseed(s.generator, next_game_key(s.generator))
                begin(s)
                settle(s)
    return ended
