"""Information-set Monte-Carlo tree search for any game: the driver of the search agent.

Each simulation samples its own world: all that the searching seat cannot know is redealt, by the
game's `believe` where it has one. The simulation descends the tree, adds a node, plays a playout of
limited depth, and backs up every seat's value along the path. Each mover maximises its own payoff
(max-n). Chance is sampled: its outcomes are neither expanded nor averaged over.

A node is an *information set*: what the seat to move knows there, identified by a hash of its
observation. So chance, hidden information and simultaneous decisions split the tree exactly as far
as that seat can tell them apart. Legal actions may differ from world to world; an edge counts the
visits in which its action was available.

The caller allocates the arrays, once; nothing here allocates.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from .drivers import RANDOM, decide, pick_best, rate_actions, settle
from .random import next_bits, reseed
from .rules import believe, legal, observe, payoff, potential
from .state import ByteArray, FloatArray, IdArray, IntArray, Record, RecordArray

NODES, EDGES, SIMULATIONS, DECISIONS = range(4)
"""Entries of `Tree.used`: nodes and edges in use, simulations and decisions made."""

SUM, SQUARES, DEVIATION = range(3)
"""Columns of `Tree.payoffs`: statistics of a seat's values over all simulations."""

NONE = -1

DOUBT = 0.1
"""Added to the sum of squared deviations: even if all simulations so far ended alike, later ones may not."""

NODE = np.dtype([("key", np.uint64), ("first", np.int32), ("visits", np.int32)], align=True)
"""An information set: its hash, the first edge of its list, and its number of visits."""

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLIER_0 = np.uint64(0x9E3779B1)
_MULTIPLIER_1 = np.uint64(0x85EBCA77)
_SHIFT_0 = np.uint64(15)
_SHIFT_1 = np.uint64(13)

WORD = 8
"""Entries of an observation that are hashed at a time."""

WORD_KEYS = np.random.PCG64(1).random_raw((2, 256))
"""Random numbers for `hashed`; longer observations use them again."""


class Plan(NamedTuple):
    """How to search.

    Args:
        exploration: weight of the exploration bonus, in standard deviations of the mover's values.
        kind: the playout policy, RANDOM or a heuristic; a heuristic also orders the expansion of a
            node's actions.
        depth: maximum decisions of a playout; then the position's potential is its value.
    """

    exploration: float
    kind: int
    depth: int


class Tree(NamedTuple):
    """What grows during a search; start with zeros in `used` and `payoffs` and NONE in `slots`."""

    nodes: RecordArray  # (N,) NODE; number 0 is the root
    edges: RecordArray  # (N,) edge_dtype
    slots: npt.NDArray[np.int32]  # (a power of two above N,), a hash table of nodes
    used: IntArray  # (4,)
    payoffs: npt.NDArray[np.float64]  # (P, 3)


class HashTable(Protocol):
    """What finds a node by its key: a `Tree`, or another one with such fields."""

    @property
    def nodes(self) -> RecordArray: ...

    @property
    def slots(self) -> npt.NDArray[np.int32]: ...


class ForRating(Protocol):
    """Scratch space for the scores of actions: a `Scratch`, or another one with such fields."""

    @property
    def work(self) -> RecordArray: ...

    @property
    def observation(self) -> ByteArray: ...

    @property
    def ids(self) -> IdArray: ...

    @property
    def score(self) -> FloatArray: ...


class Scratch(NamedTuple):
    """Scratch space of a simulation; `edge_of` is NONE everywhere between calls."""

    world: RecordArray  # (1,) state
    work: RecordArray  # (2,) states
    observation: ByteArray  # from `room_for_observation`
    ids: IdArray  # (max_legal,)
    score: FloatArray  # (max_legal,)
    edge_of: npt.NDArray[np.int32]  # (A,)
    path: npt.NDArray[np.int32]  # edges taken in a simulation, at most this many
    value: FloatArray  # (P,)


def edge_dtype(seats: int) -> np.dtype[Any]:
    """An action at a node: how often it was available and taken, and the sum of each seat's values."""
    counts = [(name, np.int32) for name in ("action", "next", "available", "visits")]
    return np.dtype([*counts, ("total", np.float64, (seats,))], align=True)


def search(
    root: RecordArray,
    seat: int,
    simulations: int,
    generator: RecordArray,
    plan: Plan,
    tree: Tree,
    scratch: Scratch,
) -> int:
    """Run `simulations` simulations from `root[0]`, where `seat` is to move.

    Returns:
        The most visited action at the root.
    """
    if tree.used[NODES] == 0:
        add_node(tree, np.uint64(0))
    s = scratch.world[0]
    for _ in range(simulations):
        scratch.world[0] = root[0]
        reseed(s.generator, next_bits(generator[0]))
        believe(s, seat)
        length = simulate(s, plan, tree, scratch)
        evaluate(s, scratch.value)
        back_up(length, int(s.num_players), tree, scratch)
    return favourite(seat, tree)


