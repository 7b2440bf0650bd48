"""Games of other packages and folders, registered when this package is imported.

An installed package names its module in the entry point group `polytrix.games`. The environment variable
`POLYTRIX_GAMES` names folders of games that are not installed. Such a module registers its games when it is
imported, so every command, script and process knows them. Its code is trusted, but its errors must not make
this package unusable.
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
    """A folder in `POLYTRIX_GAMES` cannot be imported as a package, or replaces a registered game."""


def load_installed() -> None:
    """Import the modules named by installed packages; one that fails is skipped with a warning."""
    for entry in entry_points(group=GROUP):
        load_entry(entry)


def load_entry(entry: EntryPoint) -> None:
    """Import the module named by an installed package."""
    try:
        replaced = _replaced_by(entry.load)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # another package's error must not make this package unusable
        warnings.warn(f"the games of {entry.value} are missing: {error!r}", stacklevel=2)
        return
    if replaced:
        warnings.warn(
            f"{entry.value} registers {', '.join(replaced)}, which there is already and which is kept; "
            "give its game another name or version",
            stacklevel=2,
        )


def load_named() -> None:
    """Import the packages in the folders named by `POLYTRIX_GAMES`, separated as in `PATH`.

    Raises:
        PluginError: a folder has no `__init__.py`, has the name of another module, registers games that exist
            already, or ends the process.
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
    """The ids of registered games that `load` has replaced; they are restored."""
    before = all_games()
    try:
        load()
    finally:
        now = {game.id: game for game in all_games()}
        replaced = [game for game in before if now.get(game.id) is not game]
        for game in replaced:
            register(game)
    return [game.id for game in replaced]
