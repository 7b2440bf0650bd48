"""Defects planted in records, for tests of what notices them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def change(s: Any, changes: Mapping[str, Any]) -> None:
    """Write other values into fields.

    Args:
        s: the record.
        changes: by field a value, a function of the old value, or by index or option some of its values.
    """
    for name, value in changes.items():
        if isinstance(value, Mapping):
            for place, number in value.items():
                s[name][place] = number
        else:
            s[name] = value(s[name]) if callable(value) else value