# -- one simulation -----------------------------------------------------------------------


def simulate(s: Record, plan: Plan, tree: Tree, scratch: Scratch) -> int:
    """Descend to a new node and play on from there; return the length of the path.

    One loop for both, since every call site of a rule adds to the compile time.
    """
    node = 0
    length = 0
    left = plan.depth
    in_tree = True
    while s.mover >= 0:
        count = legal(s, scratch.ids)
        action = int(scratch.ids[0])
        if length == 0 or count > 1:  # a forced move needs no node
            if in_tree or plan.kind != RANDOM:
                scratch.observation[:] = 0
                observe(s, int(s.mover), scratch.observation)
            if in_tree and length > 0:
                node = enter(int(s.mover), tree, scratch)
                in_tree = node != NONE and length < scratch.path.shape[0]
            edge = NONE
            if in_tree:
                edge = select(int(s.mover), node, count, plan, tree, scratch)
                in_tree = edge != NONE or tree.used[EDGES] < tree.edges.shape[0]
            if edge != NONE:
                action = int(tree.edges[edge].action)
            elif in_tree or left > 0:
                rate_for_mover(count, plan.kind, scratch)
                if in_tree:
                    leave_out_tried(node, count, tree, scratch)
                action = int(scratch.ids[pick_best(scratch.score, count, s.generator)])
            if in_tree:
                if edge == NONE:
                    edge = add_edge(tree, node, action)
                tree.edges[edge].visits += 1
                scratch.path[length] = edge
                length += 1
        if not in_tree:
            if left == 0:
                return length
            left -= 1
        decide(s, action)
        settle(s)
        tree.used[DECISIONS] += 1
    return length


def enter(mover: int, tree: Tree, scratch: Scratch) -> int:
    """Return the node of what the mover sees; if there is none, add it for next time and return NONE."""
    key = hashed(scratch.observation, mover)
    node = find(tree, key)
    if node == NONE:
        add_node(tree, key)
    return node


def rate_for_mover(count: int, kind: int, scratch: ForRating) -> None:
    """Score the legal actions by the heuristic, from the mover's observation; RANDOM scores all alike."""
    if kind == RANDOM:
        for i in range(count):
            scratch.score[i] = 0.0
    else:
        rate_actions(kind, scratch.observation, scratch.ids, count, scratch.work, scratch.score)


def evaluate(s: Record, value: FloatArray) -> None:
    """Write each seat's value of the simulation: its payoff, or its potential clipped to -1..1."""
    value[:] = 0.0
    if s.mover < 0:
        payoff(s, value)
        return
    for seat in range(s.num_players):
        value[seat] = min(1.0, max(-1.0, potential(s, seat)))


def back_up(length: int, players: int, tree: Tree, scratch: Scratch) -> None:
    """Add the values along the path, and update the standard deviations."""
    for i in range(length):
        edge = tree.edges[scratch.path[i]]
        for seat in range(players):
            edge.total[seat] += scratch.value[seat]
    tree.used[SIMULATIONS] += 1
    n = tree.used[SIMULATIONS]
    for seat in range(players):
        of_seat = tree.payoffs[seat]
        value = float(scratch.value[seat])
        of_seat[SUM] += value
        of_seat[SQUARES] += value * value
        mean = of_seat[SUM] / n
        of_seat[DEVIATION] = math.sqrt(max(0.0, of_seat[SQUARES] / n - mean * mean) + DOUBT / n)


# -- one node -----------------------------------------------------------------------------


def select(mover: int, node: int, count: int, plan: Plan, tree: Tree, scratch: Scratch) -> int:
    """Return the edge to take among `count` legal actions; NONE if the node should get a new one.

    It is the edge with the highest upper bound (UCB1 over the visits in which its action was available).
    """
    edges = tree.edges
    mark_edges(node, tree, scratch, True)
    known = 0
    best = NONE
    highest = 0.0
    for i in range(count):
        edge = int(scratch.edge_of[scratch.ids[i]])
        if edge != NONE:
            known += 1
            edges[edge].available += 1
            bound = upper_bound(edges[edge], mover, plan, tree)
            if best == NONE or bound > highest:
                best = edge
                highest = bound
    mark_edges(node, tree, scratch, False)
    tree.nodes[node].visits += 1
    if known < count and may_widen(known, int(tree.nodes[node].visits), plan.kind):
        return NONE
    return best


def may_widen(known: int, visits: int, kind: int) -> bool:
    """Without a heuristic, try all actions first; with one, as many as the square root of the visits.

    (Progressive unpruning: Chaslot et al. 2008.)
    """
    return kind == RANDOM or known == 0 or known * known < visits


