"""The errors that users may meet. Each says what was given, what is allowed and how to fix it."""

from __future__ import annotations

from .terminal import printable


class PolytrixError(Exception):
    """Base of all errors of this package. They may cite files and answers, but print no control characters."""

    def __str__(self) -> str:
        return printable(Exception.__str__(self))


class OptionError(PolytrixError, ValueError):
    """An unknown option, or a value that an option does not allow."""


class DataError(PolytrixError, ValueError):
    """A data file that cannot be read, or whose content is invalid for the game."""


class IllegalActionError(PolytrixError, ValueError):
    """An action that is illegal in the position. The state is unchanged."""


class GameOverError(PolytrixError, RuntimeError):
    """A step in a game that is over or has not begun."""


class ClosedError(PolytrixError, RuntimeError):
    """A call that plays, after `close`. Nothing has been changed."""


class BusyError(PolytrixError, RuntimeError):
    """A call from a second thread during another call. Nothing has been changed."""


class SnapshotError(PolytrixError, ValueError):
    """Bytes that are no snapshot, are damaged, or of another game or version; or a forged game.

    Attributes:
        row: of the forged game, if the error is about one among several.
    """

    row: int | None = None


class TranscriptError(PolytrixError, ValueError):
    """A transcript that cannot be read, or does not replay."""


class NotationError(PolytrixError, ValueError):
    """Text that names no legal action."""


class PolicyError(PolytrixError, ValueError):
    """A policy that cannot be found, loaded or used in this game."""


class ForfeitError(PolicyError):
    """A policy that has named no legal move, and so loses the game."""


class CheckpointError(PolytrixError, ValueError):
    """A training checkpoint that cannot be read, or a state that cannot be written to one."""


class MissingExtraError(PolytrixError, ImportError):
    """A feature whose optional dependencies are not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an optional extra: pip install 'polytrix[{extra}]'")
