"""The hyper-parameters for RL Baselines3 Zoo: its keys, our own figures, and a start of learning."""

from __future__ import annotations

import importlib
import sys
from dataclasses import asdict
from inspect import signature
from typing import Any

import pytest
import yaml

import polytrix
from polytrix.core.game import Game

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytest.importorskip("sb3_contrib", reason="needs the extra 'sb3'")

from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn

from polytrix.training.sb3_ppo import CLIP_RANGE, MAX_GRAD_NORM, VALUE_WEIGHT, read_settings
from tests.every_game import every_game
from tests.pages import ROOT

SETTINGS = ROOT / "training" / "settings"
FILE = SETTINGS / "rl_zoo3" / "ppo_mask.yml"
ENTRIES: dict[str, dict[str, Any]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
OF_THE_ZOO = {"n_timesteps", "n_envs", "env_kwargs"}
"""Keys that the Zoo reads itself; it passes the others on to the algorithm."""


def test_there_is_an_entry_for_every_game_and_one_for_others() -> None:
    assert ENTRIES.keys() == {"default", *(game.id for game in polytrix.all_games())}


@pytest.mark.parametrize("name", ENTRIES)
def test_every_key_is_known(name: str) -> None:
    assert ENTRIES[name].keys() - OF_THE_ZOO <= signature(MaskablePPO).parameters.keys()


@every_game
def test_the_figures_are_those_of_our_own_settings(game: Game) -> None:
    entry = ENTRIES[game.id]
    own = tomllib.loads((SETTINGS / "sb3_ppo" / f"{game.name}.toml").read_text(encoding="utf-8"))
    settings = {
        **asdict(read_settings([game.name])),
        "clip_range": CLIP_RANGE,
        "value_weight": VALUE_WEIGHT,
        "max_grad_norm": MAX_GRAD_NORM,
        "options": own["options"],
    }
    same = {
        "batch_size": "batch_size",
        "n_epochs": "epochs",
        "gamma": "gamma",
        "gae_lambda": "gae_lambda",
        "clip_range": "clip_range",
        "ent_coef": "entropy",
        "vf_coef": "value_weight",
        "max_grad_norm": "max_grad_norm",
    }
    assert {key: entry[key] for key in same} == {key: settings[name] for key, name in same.items()}
    assert entry["n_envs"] * entry["n_steps"] == settings["num_envs"] * settings["num_steps"]
    assert float(entry["learning_rate"].removeprefix("lin_")) == settings["learning_rate"]
    arguments = dict(entry["env_kwargs"])
    assert arguments.pop("opponent") in ("random", "greedy") and arguments.pop("seat") == "rotate"
    assert arguments == {"shaping": settings["shaping"], **settings["options"]}


@pytest.mark.slow
@every_game
def test_learning_starts(game: Game) -> None:
    entry = dict(ENTRIES[game.id])
    arguments = {key: value for key, value in entry.items() if key not in OF_THE_ZOO}
    arguments["policy_kwargs"] = eval(
        entry["policy_kwargs"], {"nn": nn, "importlib": importlib}
    )  # as the Zoo does
    arguments["learning_rate"] = float(entry["learning_rate"].removeprefix("lin_"))
    arguments |= {"n_steps": 16, "batch_size": 32}
    env = make_vec_env(game.id, n_envs=2, env_kwargs=entry["env_kwargs"], vec_env_cls=DummyVecEnv)
    model = MaskablePPO(env=env, **arguments)
    before = [weights.clone() for weights in model.policy.parameters()]
    model.learn(32)
    assert model.num_timesteps == 32
    assert any((old != new).any() for old, new in zip(before, model.policy.parameters(), strict=True))
