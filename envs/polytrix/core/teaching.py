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

from .guided import FINE, LEAST, GuidedPlan, GuidedScratch, GuidedTree, Nets, guided
from .inference import softmax
from .random import draw, reseed
from .search import NONE
from .state import ByteArray, FloatArray, IntArray, RecordArray


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

    policy: FloatArray  # (n, max_legal), the improved probability of each legal action; 0 if `whole` is
    value: FloatArray  # (n,), the mover's mean value
    action: IntArray  # (n,), drawn from the improved policy, or else the most visited one


def teach(
    roots: RecordArray,
    keys: npt.NDArray[np.uint64],
    simulations: IntArray,
    whole: ByteArray,
    generator: RecordArray,
    plan: GuidedPlan,
    lesson: Lesson,
    nets: Nets,
    tree: GuidedTree,
    scratch: GuidedScratch,
    lessons: Lessons,
) -> None:
    """Search in each of n positions with a new tree.

    Args:
        roots: (n,) states.
        keys: (n,) of their random generators.
        simulations: (n,); no search if 0.
        whole: (n,), whether the policy is improved and the action drawn from it.
        generator, plan, nets, tree, scratch: as for `guided`.
        lesson: how the policy is improved.
        lessons: where results go.
    """
    for row in range(roots.shape[0]):
        if simulations[row] > 0:
            tree.slots[:] = NONE
            tree.used[:] = 0
            reseed(generator[0], keys[row])
            root = roots[row : row + 1]
            mover = int(root[0].mover)
            action = guided(root, mover, int(simulations[row]), generator, plan, nets, tree, scratch)
            lessons.value[row] = tree.nodes[0].total / tree.nodes[0].visits
            lessons.policy[row, :] = 0.0
            if whole[row]:
                improve(lessons.policy[row], plan, lesson, tree)
                action = drawn_from(lessons.policy[row], draw(generator[0], FINE) / FINE, tree)
            lessons.action[row] = action


def improve(policy: FloatArray, plan: GuidedPlan, lesson: Lesson, tree: GuidedTree) -> None:
    """Write the improved probabilities of the root's actions."""
    root = tree.nodes[0]
    mean = root.total / root.visits
    for i in range(root.count):
        edge = tree.edges[root.first + i]
        moved = plan.temperature * math.log(max(float(edge.prior), LEAST))
        if edge.visits > 0:
            advantage = edge.total / edge.visits - mean
            moved += lesson.gain * advantage * edge.visits / (edge.visits + lesson.doubt)
        policy[i] = moved
    softmax(policy, int(root.count))


def drawn_from(policy: FloatArray, number: float, tree: GuidedTree) -> int:
    """The root's action at a number from 0 to 1 in the distribution."""
    root = tree.nodes[0]
    last = root.count - 1
    for i in range(last):
        number -= policy[i]
        if number < 0.0:
            return int(tree.edges[root.first + i].action)
    return int(tree.edges[root.first + last].action)
