"""Games from elsewhere, made known when this package is imported.

So that every command, script and process sees them: an installed package names its module in the entry
point group `polytrix.games`, and the variable `POLYTRIX_GAMES` names folders of games that are not
installed. Such a module registers its games when it is imported.
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from polytrix.core.errors import PolytrixError

GROUP = "polytrix.games"
VARIABLE = "POLYTRIX_GAMES"


class PluginError(PolytrixError, ImportError):
    """A folder in `POLYTRIX_GAMES` that cannot be imported as a package."""


def load_installed() -> None:
    """Import the modules that installed packages name; one that fails is left out, with a warning."""
    for entry in entry_points(group=GROUP):
        load_entry(entry)


def load_entry(entry: EntryPoint) -> None:
    """Import the module that an installed package names."""
    try:
        entry.load()
    except Exception as error:  # somebody else's package must not take the other games away
        warnings.warn(f"the games of {entry.value} are missing: {error!r}", stacklevel=2)


def load_named() -> None:
    """Import the packages in the folders that `POLYTRIX_GAMES` names, separated as in `PATH`.

    Raises:
        PluginError: a folder without `__init__.py`, or with the name of something else that is imported.
    """
    for name in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        folder = Path(name).absolute()
        if not (folder / "__init__.py").is_file():
            raise PluginError(f"{VARIABLE} names {name!r}; allowed: folders of packages, with an __init__.py")
        if str(folder.parent) not in sys.path:
            sys.path.append(str(folder.parent))
        module = import_module(folder.name)
        if not module.__file__ or Path(module.__file__).parent.resolve() != folder.resolve():
            raise PluginError(f"{VARIABLE} names {name!r}, but {folder.name} is {module.__file__}; rename it")
