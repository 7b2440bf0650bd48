"""The search that a network guides: it values new nodes, and gives the actions prior probabilities.

There are no playouts: a new node asks the network, once, for the probabilities of its legal actions and for
each seat's expected payoff. The probabilities are priors of the choice (PUCT: Silver et al. 2017), the payoffs
are the value of the simulation.

A heuristic or a second network may play the other seats (`Plan.others`). Then the search looks for a best
response to them. All nodes are those of the searching seat, and a simulation goes on until it decides again:
the first network sees what came of its action, and never values the position by what another seat knows.

A third network may have learned what other seats do unseen (`Game.hidden_action`). It is asked once in a
search, about the root, and every world gets actions drawn from its answer.

At the root, what counts is to find the best action, not to play well on the way. So simulations can be shared
there by sequential halving (`halve`). An action is better if the network's policy, improved by the
values found, gives it a higher probability (Danihelka et al. 2022, "Policy improvement by planning with
Gumbel"; here without noise).

The legal actions are part of a node's key, so the list of its edges never changes, and a later search can go on
from any node of its seat as the root.
"""

from __future__ import annotations

import math

import numpy as np

from ..drivers import pick_best
from ..random import draw
from ..rules import believe, hidden_action, legal, set_hidden_action
from ..state import Record
from ..trust import require
from . import tree as placeholders
from .hashing import hashed, mixed
from .inference import Net, index_at, infer_units, output_at, softmax
from .tree import (
    EDGES,
    FINE,
    LAST,
    NODES,
    NONE,
    ROOT,
    Nets,
    Plan,
    Scratch,
    Tree,
    add_edge,
    add_node,
    find,
    most_visited,
    rate_for_mover,
    show,
)

LEAST = 1e-30
"""Probabilities of actions count as no less."""

LIKELIEST, SAMPLED = -2, -3
"""Further values of `Plan.others`: a network plays its most probable action, or samples."""

OFFSET = 50
"""Visits that are added to those of the most visited action, in the weight of values at the root."""


def begin(s: Record, plan: Plan, nets: Nets, tree: Tree, scratch: Scratch) -> int:
    """Make the root, unless the search goes on with the tree of this position."""
    count = legal(s, scratch.ids)
    require(count > 0)
    show(s, scratch)
    if tree.used[NODES] == 0:
        expand(s, count, plan, nets, tree, scratch)
    foresee(s, nets.beliefs, scratch)
    return count


def edges_of(node: int, tree: Tree) -> range:
    """The edges of a node, in the order of their actions; `expand` has added the last one first."""
    at = tree.nodes[node]
    return range(at.first, at.first - at.count, -1)


