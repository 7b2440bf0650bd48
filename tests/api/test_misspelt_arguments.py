"""Errors suggest the right name for a misspelt argument, which APIs pass on to the game as an option."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from polytrix.api.aec import AECGame
from polytrix.api.single import SingleEnv
from polytrix.api.vector import VectorEnv
from polytrix.core.errors import OptionError


@pytest.mark.parametrize(
    ("api", "given", "meant"),
    [
        (SingleEnv, "oponent", "opponent"),
        (SingleEnv, "illegal_actions", "illegal_action"),
        (VectorEnv, "oponent", "opponent"),
        (VectorEnv, "num_env", "num_envs"),
        (VectorEnv, "threads", "num_threads"),
        (AECGame, "rendermode", "render_mode"),
        (AECGame, "finish_dept", "finish_depth"),
    ],
)
def test_what_was_meant_is_suggested(api: Callable[..., Any], given: str, meant: str) -> None:
    with pytest.raises(OptionError, match=rf"unknown option '{given}'\. .* Did you mean '{meant}'\?"):
        api("quatrix", **{given: 1})


def test_selfplay_of_stable_baselines3() -> None:
    sb3 = pytest.importorskip("polytrix.api.sb3")
    with pytest.raises(OptionError, match="Did you mean 'opponents'"):
        sb3.SelfPlayVecEnv("quatrix", 2, opponent=["greedy"])
