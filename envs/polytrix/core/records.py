"""Arrays of states whose fields are attributes, as rules read them in plain Python: `states[0].pile`.

NumPy's own record arrays can do that, but look up every attribute of an element in Python code, which
makes rules, texts and pictures several times slower. Here each record type is a class with a property
for each field. A single integer is read as a Python integer, so that arithmetic in rules does not wrap
around at the field's width; the words of a random generator (uint64), which must wrap, stay NumPy's.
"""

from __future__ import annotations

import copyreg
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    RecArray = np.recarray[Any, Any]
else:
    RecArray = np.recarray


class _RecordType(type):
    """The class of the classes of elements, so that they can be pickled."""

    plain: np.dtype[Any]


class Records(RecArray):
    """A record array; make one with `as_records`."""

    def __array_finalize__(self, parent: Any) -> None:
        """Leave the dtype as it is; a `recarray` would give elements its own class."""

    def __getitem__(self, index: Any) -> Any:
        """An element, some rows, or the column of a field."""
        found = np.ndarray.__getitem__(self, index)
        is_column = isinstance(found, Records) and found.dtype is not self.dtype
        return found.view(np.ndarray) if is_column and found.dtype.names is None else found

    def __repr__(self) -> str:
        """Without the fields; an element shows its own."""
        return f"Records({len(self.dtype.names or ())} fields, shape {self.shape})"


def as_records(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A view of a structured array whose fields can be read and written as attributes.

    >>> array = as_records(np.zeros(3, [("pile", np.int8), ("hand", np.int8, 2)]))
    >>> array[1].pile = 5
    >>> array.pile
    array([0, 5, 0], dtype=int8)
    >>> array[1], array
    (Record(pile=5, hand=[0, 0]), Records(2 fields, shape (3,)))
    """
    if type(array) is Records:
        return array
    plain = array.view(np.ndarray)
    return plain.view(_with_attributes(plain.dtype)).view(Records)


@cache
def _with_attributes(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same record type, with elements that have attributes; so have nested records."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return np.dtype((_with_attributes(base), shape))
    if dtype.fields is None:
        return dtype
    places = {name: (_with_attributes(field[0]), field[1]) for name, field in dtype.fields.items()}
    layout = {
        "names": list(places),
        "formats": [kind for kind, _ in places.values()],
        "offsets": [offset for _, offset in places.values()],
        "itemsize": dtype.itemsize,
    }
    attributes = {name: _attribute(*place) for name, place in places.items() if not hasattr(np.void, name)}
    element = _RecordType(
        "Record", (np.void,), {"__slots__": (), "__repr__": _shown, "plain": dtype, **attributes}
    )
    return np.dtype((element, np.dtype(layout, align=dtype.isalignedstruct)))  # type: ignore[call-overload]


def _shown(record: Any) -> str:
    """All fields by name, without alignment gaps."""
    fields = {name: record[name] for name in record.dtype.names if not name.startswith("gap_")}
    shown = (
        f"{name}={value.tolist() if value.dtype.names is None else value!r}" for name, value in fields.items()
    )
    return f"Record({', '.join(shown)})"


def _attribute(kind: np.dtype[Any], offset: int) -> property:
    def read(record: np.void) -> Any:
        return record.getfield(kind, offset)

    def read_integer(record: np.void) -> int:
        return record.getfield(kind, offset).item()  # type: ignore[no-any-return]

    def write(record: np.void, value: Any) -> None:
        record.setfield(value, kind, offset)

    is_integer = kind.kind in "iu" and kind != np.uint64
    return property(read_integer if is_integer else read, write)


def _element_of(plain: np.dtype[Any]) -> Any:
    return _with_attributes(plain).type


def _reduce(element: _RecordType) -> tuple[Any, ...]:
    return _element_of, (element.plain,)


copyreg.pickle(_RecordType, _reduce)
