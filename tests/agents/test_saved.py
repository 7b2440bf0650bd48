"""Untrusted network files: no code is run, and headers are checked."""

from __future__ import annotations

import copy
import json
import os
import struct
import tracemalloc
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix.agents import NetworkPolicy, load, resolve, save_network
from polytrix.agents.saved import FORMAT, layout_mark
from polytrix.core.catalogue import find
from polytrix.core.errors import PolicyError
from tests.fuzz.damage import Payload, npy
from tests.networks import some_network
from tests.toys import SECRET

INPUTS, OUTPUTS = SECRET.observations.size, SECRET.actions.size
WEIGHT, BIAS = np.ones((INPUTS, OUTPUTS), np.float32), np.zeros(OUTPUTS, np.float32)
HEADER: dict[str, Any] = {
    "format": FORMAT,
    "game": SECRET.id,
    "layout": layout_mark(SECRET),
    "observations": INPUTS,
    "actions": OUTPUTS,
    "activation": "relu",
    "layers": 1,
    "notes": {},
}


def file(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> Path:
    """A file like that of a network, with some of its arrays replaced."""
    whole = {
        "header.npy": npy(np.array(json.dumps(HEADER))),
        "weight_0.npy": npy(WEIGHT),
        "bias_0.npy": npy(BIAS),
    }
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in (whole | members).items():
            archive.writestr(name, data)
    return path


def refused(path: Path, message: str = "a.npz") -> None:
    with pytest.raises(PolicyError, match=message):
        load(path, SECRET)


DESCRIPTIONS = (
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 10000000000000000000000), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, -4), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (True,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1.0,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': 5, }",
    "{'descr': '<f4', 'fortran_order': 1, 'shape': (1,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': [('a', '|O'), ('b', '<f4')], 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<U0', 'fortran_order': False, 'shape': (1000000,), }",
    "{'descr': '|V0', 'fortran_order': False, 'shape': (9999999999,), }",
    "{'descr': '<U1000000000', 'fortran_order': False, 'shape': (), }",
    "{'descr': ('<f4', (2, 2)), 'fortran_order': False, 'shape': (1,), }",
    "{'descr': None, 'fortran_order': False, 'shape': (1,), }",
    "{'descr': {}, 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1L,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (" + "1, " * 100 + "), }",
    "[]",
    "5",
    "'",
    "(" * 5000,
    "-" * 5000 + "1",
    "[" * 150 + "]" * 150,
    "{" + "'a': 1, " * 900 + "}",
    "'" + "\\x" * 100 + "'",
    "\0" * 100,
    "__import__('os').mkdir('run')",
)
"""Invalid or hostile headers of `.npy` files."""


@pytest.mark.parametrize("text", DESCRIPTIONS, ids=lambda text: text[:50])
def test_a_description_that_is_none(text: str, tmp_path: Path) -> None:
    told = npy(WEIGHT)[:8] + len(text).to_bytes(2, "little") + text.encode() + WEIGHT.tobytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        refused(file(tmp_path / "a.npz", {"weight_0.npy": told}), "damaged or not a saved network")


@pytest.mark.parametrize(
    "weight",
    [
        WEIGHT.astype(complex),
        WEIGHT.astype("M8[s]"),
        WEIGHT.astype("m8[s]"),
        WEIGHT.astype(bool),
        WEIGHT.astype("S4"),
        WEIGHT.astype("U4"),
        WEIGHT.astype("V4"),
        WEIGHT * np.nan,
        WEIGHT * np.inf,
        WEIGHT.astype(float) * 1e300,
        WEIGHT * np.float32(3e38),
        WEIGHT[:-1],
        WEIGHT.T,
        WEIGHT[None],
        WEIGHT[:, :0],
        np.float32(1.0),
        WEIGHT[..., None],
    ],
    ids=lambda weight: f"{weight.dtype} {weight.shape}",
)
def test_weights_that_are_none(weight: Any, tmp_path: Path) -> None:
    refused(file(tmp_path / "a.npz", {"weight_0.npy": npy(weight)}))


