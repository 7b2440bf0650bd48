"""Information-set tree search guided by a network: the driver of the search agent with `network=`.

As in `search.py`, each simulation plays in a world of its own, a node is what the seat to move knows there,
and every seat maximises its own payoff. But there are no playouts: a new node asks the network, once, for the
probabilities of its legal actions and for each seat's expected payoff. The probabilities are priors of the
choice (PUCT: Silver et al. 2017), the payoffs are the value of the simulation.

A heuristic or a second network may play the other seats (`GuidedPlan.others`). Then the search looks for a best
response to them. All nodes are those of the searching seat, and a simulation goes on until it decides again:
the first network sees what came of its action, and never values the position by what another seat knows.

A third network may have learned what other seats do unseen (`Game.hidden_action`). It is asked once in a
search, about the root, and every world gets actions drawn from its answer.

At the root, what counts is to find the best action, not to play well on the way. So simulations can be shared
there by sequential halving: equally among several actions, then among the better half of them, and so on. An
action is better if the network's policy, improved by the values found, gives it a higher probability (Danihelka
et al. 2022, "Policy improvement by planning with Gumbel"; here without noise).

The legal actions are part of a node's key, so the list of its edges never changes, and a later search can go on
from any node of its seat as the root (`find_root`).

The caller allocates the arrays, once; nothing here allocates.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .drivers import decide, pick_best, settle
from .inference import InferenceScratch, Net, infer_units, output_at, softmax
from .random import draw, next_bits, reseed
from .rules import believe, hidden_action, legal, observe, payoff, set_hidden_action
from .search import (
    DECISIONS,
    EDGES,
    NODES,
    NONE,
    SIMULATIONS,
    hashed,
    mixed,
    rate_for_mover,
    slot_of,
)
from .state import ByteArray, FloatArray, IdArray, IntArray, Record, RecordArray
from .trust import require

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
"""An information set: its hash, first edge and number of edges, visits, and the sum of its mover's values."""

EDGE = np.dtype(
    [
        ("action", np.int32),
        ("visits", np.int32),
        ("tries", np.int32),
        ("prior", np.float32),
        ("total", np.float64),
    ],
    align=True,
)
"""An action at a node: how often it was taken, how often it began a simulation of the last search, its prior
probability, and the sum of the mover's values."""

ROOT = 4
"""A further entry of `GuidedTree.used`: the root."""

LEAST = 1e-30
"""Probabilities of actions count as no less."""

LIKELIEST, SAMPLED = -2, -3
"""Further values of `GuidedPlan.others`: a network plays its most probable action, or samples."""

LAST = -2
"""Instead of a number of tries: the action that would be played."""

OFFSET = 50
"""Visits that are added to those of the most visited action, in the weight of values at the root."""

FINE = 1 << 30
"""Number of different numbers by which something is drawn from probabilities."""


class GuidedPlan(NamedTuple):
    """How to search.

    Args:
        exploration: weight of the priors.
        reduction: how much below its node's mean the value of an untried action is assumed to be.
        temperature: of the priors; above 1 they are closer to each other than the network's probabilities.
        others: who plays the other seats: RANDOM or a heuristic; LIKELIEST or SAMPLED: their network; or NONE:
            they search, too.
        considered: number of actions with which halving begins at the root; 0 for PUCT.
        scale: of values at the root, where they are added to logarithms of probabilities.
    """

    exploration: float
    reduction: float
    temperature: float
    others: int
    considered: int = 0
    scale: float = 0.0


class Nets(NamedTuple):
    """The networks of a search.

    Args:
        guide: policy and values.
        beliefs: what other seats have done unseen; without `sizes` there are none.
        others: policy of the other seats, without values; without `sizes` there is none.
    """

    guide: Net
    beliefs: Net
    others: Net


class GuidedTree(NamedTuple):
    """What grows during a search; start with zeros in `used` and NONE in `slots`."""

    nodes: RecordArray  # (N,) NODE
    edges: RecordArray  # (N,) EDGE
    slots: npt.NDArray[np.int32]  # (a power of two above N,), a hash table of nodes
    used: IntArray  # (5,)


