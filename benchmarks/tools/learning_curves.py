"""Exploitability while something learns: NashConv of its policies, and of their average, over decisions.

A learner is an iterator of pairs: the decisions of all seats so far, and the policy as probabilities of the
legal actions in each information set of a tree. `fast_ppo_policies` makes one of a training, and
`openspiel_agents.py` of OpenSpiel's agents.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import torch
from game_trees import Average, Measure, Tree

sys.path.append(str(Path(__file__).parents[2] / "training"))
import fast_ppo

Table = dict[str, list[float]]
"""Probabilities of the legal actions by information state string."""

Policies = Iterator[tuple[int, Table]]
"""A learner: the decisions of all seats so far, and its policy."""


def curve_of(
    policies: Iterable[tuple[int, Table]],
    measure: Measure,
    decisions: int,
    points: int,
    show: Callable[[int], None] = lambda done: None,
) -> list[dict[str, float]]:
    """Follow a learner to its end.

    Args:
        policies: decisions so far, and the policy.
        measure: of the game's tree.
        decisions: how many there will be.
        points: of the curve, about one for each equal part of the decisions.
        show: told the decisions so far.

    Returns:
        At each point the `decisions`, and NashConv `now` and of the `average` of all policies so far, each
        weighted by its own reach probabilities.
    """
    average, curve = Average(measure.tree), []
    last: tuple[int, Table] | None = None

    def add(done: int, policy: Table) -> None:
        found = {"now": measure.nash_conv(policy), "average": measure.nash_conv(average.policy())}
        curve.append({"decisions": done, **{key: round(x, 5) for key, x in found.items()}})

    for done, policy in policies:
        average.add(policy)
        if done * points >= len(curve) * decisions:
            add(done, policy)
        last = done, policy
        show(done)
    if last is not None and curve[-1]["decisions"] < last[0]:
        add(*last)
    return curve


def fast_ppo_policies(settings: fast_ppo.Settings, tree: Tree) -> Policies:
    """Train as `training/fast_ppo.py` does: the policy at first, and after each iteration."""
    run = fast_ppo.Run(settings)
    network = run.networks[fast_ppo.LEARNER]
    yield run.progress.steps, probabilities(network, tree)
    while run.done < 1.0:
        run.iterate()
        yield run.progress.steps, probabilities(network, tree)
    run.writer.close()


def probabilities(network: fast_ppo.Network, tree: Tree) -> Table:
    """A network's probabilities in each information set."""
    sets = list(tree.sets.values())
    count = np.array([len(each.legal) for each in sets], np.int32)
    legal = np.zeros((len(sets), count.max()), np.int16)
    for row, each in zip(legal, sets, strict=True):
        row[: len(each.legal)] = each.legal
    observation = np.stack([each.observation for each in sets])
    memory = np.zeros((len(sets), 0), np.float32)  # no GRU
    given = (torch.from_numpy(array) for array in (observation, legal, count, memory))
    with torch.no_grad():
        logarithms, _, _ = network(*given)
    table = logarithms.exp().double().numpy()
    rows = [row[:n] / row[:n].sum() for row, n in zip(table, count, strict=True)]
    return dict(zip(tree.sets, (row.tolist() for row in rows), strict=True))
