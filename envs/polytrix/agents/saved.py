"""Networks as files: a `.npz` with the layers and a JSON header."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.core.arrays import arrays_in
from polytrix.core.catalogue import find
from polytrix.core.errors import PolicyError, PolytrixError
from polytrix.core.files import whole_file
from polytrix.core.game import Game
from polytrix.core.state import FloatArray

from .network import NetworkPolicy

FORMAT = 6
"""Format of networks."""
FORMATS = (2, 4, 5, FORMAT)
"""Formats that are read. The earlier ones differ in that networks without beliefs do not say so."""

VALUES = ("values_weight", "values_bias")
"""Names of the arrays of the value head."""

BELIEF = "belief_"
"""Begins the names of the arrays of beliefs."""
BELIEF_LAYERS = "belief_layers"
"""Entry of the header: how many layers beliefs have."""


def layout_mark(game: Game) -> str:
    """A short hash of the layouts of observation and actions. Games with equal hashes can share networks."""
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
    values: tuple[Any, Any] | None = None,
    beliefs: Sequence[tuple[Any, Any]] | None = None,
    half: bool = False,
) -> Path:
    """Write a network to a file, atomically. `load` reads it without a learning library.

    Args:
        path: the file, `.npz`.
        game, activation: as for `NetworkPolicy`.
        layers: weight (inputs, outputs) and bias (outputs,) of each layer; the transpose of torch's. The
            inputs are observations times `game.observations.scale`.
        values, beliefs: as for `NetworkPolicy`; beliefs need values.
        notes: anything that JSON can represent, for example how the network was trained.
        half: write float16, which takes half the space. Networks compute in float32 all the same.

    Returns:
        The path.

    Raises:
        PolicyError: another kind of file name, parts that do not go with the game or each other, or numbers
            that are too large for float16.
    """
    target = Path(path)
    if target.suffix != ".npz":
        raise PolicyError(f"a network is saved as a .npz file, not {target.name!r}")
    policy = _make(game, activation, layers, values, beliefs)
    header = {
        "format": FORMAT,
        "game": game.id,
        "layout": layout_mark(game),
        "observations": game.observations.size,
        "actions": game.actions.size,
        "activation": activation,
        "layers": len(policy.layers),
        BELIEF_LAYERS: len(policy.beliefs or ()),
        "notes": dict(notes or {}),
    }
    arrays = _name_arrays(policy.layers)
    if policy.values is not None:
        arrays |= dict(zip(VALUES, policy.values, strict=True))
        arrays |= _name_arrays(policy.beliefs or (), BELIEF)
    if half:
        arrays = {name: _float16_array(array, name) for name, array in arrays.items()}
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(target) as file:
        np.savez(file, header=np.array(json.dumps(header)), **arrays)
    return target


def load(
    path: str | os.PathLike[str], game: Game | None = None, *, deterministic: bool = False
) -> NetworkPolicy:
    """The network in a file written by `save_network`, as a policy with the name that `named_after` gives it.

    Args:
        path: the `.npz` file.
        game: the game that it must be for; by default the one named in the file.
        deterministic: play the most probable action instead of sampling.

    Raises:
        PolicyError: there is no such file, it is damaged, or it belongs to another game or version.
    """
    source = Path(path)
    if not os.path.isfile(source):  # Path.is_file raises for names that are too long
        raise PolicyError(f"there is no network file {str(source)!r:.200}")
    try:
        header, parts = _contents(arrays_in(_bytes_of(source)))
    except (PolicyError, ValueError) as error:
        raise PolicyError(f"{source} is damaged or not a saved network ({error})") from None
    if header["format"] not in FORMATS:
        raise PolicyError(
            f"{source} has format {header['format']}; this version reads formats {', '.join(map(str, FORMATS))}"
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
        policy = _make(game, header["activation"], **parts)
    except PolicyError as error:
        raise PolicyError(f"{source}: {error}") from None
    policy.deterministic, policy.name, policy.notes = deterministic, named_after(source), header["notes"]
    return policy


def named_after(file: Path) -> str:
    """The name of the network in a file: that of the file, or of its folder for the `policy.npz` of a run.

    >>> named_after(Path("runs/mine/policy.npz")), named_after(Path("mine.npz"))
    ('mine', 'mine')
    """
    return file.resolve().parent.name if file.stem == "policy" else file.stem


LARGEST_FILE = 1 << 30
"""In bytes; networks for these games are much smaller."""


def _bytes_of(path: Path) -> bytes:
    """What is in a file, or PolicyError."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise PolicyError(f"it has more than {LARGEST_FILE:,} bytes")
        return path.read_bytes()
    except OSError as error:
        raise PolicyError(f"it cannot be read: {error.strerror}") from None


