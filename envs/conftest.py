"""Modules that pytest ignores because their library is not installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
from tests.libraries import LIBRARIES

collect_ignore = [
    f"polytrix/{module.replace('.', '/')}{ending}"
    for library in LIBRARIES
    if find_spec(library.package) is None
    for module in library.modules
    for ending in (".py", "")
]