@pytest.mark.parametrize("dtype", ["f2", "f8", ">f4", "i1", "u4"])
def test_weights_of_other_real_dtypes_are_taken(dtype: str, tmp_path: Path) -> None:
    policy = load(file(tmp_path / "a.npz", {"weight_0.npy": npy(WEIGHT.astype(dtype))}), SECRET)
    assert policy.layers[0][0].dtype == np.float32 and (policy.layers[0][0] == 1).all()


@pytest.mark.parametrize(
    "change",
    [
        {"format": "2"},
        {"format": True},
        {"format": None},
        {"game": 5},
        {"game": []},
        {"game": {}},
        {"layout": 5},
        {"layers": "1"},
        {"layers": -1},
        {"layers": 0},
        {"layers": 2},
        {"layers": 10**12},
        {"layers": 1.0},
        {"layers": [1]},
        {"activation": []},
        {"activation": "gelu"},
        {"notes": []},
        {"notes": 5},
        {"observations": "x"},
        {"actions": None},
        {"belief_layers": None},
        {"belief_layers": 1},
    ],
    ids=str,
)
def test_a_header_that_is_none(change: dict[str, Any], tmp_path: Path) -> None:
    refused(file(tmp_path / "a.npz", {"header.npy": npy(np.array(json.dumps(HEADER | change)))}))


@pytest.mark.parametrize(
    "header", ["[]", "5", "null", "{}", "{", "[" * 100_000, "1" * 10_000], ids=lambda h: h[:9]
)
def test_a_header_that_is_no_object(header: str, tmp_path: Path) -> None:
    refused(file(tmp_path / "a.npz", {"header.npy": npy(np.array(header))}), "damaged or not a saved network")


@pytest.mark.parametrize("number", [2, 4, 5])
def test_earlier_formats_are_read_and_unknown_ones_refused(number: int, tmp_path: Path) -> None:
    given, unknown = (
        {"header.npy": npy(np.array(json.dumps(HEADER | {"format": each})))} for each in (number, 3)
    )
    network = load(file(tmp_path / "a.npz", given), SECRET)
    assert network.values is None and network.beliefs is None
    refused(file(tmp_path / "a.npz", unknown), "has format 3; this version reads formats 2, 4, 5, 6")


def test_a_planted_payload_does_not_run(tmp_path: Path) -> None:
    payload = Payload(tmp_path / "run")
    for name in ("header.npy", "weight_0.npy", "more.npy"):
        refused(file(tmp_path / "a.npz", {name: npy(np.array([payload], object))}))
        payload.check()


def test_names_that_come_twice(tmp_path: Path) -> None:
    path = file(tmp_path / "a.npz", {})
    with warnings.catch_warnings(), zipfile.ZipFile(path, "a") as archive:
        warnings.simplefilter("ignore")
        archive.writestr("bias_0.npy", npy(BIAS + 1))
    refused(path, "two arrays have one name")
    refused(file(tmp_path / "b.npz", {"bias_0": npy(BIAS)}), "two arrays have one name")


def test_a_small_file_that_unpacks_to_a_large_one(tmp_path: Path) -> None:
    bomb = file(
        tmp_path / "a.npz", {"weight_0.npy": npy(np.zeros((INPUTS, 100_000), np.float32))}, zipfile.ZIP_DEFLATED
    )
    assert bomb.stat().st_size < 100_000
    refused(bomb, "compressed")


def test_arrays_that_share_bytes(tmp_path: Path) -> None:
    path = file(tmp_path / "a.npz", {})
    with zipfile.ZipFile(path, "a") as archive:
        for number in range(1, 50):
            info = copy.copy(archive.getinfo("weight_0.npy"))
            info.filename = f"weight_{number}.npy"
            archive.filelist.append(info)
        archive._didModify = True  # type: ignore[attr-defined]
    refused(path, "share bytes")