def _make(game: Game, activation: str, layers: Sequence[Any], values: Any, beliefs: Any) -> NetworkPolicy:
    """The policy with these parts."""
    if beliefs is not None and values is None:
        raise PolicyError("beliefs are for searches, which need values too")
    return NetworkPolicy(game, layers, activation, values=values, beliefs=beliefs)


def _float16_array(array: FloatArray, name: str) -> Any:
    """An array rounded to float16, or PolicyError."""
    largest = np.finfo(np.float16).max
    if np.abs(array).max(initial=0) > largest:
        raise PolicyError(f"{name} has numbers above {largest:.0f}: too large for float16, leave out half")
    return array.astype(np.float16)


def _name_arrays(layers: Sequence[tuple[Any, Any]], prefix: str = "") -> dict[str, Any]:
    """The arrays of some layers by their names in a file."""
    names = _names(len(layers), prefix)
    return {
        name: array
        for pair, layer in zip(names, layers, strict=True)
        for name, array in zip(pair, layer, strict=True)
    }


def _names(layers: int, prefix: str = "") -> list[tuple[str, str]]:
    """The names of the arrays of some layers."""
    return [(f"{prefix}weight_{number}", f"{prefix}bias_{number}") for number in range(layers)]


HEADER = {
    "format": int, "game": str, "layout": str, "observations": int, "actions": int, "activation": str,
    "layers": int, BELIEF_LAYERS: int, "notes": dict,
}  # fmt: skip
"""Entries of the header and their types."""


def _contents(arrays: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and parts, as for `_make`, from a file's arrays; of an unknown format the header only.

    Raises:
        PolicyError: arrays are missing or unexpected.
    """
    text = arrays.pop("header", None)
    if text is None or text.shape or text.dtype.kind != "U":
        raise PolicyError("it has no header")
    try:
        header = json.loads(str(text))
    except (ValueError, RecursionError) as error:
        raise PolicyError(f"its header is not JSON: {error}") from None
    if not isinstance(header, dict):
        raise PolicyError("its header is not a JSON object")
    header.setdefault(BELIEF_LAYERS, 0)
    for key, kind in HEADER.items():
        if type(header.get(key)) is not kind:
            raise PolicyError(f"{key!r} is {header.get(key)!r:.40} in its header; expected {kind.__name__}")
    if header["format"] not in FORMATS:
        return header, {}
    layers = _names(_count(header, "layers", arrays))
    beliefs = _names(_count(header, BELIEF_LAYERS, arrays), BELIEF)
    values = VALUES if VALUES[0] in arrays else ()
    wanted = {name for pair in (*layers, *beliefs) for name in pair} | {*values}
    if wanted != set(arrays):
        differing = sorted(wanted ^ set(arrays))
        raise PolicyError(f"{', '.join(differing):.60} is missing, or too much")
    return header, {
        "layers": [(arrays[weight], arrays[bias]) for weight, bias in layers],
        "values": tuple(arrays[name] for name in values) if values else None,
        "beliefs": [(arrays[weight], arrays[bias]) for weight, bias in beliefs] or None,
    }


def _count(header: Mapping[str, Any], key: str, arrays: Mapping[str, Any]) -> int:
    """A number of layers from a header."""
    if not 0 <= header[key] <= len(arrays):
        raise PolicyError(f"{key!r} is {header[key]} in its header; the file has {len(arrays)} arrays")
    return int(header[key])