class GuidedScratch(NamedTuple):
    """Scratch space of a simulation."""

    world: RecordArray  # (1,) state
    work: RecordArray  # (2,) state, for heuristics
    observation: ByteArray  # from `room_for_observation`
    ids: IdArray  # (max_legal,)
    prior: FloatArray  # (max_legal,)
    score: FloatArray  # (max_legal,)
    path: npt.NDArray[np.int32]  # (longest, 3) edges taken in a simulation, their nodes and movers
    value: FloatArray  # (P,)
    belief: FloatArray  # (P - 1, A) probabilities of each other seat's hidden action; no rows without beliefs
    inference: InferenceScratch


def guided(
    root: RecordArray,
    seat: int,
    simulations: int,
    generator: RecordArray,
    plan: GuidedPlan,
    nets: Nets,
    tree: GuidedTree,
    scratch: GuidedScratch,
) -> int:
    """Run `simulations` simulations from `root[0]`, where `seat` is to move.

    Returns:
        The best action at the root.
    """
    foresee(root, seat, nets.beliefs, scratch)
    if plan.considered == 0:
        for _ in range(simulations):
            simulate(root, seat, NONE, generator, plan, nets, tree, scratch)
        return most_visited(tree)
    halve(root, seat, simulations, generator, plan, nets, tree, scratch)
    return int(tree.edges[finalist(tree)].action)


def simulate(
    root: RecordArray,
    seat: int,
    tries: int,
    generator: RecordArray,
    plan: GuidedPlan,
    nets: Nets,
    tree: GuidedTree,
    scratch: GuidedScratch,
) -> None:
    """Run a simulation.

    Args:
        tries: it begins with an action of so many tries. If NONE, PUCT chooses it; if LAST, it is the action
            that would be played.
    """
    s = scratch.world[0]
    scratch.world[0] = root[0]
    reseed(s.generator, next_bits(generator[0]))
    believe(s, seat)
    draw_hidden_actions(s, seat, scratch)
    length = descend(s, seat, tries, plan, nets, tree, scratch)
    for i in range(length):
        value = scratch.value[scratch.path[i, 2]]
        edge, node = tree.edges[scratch.path[i, 0]], tree.nodes[scratch.path[i, 1]]
        edge.total += value
        edge.visits += 1
        edge.tries += int(i == 0)
        node.total += value
        node.visits += 1
    tree.used[SIMULATIONS] += 1


def find_root(root: RecordArray, tree: GuidedTree, scratch: GuidedScratch) -> int:
    """Make the node of `root[0]`, where a seat is to move, the root; return it, or NONE if there is none."""
    scratch.world[0] = root[0]
    s = scratch.world[0]
    count = legal(s, scratch.ids)
    show(s, scratch)
    node = int(tree.slots[slot_of(tree, key_of(s, count, scratch))])
    if node != NONE:
        tree.used[ROOT] = node
    return node


# -- one simulation -----------------------------------------------------------------------


def descend(
    s: Record, seat: int, tries: int, plan: GuidedPlan, nets: Nets, tree: GuidedTree, scratch: GuidedScratch
) -> int:
    """Descend to a new node or to the end of the game; write each seat's value, return the path's length."""
    length = 0
    while s.mover >= 0:
        count = legal(s, scratch.ids)
        action = int(scratch.ids[0])
        if length == 0 or count > 1:  # a forced move needs no node
            mover = int(s.mover)
            show(s, scratch)
            if mover != seat and plan.others != NONE:
                action = int(scratch.ids[answer(s, count, plan, nets.others, scratch)])
            else:
                key = key_of(s, count, scratch)
                node = int(tree.slots[slot_of(tree, key)])
                if node == NONE or length == scratch.path.shape[0]:
                    infer(s, mover, count, plan, nets.guide, scratch)
                    node = expand(key, count, float(scratch.value[mover]), tree, scratch)
                    if length > 0 or node == NONE:
                        return length
                if length == 0 and tries == LAST:
                    edge = finalist(tree)
                elif length == 0 and tries != NONE:
                    edge = select_tried(node, tries, plan, tree)
                else:
                    edge = select_guided(node, plan, tree)
                action = int(tree.edges[edge].action)
                scratch.path[length, 0] = edge
                scratch.path[length, 1] = node
                scratch.path[length, 2] = mover
                length += 1
        decide(s, action)
        settle(s)
        tree.used[DECISIONS] += 1
    scratch.value[:] = 0.0
    payoff(s, scratch.value)
    return length


