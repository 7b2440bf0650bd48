"""Monte-Carlo tree search over what seats know, for any game: the tree, and how simulations grow it.

Each simulation samples its own world: all that the searching seat cannot know is redealt, by the
game's `believe` where it has one. The simulation descends the tree to a new node, values it, and backs
up the value for each mover on the path. Each mover maximises its own payoff (max-n). Chance is sampled:
its outcomes are neither expanded nor averaged over.

A node is an *information set*: what the seat to move knows there, identified by a hash of its
observation. So chance, hidden information and simultaneous decisions split the tree exactly as far
as that seat can tell them apart.

The worlds are numbered: each action of the root meets them in the same order, in its first simulation the first
one, and so on, and later chance events draw the same numbers. So actions are compared by the same hidden cards
and dice, as far as these go (common random numbers), which takes much of the noise out of the comparison.

How a node is entered, which of its edges is taken and what a new node is worth are placeholders, at the
end; `compile/programs.py` puts in the functions of `playouts.py` or `guided.py`, as it puts in a game's rules.

The caller allocates the arrays, once; nothing here allocates.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..drivers import RANDOM, decide, rate_actions, settle
from ..random import LOW, philox, reseed
from ..rules import believe, legal, observe, payoff
from ..state import ByteArray, FloatArray, IdArray, IntArray, Record, RecordArray
from .inference import InferenceScratch, Net

NODES, EDGES, SIMULATIONS, DECISIONS = range(4)
"""Entries of `Tree.used`: nodes and edges in use, simulations made; and all decisions ever made."""

ROOT = 0
"""The root is the first node of a tree."""

SUM, SQUARES, DEVIATION = range(3)
"""Columns of `Tree.payoffs`: statistics of a seat's values over all simulations."""

NONE = -1

LAST = -2
"""Instead of a number of tries: the action that would be played."""

DOUBT = 0.1
"""Added to the sum of squared deviations: even if all simulations so far ended alike, later ones may not."""

FINE = 1 << 30
"""Number of different numbers by which something is drawn from probabilities."""

NODE = np.dtype(
    [
        ("key", np.uint64),
        ("first", np.int32),
        ("count", np.int32),
        ("visits", np.int32),
        ("total", np.float64),
    ],
    align=True,
)
"""An information set: its hash, its newest edge and the number of its edges, its visits, and the sum of its
mover's values."""

EDGE = np.dtype(
    [
        ("action", np.int32),
        ("next", np.int32),
        ("available", np.int32),
        ("visits", np.int32),
        ("tries", np.int32),
        ("prior", np.float32),
        ("total", np.float64),
    ],
    align=True,
)
"""An action at a node, and the node's next edge, an older one: how often it was available, was taken, and
began a simulation; its prior probability, and the sum of the mover's values."""


class Plan(NamedTuple):
    """How to search.

    Args:
        exploration: weight of the exploration bonus: in standard deviations of the mover's values, or of the
            priors.
        rollout: the playout policy, RANDOM or a heuristic; a heuristic also orders the expansion of a
            node's actions.
        depth: maximum decisions of a playout; 0 for none.
        others: who plays the other seats: RANDOM or a heuristic, `guided.LIKELIEST` or `guided.SAMPLED`; or
            NONE: they search too.
        reduction: how much below its node's mean the value of an untried action is assumed to be.
        temperature: of the priors; above 1 they are closer to each other than the network's probabilities.
        considered: number of actions with which halving begins at the root; 0 for no halving.
        scale: of values at the root, where halving adds them to logarithms of probabilities.
    """

    exploration: float
    rollout: int = RANDOM
    depth: int = 0
    others: int = NONE
    reduction: float = 0.0
    temperature: float = 1.0
    considered: int = 0
    scale: float = 0.0


class Nets(NamedTuple):
    """The networks of a search; one without `sizes` is none.

    Args:
        guide: policy and values.
        beliefs: what other seats have done unseen.
        others: policy of the other seats, without values.
    """

    guide: Net
    beliefs: Net
    others: Net


class Tree(NamedTuple):
    """What grows during a search; `forget` begins a new one."""

    nodes: RecordArray  # (N,) NODE
    edges: RecordArray  # (E,) EDGE
    slots: npt.NDArray[np.int32]  # (a power of two above N,), a hash table of nodes
    used: IntArray  # (4,)
    payoffs: npt.NDArray[np.float64]  # (P, 3), or no rows if no search reads them