def test_numbers_that_overflow_on_the_way_are_refused(tmp_path: Path) -> None:
    """Weights are finite, but their products are not, which could choose illegal actions."""
    layers = [(np.full((INPUTS, 4), 1e20), np.zeros(4)), (np.full((4, OUTPUTS), 1e20), np.zeros(OUTPUTS))]
    with pytest.raises(PolicyError, match="layer 1 has such large weights"):
        NetworkPolicy(SECRET, layers, "relu")
    with pytest.raises(PolicyError, match="such large weights"):
        save_network(tmp_path / "a.npz", SECRET, layers)
    assert os.listdir(tmp_path) == []


def test_a_value_head_that_overflows_is_refused(tmp_path: Path) -> None:
    """Its own weights are finite, but sums of them are not: a search would compare what is not a number."""
    layers = [(np.ones((INPUTS, 4)), np.zeros(4)), (np.ones((4, OUTPUTS)), np.zeros(OUTPUTS))]
    weight = np.full((4, SECRET.max_players), 3.4e38, np.float32)
    weight[::2] *= -1
    with pytest.raises(PolicyError, match="the value head: layer 1 has such large weights"):
        save_network(tmp_path / "a.npz", SECRET, layers, values=(weight, np.zeros(SECRET.max_players)))
    assert os.listdir(tmp_path) == []


def test_a_directory_of_many_entries_is_not_read(tmp_path: Path) -> None:
    """zipfile reads all of it, whatever its last record says: 690,000 entries took 7 s and 253 MB."""
    path = file(tmp_path / "a.npz", {})
    whole = path.read_bytes()
    end = bytearray(whole[-22:])
    (size,), (first,) = struct.unpack("<L", end[12:16]), struct.unpack("<L", end[16:20])
    entries = whole[first : first + size] * 30_000
    end[12:16] = struct.pack("<L", len(entries))
    tracemalloc.start()
    path.write_bytes(whole[:first] + entries + end)
    tracemalloc.reset_peak()
    refused(path, r"its directory has [\d,]+ bytes")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * path.stat().st_size  # the file itself; entries take five times as much
    path.write_bytes(whole[:-2] + b"\1\0x")
    refused(path, "does not end as")


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "y" * 300 + ".npz", "z/" * 3000], ids=str)
def test_names_that_no_file_can_have(name: str) -> None:
    with pytest.raises(PolicyError, match="there is no network file"):
        load(name, SECRET)
    with pytest.raises(PolicyError, match="neither a name nor an existing file"):
        resolve(name, SECRET)


# -- float16 ------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [(), ("values",), ("values", "beliefs")])
def test_a_network_in_float16_is_rounded_and_computes_in_float32(
    parts: tuple[str, ...], tmp_path: Path
) -> None:
    game = find("pressure_matrix")
    given = some_network(game, (16,), beliefs=(8,))
    more: dict[str, Any] = {part: getattr(given, part) for part in parts}
    whole = save_network(tmp_path / "whole.npz", game, given.layers, "relu", **more)
    half = save_network(tmp_path / "half.npz", game, given.layers, "relu", **more, half=True)
    assert half.stat().st_size < 0.6 * whole.stat().st_size
    found = load(half, game)
    assert [found.values is not None, found.beliefs is not None] == ["values" in parts, "beliefs" in parts]
    for part in ("layers", *parts):
        own, its = (getattr(network, part) for network in (found, given))
        pairs = zip([own], [its], strict=True) if part == "values" else zip(own, its, strict=True)
        for (weight, bias), (its_weight, its_bias) in pairs:
            assert weight.dtype == bias.dtype == np.float32
            assert np.array_equal(weight, its_weight.astype(np.float16))
            assert np.array_equal(bias, its_bias.astype(np.float16))


def test_numbers_too_large_for_float16_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="weight_0 has numbers above 65504"):
        save_network(tmp_path / "a.npz", SECRET, [(WEIGHT * 1e5, BIAS)], "relu", half=True)
    assert not (tmp_path / "a.npz").exists()
