"""Fuzz training: a script that goes on from a forged checkpoint must refuse it in a sentence, or train on."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from polytrix.agents import load
from polytrix.agents.checkpoint import read_checkpoint, write_checkpoint
from polytrix.core.game import Game
from polytrix.core.lock import FileLock

from .commands import check_visible
from .damage import NUMBERS, other_array, put, strange
from .files import forged_bytes

SMALL = (
    "--minutes 1000 --checkpoint-seconds 0 --curve-games 2 --final-games 2 "
    "--num-envs 4 --layers 8 --batch-size 16 --options.max-decisions 40"
)
SCRIPTS = {
    "fast_ppo": "--num-steps 8 --threads 1 --share-past 0.3",
    "sb3_ppo": "--num-steps 8 --torch-threads 1",
    "expert": "--network= --num-steps 2 --threads 1 --simulations 4 --gate-simulations 4 --gate-games 2 "
    "--window 100",
}
"""Scripts that keep checkpoints in the same way, and what makes their runs small."""

STEPS = 40
"""Decisions of a run before it is stopped, and again afterwards."""


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try lets a training script go on from a forged checkpoint, to the end of its run.

    Outcomes: "refused" or "trained"; "busy" for a second run in a folder.
    """
    if find_spec("torch") is None or find_spec("sb3_contrib") is None:
        return lambda rng: "not installed"
    out = folder / "run"
    checkpoint = out / "checkpoint.polytrix"
    states: dict[str, dict[str, Any]] = {}
    for script in SCRIPTS:
        for steps in (STEPS, 2 * STEPS):  # the second one compiles what a run that goes on needs
            problem = trained(script, game, out, steps)
            assert problem is None, problem
            states.setdefault(script, read_checkpoint(checkpoint))
        shutil.rmtree(out)

    def attempt(rng: np.random.Generator) -> str:
        script = list(SCRIPTS)[rng.integers(len(SCRIPTS))]
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        write_checkpoint(checkpoint, states[script])
        if rng.random() < 0.05:
            return second(script, game, out)
        if rng.random() < 0.8:
            write_checkpoint(checkpoint, forged(states[script], rng, share=1.0))
        else:
            put(checkpoint, forged_bytes(checkpoint.read_bytes(), rng))
        problem = trained(script, game, out, 2 * STEPS)
        if problem is None:
            check_results(game, out)
        return "trained" if problem is None else "refused"

    return attempt


def trained(script: str, game: Game, out: Path, steps: int) -> str | None:
    """Begin a run, or go on with it, in this process; None, or why it was refused."""
    module = import_module(f"polytrix.training.{script}")
    try:
        with quiet(), patch.object(sys, "argv", [f"{script}.py", *arguments_of(script, game, out, steps)]):
            module.main()
    except SystemExit as error:
        refused = error.code
    except Exception as error:
        raise AssertionError(f"{script}.py raised {error!r:.300}") from error
    else:
        return None
    assert isinstance(refused, str) and refused, f"{script}.py ends with code {refused}"
    check_visible(refused)
    return refused


def arguments_of(script: str, game: Game, out: Path, steps: int) -> list[str]:
    """The arguments of a run of a script, which goes on if there is a checkpoint."""
    own = f"{SMALL} {SCRIPTS[script]}".split()
    return [game.name, "--out", str(out), "--total-steps", str(steps), *own]


@contextlib.contextmanager
def quiet() -> Any:
    """Nothing is printed meanwhile."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def second(script: str, game: Game, out: Path) -> str:
    """Begin a run in a folder in which another one is going on."""
    first = FileLock(out / "run.lock")
    try:
        assert trained(script, game, out, 2 * STEPS), "two runs train in one folder"
    finally:
        first.release()
    return "busy"


def check_results(game: Game, out: Path) -> None:
    """Assert that a run that has gone on ends with numbers that can be."""

    def no_number(name: str) -> None:
        raise AssertionError(f"result.json holds {name}")

    result = json.loads((out / "result.json").read_text(encoding="utf-8"), parse_constant=no_number)
    for name in ("steps", "training_seconds", "training_cpu_seconds"):
        assert result[name] >= 0, f"{name} is {result[name]}"
    assert all(point["steps"] >= 0 and 0 <= point["random"] <= 1 for point in result["curve"]), result["curve"]
    load(out / "policy.npz", game)


def forged(value: Any, rng: np.random.Generator, share: float = 0.95) -> Any:
    """A state with one change somewhere inside it; `share` is how often what holds the values stays."""
    if isinstance(value, (dict, list, tuple)) and value and rng.random() < share:
        places = [key for key in value if key != "settings"] if isinstance(value, dict) else range(len(value))
        place = places[rng.integers(len(places))]
        copy = dict(value) if isinstance(value, dict) else list(value)
        if rng.random() < 0.9:
            copy[place] = forged(value[place], rng)
        else:
            del copy[place]
        return tuple(copy) if isinstance(value, tuple) else copy
    if hasattr(value, "numpy"):
        import torch

        return torch.from_numpy(np.ascontiguousarray(other_array(value.numpy(), rng, NUMBERS)))
    if isinstance(value, np.ndarray):
        return other_array(value, rng, NUMBERS)
    if isinstance(value, bytes):
        return value[: rng.integers(len(value) + 1)]
    return strange(value, rng)
