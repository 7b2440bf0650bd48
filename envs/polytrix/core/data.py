"""Data files of a game that users may replace with their own: a deck, a set of tiles, a list of words.

The game's functions read a file's content from module-level tables, NumPy arrays that they
import by name. Replacing a file makes another `Game` (`Game.with_data`), whose functions read
other arrays instead of these tables.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .calls import did_you_mean, shown
from .errors import DataError

Table = npt.NDArray[Any]

LONGEST_MESSAGE = 800
"""The most characters of an error, which may quote a whole file."""


@dataclass(frozen=True)
class Replacement:
    """What changes in a game when one of its data files is replaced.

    Args:
        tables: pairs of a module-level array that the game's functions use, and its replacement,
            of the same dtype and number of dimensions; shapes may differ.
        fields: fields of `Game` to change, for example `observations` or `max_legal`.
    """

    tables: Sequence[tuple[Table, Table]]
    fields: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for old, new in self.tables:
            if not isinstance(old, np.ndarray) or not isinstance(new, np.ndarray):
                raise TypeError(f"tables are NumPy arrays, not {type(old).__name__} and {type(new).__name__}")
            if (old.dtype, old.ndim) != (new.dtype, new.ndim):
                raise TypeError(
                    f"a table of dtype {new.dtype} and {new.ndim} dimensions cannot replace one of "
                    f"dtype {old.dtype} and {old.ndim} dimensions; only shapes may differ"
                )


@dataclass(frozen=True)
class DataFile:
    """A file that users may replace with their own.

    Args:
        name: its keyword; must differ from the game's options and the arguments of the APIs.
        help: what the file holds, in a few words.
        source: the shipped file, JSON.
        build: `(parsed JSON) -> Replacement`. Raises DataError for invalid content: where it is,
            what is there and what is allowed.
        samples: further shipped files, which users may name in place of a path.
    """

    name: str
    help: str
    source: Path
    build: Callable[[Any], Replacement]
    samples: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if self.name != self.name.lower() or not self.name.isidentifier():
            raise ValueError(f"data file {self.name!r}: use lower case letters, digits and underscores")
        if len(self.shipped) <= len(self.samples):
            raise ValueError(f"data file {self.name!r}: shipped files need names of their own")

    @property
    def shipped(self) -> dict[str, Path]:
        """The shipped files by name: file names without `.json`. The first one is the game's own."""
        return {path.stem: path for path in (self.source, *self.samples)}

    def path(self, given: str | os.PathLike[str]) -> Path:
        """The path of a shipped file that is named, or the given path.

        Args:
            given: a name, or a path. Text is a path if it ends with `.json` or has a separator; anything else
                is a name, even if there is a file of that name in the working directory.

        Raises:
            DataError: no shipped file has this name.
        """
        if not isinstance(given, str) or not given or _is_path(given):
            return Path(given)
        if given.lstrip().startswith(("{", "[")):
            raise DataError(f"{self.name} is JSON text, {shown(given)}; {self._allowed()}")
        if given not in self.shipped:
            names = list(self.shipped)
            meant = did_you_mean(given, names)
            raise DataError(
                _shorten(
                    f"unknown {self.name} {given!r}. Shipped: {', '.join(names)}. "
                    f"The path of your own file ends with .json or has a separator, like ./{given}.{meant}"
                )
            )
        return self.shipped[given]

    def text(self, given: Any) -> str:
        """The given content as canonical JSON text: equal texts are equal contents.

        Args:
            given: the name of a shipped file, the path of a JSON file, or the content of one: a dict or a list.

        Raises:
            DataError: an unknown name, a file that cannot be read, text that is not JSON, or content that
                `build` refuses. What it quotes of a large content is shortened.
        """
        path = self.path(given) if isinstance(given, (str, os.PathLike)) else None
        try:
            text = self._write(given if path is None else self._read(path))
            built(self, text)
        except DataError as error:
            place = "" if path is None else f"{path}: "
            raise DataError(_shorten(f"{place}{error}")) from None
        return text

    def _allowed(self) -> str:
        return (
            "allowed: the path of a JSON file, or what such a file holds, a dict or a list; "
            f"or a shipped one: {', '.join(self.shipped)}"
        )

    def _read(self, path: Path) -> Any:
        try:
            return json.loads(path.read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise DataError(
                f"{self.name} cannot be read ({error.strerror}); give the path of a JSON file, or its content"
            ) from None
        except UnicodeDecodeError:
            raise DataError(f"{self.name} is not a text file; save it as JSON in UTF-8") from None
        except json.JSONDecodeError as error:
            raise DataError(
                f"{self.name} is not JSON: {error.msg} in line {error.lineno}, column {error.colno}"
            ) from None
        except (ValueError, RecursionError) as error:  # a number too long, nesting too deep, an invalid path
            raise DataError(f"{self.name} cannot be read: {error}") from None

    def _write(self, content: Any) -> str:
        if not isinstance(content, (dict, list)):
            raise DataError(f"{self.name} is {shown(content)}; {self._allowed()}")
        try:
            return json.dumps(content, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise DataError(f"{self.name} holds what JSON cannot: {error}") from None


def _is_path(text: str) -> bool:
    """Whether text is a path rather than the name of a shipped file, or JSON."""
    if text.lower().endswith(".json"):
        return True
    separated = any(sign in text for sign in ("/", os.sep, os.altsep or os.sep))
    return separated and not text.lstrip().startswith(("{", "["))


def _shorten(message: str) -> str:
    """A message, without its middle if it is long: its ends say where the fault is and what is allowed."""
    half = LONGEST_MESSAGE // 2
    return message if len(message) <= LONGEST_MESSAGE else f"{message[:half]} ... {message[-half:]}"


def list_of(content: Any, count: int, what: str, where: str) -> list[Any]:
    """The content of a data file, a list of this length; DataError if it is none."""
    if not isinstance(content, list) or len(content) != count:
        found = f"has {len(content)} entries" if isinstance(content, list) else f"is {shown(content)}"
        raise DataError(f"{where} {found}; allowed: a list of {count} {what}")
    return content


def entry(content: Any, name: str, where: str) -> Any:
    """What a JSON object in a data file has under a name; DataError if it has nothing, or is none."""
    if not isinstance(content, Mapping) or name not in content:
        raise DataError(f"{where} is {shown(content)}; allowed: an object with {name!r}")
    return content[name]


def game_settings(
    content: Mapping[str, Any], ranges: Mapping[str, tuple[int, int, int]], what: str
) -> list[int]:
    """The numbers under "game" in a data file, in the order of `ranges`: how large the game is.

    Args:
        content: the parsed JSON.
        ranges: by the name of a setting, its lowest and highest value, and its default.
        what: the name of the data file, for errors.

    Raises:
        DataError: names the value and the allowed values.
    """
    found = content.get("game", {})
    if not isinstance(found, Mapping) or not found.keys() <= ranges.keys():
        raise DataError(f'{what}: "game" is {found!r}; expected an object with some of {", ".join(ranges)}')
    settings = []
    for name, (low, high, default) in ranges.items():
        value = found.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise DataError(f"{what}: {name!r} is {value!r}; allowed: a whole number from {low} to {high}")
        settings.append(value)
    return settings


@cache
def built(file: DataFile, text: str) -> Replacement:
    """What changes with this content, validated and cached. Raises DataError like `file.build`."""
    return file.build(json.loads(text))


@cache
def shipped_text(file: DataFile) -> str:
    """The shipped content, as `DataFile.text` writes it."""
    return file.text(file.source)
