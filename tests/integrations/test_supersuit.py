"""SuperSuit's wrappers around the PettingZoo environments: which of them work, with and without `flatten`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

pytest.importorskip("supersuit", reason="needs the extra supersuit: make test-integrations")
# Not imported by its name: the module answers `hasattr` with an ImportError, at which doctest gives up.

from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from supersuit import (
    concat_vec_envs_v1,
    pettingzoo_env_to_vec_env_v1,
)

from polytrix import quatrix_v0
from polytrix.core.errors import IllegalActionError
from tests.pages import ROOT

from .examples import command_of, run_example, run_python_of

PAGE = (ROOT / "docs" / "supersuit.md").read_text(encoding="utf-8")

WRAPPERS: dict[str, tuple[Any, ...]] = {
    "agent_indicator_v0": (),
    "clip_reward_v0": (),
    "reward_lambda_v0": (lambda reward: 2 * reward,),
    "action_lambda_v1": (lambda action, space: action, lambda space: space),
    "pad_action_space_v0": (),
    "nan_noop_v0": (0,),
    "nan_random_v0": (),
    "nan_zeros_v0": (),
    "observation_lambda_v0": (lambda observation, space: observation, lambda space: space),
    "delay_observations_v0": (2,),
    "dtype_v0": (np.float32,),
    "flatten_v0": (),
    "frame_stack_v1": (3,),
    "frame_stack_v2": (3,),
    "max_observation_v0": (2,),
    "normalize_obs_v0": (),
    "pad_observations_v0": (),
    "reshape_v0": ((577, 1),),
    "clip_actions_v0": (),
    "scale_actions_v0": (1.0,),
    "color_reduction_v0": (),
    "resize_v1": (8, 8),
    "black_death_v3": (),
    "frame_skip_v0": (2,),
    "sticky_actions_v0": (0.3,),
}
"""Every wrapper of PettingZoo's AEC environments, with the arguments tried."""


def outcome(name: str, flatten: bool) -> str:
    """What happens in a short game in which every action is legal: "yes", "no", or a trouble of the masks."""
    make: Callable[..., Any] = getattr(import_module("supersuit"), name)
    arguments = {"flatten": flatten, "max_decisions": 30, "dtype": "float32"}
    plain = quatrix_v0.raw_env(**arguments)
    plain.reset(seed=1)
    try:
        env = make(quatrix_v0.raw_env(**arguments), *WRAPPERS[name])
        env.reset(seed=1)
        for _ in range(30):
            observation, _, _, _, info = env.last()
            mask = info.get("action_mask", ()) if flatten else observation["action_mask"]
            legal = plain.legal_actions()
            if np.flatnonzero(mask).tolist() != legal:
                return "wrong masks"
            env.step(legal[-1])
            plain.step(legal[-1])
    except IllegalActionError:
        return "illegal actions"
    except (AssertionError, AttributeError, IndexError, TypeError):
        return "no"
    return "yes"


def told(name: str) -> list[str]:
    """What the page's table says about a wrapper: as it is, with `flatten`."""
    (row,) = (line for line in PAGE.splitlines() if line.startswith("|") and f"`{name}`" in line.split("|")[1])
    return [cell.strip() for cell in row.split("|")[2:4]]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", WRAPPERS)
def test_the_page_says_what_happens(name: str) -> None:
    assert [outcome(name, flatten) for flatten in (False, True)] == told(name)


def test_vectors_of_a_parallel_environment_pay_every_seat() -> None:
    parallel = turn_based_aec_to_parallel(quatrix_v0.raw_env(flatten=True, max_decisions=20))
    envs = concat_vec_envs_v1(pettingzoo_env_to_vec_env_v1(parallel), 2, base_class="gymnasium")
    observation, infos = envs.reset(seed=1)
    assert observation.shape == (4, 577)
    for step in range(20):
        actions = [int(info["action_mask"].argmax()) for info in infos]
        observation, _, _, truncated, infos = envs.step(np.array(actions))
        assert (truncated == (step == 19)).all()


def test_the_page_runs() -> None:
    observation = run_python_of("supersuit.md")["observation"]
    assert observation.shape == (2308,)  # type: ignore[attr-defined]


def test_the_example_runs() -> None:
    output = run_example("supersuit_quatrix.py", *command_of("supersuit.md", "supersuit_quatrix.py"))
    assert output.count("(2308,) float32") == 2 * 3
