"""Guards games: one call at a time, and no play once they are closed."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from threading import Lock
from typing import Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from .errors import BusyError, ClosedError, PolytrixError

Keys: TypeAlias = list[None]
"""A call takes the one key on entering and gives it back on leaving; each is atomic.

It is taken by `del keys[0]` just before `try`. Python runs signal handlers after calls and jumps back only, so
Ctrl-C cannot come in between and keep the key, as it can after `keys.pop()` or `lock.acquire()`.
A `threading.Lock` in a `with` is as safe but takes three times as long, 150 ns.
"""


class Entrance:
    """Every call passes through it before it touches the games.

    A guarded method calls no other one of the same object: there is one key, also for the thread that has it.

    Attributes:
        keys: the one key, while nobody is inside. Always empty once closed.
        look: the same for calls that do not play, which are still allowed once closed.
        helpers: held by threads while they help with a call. After an interrupt they may still be at work.
    """

    __slots__ = ("helpers", "keys", "look")

    def __init__(self, helpers: int = 0) -> None:
        self.keys: Keys = [None]
        self.look = self.keys
        self.helpers = [Lock() for _ in range(helpers)]

    def __reduce__(self) -> tuple[type[Entrance], tuple[int]]:
        """A copy of an object is open, and nobody is inside."""
        return type(self), (len(self.helpers),)

    def close(self) -> None:
        """Refuse to play from now on. A call in progress completes."""
        self.keys = []

    def refusal(self, keys: Keys) -> PolytrixError:
        """The error for a call that found no key in `keys`."""
        if keys is not self.look:
            return ClosedError("this was closed, and plays no more; make a new simulator or environment")
        return BusyError(
            "another call is in progress here, of another thread, or the one that a signal handler or policy "
            "has interrupted; give each thread a simulator or environment of its own"
        )

    def wait_for_helpers(self) -> None:
        """Wait for the threads that an interrupted call has left at work."""
        for helper in self.helpers:
            with helper:
                pass


class Guarded(Protocol):
    """Anything with guarded methods."""

    @property
    def entrance(self) -> Entrance: ...


_Self = TypeVar("_Self", bound=Guarded)
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def _guarded(
    keys_of: Callable[[Entrance], Keys], method: Callable[Concatenate[_Self, _Arguments], _Result]
) -> Callable[Concatenate[_Self, _Arguments], _Result]:
    """Put a method behind the entrance of its object."""

    @wraps(method)
    def guarded(self: _Self, /, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        entrance = self.entrance
        keys = keys_of(entrance)
        try:
            del keys[0]
        except IndexError:
            raise entrance.refusal(keys) from None
        try:
            if entrance.helpers:
                entrance.wait_for_helpers()
            return method(self, *args, **kwargs)
        finally:
            keys.append(None)

    return guarded


def plays(
    method: Callable[Concatenate[_Self, _Arguments], _Result],
) -> Callable[Concatenate[_Self, _Arguments], _Result]:
    """Guard a method that plays: one call at a time, and refused once closed."""
    return _guarded(attrgetter("keys"), method)


def looks(
    method: Callable[Concatenate[_Self, _Arguments], _Result],
) -> Callable[Concatenate[_Self, _Arguments], _Result]:
    """Guard a method that does not play: one call at a time, and allowed once closed."""
    return _guarded(attrgetter("look"), method)
