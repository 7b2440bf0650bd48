"""Every API accepts data files as well as game options."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import polytrix
from polytrix.api.aec import AECGame
from polytrix.api.single import SingleEnv
from polytrix.api.vector import VectorEnv
from polytrix.core import catalogue
from tests.stones import BIG, LIGHTS, MANY, STONES

APIS: list[Callable[..., Any]] = [AECGame, SingleEnv, lambda game, **given: VectorEnv(game, 2, **given)]


@pytest.fixture(autouse=True)
def _registered(in_plain_python: None) -> Iterator[None]:
    """Stones in all registries."""
    polytrix.register(STONES)
    yield
    del catalogue._GAMES[STONES.id]
    del gymnasium.registry[STONES.id]
    if hasattr(pettingzoo, "aec_registry"):
        del pettingzoo.aec_registry[STONES.id]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Paths of files with different steps and prizes."""
    (tmp_path / "steps.json").write_text(json.dumps(BIG))
    (tmp_path / "prizes.json").write_text(json.dumps(MANY))
    return {name: str(tmp_path / f"{name}.json") for name in ("steps", "prizes")}


@pytest.mark.parametrize("api", APIS)
def test_apis_take_paths_and_contents(api: Callable[..., Any], files: dict[str, str]) -> None:
    changed = STONES.with_data(steps=BIG, prizes=MANY)
    for game in ("stones", STONES):
        for given in (files, {"steps": BIG, "prizes": MANY}):
            env = api(game, top=4, **given)
            assert env.game is changed
    assert api("stones").game is STONES
    assert api(changed).game is changed
    assert api(STONES.with_data(steps=BIG), prizes=MANY).game is changed


def test_aec_plays_by_the_file(files: dict[str, str]) -> None:
    env = AECGame("stones", doubling=False, **files)
    env.reset(seed=1)
    assert env.format_action(0) == "a+3"
    env.step(0)
    observation = env.last()[0]
    assert observation is not None and observation["observation"][LIGHTS:].tolist() == [1, 1, 1, 0]
    assert env.observation_space("player_0")["observation"].shape == (LIGHTS + 4,)  # type: ignore[index]
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        twin.step(0)
        assert twin.game is env.game and twin.record.pile == 6


def test_gymnasium_make_and_its_spec(files: dict[str, str]) -> None:
    env = gymnasium.make(STONES.id, seat=0, doubling=False, **files)
    for made in (env, gymnasium.make(env.spec), gymnasium.make(pickle.loads(pickle.dumps(env.spec)))):  # type: ignore[arg-type]
        made.reset(seed=1)
        observation, *_ = made.step(0)
        assert observation.shape == (LIGHTS + 4,) and observation[LIGHTS:].all()  # 3, and 3 of the opponent
    assert json.loads(env.spec.to_json())["kwargs"]["steps"] == files["steps"]  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync", "async"])
def test_gymnasium_make_vec(mode: str, files: dict[str, str]) -> None:
    envs = gymnasium.make_vec(STONES.id, num_envs=2, vectorization_mode=mode, seat=0, doubling=False, **files)
    envs.reset(seed=1)
    observation, *_ = envs.step(np.zeros(2, np.int64))
    assert observation.shape == (2, LIGHTS + 4) and observation[:, LIGHTS:].all()
    envs.close()


def test_stable_baselines(files: dict[str, str]) -> None:
    sb3 = pytest.importorskip("polytrix.api.sb3", reason="needs the extra 'sb3'", exc_type=ImportError)
    env = sb3.SelfPlayVecEnv("stones", 2, opponents=["random"], seed=1, top=4, **files)
    assert env.game is STONES.with_data(steps=BIG, prizes=MANY) is env.batch.game
    assert env.reset().shape == (2, LIGHTS + 4) == (2, *env.observation_space.shape)
