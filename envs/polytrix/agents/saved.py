"""Networks as files: one `.npz` with the layers and a line of JSON that says what they are for."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.core.catalogue import find
from polytrix.core.errors import PolicyError, PolytrixError
from polytrix.core.game import Game

from .network import NetworkPolicy
from .recurrent import Cell, RecurrentNetworkPolicy

FORMAT = 2
"""Of a network of plain layers."""
RECURRENT_FORMAT = 3
"""Of one with a cell, which a version that does not know cells must refuse."""


def layout_mark(game: Game) -> str:
    """A short hash of the blocks of observation and actions: equal marks mean interchangeable networks."""
    blocks = [
        [(b.name, b.shape, b.low, b.high) for b in layout] for layout in (game.observations, game.actions)
    ]
    return hashlib.sha256(repr(blocks).encode()).hexdigest()[:16]


def save_network(
    path: str | os.PathLike[str],
    game: Game,
    layers: Sequence[tuple[Any, Any]],
    activation: str = "tanh",
    notes: Mapping[str, Any] | None = None,
    cell: Cell | None = None,
) -> Path:
    """Write a network to a file that `load` reads and that needs no learning library.

    The file appears whole or not at all.

    Args:
        path: the file; its name must end with `.npz`.
        game: what the network plays.
        layers, activation: as for `NetworkPolicy`.
        notes: anything that JSON can hold, for example how it was trained.
        cell: if the network has a memory, see `RecurrentNetworkPolicy`.

    Returns:
        The path.

    Raises:
        PolicyError: layers that do not fit the game, or another file name.
    """
    target = Path(path)
    if target.suffix != ".npz":
        raise PolicyError(f"a network is saved as a .npz file, not {target.name!r}")
    policy = _made(game, layers, cell, activation)
    header = {
        "format": FORMAT if cell is None else RECURRENT_FORMAT,
        "game": game.id,
        "layout": layout_mark(game),
        "observations": game.observations.size,
        "actions": game.actions.size,
        "activation": activation,
        "layers": len(policy.layers),
        "notes": dict(notes or {}),
    }
    arrays = {"header": np.array(json.dumps(header))}
    for number, (weight, bias) in enumerate(policy.layers):
        arrays |= {f"weight_{number}": weight, f"bias_{number}": bias}
    if isinstance(policy, RecurrentNetworkPolicy):
        arrays |= {f"cell_{part}": array for part, array in policy.cell._asdict().items()}
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]  # typeshed takes the names for options
        os.chmod(unfinished, 0o644)  # temporary files are private
        os.replace(unfinished, target)
    except BaseException:
        os.unlink(unfinished)
        raise
    return target


def load(
    path: str | os.PathLike[str], game: Game | None = None, *, deterministic: bool = False
) -> NetworkPolicy | RecurrentNetworkPolicy:
    """The network in a file that `save_network` wrote, as a policy named after the file.

    Args:
        path: the `.npz` file.
        game: what it must be for; by default the game that the file names.
        deterministic: play the most probable action instead of drawing one.

    Raises:
        PolicyError: there is no such file, it is damaged, or it belongs to another game or version.
    """
    source = Path(path)
    if not source.is_file():
        raise PolicyError(f"there is no network file {str(source)!r}")
    header, layers, cell = _read(source)
    if header["format"] not in (FORMAT, RECURRENT_FORMAT):
        raise PolicyError(
            f"{source} has format {header['format']}; "
            f"this version reads formats {FORMAT} and {RECURRENT_FORMAT}"
        )
    if game is None:
        try:
            game = find(header["game"])
        except PolytrixError as error:
            raise PolicyError(f"{source} is for a game that is not registered: {error}") from None
    if header["game"] != game.id:
        raise PolicyError(f"{source} plays {header['game']}; this is {game.id}")
    if header["layout"] != layout_mark(game):
        raise PolicyError(
            f"{source} was made for another version of {game.id}, or for other data files: "
            f"{header['observations']} observations "
            f"and {header['actions']} actions laid out differently "
            f"(now {game.observations.size} and {game.actions.size})"
        )
    try:
        policy = _made(game, layers, cell, header["activation"])
    except PolicyError as error:
        raise PolicyError(f"{source}: {error}") from None
    policy.deterministic, policy.name, policy.notes = deterministic, source.stem, header["notes"]
    return policy


def _made(
    game: Game, layers: Sequence[tuple[Any, Any]], cell: Cell | None, activation: str
) -> NetworkPolicy | RecurrentNetworkPolicy:
    """The policy of these layers, with a memory if there is a cell."""
    if cell is None:
        return NetworkPolicy(game, layers, activation)
    return RecurrentNetworkPolicy(game, layers, cell, activation)


def _read(source: Path) -> tuple[dict[str, Any], list[tuple[Any, Any]], Cell | None]:
    """Header, layers and cell of a file; PolicyError if it cannot be read or lacks anything."""
    try:
        with np.load(source, allow_pickle=False) as arrays:
            header = json.loads(str(arrays["header"]))
            layers = [(arrays[f"weight_{n}"], arrays[f"bias_{n}"]) for n in range(header["layers"])]
            recurrent = header["format"] == RECURRENT_FORMAT
            cell = Cell(*(arrays[f"cell_{part}"] for part in Cell._fields)) if recurrent else None
        for key in ("format", "game", "layout", "observations", "actions", "activation", "notes"):
            header[key]  # a KeyError tells of a header that is not complete
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, NotImplementedError) as error:
        raise PolicyError(f"{source} is damaged or no saved network ({error})") from None
    except (zipfile.BadZipFile, zlib.error) as error:
        raise PolicyError(f"{source} is damaged or no saved network ({error})") from None
    return header, layers, cell
