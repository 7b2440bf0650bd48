"""Arguments of several commands: a game, its options, a seed, a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from polytrix.core import catalogue
from polytrix.core.calls import SEED_LIMIT
from polytrix.core.errors import OptionError
from polytrix.core.game import Game
from polytrix.core.options import Choice, Flag, Option, Value

ALL = "all"
"""In place of a game's name: every game."""

_YES = ("true", "yes", "on", "1")
_NO = ("false", "no", "off", "0")


def in_a_folder(path: Path | None) -> Path | None:
    """Refuse a file in a folder that does not exist."""
    if path is not None and not path.absolute().parent.is_dir():
        raise typer.BadParameter(f"the folder of {path} does not exist")
    return path


def out_file(*names: str, help: str) -> Any:  # the type of Typer's options
    """The option of a file to write, in a folder that exists."""
    return typer.Option(*names, dir_okay=False, writable=True, callback=in_a_folder, help=help)


GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name or id, see `polytrix list`.")]
GameOrAll = Annotated[
    str,
    typer.Argument(
        metavar="GAME|all",
        help="Name or id, see `polytrix list`; all: one game after another.",
    ),
]
GivenOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the game, or a data file: the name of a shipped one or the path of your own; "
        "can be repeated.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=SEED_LIMIT - 1,
        help="Random seed of the game and its agents.",
        show_default="a new one",
    ),
]
SaveFile = Annotated[Path | None, out_file("--save", help="Write a transcript to this file.")]


def read_options(name: Game | str, given: Sequence[str] | None) -> tuple[Game, dict[str, Value]]:
    """The game with its data files, and the values of all its options, from items `name=value`.

    Raises:
        UnknownGameError: no game has this name.
        OptionError: an item without `=`, a repeated or unknown name, or a value that is not allowed.
        DataError: a data file cannot be read, or is not valid.

    >>> game, options = read_options("quatrix", ["finish_depth=3"])
    >>> options["finish_depth"]
    3
    """
    game = catalogue.find(name)
    declared = {option.name: option for option in game.options}
    values: dict[str, Any] = {}
    for item in given or ():
        key, sign, text = item.partition("=")
        if not sign:
            raise OptionError(f"option {item!r} has no value; write it as NAME=VALUE")
        if key in values:
            raise OptionError(f"option {key!r} is given twice")
        values[key] = _value(declared[key], text) if key in declared else text
    return game.configured(values)


def read_games(name: str, given: Sequence[str] | None) -> list[tuple[Game, dict[str, Value]]]:
    """The game of this name, or all games, each as `read_options` gives it.

    If all games are asked for, an option goes to those that have it.

    Raises:
        UnknownGameError: no game has this name.
        OptionError, DataError: see `read_options`.

    >>> given = read_games("all", ["players=4"])
    >>> {game.name: options["players"] for game, options in given if "players" in options}
    {'estimatrix': 4, 'pressure_matrix': 4}
    """
    if name != ALL:
        return [read_options(name, given)]
    games = catalogue.all_games()
    names = {game.id: {each.name for each in (*game.options, *game.data)} for game in games}
    known = set().union(*names.values())
    items = {item: item.partition("=")[0] for item in given or ()}
    return [
        read_options(game, [item for item, key in items.items() if key in names[game.id] or key not in known])
        for game in games
    ]


def _value(option: Option, text: str) -> Value:
    """Text converted to the option's type, or unchanged if that is not possible; `validate` refuses it."""
    if isinstance(option, Flag):
        word = text.lower()
        return word in _YES if word in _YES + _NO else text
    if isinstance(option, Choice) and isinstance(option.default, str):
        return text
    try:
        return int(text)
    except ValueError:
        return text