def upper_bound(edge: Any, mover: int, plan: Plan, tree: Tree) -> float:
    """Mean of the mover's values, plus the exploration bonus."""
    width = math.sqrt(math.log(float(edge.available)) / edge.visits)
    mean = edge.total[mover] / edge.visits
    return float(mean + plan.exploration * tree.payoffs[mover, DEVIATION] * width)


def leave_out_tried(node: int, count: int, tree: Tree, scratch: Scratch) -> None:
    """Score the actions for which the node has edges below all others."""
    mark_edges(node, tree, scratch, True)
    for i in range(count):
        if scratch.edge_of[scratch.ids[i]] != NONE:
            scratch.score[i] = -np.inf
    mark_edges(node, tree, scratch, False)


def mark_edges(node: int, tree: Tree, scratch: Scratch, shown: bool) -> None:
    """Write the node's edges into `edge_of`, by action, or clear them again."""
    edge = int(tree.nodes[node].first)
    while edge != NONE:
        scratch.edge_of[tree.edges[edge].action] = edge if shown else NONE
        edge = int(tree.edges[edge].next)


def favourite(seat: int, tree: Tree) -> int:
    """Return the root's most visited action; ties go to the one with the highest total for `seat`."""
    best = NONE
    edge = int(tree.nodes[0].first)
    while edge != NONE:
        if best == NONE:
            best = edge
        more = tree.edges[edge].visits - tree.edges[best].visits
        if more > 0 or (more == 0 and tree.edges[edge].total[seat] > tree.edges[best].total[seat]):
            best = edge
        edge = int(tree.edges[edge].next)
    return int(tree.edges[best].action)


# -- storage ------------------------------------------------------------------------------


def hashed(observation: ByteArray, mover: int) -> np.uint64:
    """Hash what the mover sees.

    Words of eight entries are combined with a key each, and their halves multiplied (NH: Black et al. 1999,
    "UMAC"), twice. There are no branches, so LLVM turns the loop into vector instructions.

    Args:
        observation: (W * WORD,) entries, the last of which may be unused and zero.
        mover: its seat.
    """
    words = observation.view(np.uint64)
    key = mixed(np.uint64(0), np.uint64(mover + 1))
    for first in range(0, words.shape[0], WORD_KEYS.shape[1]):
        a = b = np.uint64(0)
        for i in range(min(WORD_KEYS.shape[1], words.shape[0] - first)):
            word = words[first + i]
            x, y = word ^ WORD_KEYS[0, i], word ^ WORD_KEYS[1, i]
            a ^= (x & _LOW) * (x >> _HALF)
            b ^= (y & _LOW) * (y >> _HALF)
        key = mixed(mixed(key, a & _LOW), a >> _HALF)
        key = mixed(mixed(key, b & _LOW), b >> _HALF)
    return key


def room_for_observation(size: int) -> ByteArray:
    """Zeros for an observation of this size, and for the rest of its last word."""
    return np.zeros(-(-size // WORD) * WORD, np.int8)


def mixed(key: np.uint64, value: np.uint64) -> np.uint64:
    """Mix a value below 2**32 into the key: two 32-bit hashes side by side."""
    a = ((key >> _HALF) ^ value) * _MULTIPLIER_0 & _LOW
    b = ((key & _LOW) ^ value) * _MULTIPLIER_1 & _LOW
    return ((a ^ (a >> _SHIFT_0)) << _HALF) | (b ^ (b >> _SHIFT_1))


def slot_of(tree: HashTable, key: np.uint64) -> int:
    """Return the hash table slot of a key's node, or the free slot where it would go."""
    last = tree.slots.shape[0] - 1
    slot = np.int64(key & _LOW) & last
    while tree.slots[slot] != NONE and tree.nodes[tree.slots[slot]].key != key:
        slot = (slot + 1) & last
    return int(slot)


def find(tree: Tree, key: np.uint64) -> int:
    """Return the node of a key, or NONE."""
    return int(tree.slots[slot_of(tree, key)])


def add_node(tree: Tree, key: np.uint64) -> None:
    """Add a node for a new key, if there is room."""
    node = tree.used[NODES]
    if node == tree.nodes.shape[0]:
        return
    tree.slots[slot_of(tree, key)] = node
    tree.nodes[node].key = key
    tree.nodes[node].first = NONE
    tree.nodes[node].visits = 0
    tree.used[NODES] += 1


def add_edge(tree: Tree, node: int, action: int) -> int:
    """Add an edge at the head of the node's list."""
    edge = int(tree.used[EDGES])
    made = tree.edges[edge]
    made.action = action
    made.next = tree.nodes[node].first
    made.available = 1
    made.visits = 0
    made.total[:] = 0.0
    tree.nodes[node].first = edge
    tree.used[EDGES] += 1
    return edge
