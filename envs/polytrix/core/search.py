"""The driver of the search agent: information-set Monte-Carlo tree search, for any game.

Each simulation begins in a world of its own: all that the searching seat cannot know is dealt
anew, by the game's `believe` where it has one. It goes down the tree, adds a node, plays on from
there for some decisions, and books what came out for every seat along its way. Whoever is to move
looks for its own payoff (max-n). Chance is sampled wherever it speaks: nothing is expanded or
averaged over.

A node is an *information set*: what the seat to move knows there, found again by a hash of its
observation. So chance, secrets and simultaneous answers come apart in the tree just as far as that
seat can tell them apart at the table. What is legal may differ from world to world; an edge counts
in how many visits its action was to be had.

The arrays are allocated outside, once; nothing here allocates.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .drivers import RANDOM, decide, pick_best, rate_actions, settle
from .random import next_bits, reseed
from .rules import believe, legal, observe, payoff, potential
from .state import ByteArray, FloatArray, IdArray, IntArray, Record, RecordArray

NODES, EDGES, SIMULATIONS, DECISIONS = range(4)
"""Entries of `Tree.used`: nodes and edges in use, simulations and decisions made."""

SUM, SQUARES, DEVIATION = range(3)
"""Columns of `Tree.payoffs`, of a seat's values in all simulations."""

NONE = -1

DOUBT = 0.1
"""Added to the sum of squared deviations: where all simulations so far have ended alike, others may not."""

NODE = np.dtype([("key", np.uint64), ("first", np.int32), ("visits", np.int32)], align=True)
"""An information set by its hash, the first edge of its list, and how often a seat has decided there."""

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLIER_0 = np.uint64(0x9E3779B1)
_MULTIPLIER_1 = np.uint64(0x85EBCA77)
_SHIFT_0 = np.uint64(15)
_SHIFT_1 = np.uint64(13)


class Plan(NamedTuple):
    """How to search.

    Args:
        exploration: weight of the upper bounds' width, in standard deviations of the mover's values.
        kind: who decides in playouts, RANDOM or a heuristic; a heuristic also says in which order the
            actions of a node are tried.
        depth: decisions of a playout; then the position's potential is its value.
    """

    exploration: float
    kind: int
    depth: int


class Tree(NamedTuple):
    """What grows during a search; begin with `used`, `payoffs` of zeros and `slots` of NONE."""

    nodes: RecordArray  # (N,) NODE; number 0 is the root
    edges: RecordArray  # (N,) edge_dtype
    slots: npt.NDArray[np.int32]  # (a power of two above N,), a hash table of nodes
    used: IntArray  # (4,)
    payoffs: npt.NDArray[np.float64]  # (P, 3)


class Scratch(NamedTuple):
    """What a simulation writes to; `edge_of` is NONE everywhere between calls."""

    world: RecordArray  # (1,) state
    work: RecordArray  # (2,) states
    observation: ByteArray  # (O,)
    ids: IdArray  # (max_legal,)
    score: FloatArray  # (max_legal,)
    edge_of: npt.NDArray[np.int32]  # (A,)
    path: npt.NDArray[np.int32]  # edges of a simulation; no path is longer
    value: FloatArray  # (P,)


