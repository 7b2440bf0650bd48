"""Which modules pytest leaves alone: those whose library is not there."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARIES = {
    "openspiel": "pyspiel",
    "rllib": "ray",
    "rllib_league": "ray",
    "rllib_modules": "ray",
    "tianshou": "tianshou",
}

collect_ignore = [
    f"polytrix/api/{module}.py" for module, library in LIBRARIES.items() if find_spec(library) is None
]
