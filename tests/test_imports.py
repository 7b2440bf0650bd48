"""What `import polytrix` brings along, in an interpreter of its own."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

import polytrix
from tests.commands import run

EXTRAS = (
    "torch", "stable_baselines3", "sb3_contrib", "pygame", "typer", "rich", "prompt_toolkit", "tensorboard",
    "matplotlib", "tqdm", "ray", "starlette", "uvicorn", "websockets", "textarena", "openenv", "verifiers",
    "transformers", "mcp",
)  # fmt: skip
LATER = ("numba", "llvmlite", "resvg_py", "PIL")
"""Dependencies that only those need who play or draw."""


def fresh(code: str) -> Any:
    """What `code`, run in a fresh interpreter, leaves in `result`."""
    script = f"import json, sys, time\n{code}\nprint(json.dumps(result))"
    return json.loads(run(sys.executable, "-c", script).stdout)


def test_the_import_is_light() -> None:
    loaded = fresh("import polytrix; result = sorted(sys.modules)")
    heavy = {name.split(".")[0] for name in loaded} & {*EXTRAS, *LATER}
    assert not heavy


@pytest.mark.parametrize("module", ["polytrix.quatrix_v0", "polytrix.core.simulator", "polytrix.registration"])
def test_every_door_leads_to_the_registered_games(module: str) -> None:
    ids = fresh(f"import {module}, gymnasium; result = [i for i in gymnasium.registry if 'polytrix' in i]")
    assert ids == [game.id for game in polytrix.all_games()]
