"""The games of this package, one folder each. They know no learning library, and not each other."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from polytrix.core.game import Game


def built_in() -> list[Game]:
    """The `GAME` of every folder here, in alphabetical order."""
    names = sorted(module.name for module in iter_modules(__path__))
    return [import_module(f"{__name__}.{name}").GAME for name in names]