def answer(s: Record, count: int, plan: GuidedPlan, net: Net, scratch: GuidedScratch) -> int:
    """The index of the action that the mover, who does not search, chooses by what it sees."""
    if plan.others > NONE:
        rate_for_mover(count, plan.others, scratch)
        return pick_best(scratch.score, count, s.generator)
    infer_logits(count, 1.0, net, scratch)
    if plan.others == LIKELIEST:
        best = 0
        for i in range(1, count):
            if scratch.prior[i] > scratch.prior[best]:
                best = i
        return best
    softmax(scratch.prior, count)
    return index_at(scratch.prior, count, draw(s.generator, FINE) / FINE)


def index_at(probabilities: FloatArray, count: int, number: float) -> int:
    """The index at a number from 0 to 1 in the distribution of the first `count` indices."""
    index = 0
    while index < count - 1 and number >= probabilities[index]:
        number -= probabilities[index]
        index += 1
    return index


def show(s: Record, scratch: GuidedScratch) -> None:
    """Write what the mover sees."""
    scratch.observation[:] = 0
    observe(s, int(s.mover), scratch.observation)


def key_of(s: Record, count: int, scratch: GuidedScratch) -> np.uint64:
    """Hash what the mover sees, and what it may do."""
    key = hashed(scratch.observation, int(s.mover))
    for i in range(count):
        key = mixed(key, np.uint64(scratch.ids[i]))
    return key


def expand(key: np.uint64, count: int, value: float, tree: GuidedTree, scratch: GuidedScratch) -> int:
    """Add a node with an edge for each legal action; return it, or NONE if there is no room."""
    node, first = int(tree.used[NODES]), int(tree.used[EDGES])
    slot = slot_of(tree, key)
    if tree.slots[slot] != NONE or node == tree.nodes.shape[0] or first + count > tree.edges.shape[0]:
        return NONE
    tree.slots[slot] = node
    made = tree.nodes[node]
    made.key = key
    made.first = first
    made.count = count
    made.visits = 1
    made.total = value
    for i in range(count):
        edge = tree.edges[first + i]
        edge.action = scratch.ids[i]
        edge.visits = 0
        edge.tries = 0
        edge.prior = scratch.prior[i]
        edge.total = 0.0
    tree.used[NODES] += 1
    tree.used[EDGES] += count
    return node


def select_guided(node: int, plan: GuidedPlan, tree: GuidedTree) -> int:
    """The edge with the highest sum of mean value and bonus (PUCT)."""
    at = tree.nodes[node]
    first, last = int(at.first), int(at.first + at.count)
    untried = at.total / at.visits - plan.reduction
    scale = plan.exploration * math.sqrt(float(at.visits))
    best = first
    highest = -np.inf
    for i in range(first, last):
        edge = tree.edges[i]
        mean = edge.total / edge.visits if edge.visits > 0 else untried
        bound = mean + scale * edge.prior / (1 + edge.visits)
        if bound > highest:
            best = i
            highest = bound
    return best


def most_visited(tree: GuidedTree) -> int:
    """The root's most visited action; ties go to the one with the highest total."""
    root = tree.nodes[tree.used[ROOT]]
    best = int(root.first)
    for i in range(root.first, root.first + root.count):
        edge, favourite = tree.edges[i], tree.edges[best]
        if edge.visits > favourite.visits or (edge.visits == favourite.visits and edge.total > favourite.total):
            best = int(i)
    return int(tree.edges[best].action)


# -- sequential halving at the root -------------------------------------------------------


