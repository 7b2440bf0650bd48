"""The record that holds one game: its fields, their bounds, who sees them, and what all games share.

A game's whole state is one element of a NumPy structured array. It starts with the core's fields
(`Record`), which the core reads and writes; the game's own fields follow. Because a state is plain
memory, it is saved, copied, forked and hashed as bytes.

A game declares each field once, in a class that type checkers understand:

>>> class State(Record):
...     pile: int = field(np.int8, 0, 20)
...     taken: Array = field(np.int8, 0, 3, shape=2, seen=Seen.PRIVATE)  # [seat]: stones in its hand
>>> [declared.name for declared in fields_of(State)]
['pile', 'taken']

Rules take `s: State`, so mypy knows that `s.pile` is an integer and rejects `s.pille`. The record's
dtype (`state_dtype`), the check of numbers from elsewhere (`bounds.py`) and the check that
observations omit nothing public (`polytrix.testing.check_public`) are derived from the same fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from .records import as_records

if TYPE_CHECKING:
    from typing_extensions import Self

CHANCE = -1
"""`mover` while a chance event is pending."""

OVER = -2
"""`mover` once the game has ended."""

MOST_DECISIONS = 30_000
"""The highest `max_decisions`."""

Array: TypeAlias = npt.NDArray[Any]
"""A field with a shape, as rules read it: `s.field[index]`."""

RecordArray: TypeAlias = npt.NDArray[Any]
ByteArray: TypeAlias = npt.NDArray[np.int8]
IdArray: TypeAlias = npt.NDArray[np.int16]
IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float32]

Bound: TypeAlias = int | Sequence[Any]


class Seen(Enum):
    """Who sees a field."""

    PUBLIC = "public"
    """Every seat sees its exact value: states that differ in it look different to every seat."""
    PRIVATE = "private"
    """Seat i sees the exact value of entry i of the first axis."""
    IN_PART = "in part"
    """Hidden, or seen only by some seats, at some times, coarsely, or through other fields."""


@dataclass(frozen=True)
class Field:
    """One field of a game's record.

    Args:
        name: as rules read it, `s.name`.
        type: a NumPy integer type; or, for a nested record, its fields.
        low, high: inclusive bounds; or sequences that broadcast to `shape`, with those of each entry.
            The fields of a nested record have their own.
        shape: of an array; () for a single value.
        seen: who sees it.

    >>> Field("dice", np.uint8, 0, 6, 2).spec
    ('dice', <class 'numpy.uint8'>, (2,))
    """

    name: str
    type: Any
    low: Bound = 0
    high: Bound = 1
    shape: int | tuple[int, ...] = ()
    seen: Seen = Seen.PUBLIC

    def __post_init__(self) -> None:
        if self.inner:
            return
        kind = np.dtype(self.type)
        if kind.kind not in "iu" or kind == np.uint64:
            raise TypeError(
                f"field {self.name!r} is of type {kind}; allowed: integers of up to 64 bits, no uint64"
            )
        limits = np.iinfo(kind)
        low, high = self.bounds
        if low.min() < limits.min or high.max() > limits.max or (low > high).any():
            raise ValueError(
                f"field {self.name!r} has bounds {self.low}..{self.high}; allowed: low <= high, both from "
                f"{limits.min} to {limits.max}, as it is of type {kind}"
            )

    @property
    def inner(self) -> tuple[Field, ...]:
        """The fields of a nested record; () if the field holds numbers."""
        return tuple(self.type) if isinstance(self.type, (list, tuple)) else ()

    @property
    def dimensions(self) -> tuple[int, ...]:
        """`shape` as a tuple."""
        return (self.shape,) if isinstance(self.shape, int) else self.shape

    @property
    def spec(self) -> tuple[str, Any, tuple[int, ...]]:
        """Name, type and shape, as NumPy takes them."""
        return self.name, record_dtype(self.inner) if self.inner else self.type, self.dimensions

    @property
    def bounds(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The lower and the upper bound of every entry, two arrays of shape `dimensions`."""
        shape = self.dimensions
        return np.broadcast_to(np.array(self.low, np.int64), shape), np.broadcast_to(
            np.array(self.high, np.int64), shape
        )


class Generator:
    """A random generator in a state, see `random.py`: a stream, and how many of its numbers are used."""

    key: Any
    counter: Any


class Record:
    """One state, as rules read and write it: an element of a record array.

    The class exists for type checkers and `fields_of`; states are elements of arrays. It has the core's
    fields; a game's subclass adds its own.
    """

    generator: Generator
    decisions: int
    mover: int
    num_players: int
    truncated: int
    loaded: int
    options: Any

    if TYPE_CHECKING:  # methods of record array elements

        def __getitem__(self, name: str) -> Any: ...

        def __setitem__(self, name: str, value: Any) -> None: ...

        def copy(self) -> Self: ...

        def tobytes(self) -> bytes: ...


@overload
def field(type: Any, low: Bound = 0, high: Bound = 1, *, seen: Seen = Seen.PUBLIC) -> int: ...


@overload
def field(
    type: Any, low: Bound = 0, high: Bound = 1, *, shape: int | tuple[int, ...], seen: Seen = Seen.PUBLIC
) -> Array: ...


def field(
    type: Any,
    low: Bound = 0,
    high: Bound = 1,
    *,
    shape: int | tuple[int, ...] = (),
    seen: Seen = Seen.PUBLIC,
) -> Any:
    """Declare a field in a subclass of `Record`; the arguments are those of a `Field`, but for its name."""
    return partial(Field, type=type, low=low, high=high, shape=shape, seen=seen)


