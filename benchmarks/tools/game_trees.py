"""Builds the whole tree of a small game, and solves and evaluates it with OpenSpiel's algorithms.

Python games are slow for algorithms that visit every node thousands of times. So the tree is written once, as
an extensive-form game in Gambit's format, which OpenSpiel loads as a C++ game with the same nodes, chance
probabilities, information sets and payoffs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from polytrix.api.openspiel.game import PolytrixState


@dataclass
class InformationSet:
    """Positions that their mover cannot distinguish.

    Attributes:
        player: the mover.
        number: number of the set among the mover's, from 1.
        observation: (O,) int8, the mover's observation.
        legal: legal actions.
        before: the information set of the mover's previous decision, and the index of the chosen action among
            the legal ones; None if this is its first decision.
    """

    player: int
    number: int
    observation: npt.NDArray[np.int8]
    legal: list[int]
    before: tuple[str, int] | None

    @property
    def key(self) -> str:
        """Its name in the game that OpenSpiel loads."""
        return f"{self.player}-{self.player}-{self.number}-"


@dataclass
class Tree:
    """A game's tree, with its information sets and sizes.

    Attributes:
        lines: the tree in Gambit's format.
        sets: information sets by information state string.
        chance, decisions, ends: number of nodes of each kind.
        positions: the distinct positions.
        most_decisions, most_events: maximum number of decisions in a game, and of decisions and chance events.
    """

    lines: list[str]
    sets: dict[str, InformationSet] = field(default_factory=dict)
    chance: int = 0
    decisions: int = 0
    ends: int = 0
    positions: set[bytes] = field(default_factory=set)
    most_decisions: int = 0
    most_events: int = 0

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes of the tree, by name."""
        return {
            "histories": self.chance + self.decisions + self.ends,
            "chance_nodes": self.chance,
            "decision_nodes": self.decisions,
            "ends": self.ends,
            "positions": len(self.positions),
            "information_sets": len(self.sets),
            "most_decisions": self.most_decisions,
            "most_events": self.most_events,
        }

    def game(self) -> Any:
        """The tree as a game of OpenSpiel."""
        return pyspiel.load_efg_game("\n".join(self.lines) + "\n")


def grow(game: Any) -> Tree:
    """Visit every node of a polytrix game of OpenSpiel.

    Args:
        game: a small game, since the tree is kept in memory.
    """
    players = " ".join(f'"{seat}"' for seat in range(game.num_players()))
    tree = Tree([f'EFG 2 R "polytrix" {{ {players} }}'])
    counts = [0] * game.num_players()
    decided: tuple[tuple[str, int] | None, ...] = (None,) * game.num_players()
    waiting: list[tuple[PolytrixState, int, int, Any]] = [(game.new_initial_state(), 0, 0, decided)]
    while waiting:
        state, decisions, events, decided = waiting.pop()
        tree.most_decisions = max(tree.most_decisions, decisions)
        tree.most_events = max(tree.most_events, events)
        tree.positions.add(state.position)
        if state.is_terminal():
            tree.ends += 1
            payoffs = " ".join(repr(payoff) for payoff in state.returns())
            tree.lines.append(f't "" {tree.ends} "" {{ {payoffs} }}')
            continue
        if state.is_chance_node():
            tree.chance += 1
            outcomes = state.chance_outcomes()
            labels = " ".join(f'"{i}" {probability!r}' for i, (_, probability) in enumerate(outcomes))
            tree.lines.append(f'c "" {tree.chance} "" {{ {labels} }} 0')
            following = [(outcome, decided) for outcome, _ in outcomes]
        else:
            tree.decisions += 1
            player = state.current_player()
            legal = state.legal_actions()
            name = state.information_state_string()
            if name not in tree.sets:
                counts[player] += 1
                seen, before = state.seen(player).copy(), decided[player]
                tree.sets[name] = InformationSet(player, counts[player], seen, legal, before)
            labels = " ".join(f'"{i}"' for i in range(len(legal)))
            following = [
                (action, (*decided[:player], (name, i), *decided[player + 1 :]))
                for i, action in enumerate(legal)
            ]
            tree.lines.append(f'p "" {player + 1} {tree.sets[name].number} "" {{ {labels} }} 0')
            decisions += 1
        for each, after in reversed(following):
            waiting.append((state.child(each), decisions, events + 1, after))
    return tree


