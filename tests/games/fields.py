"""Records that are read fast: slow models read fields by the million, and NumPy's way takes long."""

from __future__ import annotations

from typing import Any

import numpy as np


class Fields:
    """A record's fields, each looked up once, by attribute or name, while the record does not change.

    Numbers are `int`, arrays are arrays, and those of records are lists of `Fields`.

    >>> s = Fields(np.rec.array([(3, [1, 2])], dtype=[("mover", "i1"), ("dice", "i1", 2)])[0])
    >>> s.mover, s["dice"]
    (3, array([1, 2], dtype=int8))
    """

    def __init__(self, record: Any) -> None:
        self._record = record

    def __getattr__(self, name: str) -> Any:
        value = self._record[name]
        if isinstance(value, np.void):
            value = Fields(value)
        elif isinstance(value, np.ndarray):
            value = [Fields(record) for record in value] if value.dtype.names else value
        else:
            value = value.item()
        setattr(self, name, value)
        return value

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)
