"""The search that needs no network: playouts value new nodes, and the highest upper bound is taken.

From a new node a playout of limited depth leads to the value of the simulation. Legal actions may differ
from world to world, so a node gets its edges one by one, and an edge counts the visits in which its action
was available.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..drivers import RANDOM, pick_best
from ..rules import potential
from ..state import Record
from . import tree as placeholders
from .hashing import hashed
from .tree import DEVIATION, NODES, NONE, Nets, Plan, Scratch, Tree, add_node, find, rate_for_mover


def begin(s: Record, plan: Plan, nets: Nets, tree: Tree, scratch: Scratch) -> int:
    """Add the root to a new tree, with a key that no later position has."""
    if tree.used[NODES] == 0:
        add_node(tree, np.uint64(0))
    return 0


def enter(s: Record, count: int, tree: Tree, scratch: Scratch) -> int:
    """Return the node of what the mover sees; if there is none, add it for next time and return NONE."""
    key = hashed(scratch.observation, int(s.mover))
    node = find(tree, key)
    if node == NONE:
        add_node(tree, key)
    return node


def select(mover: int, node: int, count: int, tries: int, plan: Plan, tree: Tree, scratch: Scratch) -> int:
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
    if known < count and may_widen(known, int(tree.nodes[node].visits) + 1, plan.rollout):
        return NONE
    return best


def may_widen(known: int, visits: int, kind: int) -> bool:
    """Without a heuristic, try all actions first; with one, as many as the square root of the visits.

    (Progressive unpruning: Chaslot et al. 2008.)
    """
    return kind == RANDOM or known == 0 or known * known < visits


def upper_bound(edge: Any, mover: int, plan: Plan, tree: Tree) -> float:
    """Mean of the mover's values, plus the exploration bonus."""
    visits = max(1, edge.visits)  # none yet, if the position came before on the path
    width = math.sqrt(math.log(float(edge.available)) / visits)
    mean = edge.total / visits
    return float(mean + plan.exploration * tree.payoffs[mover, DEVIATION] * width)


def answer(s: Record, count: int, node: int, plan: Plan, nets: Nets, tree: Tree, scratch: Scratch) -> int:
    """Return the index of the action that the playout policy rates highest, of those the node has not tried."""
    rate_for_mover(count, plan.rollout, scratch)
    if node != NONE:
        leave_out_tried(node, count, tree, scratch)
    return pick_best(scratch.score, count, s.generator)


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


def estimate(s: Record, count: int, plan: Plan, nets: Nets, tree: Tree, scratch: Scratch) -> None:
    """Write each seat's potential, clipped to -1..1."""
    for seat in range(s.num_players):
        scratch.value[seat] = min(1.0, max(-1.0, potential(s, seat)))


PLAYOUTS = {
    placeholders.enter_root: begin,
    placeholders.enter: enter,
    placeholders.select: select,
    placeholders.answer: answer,
    placeholders.estimate: estimate,
}
"""The functions that replace the placeholders of `tree.py`."""
