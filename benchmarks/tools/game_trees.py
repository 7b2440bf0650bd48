"""Writes the whole tree of a small game in Gambit's format, which OpenSpiel loads as a C++ game.

Python games are slow for algorithms that visit every node thousands of times. The loaded game has the same
nodes, chance probabilities, information sets and payoffs. An action's number in it is its place among the legal
ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pyspiel

from polytrix.api.openspiel.game import PolytrixState


@dataclass
class Tree:
    """A game's tree, with its information sets and sizes.

    Attributes:
        lines: the tree in Gambit's format.
        sets: number of each information set among its player's, from 1, by information state string.
        chance, decisions, ends: number of nodes of each kind.
        positions: the distinct positions.
        most_decisions, most_events: maximum number of decisions in a game, and of decisions and chance events.
    """

    lines: list[str]
    sets: dict[str, int] = field(default_factory=dict)
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
    waiting: list[tuple[PolytrixState, int, int]] = [(game.new_initial_state(), 0, 0)]
    while waiting:
        state, decisions, events = waiting.pop()
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
            following = [outcome for outcome, _ in outcomes]
        else:
            tree.decisions += 1
            decisions += 1
            player, following = state.current_player(), state.legal_actions()
            name = state.information_state_string()
            if name not in tree.sets:
                counts[player] += 1
                tree.sets[name] = counts[player]
            labels = " ".join(f'"{i}"' for i in range(len(following)))
            tree.lines.append(f'p "" {player + 1} {tree.sets[name]} "" {{ {labels} }} 0')
        waiting.extend((state.child(each), decisions, events + 1) for each in reversed(following))
    return tree