def fields_of(declared: type[Any]) -> list[Field]:
    """The fields that a class declares, in order: a subclass of `Record`, or any class for a nested record."""
    return [each(name) for name, each in vars(declared).items() if isinstance(each, partial)]


GENERATOR = np.dtype([("key", np.uint64), ("counter", np.uint64)], align=True)

CORE_FIELDS: list[Field | tuple[Any, ...]] = [
    ("generator", GENERATOR),  # its key is the game's seed, until the game is forked
    Field("decisions", np.int32, 0, MOST_DECISIONS, seen=Seen.IN_PART),  # by seats; chance is not counted
    Field("mover", np.int8, OVER, 127),  # a seat, CHANCE or OVER
    Field("num_players", np.int8, 1, 127),  # seats 0..num_players-1 play; see `Game.write_options`
    Field("truncated", np.uint8, seen=Seen.IN_PART),  # 1 if a limit ended the game
    Field("loaded", np.uint8, seen=Seen.IN_PART),  # 1 if `Simulator.load` has read the game, see `loaded.py`
]


def state_dtype(options: np.dtype[Any], fields: Sequence[Field | tuple[Any, ...]]) -> np.dtype[Any]:
    """The dtype of a game's states: the core's fields, the options, then the game's own fields.

    Args:
        options: the dtype of the game's options.
        fields: its own fields. One given as a NumPy tuple may hold any value of its type; with the bounds
            of a `Field`, forged snapshots are refused sooner.

    >>> options = np.dtype([("max_decisions", np.int32)])
    >>> state_dtype(options, [Field("pile", np.int8, 0, 20)]).names[-3:]
    ('options', 'pile', 'gap_0')
    """
    return record_dtype([*CORE_FIELDS, ("options", options), *fields])


def new_records(count: int, dtype: np.dtype[Any]) -> RecordArray:
    """`count` zeroed records whose fields can be read as attributes, compiled or not."""
    return as_records(np.zeros(count, dtype))


def record_dtype(fields: Sequence[Field | tuple[Any, ...]]) -> np.dtype[Any]:
    """An aligned record type; alignment gaps are filled with fields `gap_0`, `gap_1`, ...

    Copying a record copies its fields only, so bytes between them would be undefined. With all bytes
    in fields, equal records are equal bytes.

    Args:
        fields: each a `Field`, or a tuple as NumPy takes it.

    >>> record_dtype([("flag", np.uint8), ("count", np.int32)]).names
    ('flag', 'gap_0', 'count')
    """
    specs = [field.spec if isinstance(field, Field) else field for field in fields]
    plain = np.dtype(specs, align=True)
    filled: list[Any] = []
    end = gaps = 0
    for spec in specs:
        offset = plain.fields[spec[0]][1]  # type: ignore[index]  # a dtype with fields
        if offset > end:
            filled.append((f"gap_{gaps}", np.uint8, (offset - end,)))
            gaps += 1
        filled.append(spec)
        end = offset + plain[spec[0]].itemsize
    if plain.itemsize > end:
        filled.append((f"gap_{gaps}", np.uint8, (plain.itemsize - end,)))
    return np.dtype(filled, align=True)


@dataclass(frozen=True)
class Entry:
    """One number in a record."""

    name: str
    """For people, such as `die[2]` or `stack[0].kind`."""
    offset: int
    """In bytes."""
    type: np.dtype[Any]
    low: int
    high: int
    seen: Seen
    owner: int
    """The first index in its field, or -1; the seat that sees it, if it is private."""

    @property
    def field(self) -> str:
        """The name of its field, such as `die` or `kind`."""
        return self.name.rpartition(".")[2].partition("[")[0]

    def of(self, states: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A view of this number in each of some states (n,)."""
        of_it = bytes_of(states)[:, self.offset : self.offset + self.type.itemsize]
        numbers: npt.NDArray[Any] = of_it.view(self.type)
        return numbers[:, 0]


def bytes_of(states: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """A view of states (n,) as bytes (n, size of the record)."""
    return states.view(np.ndarray).view(np.uint8).reshape(len(states), -1)


def entries(dtype: np.dtype[Any], fields: Sequence[Field | tuple[Any, ...]]) -> Iterator[Entry]:
    """All integers in a record, in order.

    Those that no `Field` declares may hold any value of their type, and are not public. Alignment gaps
    are 0.
    """
    declared = {field.name: field for field in fields if isinstance(field, Field)}
    for name, (kind, offset, *_) in (dtype.fields or {}).items():
        yield from _in_field(declared.get(name), name, kind, offset)


def _in_field(field: Field | None, name: str, kind: np.dtype[Any], offset: int) -> Iterator[Entry]:
    base = kind.base
    for number, index in enumerate(np.ndindex(kind.shape)):
        at = name + (str(list(index)) if index else "")
        start = offset + number * base.itemsize
        if base.names:
            for entry in entries(base, field.inner if field else ()):
                seen = entry.seen if field and field.seen is Seen.PUBLIC else Seen.IN_PART
                yield replace(
                    entry, name=f"{at}.{entry.name}", offset=start + entry.offset, seen=seen, owner=-1
                )
        elif base.kind in "iu":
            limits = np.iinfo(base)
            low, high, seen = int(limits.min), int(limits.max), Seen.IN_PART
            if field is not None:
                low, high, seen = *(int(bound[index]) for bound in field.bounds), field.seen
            elif name.startswith("gap_"):
                high = 0
            yield Entry(at, start, base, low, high, seen, index[0] if index else -1)
