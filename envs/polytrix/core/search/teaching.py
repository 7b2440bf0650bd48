"""What a network learns from searches that it guides: the driver of `training/shared/self_play.py`.

A search finds values of actions. The policy that it teaches is the network's own, in which actions that did
better than the position's mean have become more probable, and others less (mirror descent: log-probabilities
are moved by a multiple of the advantages; see Grill et al. 2020, "Monte-Carlo tree search as regularized policy
optimization"). Few simulations say little about an action, so its advantage is reduced by their number. The
shares of the visits would be simpler targets, but far from the network, so that it forgets what it knew.

The caller allocates the arrays, once; nothing here allocates.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..random import draw, reseed
from ..state import FloatArray, IntArray, RecordArray
from .guided import LEAST, edges_of
from .inference import index_at, softmax
from .tree import FINE, ROOT, Nets, Plan, Scratch, Tree, forget, search


class Lesson(NamedTuple):
    """How a search changes a policy.

    Args:
        gain: the log-probability of an action is moved by its advantage, multiplied by this.
        doubt: number of visits at which half of an action's advantage counts.
    """

    gain: float
    doubt: float


class Lessons(NamedTuple):
    """What searches found in n positions; rows of positions that are not searched stay as they are."""

    policy: FloatArray  # (n, max_legal), the improved probability of each legal action
    value: FloatArray  # (n,), the mover's mean value
    action: IntArray  # (n,), drawn from the improved policy


def teach(
    roots: RecordArray,
    keys: npt.NDArray[np.uint64],
    simulations: IntArray,
    plan: Plan,
    lesson: Lesson,
    nets: Nets,
    tree: Tree,
    scratch: Scratch,
    lessons: Lessons,
) -> None:
    """Search in each of n positions with a new tree.

    Args:
        roots: (n,) states.
        keys: (n,) of the searches.
        simulations: (n,); no search if 0.
        plan, nets, tree, scratch: as for `tree.search`.
        lesson: how the policy is improved.
        lessons: where results go.
    """
    for row in range(roots.shape[0]):
        if simulations[row] > 0:
            forget(tree)
            root = roots[row : row + 1]
            mover = int(root[0].mover)
            search(root, mover, int(simulations[row]), keys[row], plan, nets, tree, scratch)
            node = tree.nodes[ROOT]
            lessons.value[row] = node.total / node.visits
            lessons.policy[row, :] = 0.0
            count = improve(lessons.policy[row], plan, lesson, tree)
            generator = scratch.world[0].generator
            reseed(generator, keys[row])
            index = index_at(lessons.policy[row], count, draw(generator, FINE) / FINE)
            lessons.action[row] = int(tree.edges[int(node.first) - index].action)


def improve(policy: FloatArray, plan: Plan, lesson: Lesson, tree: Tree) -> int:
    """Write the improved probabilities of the root's actions; return their number."""
    root = tree.nodes[ROOT]
    mean = root.total / root.visits
    count = 0
    for i in edges_of(ROOT, tree):
        edge = tree.edges[i]
        moved = plan.temperature * math.log(max(float(edge.prior), LEAST))
        if edge.visits > 0:
            advantage = edge.total / edge.visits - mean
            moved += lesson.gain * advantage * edge.visits / (edge.visits + lesson.doubt)
        policy[count] = moved
        count += 1
    softmax(policy, count)
    return count
