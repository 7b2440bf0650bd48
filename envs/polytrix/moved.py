"""Where modules stood once: old imports go on working, with a DeprecationWarning that names the new path."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "polytrix.api.arguments": "polytrix.api.shared.arguments",
    "polytrix.api.learner": "polytrix.api.shared.learner",
    "polytrix.api.openspiel_rules": "polytrix.api.openspiel.rules",
    "polytrix.api.openspiel_text": "polytrix.api.openspiel.text",
    "polytrix.api.opponents": "polytrix.api.shared.opponents",
    "polytrix.api.rendering": "polytrix.api.shared.rendering",
    "polytrix.api.rllib_league": "polytrix.api.rllib.league",
    "polytrix.api.rllib_modules": "polytrix.api.rllib.modules",
    "polytrix.api.sb3_network": "polytrix.api.sb3.network",
    "polytrix.api.seating": "polytrix.api.shared.seating",
    "polytrix.api.settings": "polytrix.api.shared.arguments",
    "polytrix.api.spaces": "polytrix.api.shared.spaces",
    "polytrix.core.cache_directory": "polytrix.core.compile.cache_directory",
    "polytrix.core.compiler": "polytrix.core.compile.compiler",
    "polytrix.core.patrol": "polytrix.core.random_play",
    "polytrix.core.program_cache": "polytrix.core.compile.program_cache",
    "polytrix.core.programs": "polytrix.core.compile.programs",
    "polytrix.core.record": "polytrix.core.state",
    "polytrix.core.substitution": "polytrix.core.compile.substitution",
}
"""New paths by old ones."""


class Forwarding(MetaPathFinder, Loader):
    """Finds modules under their old paths; asked last, after everything that exists."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A spec for a moved module, None for any other."""
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the module of the new path in the place of the empty one that was made for the old path."""
        new = MOVED[module.__name__]
        warnings.warn(f"{module.__name__} is {new} now", DeprecationWarning, stacklevel=2)
        sys.modules[module.__name__] = import_module(new)


def forward_old_paths() -> None:
    """Let old paths be imported."""
    if not any(isinstance(finder, Forwarding) for finder in sys.meta_path):
        sys.meta_path.append(Forwarding())