def estimate(game: Any, samples: int, seed: int = 0) -> float:
    """An estimate of the number of histories of a game whose tree is too large to grow (Knuth, 1975).

    At each node of a random game, the product of the numbers of choices so far estimates how many nodes are on
    its level. The mean over many games is unbiased, but most samples of a large tree are far too low.

    Args:
        game: a polytrix game of OpenSpiel.
        samples: number of random games.
        seed: random seed.
    """
    rng, total = np.random.default_rng(seed), 0.0
    for _ in range(samples):
        state, level = game.new_initial_state(), 1.0
        total += level
        while not state.is_terminal():
            choices = state.legal_actions()
            level *= len(choices)
            total += level
            state.apply_action(choices[rng.integers(len(choices))])
    return total / samples


class Measure:
    """Evaluates policies in a tree with OpenSpiel.

    The actions of an information set are numbered by their index among the legal ones.

    Args:
        tree: the tree of the game.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.game = tree.game()
        uniform, seats = self.policy(self.uniform()), range(self.game.num_players())
        self.best_responses = [pyspiel.TabularBestResponse(self.game, seat, uniform) for seat in seats]

    def policy(self, probabilities: Mapping[str, Sequence[float]]) -> dict[str, list[tuple[int, float]]]:
        """OpenSpiel's form of probabilities of the legal actions by information state string."""
        return {
            each.key: [(place, float(p)) for place, p in enumerate(probabilities[name])]
            for name, each in self.tree.sets.items()
        }

    def nash_conv(self, policy: Mapping[str, Sequence[float]]) -> float:
        """NashConv: the sum of what each player would gain by a best response."""
        table, root = self.policy(policy), self.game.new_initial_state()
        for each in self.best_responses:  # they keep their trees: `pyspiel.nash_conv` takes twice the time
            each.set_policy(table)
        best = sum(each.value_from_state(root) for each in self.best_responses)
        return float(best - sum(self.values(policy)))

    def values(self, policy: Mapping[str, Sequence[float]]) -> list[float]:
        """The expected payoff of each player if all play the policy."""
        table = pyspiel.TabularPolicy(self.policy(policy))
        returns = pyspiel.expected_returns(self.game.new_initial_state(), table, -1, True)
        return [float(each) for each in returns]

    def uniform(self) -> dict[str, list[float]]:
        """The uniform policy."""
        return {name: [1 / len(each.legal)] * len(each.legal) for name, each in self.tree.sets.items()}


def solve(measure: Measure, iterations: int, points: Sequence[int] = ()) -> Solution:
    """Solve a game by CFR+.

    Args:
        measure: of the tree.
        iterations: number of iterations.
        points: iterations after which NashConv is measured, in addition to the last.
    """
    solver = pyspiel.CFRPlusSolver(measure.game)
    curve = []
    for done in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if done in points or done == iterations:
            average = table_of(measure.tree, solver.tabular_average_policy())
            curve.append((done, measure.nash_conv(average)))
    return Solution(curve, measure.values(average), average)


@dataclass(frozen=True)
class Solution:
    """The result of CFR+.

    Attributes:
        curve: pairs of an iteration and the NashConv of the average policy after it.
        values: expected payoff of each player under the final average policy.
        policy: the final average policy.
    """

    curve: list[tuple[int, float]]
    values: list[float]
    policy: dict[str, list[float]]


def table_of(tree: Tree, policy: Any) -> dict[str, list[float]]:
    """The probabilities of a tabular policy of OpenSpiel, by information state string."""
    table = policy.policy_table()
    return {name: [p for _, p in sorted(table[each.key])] for name, each in tree.sets.items()}


class Average:
    """The average of policies: equivalent to playing one of them, drawn before the game.

    Args:
        tree: the tree of the game.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.sums = {name: np.zeros(len(each.legal)) for name, each in tree.sets.items()}

    def add(self, policy: Mapping[str, Sequence[float]]) -> None:
        """Add a policy, weighted in each information set by the mover's own reach probability."""
        reach: dict[str, float] = {}
        for name, each in self.tree.sets.items():  # a set comes after the mover's previous one
            before = each.before
            reach[name] = reach[before[0]] * policy[before[0]][before[1]] if before else 1.0
            self.sums[name] += reach[name] * np.asarray(policy[name])

    def policy(self) -> dict[str, list[float]]:
        """Probabilities by information state string; uniform in sets that no policy reaches."""
        return {
            name: (each / each.sum() if each.sum() > 0 else np.full(len(each), 1 / len(each))).tolist()
            for name, each in self.sums.items()
        }
