"""Arguments that are not allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polytrix.api.aec import AECGame
from polytrix.api.single import SingleEnv
from polytrix.api.vector import VectorEnv
from polytrix.core.errors import OptionError, PolicyError
from tests.toys import SECRET

EVERYWHERE = [
    ("tpo", 4, "Did you mean 'top'"),
    ("rendermode", 1, "Did you mean 'render_mode'"),
    ("top", 99, "option 'top' is 99; allowed: "),
    ("render_mode", "svg", r"render_mode is 'svg'; allowed: None, 'ansi', 'rgb_array'"),
    ("illegal_action", "ignore", "allowed: 'forfeit' or 'raise'"),
    ("shaping", 1.0, "secret-v0 has no potential"),
    ("shaping", -1, "shaping is -1; allowed: a number from 0"),
    ("shaping", float("nan"), "shaping is nan"),
    ("shaping", "much", "shaping is 'much'"),
    ("gamma", 1.5, "allowed: a number from 0 to 1"),
    ("gamma", True, "gamma is True"),
    *(
        ("dtype", dtype, r"^dtype is .*; allowed: 'int8' or 'float32'$")
        for dtype in ("float64", "int16", "Float32", np.float32, np.dtype("float32"), None, 1, np.zeros(2))
    ),
]


@pytest.mark.parametrize("api", [AECGame, SingleEnv, VectorEnv])
@pytest.mark.parametrize(("name", "value", "message"), EVERYWHERE)
def test_no_api_allows_them(api: Callable[..., Any], name: str, value: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        api(SECRET, **{name: value})


@pytest.mark.parametrize(
    ("api", "name", "value", "message"),
    [
        (AECGame, "flatten", 1, "flatten is 1; allowed: True or False"),
        (AECGame, "flatten", None, "flatten is None; allowed: True or False"),
        (SingleEnv, "opponent", "gredy", "'random', 'greedy'"),
        (SingleEnv, "opponent", ["random", "greedy"], "1 other seats"),
        (SingleEnv, "oponent", 1, "Did you mean 'opponent'"),
        (SingleEnv, "seat", 2, r"allowed: 0\.\.1, 'random' or 'rotate'"),
        (VectorEnv, "autoreset_mode", "later", "AutoresetMode.NEXT_STEP or 'NextStep'"),
        (VectorEnv, "render_mode", "human", "'ansi', 'rgb_array'"),
        (VectorEnv, "seats", 1, "unknown option 'seats'"),
        (VectorEnv, "num_env", 1, "Did you mean 'num_envs'"),
        (VectorEnv, "threads", 1, "Did you mean 'num_threads'"),
    ],
)
def test_an_api_does_not_allow_them(api: Callable[..., Any], name: str, value: Any, message: str) -> None:
    with pytest.raises((OptionError, PolicyError), match=message):
        api(SECRET, **{name: value})
