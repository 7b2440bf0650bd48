"""Learners of the training scripts without a run around them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import polytrix
from polytrix.agents.checkpoint import read_checkpoint, write_checkpoint
from polytrix.training.shared.arguments import given_options
from polytrix.training.shared.runs import Clock, go_on

L = TypeVar("L")


def learner_of(kind: Callable[..., L], settings: Any, *more: Any) -> L:
    """A learner with these settings."""
    game, options = polytrix.find(settings.game).configured(given_options(settings))
    return kind(settings, game, {**options}, Clock(), *more)


def restored(learner: Any, state: Any, folder: Path) -> Any:
    """The learner, after it has gone on from a state that was written to a file and read again."""
    folder.mkdir(exist_ok=True)
    write_checkpoint(folder / "state.polytrix", state)
    go_on(learner, read_checkpoint(folder / "state.polytrix"))
    return learner
