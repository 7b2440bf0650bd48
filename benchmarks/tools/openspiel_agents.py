"""OpenSpiel's own agents as learners for `learning_curves.py`. They play OpenSpiel's version of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from game_trees import Tree
from learning_curves import Policies, Table
from open_spiel.python import rl_environment


def policies(
    theirs: Any,
    ours: Any,
    tree: Tree,
    decisions: int,
    points: int,
    seed: int,
    agent_of: Callable[[int, int, int], Any],
) -> Policies:
    """Let agents learn by playing each other, as OpenSpiel's examples do.

    Args:
        theirs: a game of OpenSpiel, which is played.
        ours: the same game from polytrix, with the same tree.
        tree: the tree of ours.
        decisions: how many the agents make together.
        points: number of policies to look at.
        seed: random seed.
        agent_of: makes an agent of its player, the size of an information state, and the number of actions.
    """
    torch.manual_seed(seed)
    np.random.seed(seed)  # OpenSpiel's agents draw from it
    environment = rl_environment.Environment(theirs)
    environment.seed(seed)
    size, actions = environment.observation_spec()["info_state"][0], environment.action_spec()["num_actions"]
    agents = [agent_of(player, size, actions) for player in range(theirs.num_players())]
    states = matching(ours, theirs)
    done = shown = 0
    yield done, table_of(agents, states, tree)
    while done < decisions:
        step = environment.reset()
        while not step.last():
            step = environment.step([agents[step.current_player()].step(step).action])
            done += 1
        for agent in agents:
            agent.step(step)
        if (done - shown) * points >= decisions or done >= decisions:
            shown = done
            yield done, table_of(agents, states, tree)


def matching(ours: Any, theirs: Any) -> dict[str, Any]:
    """Walk two games with the same tree: by information state string of ours a state of theirs."""
    found: dict[str, Any] = {}
    waiting = [(ours.new_initial_state(), theirs.new_initial_state())]
    while waiting:
        our, their = waiting.pop()
        if not our.is_chance_node() and not our.is_terminal():
            found.setdefault(our.information_state_string(), their)
        branches = zip(our.legal_actions(), their.legal_actions(), strict=True)
        waiting += [(our.child(one), their.child(other)) for one, other in branches]
    return found


def table_of(agents: Sequence[Any], states: dict[str, Any], tree: Tree) -> Table:
    """The agents' probabilities in each information set of our tree."""
    table = {}
    for name in tree.sets:
        state = states[name]
        player, legal = state.current_player(), state.legal_actions()
        observations = {
            "info_state": [state.information_state_tensor(each) for each in range(len(agents))],
            "legal_actions": [legal] * len(agents),
            "current_player": player,
        }
        step = rl_environment.TimeStep(observations, None, None, rl_environment.StepType.MID)
        table[name] = [float(p) for p in agents[player].step(step, is_evaluation=True).probs[legal]]
    return table