def halve(number: int, simulations: int, count: int, plan: Plan) -> tuple[int, int]:
    """Share simulations among the root's `count` actions by sequential halving; see `tree.round_from`.

    A part of the simulations tries `considered` actions equally often, then another one the better half of
    them, and so on.
    """
    if plan.considered == 0:
        return NONE, simulations
    width = min(plan.considered, count, max(2, simulations // 2))
    parts = max(1, math.ceil(math.log2(width)))
    tries = done = 0
    while done + width <= simulations:
        rounds = min(max(1, simulations // (parts * width)), (simulations - done) // width)
        if number < done + rounds * width:
            return tries + (number - done) // width, number + width
        done += rounds * width
        tries += rounds
        width = min(max(2, width // 2), count)
    return LAST if done > 0 else 0, simulations  # one is left, and there are two actions


def choose(plan: Plan, tree: Tree) -> int:
    """The edge of the root's action that is played: the best of those that halving has tried most."""
    if plan.considered == 0:
        return most_visited(tree)
    most = 0
    for i in edges_of(ROOT, tree):
        most = max(most, int(tree.edges[i].tries))
    return select_tried(ROOT, most, plan, tree)


def imagine(s: Record, seat: int, scratch: Scratch) -> None:
    """Resample what `seat` cannot know, hidden actions of other seats as the root's beliefs expect them."""
    believe(s, seat)
    players, belief = int(s.num_players), scratch.inference.belief
    for k in range(min(players - 1, belief.shape[0])):
        other = (seat + 1 + k) % players
        if hidden_action(s, other) != NONE:
            number = draw(s.generator, FINE) / FINE
            set_hidden_action(
                s, other, index_at(scratch.inference.belief[k], scratch.inference.belief.shape[1], number)
            )


def enter(s: Record, count: int, tree: Tree, scratch: Scratch) -> int:
    """Return the node of what the mover sees and may do, or NONE."""
    return find(tree, key_of(s, count, scratch))


def key_of(s: Record, count: int, scratch: Scratch) -> np.uint64:
    """Hash what the mover sees, and what it may do."""
    key = hashed(scratch.observation, int(s.mover))
    for i in range(count):
        key = mixed(key, np.uint64(scratch.ids[i]))
    return key


def select(mover: int, node: int, count: int, tries: int, plan: Plan, tree: Tree, scratch: Scratch) -> int:
    """Return the edge to take."""
    if tries == LAST:
        return choose(plan, tree)
    if tries != NONE:
        return select_tried(node, tries, plan, tree)
    return select_by_prior(node, plan, tree)


def select_by_prior(node: int, plan: Plan, tree: Tree) -> int:
    """The edge with the highest sum of mean value and bonus (PUCT)."""
    at = tree.nodes[node]
    untried = at.total / at.visits - plan.reduction
    scale = plan.exploration * math.sqrt(float(at.visits))
    best = int(at.first)
    highest = -np.inf
    for i in edges_of(node, tree):
        edge = tree.edges[i]
        mean = edge.total / edge.visits if edge.visits > 0 else untried
        bound = mean + scale * edge.prior / (1 + edge.visits)
        if bound > highest:
            best = i
            highest = bound
    return best


def select_tried(node: int, tries: int, plan: Plan, tree: Tree) -> int:
    """The edge that is most probable in the improved policy, of those with so many tries."""
    at = tree.nodes[node]
    most = 0
    for i in edges_of(node, tree):
        most = max(most, int(tree.edges[i].visits))
    weight = plan.scale * (OFFSET + most)
    best = int(at.first)
    highest = -np.inf
    for i in edges_of(node, tree):
        edge = tree.edges[i]
        if edge.tries == tries:
            mean = edge.total / edge.visits if edge.visits > 0 else at.total / at.visits
            score = math.log(max(float(edge.prior), LEAST)) + weight * mean
            if score > highest:
                best = i
                highest = score
    return best


def answer(s: Record, count: int, node: int, plan: Plan, nets: Nets, tree: Tree, scratch: Scratch) -> int:
    """Return the index of the action that the mover, who does not search, chooses by what it sees."""
    if plan.others > NONE:
        rate_for_mover(count, plan.others, scratch)
        return pick_best(scratch.score, count, s.generator)
    infer_logits(count, 1.0, nets.others, scratch)
    if plan.others == LIKELIEST:
        best = 0
        for i in range(1, count):
            if scratch.inference.prior[i] > scratch.inference.prior[best]:
                best = i
        return best
    softmax(scratch.inference.prior, count)
    return index_at(scratch.inference.prior, count, draw(s.generator, FINE) / FINE)


# -- what the networks say ----------------------------------------------------------------


def expand(s: Record, count: int, plan: Plan, nets: Nets, tree: Tree, scratch: Scratch) -> None:
    """Write the payoff that each seat may expect, and add a node with all legal actions, if there is room."""
    infer(s, count, plan, nets.guide, scratch)
    key = key_of(s, count, scratch)
    if find(tree, key) != NONE or tree.used[EDGES] + count > tree.edges.shape[0]:
        return
    node = add_node(tree, key)
    if node != NONE:
        tree.nodes[node].visits = 1
        tree.nodes[node].total = scratch.value[s.mover]
        for i in range(count - 1, -1, -1):
            tree.edges[add_edge(tree, node, int(scratch.ids[i]))].prior = scratch.inference.prior[i]


def infer(s: Record, count: int, plan: Plan, net: Net, scratch: Scratch) -> None:
    """Write the prior of each legal action, and the expected payoff of each seat."""
    head = infer_logits(count, plan.temperature, net, scratch)
    softmax(scratch.inference.prior, count)
    values, players = int(net.sizes[-1]), int(s.num_players)
    for k in range(players):
        value = output_at(head, k, values, net, scratch.inference)
        scratch.value[(s.mover + k) % players] = math.tanh(value)


def infer_logits(count: int, temperature: float, net: Net, scratch: Scratch) -> int:
    """Write the logits of the legal actions, divided by `temperature`; where the second head begins."""
    head = infer_units(net, scratch.observation, scratch.inference)
    actions = int(net.sizes[-2])
    for i in range(count):
        logit = output_at(head, int(scratch.ids[i]), actions, net, scratch.inference)
        scratch.inference.prior[i] = logit / temperature
    return head + actions * (int(net.sizes[-3]) + 1)


def foresee(s: Record, beliefs: Net, scratch: Scratch) -> None:
    """Write how probable each hidden action of each other seat is, by what the mover sees."""
    if beliefs.sizes.shape[0] == 0:
        return
    players = int(s.num_players)
    hidden = False
    for k in range(1, players):
        hidden = hidden or hidden_action(s, (s.mover + k) % players) != NONE
    if not hidden:
        return
    head = infer_units(beliefs, scratch.observation, scratch.inference)
    belief = scratch.inference.belief
    outputs, actions = int(beliefs.sizes[-2]), belief.shape[1]
    for k in range(players - 1):
        for i in range(actions):
            belief[k, i] = output_at(head, k * actions + i, outputs, beliefs, scratch.inference)
        softmax(belief[k], actions)


GUIDED = {
    placeholders.enter_root: begin,
    placeholders.round_from: halve,
    placeholders.choose: choose,
    placeholders.imagine: imagine,
    placeholders.enter: enter,
    placeholders.select: select,
    placeholders.answer: answer,
    placeholders.estimate: expand,
}
"""The functions that replace the placeholders of `tree.py`."""