def edge_dtype(seats: int) -> np.dtype[Any]:
    """An action at a node, how often it was to be had and was taken, and the sum of what each seat got."""
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
        The action taken most often at the root.
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
    """Go down the tree to a node that is new, and play on from there; return the length of the path.

    One loop for both, since every place that calls a rule makes the program longer to compile.
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
    """The node of what the mover sees; if there is none, NONE, and one is made for next time."""
    key = hashed(scratch.observation, mover)
    node = find(tree, key)
    if node == NONE:
        add_node(tree, key)
    return node


def rate_for_mover(count: int, kind: int, scratch: Scratch) -> None:
    """Let the heuristic rate the legal actions by what the mover sees; at random all are alike."""
    if kind == RANDOM:
        for i in range(count):
            scratch.score[i] = 0.0
    else:
        rate_actions(kind, scratch.observation, scratch.ids, count, scratch.work, scratch.score)


def evaluate(s: Record, value: FloatArray) -> None:
    """What the simulation brought each seat: its payoff, or its potential between -1 and 1."""
    value[:] = 0.0
    if s.mover < 0:
        payoff(s, value)
        return
    for seat in range(s.num_players):
        value[seat] = min(1.0, max(-1.0, potential(s, seat)))


def back_up(length: int, players: int, tree: Tree, scratch: Scratch) -> None:
    """Book the values along the path, and renew the standard deviations."""
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
    """The edge to take among those of `count` legal actions; NONE if the node is to have another one.

    It is that of the highest upper bound (UCB1 over the visits in which the action was to be had).
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
    """Without a heuristic all actions are tried first; with one, as many as the square root of the visits.

    (Progressive unpruning: Chaslot et al. 2008.)
    """
    return kind == RANDOM or known == 0 or known * known < visits


def upper_bound(edge: Any, mover: int, plan: Plan, tree: Tree) -> float:
    """Mean of the mover's values, and how much better it may be in truth."""
    width = math.sqrt(math.log(float(edge.available)) / edge.visits)
    mean = edge.total[mover] / edge.visits
    return float(mean + plan.exploration * tree.payoffs[mover, DEVIATION] * width)


def leave_out_tried(node: int, count: int, tree: Tree, scratch: Scratch) -> None:
    """Make the ratings of actions that the node has edges for lower than all others."""
    mark_edges(node, tree, scratch, True)
    for i in range(count):
        if scratch.edge_of[scratch.ids[i]] != NONE:
            scratch.score[i] = -np.inf
    mark_edges(node, tree, scratch, False)


def mark_edges(node: int, tree: Tree, scratch: Scratch, shown: bool) -> None:
    """Write the node's edges into `edge_of`, by action, or take them out again."""
    edge = int(tree.nodes[node].first)
    while edge != NONE:
        scratch.edge_of[tree.edges[edge].action] = edge if shown else NONE
        edge = int(tree.edges[edge].next)


def favourite(seat: int, tree: Tree) -> int:
    """The root's action taken most often; of equals, the one that brought `seat` most."""
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
    """A hash of what the mover sees: of the entries that are not zero, and where they stand."""
    key = mixed(np.uint64(0), np.uint64(mover + 1))
    for i in range(observation.shape[0]):
        if observation[i] != 0:
            key = mixed(key, np.uint64(256 * i + (int(observation[i]) & 255)))
    return key


def mixed(key: np.uint64, value: np.uint64) -> np.uint64:
    """The key with a value below 2**32 added: two 32-bit hashes side by side."""
    a = ((key >> _HALF) ^ value) * _MULTIPLIER_0 & _LOW
    b = ((key & _LOW) ^ value) * _MULTIPLIER_1 & _LOW
    return ((a ^ (a >> _SHIFT_0)) << _HALF) | (b ^ (b >> _SHIFT_1))


def slot_of(tree: Tree, key: np.uint64) -> int:
    """Where the node of a key stands in the hash table, or the free slot where it would."""
    last = tree.slots.shape[0] - 1
    slot = np.int64(key & _LOW) & last
    while tree.slots[slot] != NONE and tree.nodes[tree.slots[slot]].key != key:
        slot = (slot + 1) & last
    return int(slot)


def find(tree: Tree, key: np.uint64) -> int:
    """The node of a key, or NONE."""
    return int(tree.slots[slot_of(tree, key)])


def add_node(tree: Tree, key: np.uint64) -> None:
    """A node for a key that has none, if there is room."""
    node = tree.used[NODES]
    if node == tree.nodes.shape[0]:
        return
    tree.slots[slot_of(tree, key)] = node
    tree.nodes[node].key = key
    tree.nodes[node].first = NONE
    tree.nodes[node].visits = 0
    tree.used[NODES] += 1


def add_edge(tree: Tree, node: int, action: int) -> int:
    """A new edge at the head of the node's list."""
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
