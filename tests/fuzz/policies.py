"""Fuzz saved networks: `load` must refuse them with PolicyError, or they must play."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.agents import NetworkPolicy, ask_rows, load
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from tests.networks import save, some_network

from .damage import STRANGE_NAMES, Payload, damaged, damaged_json, long_directory, npy, other_array, put

Generator = np.random.Generator
GAMES = 8
BOMBS = 0.002
"""Share of the forged files that are made to take much memory or time."""


def prepare(game: Game, folder: Path) -> Callable[[Generator], str]:
    """Each try loads a damaged or forged network.

    Outcomes: "refused" or "taken".
    """
    path = folder / "policy.npz"
    payload = Payload(folder / "run")
    kinds = ["plain", "values", *([] if game.hidden_action is None else ["beliefs"])]
    whole = [_network(game, path, kind) for kind in kinds]
    members = [_members(data) for data in whole]
    known = [_weights(_loaded(path, data, game)) for data in whole]
    simulator = Simulator(game, GAMES, seed=1)
    for _ in range(5):
        simulator.step(simulator.random_actions())
        simulator.restart(np.flatnonzero(simulator.over))
    rows = np.arange(GAMES)

    def attempt(rng: Generator) -> str:
        which, other = rng.integers(len(whole), size=2)
        by_accident = rng.random() < 0.5
        if by_accident:
            data = damaged(whole[which], rng, whole[other])
        elif rng.random() < BOMBS:
            data = long_directory(700_000)
        else:
            data = _forged(members[which], rng, payload)
        place = path if rng.random() < 0.99 else folder / STRANGE_NAMES[rng.integers(len(STRANGE_NAMES))]
        try:
            policy = _loaded(path, data, game) if place == path else load(place, game)
        except PolicyError:
            payload.check()
            return "refused"
        except BaseException as error:
            raise AssertionError(f"loading a network raised {error!r}") from error
        payload.check()
        if by_accident:
            assert any(_same(_weights(policy), each) for each in known), "damaged weights were taken"
        for deterministic in (False, True):
            policy.deterministic = deterministic
            actions = ask_rows(policy, simulator, rows, rng)
            assert (simulator.mask[rows, actions] == 1).all(), "a network that was taken plays illegal actions"
        if policy.values is not None:
            assert np.isfinite(policy.payoffs(simulator.observation)).all(), "a network expects no number"
        return "taken"

    return attempt


def _network(game: Game, path: Path, kind: str) -> bytes:
    """The bytes of a small saved network, which may have values, or values and beliefs."""
    network = some_network(game, (4,), beliefs=(4,) if kind == "beliefs" else None)
    if kind == "plain":
        network.values = None
    return save(path, network, note=1).read_bytes()


def _members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _loaded(path: Path, data: bytes, game: Game) -> NetworkPolicy:
    put(path, data)
    return load(path, game)


def _weights(policy: NetworkPolicy) -> list[Any]:
    layers = *policy.layers, policy.values or (), *(policy.beliefs or ())
    return [each for layer in layers for each in layer]


def _same(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(map(np.array_equal, one, other))


# -- forging ----------------------------------------------------------------------------------

EXTRA = ("extra.npy", "weight_00.npy", "weight_2.npy", "../up.npy", "HEADER.NPY")


def _forged(members: Mapping[str, bytes], rng: Generator, payload: Payload) -> bytes:
    """A valid archive with wrong arrays."""
    changed = dict(members)
    name = list(members)[int(rng.integers(len(members)))]
    way = int(rng.integers(8))
    if way == 0:
        changed["header.npy"] = npy(np.array(_header(members, rng)))
    elif way in (1, 2):
        changed[name] = npy(_other_array(members[name], rng, payload))
    elif way == 3:  # also the description that it begins with
        end = len(members[name]) if rng.random() < 0.5 else 128
        changed[name] = damaged(members[name][:end], rng, members["header.npy"]) + members[name][end:]
    elif way == 4:
        del changed[name]
    elif way == 5:
        changed[EXTRA[rng.integers(len(EXTRA))]] = members[name]
    twice = [name] if way == 6 else []
    method = zipfile.ZIP_DEFLATED if way == 7 else zipfile.ZIP_STORED
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method, compresslevel=1) as archive:
        for each in [*changed, *twice]:
            archive.NameToInfo.pop(each, None)  # avoids Python's warning about duplicate names
            archive.writestr(each, changed.get(each, members.get(each, b"")))
    return buffer.getvalue()


def _header(members: Mapping[str, bytes], rng: Generator) -> str:
    """A damaged header; NumPy strings cannot end with null characters."""
    text = str(np.load(io.BytesIO(members["header.npy"])))
    return damaged_json(text, rng).rstrip("\0") or "{}"


def _other_array(data: bytes, rng: Generator, payload: Payload) -> Any:
    """A wrong array in place of a saved one."""
    if rng.random() < 0.1:
        return np.array([payload, payload], object)
    array = np.load(io.BytesIO(data))
    return other_array(np.zeros((2, 3), np.float32) if array.dtype.kind == "U" else array, rng)