class Scratch(NamedTuple):
    """Scratch space of a simulation; `edge_of` is NONE everywhere between calls."""

    world: RecordArray  # (1,) state
    work: RecordArray  # (2,) states
    observation: ByteArray  # from `room_for_observation`
    ids: IdArray  # (max_legal,)
    score: FloatArray  # (max_legal,)
    edge_of: npt.NDArray[np.int32]  # (A,)
    path: npt.NDArray[np.int32]  # (longest, 3) edges taken in a simulation, their nodes and movers
    value: FloatArray  # (P,)
    inference: InferenceScratch


def search(
    root: RecordArray,
    seat: int,
    simulations: int,
    key: np.uint64,
    plan: Plan,
    nets: Nets,
    tree: Tree,
    scratch: Scratch,
) -> int:
    """Run `simulations` simulations from `root[0]`, where `seat` is to move; `key` says in which worlds.

    Returns:
        The best action at the root.
    """
    s = scratch.world[0]
    scratch.world[0] = root[0]
    count = enter_root(s, plan, nets, tree, scratch)
    tries = end = 0
    for number in range(simulations):
        if number == end:
            tries, end = round_from(number, simulations, count, plan)
        scratch.world[0] = root[0]
        length = simulate(s, seat, tries, key, plan, nets, tree, scratch)
        back_up(length, s.num_players, tree, scratch)
    return int(tree.edges[choose(plan, tree)].action)


def simulate(
    s: Record, seat: int, tries: int, key: np.uint64, plan: Plan, nets: Nets, tree: Tree, scratch: Scratch
) -> int:
    """Descend to a new node, play on from there, and write each seat's value; return the length of the path.

    The world is imagined once the root's action is chosen: its number is how often this has been tried.

    One loop for both, since every call site of a rule adds to the compile time.
    """
    length = count = 0
    left = plan.depth
    in_tree = True
    while s.mover >= 0:
        count = legal(s, scratch.ids)
        action = int(scratch.ids[0])
        if length == 0 or count > 1:  # a forced move needs no node
            mover = int(s.mover)
            if in_tree or plan.rollout != RANDOM:
                show(s, scratch)
            node = edge = NONE
            if in_tree and (mover == seat or plan.others == NONE):
                node = enter(s, count, tree, scratch) if length > 0 else ROOT
                if length == scratch.path.shape[0]:
                    node = NONE
                if node != NONE:
                    edge = select(mover, node, count, tries if length == 0 else NONE, plan, tree, scratch)
                    if length == 0:
                        world = 0 if edge == NONE else int(tree.edges[edge].tries)
                        reseed(s.generator, philox(key, np.uint64(world)))
                        imagine(s, seat, scratch)
                    if edge == NONE and tree.used[EDGES] == tree.edges.shape[0]:
                        node = NONE
                in_tree = node != NONE
            if edge != NONE:
                action = int(tree.edges[edge].action)
            elif in_tree or left > 0:
                action = int(scratch.ids[answer(s, count, node, plan, nets, tree, scratch)])
                if node != NONE:
                    edge = add_edge(tree, node, action)
            if edge != NONE:
                scratch.path[length, 0] = edge
                scratch.path[length, 1] = node
                scratch.path[length, 2] = mover
                length += 1
        if not in_tree:
            if left == 0:
                break
            left -= 1
        decide(s, action)
        settle(s)
        tree.used[DECISIONS] += 1
    scratch.value[:] = 0.0
    if s.mover < 0:
        payoff(s, scratch.value)
    else:
        estimate(s, count, plan, nets, tree, scratch)
    return length


def show(s: Record, scratch: Scratch) -> None:
    """Write what the mover sees."""
    scratch.observation[:] = 0
    observe(s, int(s.mover), scratch.observation)


def rate_for_mover(count: int, kind: int, scratch: Scratch) -> None:
    """Score the legal actions by the heuristic, from the mover's observation; RANDOM scores all alike."""
    if kind == RANDOM:
        for i in range(count):
            scratch.score[i] = 0.0
    else:
        rate_actions(kind, scratch.observation, scratch.ids, count, scratch.work, scratch.score)


def back_up(length: int, players: int, tree: Tree, scratch: Scratch) -> None:
    """Add the values along the path, and update the standard deviations."""
    for i in range(length):
        edge, node = tree.edges[scratch.path[i, 0]], tree.nodes[scratch.path[i, 1]]
        value = scratch.value[scratch.path[i, 2]]
        edge.total += value
        edge.visits += 1
        edge.tries += int(i == 0)
        node.total += value
        node.visits += 1
    tree.used[SIMULATIONS] += 1
    n = tree.used[SIMULATIONS]
    for seat in range(min(players, tree.payoffs.shape[0])):
        of_seat = tree.payoffs[seat]
        value = float(scratch.value[seat])
        of_seat[SUM] += value
        of_seat[SQUARES] += value * value
        mean = of_seat[SUM] / n
        of_seat[DEVIATION] = math.sqrt(max(0.0, of_seat[SQUARES] / n - mean * mean) + DOUBT / n)


