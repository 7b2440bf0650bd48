"""Modules that pytest ignores because their library is not installed."""

from __future__ import annotations

from importlib.util import find_spec

from tests.pages import NEEDED

collect_ignore = [
    f"polytrix/{module.replace('.', '/')}{ending}"
    for module, package in NEEDED.items()
    if find_spec(package) is None
    for ending in (".py", "")
]
