"""The state of a run in a file: whole or not at all, and refused if it does not fit."""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch


def write(path: Path, state: Mapping[str, Any]) -> None:
    """Write a state; a crash leaves the old file or the new one, never half."""
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, path)


def read(path: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    """What `write` has written, with `settings` under that name.

    Raises:
        SystemExit: a damaged file, or a run with other settings.
    """
    try:
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=False)
        saved = state["settings"]
    except (OSError, EOFError, RuntimeError, KeyError, pickle.UnpicklingError) as error:
        raise SystemExit(f"{path} is damaged ({error}). Delete it, or begin anew with --restart.") from None
    changed = [name for name, value in settings.items() if saved.get(name) != value]
    if changed:
        raise SystemExit(
            f"{path.parent} holds a run with other settings ({', '.join(changed)}). "
            "Use the old ones, another --out, or begin anew with --restart."
        )
    return state
