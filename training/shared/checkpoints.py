"""Checkpoints of a run: the last one, and the one before it in case the last is damaged."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from polytrix.agents.checkpoint import read_checkpoint, write_checkpoint
from polytrix.core.errors import CheckpointError
from polytrix.core.files import UNFINISHED


class Checkpoints:
    """The checkpoints in a run's folder.

    Args:
        folder: folder of the run.

    Attributes:
        last: file of the last checkpoint.
        before: file of the checkpoint before it.
    """

    def __init__(self, folder: Path) -> None:
        self.last = folder / "checkpoint.polytrix"
        self.before = folder / "checkpoint.before.polytrix"
        self._whole = False  # whether the last checkpoint is known to be intact

    def write(self, state: Mapping[str, Any]) -> None:
        """Write the state of a run. After a crash or a power failure there is still an intact checkpoint.

        Raises:
            SystemExit: the file cannot be written, for example on a full disk. Existing ones are kept.
        """
        for left in self.last.parent.glob(f"checkpoint.*{UNFINISHED}"):  # from a run that was killed
            left.unlink(missing_ok=True)
        new = self.last.with_suffix(".new")
        try:
            write_checkpoint(new, state)
            if self._whole:
                os.replace(self.last, self.before)
            os.replace(new, self.last)
        except OSError as error:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            kept = (
                "the last one is kept; the same command continues from it" if self._whole else "there is none"
            )
            raise SystemExit(
                f"a checkpoint cannot be written to {self.last} ({error.strerror}): {kept}"
            ) from None
        self._whole = True

    def read(self, settings: Mapping[str, Any]) -> tuple[dict[str, Any], str] | None:
        """The last intact state, if its entry `settings` equals these settings.

        Returns:
            The state, and a warning if it is not the last one ("" otherwise); None if there is no checkpoint.

        Raises:
            SystemExit: no checkpoint is intact, or the run has other settings.
        """
        if not self.last.exists() and not self.before.exists():
            self._refuse_old_format()
            return None
        problem = f"{self.last} is missing"
        for path in (self.last, self.before):
            if not path.exists():
                continue
            try:
                state = read_checkpoint(path)
            except CheckpointError as error:
                problem = str(error)
                continue
            self._whole = path == self.last
            self._compare(state.get("settings"), settings)
            return state, "" if self._whole else f"{problem}; going on from the one before it"
        raise SystemExit(f"{problem}. Delete it, or start again with --restart.")

    def _compare(self, saved: Any, settings: Mapping[str, Any]) -> None:
        if not isinstance(saved, dict):
            raise SystemExit(f"{self.last} is no checkpoint of a run. Delete it or start again with --restart.")
        changed = [name for name, value in settings.items() if name not in saved or saved[name] != value]
        if changed:
            raise SystemExit(
                f"{self.last.parent} has a run with other settings ({', '.join(changed)}). "
                "Use the old ones, another --out, or start again with --restart."
            )

    def _refuse_old_format(self) -> None:
        old = self.last.parent / "checkpoint.pt"
        if old.exists():
            raise SystemExit(
                f"{old} is from an earlier version, whose checkpoints could hold code; they are no longer "
                "read. Take another --out, or start again with --restart."
            )
