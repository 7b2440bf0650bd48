"""Exploitability while something learns: NashConv of its policies, and of their average, over decisions.

A learner is an iterator of pairs: the decisions of all seats so far, and the policy as probabilities of the
legal actions in each information set of a tree. `fast_ppo_policies` makes one of a training, `trial_policies`
of an algorithm of the benchmark, and `openspiel_agents.py` of OpenSpiel's agents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from statistics import mean

import numpy as np
from game_trees import Average, Measure, Tree

from polytrix import find
from polytrix.agents import NetworkPolicy, Policy, load
from polytrix.training import fast_ppo
from polytrix.training.shared.runs import Clock
from polytrix.training.trials.trial import Trial

Table = dict[str, list[float]]
"""Probabilities of the legal actions by information state string."""

Policies = Iterator[tuple[int, Table]]
"""A learner: the decisions of all seats so far, and its policy."""


def curve_of(
    policies: Iterable[tuple[int, Table]],
    measure: Measure,
    every: float = 0.0,
    show: Callable[[int], None] = lambda done: None,
) -> list[dict[str, float]]:
    """Follow a learner to its end.

    Args:
        policies: decisions so far, and the policy.
        measure: of the game's tree.
        every: decisions between two points, at least; 0: each policy is a point.
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
        if done >= len(curve) * every:
            add(done, policy)
        last = done, policy
        show(done)
    if last is not None and curve[-1]["decisions"] < last[0]:
        add(*last)
    return curve


def fast_ppo_policies(settings: fast_ppo.Settings, tree: Tree) -> Policies:
    """Train as `training/fast_ppo.py` does: the policy at first, and after each iteration."""
    game, options = find(settings.game).configured(settings.options)
    learner = fast_ppo.Learner(settings, game, {**options}, Clock())
    yield 0, probabilities(learner.policy(), tree)
    while learner.decisions < settings.total_steps:
        learner.iterate(learner.decisions / settings.total_steps)
        yield learner.decisions, probabilities(learner.policy(), tree)


def trial_policies(train: Callable[[Trial], None], trial: Trial, tree: Tree) -> Policies:
    """Train an algorithm of `training/algorithms`: the policies that its trial keeps.

    Args:
        train: of the algorithm.
        trial: anew, killed or finished.
        tree: of its game.
    """
    if not trial.finished:
        train(trial)
    for point, used in enumerate(trial.curve, 1):
        policy = load(trial.policy_file(point), trial.game)
        yield int(used["decisions"]), probabilities(policy, tree)


def probabilities(policy: Policy, tree: Tree) -> Table:
    """The probabilities of a policy in each information set.

    Args:
        policy: a network without a memory.
        tree: of its game.
    """
    assert isinstance(policy, NetworkPolicy)
    sets = list(tree.sets.values())
    mask = np.zeros((len(sets), policy.game.actions.size), np.int8)
    for row, each in zip(mask, sets, strict=True):
        row[each.legal] = 1
    observation = np.stack([each.observation for each in sets])
    table = policy.reasons(observation, mask)["probability"].astype(np.float64)
    rows = [row[each.legal] / row[each.legal].sum() for row, each in zip(table, sets, strict=True)]
    return dict(zip(tree.sets, (row.tolist() for row in rows), strict=True))


def spread(figures: list[float]) -> str:
    """The mean, and the lowest and the highest of some figures.

    >>> spread([0.2, 0.4, 0.3])
    '0.300 (0.200 to 0.400)'
    """
    between = f" ({min(figures):.3f} to {max(figures):.3f})" if len(figures) > 1 else ""
    return f"{mean(figures):.3f}{between}"
