"""Games from elsewhere, made known when this package is imported.

So that every command, script and process sees them: an installed package names its module in the entry
point group `polytrix.games`, and the variable `POLYTRIX_GAMES` names folders of games that are not
installed. Such a module registers its games when it is imported. It is code like any other that is imported,
and may do whatever it likes; what it does by mistake must not take this package away.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from polytrix.core.catalogue import all_games
from polytrix.core.errors import PolytrixError
from polytrix.registration import register

GROUP = "polytrix.games"
VARIABLE = "POLYTRIX_GAMES"


class PluginError(PolytrixError, ImportError):
    """A folder in `POLYTRIX_GAMES` that cannot be imported as a package, or takes the place of a game."""


def load_installed() -> None:
    """Import the modules that installed packages name; one that fails is left out, with a warning."""
    for entry in entry_points(group=GROUP):
        load_entry(entry)


def load_entry(entry: EntryPoint) -> None:
    """Import the module that an installed package names."""
    try:
        replaced = _replaced_by(entry.load)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # somebody else's package must not take the other games away
        warnings.warn(f"the games of {entry.value} are missing: {error!r}", stacklevel=2)
        return
    if replaced:
        warnings.warn(
            f"{entry.value} registers {', '.join(replaced)}, which there is already and which stays as it is; "
            "give its game another name or version",
            stacklevel=2,
        )


def load_named() -> None:
    """Import the packages in the folders that `POLYTRIX_GAMES` names, separated as in `PATH`.

    Raises:
        PluginError: a folder without `__init__.py`, with the name of something else that is imported, whose
            games there are already, or that wants to end the process.
    """
    for name in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        folder = Path(name).absolute()
        if not (folder / "__init__.py").is_file():
            raise PluginError(f"{VARIABLE} names {name!r}; allowed: folders of packages, with an __init__.py")
        if str(folder.parent) not in sys.path:
            sys.path.append(str(folder.parent))
        try:
            replaced = _replaced_by(partial(import_module, folder.name))
        except SystemExit as error:
            raise PluginError(f"{VARIABLE} names {name!r}, which ends the process ({error!r})") from None
        if replaced:
            raise PluginError(
                f"{VARIABLE} names {name!r}, which registers {', '.join(replaced)}: there is one already; "
                "give its game another name or version"
            )
        module = sys.modules[folder.name]
        if not module.__file__ or Path(module.__file__).parent.resolve() != folder.resolve():
            raise PluginError(f"{VARIABLE} names {name!r}, but {folder.name} is {module.__file__}; rename it")


def _replaced_by(load: Callable[[], object]) -> list[str]:
    """The ids of games whose place others have taken in `load`; they are put back."""
    before = all_games()
    try:
        load()
    finally:
        now = {game.id: game for game in all_games()}
        replaced = [game for game in before if now.get(game.id) is not game]
        for game in replaced:
            register(game)
    return [game.id for game in replaced]