def most_visited(tree: Tree) -> int:
    """The edge of the root's most visited action; ties go to the highest mean."""
    best = edge = int(tree.nodes[ROOT].first)
    while edge != NONE:
        one, other = tree.edges[edge], tree.edges[best]
        more = one.visits - other.visits
        if more > 0 or (more == 0 and one.total * other.visits > other.total * one.visits):
            best = edge
        edge = int(one.next)
    return best


# -- storage ------------------------------------------------------------------------------


def forget(tree: Tree) -> None:
    """Begin a new tree."""
    tree.slots[:] = NONE
    tree.used[:DECISIONS] = 0
    tree.payoffs[:] = 0.0


def slot_of(tree: Tree, key: np.uint64) -> int:
    """Return the hash table slot of a key's node, or the free slot where it would go."""
    last = tree.slots.shape[0] - 1
    slot = np.int64(key & LOW) & last
    while tree.slots[slot] != NONE and tree.nodes[tree.slots[slot]].key != key:
        slot = (slot + 1) & last
    return int(slot)


def find(tree: Tree, key: np.uint64) -> int:
    """Return the node of a key, or NONE."""
    return int(tree.slots[slot_of(tree, key)])


def add_node(tree: Tree, key: np.uint64) -> int:
    """Add a node for a new key; return it, or NONE if there is no room."""
    node = int(tree.used[NODES])
    if node == tree.nodes.shape[0]:
        return NONE
    tree.slots[slot_of(tree, key)] = node
    made = tree.nodes[node]
    made.key = key
    made.first = NONE
    made.count = 0
    made.visits = 0
    made.total = 0.0
    tree.used[NODES] += 1
    return node


def add_edge(tree: Tree, node: int, action: int) -> int:
    """Add an edge at the head of the node's list."""
    edge = int(tree.used[EDGES])
    made = tree.edges[edge]
    made.action = action
    made.next = tree.nodes[node].first
    made.available = 1
    made.visits = 0
    made.tries = 0
    made.prior = 0.0
    made.total = 0.0
    tree.nodes[node].first = edge
    tree.nodes[node].count += 1
    tree.used[EDGES] += 1
    return edge


# -- placeholders -------------------------------------------------------------------------


def enter_root(s: Record, plan: Plan, nets: Nets, tree: Tree, scratch: Scratch) -> int:
    """Make the root, unless the search goes on with the tree of this position.

    Returns:
        The number of legal actions, if halving needs it.
    """
    raise NotImplementedError


def round_from(number: int, simulations: int, count: int, plan: Plan) -> tuple[int, int]:
    """Share simulations among the root's `count` actions.

    Returns:
        How often the actions have been tried with which the simulations from this number on begin (NONE, if
        not replaced: they begin as at any other node; LAST: with the action that would be played), and where
        the next round begins.
    """
    return NONE, simulations


def choose(plan: Plan, tree: Tree) -> int:
    """Return the edge of the root's action that is played."""
    return most_visited(tree)


def imagine(s: Record, seat: int, scratch: Scratch) -> None:
    """Resample all that `seat`, which searches, cannot know."""
    believe(s, seat)


def enter(s: Record, count: int, tree: Tree, scratch: Scratch) -> int:
    """Return the node of what the mover sees; NONE if it is new, and the simulation leaves the tree."""
    raise NotImplementedError


def select(mover: int, node: int, count: int, tries: int, plan: Plan, tree: Tree, scratch: Scratch) -> int:
    """Return the edge to take among `count` legal actions; NONE if the node should get a new one.

    Args:
        tries: see `round_from`; NONE below the root.
    """
    raise NotImplementedError


def answer(s: Record, count: int, node: int, plan: Plan, nets: Nets, tree: Tree, scratch: Scratch) -> int:
    """Return the index of the legal action that the mover takes without a search.

    Args:
        node: it is a new action of this node; NONE in playouts, and for seats that do not search.
    """
    raise NotImplementedError


def estimate(s: Record, count: int, plan: Plan, nets: Nets, tree: Tree, scratch: Scratch) -> None:
    """Write each seat's value of a position where the game goes on, but not the simulation."""
    raise NotImplementedError
