"""Record types in which every byte belongs to a field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def record_dtype(fields: Sequence[Any]) -> np.dtype[Any]:
    """An aligned record type; what alignment leaves free is filled with fields `gap_0`, `gap_1`, ...

    Copies of records copy fields, and would leave undefined bytes between them. Without any,
    equal records are equal bytes.

    >>> record_dtype([("flag", np.uint8), ("count", np.int32)]).names
    ('flag', 'gap_0', 'count')
    """
    plain = np.dtype(list(fields), align=True)
    filled: list[Any] = []
    end = gaps = 0
    for field in fields:
        offset = plain.fields[field[0]][1]  # type: ignore[index]  # a dtype with fields
        if offset > end:
            filled.append((f"gap_{gaps}", np.uint8, (offset - end,)))
            gaps += 1
        filled.append(field)
        end = offset + plain[field[0]].itemsize
    if plain.itemsize > end:
        filled.append((f"gap_{gaps}", np.uint8, (plain.itemsize - end,)))
    return np.dtype(filled, align=True)
