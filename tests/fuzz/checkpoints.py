"""Fuzz training checkpoints: damage must be detected, and forged content must never run code."""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.agents.checkpoint import DTYPES, MAGIC, read_checkpoint, write_checkpoint
from polytrix.core.errors import CheckpointError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator

from .damage import STRANGE_NAMES, Payload, damaged, damaged_json, put

BOMBS = 0.001
"""Share of the forged files that hold millions of empty lists."""

PLAIN = (type(None), bool, int, float, str, bytes, np.ndarray, np.generic)


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try reads a damaged or forged checkpoint.

    Args:
        game: the game of the positions in the checkpoint.
        folder: an empty folder.

    Returns:
        The function that makes a try. Outcomes: "refused", or "taken" if the checksum is right.
    """
    path = folder / "checkpoint"
    payload = Payload(folder / "run")
    write_checkpoint(path, state(game))
    whole = path.read_bytes()
    pickled = pickle.dumps(payload)

    def attempt(rng: np.random.Generator) -> str:
        roll = rng.random()
        place = path if rng.random() < 0.99 else folder / STRANGE_NAMES[rng.integers(len(STRANGE_NAMES))]
        if roll < 0.5:
            data = damaged(whole, rng, pickled)
        elif rng.random() < BOMBS:
            data = checksummed(b'{"map":[["a",[' + b"[]," * 5_000_000 + b"0]]]}\n")
        else:
            data = pickled if roll < 0.52 else forged_bytes(whole, rng, pickled)
        put(path, data)
        try:
            read = read_checkpoint(place)
        except CheckpointError as error:
            payload.check()
            if place == path and (data == whole or str(path) not in str(error)):
                raise AssertionError(f"a whole checkpoint was refused, or not named: {error}") from error
            return "refused"
        except BaseException as error:
            raise AssertionError(f"reading a checkpoint raised {error!r}") from error
        payload.check()
        assert roll >= 0.5 or data == whole, "a damaged checkpoint was read"
        check_plain(read)
        if rng.random() < 0.1:
            write_checkpoint(path, read)
            first = path.read_bytes()
            write_checkpoint(path, read_checkpoint(path))
            assert path.read_bytes() == first, "a state is read back as another one"
        return "taken"

    return attempt


def forged_bytes(whole: bytes, rng: np.random.Generator, other: bytes = b"") -> bytes:
    """A checkpoint with forged content and a correct checksum; now and then with other bytes as content."""
    body = whole[len(MAGIC) + 65 :]
    line, _, arrays = body.partition(b"\n")
    way = int(rng.integers(4))
    if way == 0:
        body = damaged(body, rng)
    elif way == 1:
        body = damaged_json(line.decode(), rng).encode() + b"\n" + arrays
    elif way == 2:
        body = line + b"\n" + damaged(arrays, rng)
    else:
        body = other
    return checksummed(body)


def checksummed(body: bytes) -> bytes:
    """A checkpoint with this content."""
    return MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def state(game: Game) -> dict[str, Any]:
    """A small state with all parts of a real checkpoint; tensors only if PyTorch is loaded."""
    rng = np.random.default_rng(1)
    arrays: dict[str, Any] = {name: rng.integers(0, 2, (2, 3)).astype(dtype) for name, dtype in DTYPES.items()}
    torch = sys.modules.get("torch")
    if torch is not None:
        arrays |= {"weight": torch.ones(3, 4), "generator": torch.zeros(16, dtype=torch.uint8)}
    return {
        "settings": {
            "game": game.name,
            "layers": (8, 8),
            "gamma": 0.99,
            "options": dict(game.options.defaults),
        },
        "progress": {"steps": 1000, "seconds": 1.5, "curve": [{"steps": 10.0, "random": float("nan")}]},
        "networks": {-1: arrays, 3: {"empty": np.zeros((0, 4), np.float32), "one": np.float64(2.5)}},
        "environment": Simulator(game, 2, seed=1).save(),
        "rng": rng.bit_generator.state,
        "nothing": [None, True, float("-inf"), "text", b"\0\xff", ()],
    }


def check_plain(value: Any) -> None:
    """Assert that a value consists of plain data only."""
    if isinstance(value, dict):
        assert type(value) is dict and all(type(key) in (str, int) for key in value)
        for item in value.values():
            check_plain(item)
    elif isinstance(value, (list, tuple)):
        assert type(value) in (list, tuple)
        for item in value:
            check_plain(item)
    else:
        tensor = type(value).__module__ == "torch" and type(value).__name__ == "Tensor"
        assert tensor or isinstance(value, PLAIN), f"{type(value)} came out of a checkpoint"
        assert not isinstance(value, np.ndarray) or value.dtype.name in DTYPES
