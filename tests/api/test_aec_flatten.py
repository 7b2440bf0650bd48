"""`flatten=True`: observations without a dict around them, masks in the infos."""

from __future__ import annotations

import copy

import numpy as np

from polytrix.api.aec import AECGame
from tests.toys import SECRET


def test_the_parts_are_those_of_the_dict() -> None:
    env, flat = (
        AECGame("pressure_matrix", players=3, max_decisions=40, flatten=each) for each in (False, True)
    )
    for agent in env.possible_agents:
        assert flat.observation_space(agent) == env.observation_space(agent)["observation"]
    env.reset(seed=5)
    flat.reset(seed=5)
    for selected in env.agent_iter():
        assert flat.agent_selection == selected
        for agent in env.agents:
            seen = env.observe(agent)
            assert (flat.observe(agent) == seen["observation"]).all()
            assert (flat.infos[agent]["action_mask"] == seen["action_mask"]).all()
        seen, reward, terminated, truncated, _ = env.last()
        observation, *others, info = flat.last()
        assert others == [reward, terminated, truncated]
        assert observation in flat.observation_space(selected)
        assert (info["action_mask"] == seen["action_mask"]).all()
        action = None if terminated or truncated else env.legal_actions()[-1]
        env.step(action)
        flat.step(action)
    assert not flat.agents


def test_infos_are_new_objects() -> None:
    env = AECGame(SECRET, flatten=True)
    env.reset(seed=1)
    _, _, _, _, info = env.last()
    kept = info["action_mask"].copy()
    env.step(env.legal_actions()[0])
    assert (info["action_mask"] == kept).all()
    _, _, _, _, info = env.last()
    info["action_mask"][:] = 0
    assert env.legal_actions()


def test_loaded_and_copied_games_have_their_masks() -> None:
    env, other = AECGame("resistor", flatten=True), AECGame("resistor", flatten=True)
    env.reset(seed=1)
    env.step(env.legal_actions()[0])
    other.load(env.save())
    for twin in (other, copy.deepcopy(env)):
        _, _, _, _, info = twin.last()
        assert np.flatnonzero(info["action_mask"]).tolist() == env.legal_actions()
        twin.step(twin.legal_actions()[0])
        assert twin.observe(twin.agent_selection).shape == (env.game.observations.size,)
