"""Declared, validated options of a game.

Options are part of the state, so that one compiled program serves all variants and a state
tells which rules it is played by.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from .calls import did_you_mean, shown
from .errors import OptionError
from .state import MOST_DECISIONS as MOST_DECISIONS
from .state import record_dtype

Value: TypeAlias = int | str | bool


@dataclass(frozen=True)
class Choice:
    """One of a few values. Strings are stored as their index in `values`, integers as they are."""

    name: str
    values: tuple[int, ...] | tuple[str, ...]
    default: int | str
    help: str

    dtype = np.uint8

    @property
    def allowed(self) -> str:
        return "one of " + ", ".join(map(repr, self.values))

    def encode(self, value: Any) -> int:
        if isinstance(value, str):
            return self.values.index(value)  # ValueError if it is missing
        if isinstance(value, (bool, np.bool_)) or operator.index(value) not in self.values:
            raise ValueError
        return operator.index(value)

    def decode(self, stored: int) -> Value:
        return self.values[stored] if isinstance(self.default, str) else int(stored)


@dataclass(frozen=True)
class Integer:
    """A whole number in `low..high`."""

    name: str
    low: int
    high: int
    default: int
    help: str

    dtype = np.int32

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def encode(self, value: Any) -> int:
        if isinstance(value, (bool, np.bool_)):
            raise ValueError
        number = operator.index(value)  # refuses floats and text
        if not self.low <= number <= self.high:
            raise ValueError
        return number

    def decode(self, stored: int) -> Value:
        return int(stored)


@dataclass(frozen=True)
class Flag:
    """On or off."""

    name: str
    default: bool
    help: str

    dtype = np.uint8
    allowed = "True or False"

    def encode(self, value: Any) -> int:
        if not isinstance(value, (bool, np.bool_)):
            raise ValueError
        return int(value)

    def decode(self, stored: int) -> Value:
        return bool(stored)


Option: TypeAlias = Choice | Integer | Flag


class Options:
    """The options of a game, in the order of their declaration.

    Every game has `max_decisions`, the limit that truncates it; it is declared here, last.

    Args:
        *declared: the game's own options.
        max_decisions: the default limit.

    >>> options = Options(Choice("depth", (1, 2, 3), 2, "rows of the zone"))
    >>> options.validate({"depth": 3})
    {'depth': 3, 'max_decisions': 1000}
    >>> options.validate({"dept": 3})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    polytrix.core.errors.OptionError: unknown option 'dept'. ... Did you mean 'depth'?
    """

    def __init__(self, *declared: Option, max_decisions: int = 1000) -> None:
        meaning = "maximum number of decisions; the game is then truncated"
        limit = Integer("max_decisions", 1, MOST_DECISIONS, max_decisions, meaning)
        self.declared: tuple[Option, ...] = (*declared, limit)
        self.dtype: np.dtype[Any] = record_dtype([(o.name, o.dtype) for o in self.declared])

    def __repr__(self) -> str:
        return f"Options({', '.join(f'{option.name}={option.default!r}' for option in self.declared)})"

    def __iter__(self) -> Iterator[Option]:
        return iter(self.declared)

    @property
    def defaults(self) -> dict[str, Value]:
        return {option.name: option.default for option in self.declared}

    def validate(
        self, given: Mapping[str, Any], files: Sequence[str] = (), arguments: Collection[str] = ()
    ) -> dict[str, Value]:
        """The values of all options: the given ones validated, the others default.

        Args:
            given: values by name.
            files: names of data files that may be given in the same place; only for the error.
            arguments: names of other arguments that may be given there; also only for the error.

        Raises:
            OptionError: for an unknown name or a value that is not allowed.
        """
        names = [option.name for option in self.declared]
        for name in given:
            if name not in names:
                hint = did_you_mean(name, [*names, *files, *arguments])
                too = f" Data files: {', '.join(files)}." if files else ""
                raise OptionError(f"unknown option {name!r}. Options: {', '.join(names)}.{too}{hint}")
        values = {}
        for option in self.declared:
            value = given.get(option.name, option.default)
            try:
                values[option.name] = option.decode(option.encode(value))
            except (TypeError, ValueError):
                raise OptionError(
                    f"option {option.name!r} is {shown(value)}; allowed: {option.allowed}"
                ) from None
        return values

    def write(self, record: Any, values: Mapping[str, Any]) -> None:
        """Store validated `values` in the `options` field of one or many states."""
        for option in self.declared:
            record[option.name] = option.encode(values[option.name])

    def read(self, record: Any) -> dict[str, Value]:
        """The values stored in the `options` field of one state."""
        return {option.name: option.decode(int(record[option.name])) for option in self.declared}
