"""What the searches choose, how often they try each action and what they expect of it, as recorded.

After an intended change of a search, of rules or of observations, write the file anew and read the diff:

    python -m tests.agents.test_golden_choices
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix import all_games
from polytrix.agents import GuidedSearchPolicy, SearchPolicy
from polytrix.agents.guided import compile_nets
from polytrix.agents.search import Desk
from polytrix.core.compile.compiler import Mode
from polytrix.core.drivers import GREEDY
from polytrix.core.game import Game
from polytrix.core.search.teaching import Lesson, Lessons
from polytrix.core.search.tree import Plan
from polytrix.core.simulator import Simulator
from tests.networks import some_network
from tests.searching import searched as with_search
from tests.toys import SECRET

GAMES = [*all_games(), SECRET]
STEPS = 1, 9, 30
"""Random decisions before the positions, with hidden actions of other seats in the games that have them."""

GOLDEN = Path(__file__).parents[1] / "golden" / "choices.json"


def found_in(game: Game) -> list[dict[str, Any]]:
    """What all searches find at some positions of a game."""
    found = []
    for players in sorted({*game.player_counts} & {2, 4}):
        for sim in positions(game, players):
            at = {"players": players, "decisions": int(sim.states["decisions"][0])}
            found += [at | {"search": policy.name} | searched(policy, sim) for policy in searches(game)]
            found.append(at | {"search": "teach"} | taught(game, sim))
    return found


def positions(game: Game, players: int) -> Iterator[Simulator]:
    """A game after some random decisions; another one begins when it ends."""
    options = {"players": players} if len(game.player_counts) > 1 else {}
    sim, rng = Simulator(game, 1, options, seed=6), np.random.default_rng(2)
    played = 0
    for steps in STEPS:
        while played < steps or sim.num_legal[0] == 1:
            play_randomly(sim, rng)
            played += 1
        yield sim


def play_randomly(sim: Simulator, rng: np.random.Generator) -> None:
    sim.step([int(rng.choice(sim.legal_ids[0, : sim.num_legal[0]]))])
    sim.restart(np.flatnonzero(sim.over))


def searches(game: Game) -> Iterator[SearchPolicy | GuidedSearchPolicy]:
    network, opponent = some_network(game), some_network(game, (9,), "tanh", seed=2)
    opponent.name = "opponent"
    yield SearchPolicy(game, 40)
    yield SearchPolicy(game, 40, rollout="random", exploration=1.5, trees=2)
    yield GuidedSearchPolicy(game, network, 40)
    yield GuidedSearchPolicy(game, network, 40, others=opponent, considered=5)
    believing = network if game.hidden_action is None else some_network(game, beliefs=(9,))
    settings: Any = {"considered": 0, "reduction": 0.2, "temperature": 8.0, "trees": 2}
    yield GuidedSearchPolicy(game, believing, 40, others="search", **settings)


def searched(policy: SearchPolicy | GuidedSearchPolicy, sim: Simulator) -> dict[str, Any]:
    """What a search chooses, and why."""
    action = int(policy.choose(sim.states, np.random.default_rng(3))[0])
    reasons = policy.reasons_at(sim.states, np.random.default_rng(3))
    tried = np.flatnonzero(reasons["visits"][0])
    return {
        "action": action,
        "simulated": policy.decisions,
        "tried": tried.tolist(),
        "visits": reasons["visits"][0, tried].astype(int).tolist(),
        "values": [str(value) for value in reasons["value"][0, tried]],  # all bits
    }


def taught(game: Game, sim: Simulator) -> dict[str, Any]:
    """What a search teaches a network, in plain Python, as other tests compile `teach` for one game only."""
    nets = compile_nets(game, some_network(game))
    desk = Desk(game, 9, nets, Mode.PLAIN)
    plan, lesson = Plan(0.7, temperature=2.0, others=GREEDY), Lesson(20.0, 3.0)
    found = Lessons(np.zeros((1, game.max_legal), np.float32), np.zeros(1, np.float32), np.zeros(1, np.int64))
    desk.run.teach(
        sim.states, np.array([4], np.uint64), np.array([9]), plan, lesson, nets,
        desk.tree, desk.scratch, found,
    )  # fmt: skip
    probable = np.sort(np.argsort(-found.policy[0], kind="stable")[:5])
    return {
        "action": int(found.action[0]),
        "value": str(found.value[0]),
        "probable": probable.tolist(),
        "policy": [str(each) for each in found.policy[0, probable]],
    }


@pytest.mark.parametrize("game", [*map(with_search, GAMES)])
def test_the_searches_choose_what_is_recorded(game: Game) -> None:
    assert found_in(game) == json.loads(GOLDEN.read_text(encoding="utf-8"))[game.name]


if __name__ == "__main__":
    of_games = (f'"{game.name}": [\n' + ",\n".join(map(json.dumps, found_in(game))) + "\n]" for game in GAMES)
    GOLDEN.write_text("{\n" + ",\n".join(of_games) + "\n}\n", encoding="utf-8")