def halve(
    root: RecordArray,
    seat: int,
    simulations: int,
    generator: RecordArray,
    plan: GuidedPlan,
    nets: Nets,
    tree: GuidedTree,
    scratch: GuidedScratch,
) -> None:
    """Share simulations among root actions: a part among `considered`, as many among the better half, ..."""
    forget_tries(tree)
    scratch.world[0] = root[0]
    count = legal(scratch.world[0], scratch.ids)
    require(count > 0)
    width = min(plan.considered, count, max(2, simulations // 2))
    parts = max(1, math.ceil(math.log2(width)))
    tries = done = 0
    while done + width <= simulations:
        for _ in range(max(1, simulations // (parts * width))):
            if done + width <= simulations:
                for _ in range(width):
                    simulate(root, seat, tries, generator, plan, nets, tree, scratch)
                done += width
                tries += 1
        width = min(max(2, width // 2), count)
    if done < simulations:  # one is left, and there are two actions
        simulate(root, seat, LAST if done > 0 else 0, generator, plan, nets, tree, scratch)


def forget_tries(tree: GuidedTree) -> None:
    """A new search begins at the root, if there is one."""
    if tree.used[NODES] > 0:
        root = tree.nodes[tree.used[ROOT]]
        for i in range(root.first, root.first + root.count):
            tree.edges[i].tries = 0


def select_tried(node: int, tries: int, plan: GuidedPlan, tree: GuidedTree) -> int:
    """The edge that is most probable in the improved policy, of those with so many tries."""
    at = tree.nodes[node]
    first, last = int(at.first), int(at.first + at.count)
    most = 0
    for i in range(first, last):
        most = max(most, int(tree.edges[i].visits))
    weight = plan.scale * (OFFSET + most)
    best = first
    highest = -np.inf
    for i in range(first, last):
        edge = tree.edges[i]
        if edge.tries == tries:
            mean = edge.total / edge.visits if edge.visits > 0 else at.total / at.visits
            score = math.log(max(float(edge.prior), LEAST)) + weight * mean
            if score > highest:
                best = i
                highest = score
    return best


def finalist(tree: GuidedTree) -> int:
    """The edge of the root's most tried action; ties go to the one with the highest mean value."""
    root = tree.nodes[tree.used[ROOT]]
    best = int(root.first)
    for i in range(root.first, root.first + root.count):
        edge, favourite = tree.edges[i], tree.edges[best]
        better = edge.total * favourite.visits > favourite.total * edge.visits
        if edge.tries > favourite.tries or (edge.tries == favourite.tries and better):
            best = int(i)
    return best


# -- what the networks say ----------------------------------------------------------------


def infer(s: Record, mover: int, count: int, plan: GuidedPlan, net: Net, scratch: GuidedScratch) -> None:
    """Write the prior of each legal action, and the expected payoff of each seat."""
    head = infer_logits(count, plan.temperature, net, scratch)
    softmax(scratch.prior, count)
    values, players = int(net.sizes[-1]), int(s.num_players)
    for k in range(players):
        value = output_at(head, k, values, net, scratch.inference)
        scratch.value[(mover + k) % players] = math.tanh(value)


def infer_logits(count: int, temperature: float, net: Net, scratch: GuidedScratch) -> int:
    """Write the logits of the legal actions, divided by `temperature`; where the second head begins."""
    head = infer_units(net, scratch.observation, scratch.inference)
    actions = int(net.sizes[-2])
    for i in range(count):
        logit = output_at(head, int(scratch.ids[i]), actions, net, scratch.inference)
        scratch.prior[i] = logit / temperature
    return head + actions * (int(net.sizes[-3]) + 1)


def foresee(root: RecordArray, seat: int, beliefs: Net, scratch: GuidedScratch) -> None:
    """Write how probable each hidden action of each other seat is, by what `seat` sees in `root[0]`."""
    if beliefs.sizes.shape[0] == 0:
        return
    s = root[0]
    players = int(s.num_players)
    hidden = False
    for k in range(1, players):
        hidden = hidden or hidden_action(s, (seat + k) % players) != NONE
    if not hidden:
        return
    scratch.observation[:] = 0
    observe(s, seat, scratch.observation)
    head = infer_units(beliefs, scratch.observation, scratch.inference)
    outputs, actions = int(beliefs.sizes[-2]), scratch.belief.shape[1]
    for k in range(players - 1):
        for i in range(actions):
            scratch.belief[k, i] = output_at(head, k * actions + i, outputs, beliefs, scratch.inference)
        softmax(scratch.belief[k], actions)


def draw_hidden_actions(s: Record, seat: int, scratch: GuidedScratch) -> None:
    """Draw the hidden actions of the other seats as `foresee` expects them."""
    players = int(s.num_players)
    for k in range(min(players - 1, scratch.belief.shape[0])):
        other = (seat + 1 + k) % players
        if hidden_action(s, other) != NONE:
            number = draw(s.generator, FINE) / FINE
            set_hidden_action(s, other, index_at(scratch.belief[k], scratch.belief.shape[1], number))
