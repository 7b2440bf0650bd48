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
from importlib.metadata import entry_points
from pathlib import Path

from polytrix.core.catalogue import all_games
from polytrix.registration import register

GROUP = "polytrix.games"
VARIABLE = "POLYTRIX_GAMES"


def load_installed() -> None:
    """Import the modules named by installed packages."""
    for entry in entry_points(group=GROUP):
        _load(entry.value, entry.load)


def load_named() -> None:
    """Import the packages in the folders named by `POLYTRIX_GAMES`, separated as in `PATH`."""
    for name in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        _load(name, partial(import_folder, Path(name).absolute()))


def import_folder(folder: Path) -> None:
    """Import the package in a folder.

    Raises:
        ImportError: the folder has no `__init__.py`, or the name of another module.
    """
    if not (folder / "__init__.py").is_file():
        raise ImportError(f"{VARIABLE} names '{folder}'; allowed: folders of packages, with an __init__.py")
    if str(folder.parent) not in sys.path:
        sys.path.append(str(folder.parent))
    module = import_module(folder.name)
    if not module.__file__ or Path(module.__file__).parent.resolve() != folder.resolve():
        raise ImportError(f"{VARIABLE} names '{folder}', but {folder.name} is {module.__file__}; rename it")


def _load(name: str, load: Callable[[], object]) -> None:
    """Load the games of `name`. They are skipped with a warning if that fails or they replace others."""
    try:
        replaced = _replaced_by(load)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # somebody else's error must not make this package unusable
        warnings.warn(f"the games of {name} are missing: {error!r}", stacklevel=2)
        return
    if replaced:
        warnings.warn(
            f"{name} registers {', '.join(replaced)}, which there is already and which is kept; "
            "give its game another name or version",
            stacklevel=2,
        )


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
