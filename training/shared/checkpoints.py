"""The checkpoint of a run.

A checkpoint that is whole may still be forged, or of another run. `check_like` compares it with a state of the
run that continues before anything is taken from it: PyTorch's optimisers do not compare shapes, and write where
they expect them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch

from polytrix.agents.checkpoint import read_checkpoint, write_checkpoint
from polytrix.core.errors import CheckpointError, PolytrixError
from polytrix.core.files import UNFINISHED
from polytrix.core.game import Game
from polytrix.core.lock import FileLock

LOCK = "run.lock"
"""The file in a run's folder that says which process works there."""


class Checkpoints:
    """The checkpoint in a run's folder, the last one.

    The folder is locked until `close`, or until the process ends.

    Args:
        folder: folder of the run, created if missing.

    Attributes:
        file: the checkpoint.

    Raises:
        SystemExit: another process has locked the folder.
        OSError: it cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            self._lock = FileLock(folder / LOCK)
        except BlockingIOError as error:
            raise SystemExit(
                f"{folder} is in use by {error.strerror}: wait until that is done, or use another folder"
            ) from None
        self.file = folder / "checkpoint.polytrix"

    def close(self) -> None:
        """Let others use the folder."""
        self._lock.release()

    def write(self, state: Mapping[str, Any]) -> None:
        """Write the state of a run. After a crash or a power failure there is this one or the one before.

        Raises:
            OSError: the file cannot be written, for example on a full disk. The existing one is kept.
        """
        for left in self.file.parent.glob(f"{self.file.name}.*{UNFINISHED}"):  # from a run that was killed
            left.unlink(missing_ok=True)
        write_checkpoint(self.file, state)

    def read(self, settings: Mapping[str, Any]) -> dict[str, Any] | None:
        """The state, if its entry `settings` equals these settings; None if there is no checkpoint.

        Raises:
            SystemExit: the checkpoint is damaged, or the run has other settings.
        """
        if not self.file.exists():
            return None
        try:
            state = read_checkpoint(self.file)
        except CheckpointError as error:
            raise SystemExit(f"{error}. Take another --out, or delete {self.file.parent}.") from None
        if not isinstance(state.get("settings"), dict):
            raise SystemExit(f"{self.file} is not a checkpoint of a run. Take another --out, or delete it.")
        check_settings(self.file.parent, state["settings"], settings)
        return state


def check_settings(folder: Path, saved: Mapping[Any, Any], settings: Mapping[str, Any]) -> None:
    """Compare the settings of the run in a folder with those of the one that is to go on there.

    Raises:
        SystemExit: they differ.
    """
    both = saved.keys() & settings.keys()
    kept = {name for name in both if same(saved[name], settings[name])}
    if changed := [str(name) for name in {**settings, **saved} if name not in kept]:
        raise SystemExit(
            f"{folder} has a run with other settings ({', '.join(changed)}). "
            "Use the old ones, take another --out, or delete the folder."
        )


NO_MATCH = (PolytrixError, LookupError, TypeError, ValueError, AttributeError, RuntimeError, ArithmeticError)
"""What is raised for a state that is not of this run, here, in NumPy and in PyTorch."""


@contextmanager
def must_match(folder: Path) -> Iterator[None]:
    """A block that takes over the state in a checkpoint.

    Raises:
        SystemExit: the block has raised one of `NO_MATCH`.
    """
    try:
        yield
    except NO_MATCH as error:
        raise SystemExit(
            f"what is in {folder} does not match this run ({error}). Take another folder, or delete this one."
        ) from None


def check_like(given: Any, expected: Any, where: str = "the state") -> None:
    """Compare a value from a checkpoint with an example of what it must be like.

    Dictionaries must have the same keys, lists and tuples the same length, tensors and arrays the same dtype
    and shape, and everything else the same type. Floats must be finite.

    Args:
        given: from the checkpoint.
        expected: the example.
        where: what it is, for errors.

    Raises:
        CheckpointError: it differs.
    """
    if isinstance(expected, Mapping):
        if not isinstance(given, dict) or given.keys() != expected.keys():
            raise CheckpointError(f"{where} is {shown(given)}; expected {shown(expected)}")
        for key, value in expected.items():
            check_like(given[key], value, f"{where}[{key!r}]")
    elif isinstance(expected, (list, tuple)):
        if type(given) is not type(expected) or len(given) != len(expected):
            raise CheckpointError(f"{where} is {shown(given)}; expected {shown(expected)}")
        for number, value in enumerate(expected):
            check_like(given[number], value, f"{where}[{number}]")
    elif isinstance(expected, (torch.Tensor, np.ndarray)):
        kind = torch.Tensor if isinstance(expected, torch.Tensor) else np.ndarray
        if not isinstance(given, kind) or given.dtype != expected.dtype or given.shape != expected.shape:
            raise CheckpointError(f"{where} is {shown(given)}; expected {shown(expected)}")
    elif type(given) is not type(expected) or (type(given) is float and not math.isfinite(given)):
        raise CheckpointError(f"{where} is {shown(given)}; expected a {type(expected).__name__}")


def same(given: Any, expected: Any) -> bool:
    """Whether a value from a checkpoint equals this plain one."""
    try:
        check_like(given, expected)
    except CheckpointError:
        return False
    return bool(given == expected)


def shown(value: Any) -> str:
    """A value in an error."""
    if isinstance(value, (torch.Tensor, np.ndarray)):
        return f"{str(value.dtype).removeprefix('torch.')} of shape {tuple(value.shape)}"
    if isinstance(value, (Mapping, list, tuple)):
        return f"a {type(value).__name__} of {len(value)} ({', '.join(map(repr, list(value)[:4])):.60})"
    return f"{value!r:.40}"


def adam_like(optimizer: torch.optim.Optimizer, given: Any) -> dict[str, Any]:
    """An example of the `state_dict` of Adam: before its first step if `given` is of then, else after it."""
    own = optimizer.state_dict()
    of_all = [each for group in optimizer.param_groups for each in group["params"]] if given["state"] else []
    own["state"] = {
        number: {"step": torch.zeros(()), "exp_avg": each, "exp_avg_sq": each}
        for number, each in enumerate(of_all)
    }
    return own


def load_adam(optimizer: torch.optim.Optimizer, given: Any) -> None:
    """Take what Adam remembers from a `state_dict` that is like `adam_like`; its settings are the run's own."""
    optimizer.load_state_dict(optimizer.state_dict() | {"state": given["state"]})


def check_decisions(game: Game, legal: Any, count: Any, place: Any = 0) -> None:
    """Check the numbers of actions in decisions: compiled code reads weights where they point.

    Args:
        game: the game.
        legal, count, place: arrays or tensors (n, L), (n,) and (n,): legal actions, their number, and the index
            of the chosen one among them.

    Raises:
        CheckpointError: an action that the game does not have, or a choice that was not legal.
    """
    legal, count, place = np.asarray(legal), np.asarray(count), np.asarray(place)
    if not ((legal >= 0) & (legal < game.actions.size)).all():
        raise CheckpointError(f"decisions have actions that are not in 0..{game.actions.size - 1}")
    if not ((place >= 0) & (place < count) & (count <= legal.shape[1])).all():
        raise CheckpointError("decisions have choices that were not legal")
