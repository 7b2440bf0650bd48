"""Checkpoints: round trips, detection of every flipped bit, and no code in files."""

from __future__ import annotations

import hashlib
import os
import pickle
import tracemalloc
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix.agents import checkpoint
from polytrix.agents.checkpoint import DTYPES, MAGIC, read_checkpoint, write_checkpoint
from polytrix.core.errors import CheckpointError
from tests.fuzz.damage import Payload
from tests.fuzz.files import state
from tests.toys import SECRET


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "checkpoint"
    write_checkpoint(path, {"weights": np.arange(12, dtype=np.float32).reshape(3, 4), "steps": 7})
    return path


def same(one: Any, other: Any) -> bool:
    """Equal in types and content; NaN equals NaN."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, (np.ndarray, np.generic)):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    return bool(one == other) or (one != one and other != other)


def forge(path: Path, line: bytes, arrays: bytes = b"") -> None:
    """A file with a valid checksum."""
    body = line + b"\n" + arrays
    path.write_bytes(MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


def test_a_state_comes_back_as_it_was(tmp_path: Path) -> None:
    given = state(SECRET)
    given["networks"][-1] = {k: v for k, v in given["networks"][-1].items() if isinstance(v, np.ndarray)}
    assert set(given["networks"][-1]) == set(DTYPES)
    write_checkpoint(tmp_path / "a", given)
    assert same(read_checkpoint(tmp_path / "a"), given)


def test_tensors_come_back_as_tensors(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    layer = torch.nn.Linear(3, 2)
    optimizer = torch.optim.Adam(layer.parameters())
    layer(torch.ones(1, 3)).sum().backward()
    optimizer.step()
    write_checkpoint(tmp_path / "a", {"layer": layer.state_dict(), "optimizer": optimizer.state_dict()})
    read = read_checkpoint(tmp_path / "a")
    other = torch.nn.Linear(3, 2)
    other.load_state_dict(read["layer"])
    assert all(torch.equal(a, b) for a, b in zip(layer.parameters(), other.parameters(), strict=True))
    again = torch.optim.Adam(other.parameters())
    again.load_state_dict(read["optimizer"])
    assert again.state_dict()["param_groups"] == optimizer.state_dict()["param_groups"]
    for number, remembered in optimizer.state_dict()["state"].items():
        for name, tensor in remembered.items():
            assert torch.equal(again.state_dict()["state"][number][name], tensor)


def test_arrays_of_any_order_and_byte_order(tmp_path: Path) -> None:
    array = np.arange(24.0).reshape(2, 3, 4)
    given = {
        "f": np.asfortranarray(array),
        "part": array[:, ::2, 1:],
        "big": array.astype(">f4"),
        "zero": array[:0],
    }
    write_checkpoint(tmp_path / "a", given)
    read = read_checkpoint(tmp_path / "a")
    for name, each in given.items():
        assert np.array_equal(read[name], each) and read[name].shape == each.shape
        assert read[name].flags.writeable


def test_a_flipped_bit_of_any_byte_is_found(file: Path) -> None:
    whole = file.read_bytes()
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        file.write_bytes(damaged)
        with pytest.raises(CheckpointError, match=r"is damaged: its checksum|is not a checkpoint"):
            read_checkpoint(file)


def test_every_truncation_is_found(file: Path) -> None:
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        with pytest.raises(CheckpointError):
            read_checkpoint(file)
    file.write_bytes(whole + b"\0")
    with pytest.raises(CheckpointError):
        read_checkpoint(file)


def test_a_planted_payload_does_not_run(tmp_path: Path) -> None:
    """As a pickle, as a PyTorch file, and after valid first lines."""
    payload, path = Payload(tmp_path / "run"), tmp_path / "a"
    pickled = pickle.dumps({"settings": payload})
    files = [pickled, MAGIC + hashlib.sha256(pickled).hexdigest().encode() + b"\n" + pickled]
    torch = pytest.importorskip("torch")
    torch.save({"settings": payload}, path)
    for content in (*files, path.read_bytes()):
        path.write_bytes(content)
        with pytest.raises(CheckpointError):
            read_checkpoint(path)
        payload.check()
    pickle.loads(pickled)
    with pytest.raises(AssertionError, match="was run"):  # it would have been seen
        payload.check()


@pytest.mark.parametrize(
    ("line", "arrays"),
    [
        (b"", b""),
        (b"5", b""),
        (b"[]", b""),
        (b"null", b""),
        (b"{}", b""),
        (b'{"a": 1}', b""),
        (b"\xff", b""),
        (b'{"map": 5}', b""),
        (b'{"map": [5]}', b""),
        (b'{"map": [[1]]}', b""),
        (b'{"map": [[1.0, 2]]}', b""),
        (b'{"map": [[true, 2]]}', b""),
        (b'{"map": [[null, 2]]}', b""),
        (b'{"map": [["a", 1], ["a", 1]]}', b""),
        (b'{"map": [], "tuple": []}', b""),
        (b'{"map": [["a", {"tuple": 5}]]}', b""),
        (b'{"map": [["a", {"float": "1"}]]}', b""),
        (b'{"map": [["a", {"float": []}]]}', b""),
        (b'{"map": []}', b"x"),
        (b'{"map": [["a", {"bytes": 2}]]}', b"x"),
        (b'{"map": [["a", {"bytes": -1}]]}', b"x"),
        (b'{"map": [["a", {"bytes": true}]]}', b"x"),
        (b'{"map": [["a", {"bytes": 1e300}]]}', b"x"),
        (b'{"map": [["a", {"array": 5}]]}', b""),
        (b'{"map": [["a", {"array": ["object", [0]]}]]}', b""),
        (b'{"map": [["a", {"array": ["O", [0]]}]]}', b""),
        (b'{"map": [["a", {"array": [["f4"], [0]]}]]}', b""),
        (b'{"map": [["a", {"array": ["float32", [1000000000000]]}]]}', b"xxxx"),
        (b'{"map": [["a", {"array": ["float32", [0, 100000000000000000000000]]}]]}', b""),
        (b'{"map": [["a", {"array": ["float32", [-1, -1]]}]]}', b"xxxx"),
        (b'{"map": [["a", {"array": ["float32", [' + b"1," * 100 + b"1]]}]]}", b"xxxx"),
        (b'{"map": [["a", {"scalar": ["float32", [1]]}]]}', b"xxxx"),
        (b'{"map": [["a", {"array": ["bool", [1]]}]]}', b"\2"),
        (b"[" * 100_000, b""),
        (b'{"tuple":[' * 50_000, b""),
        (b"1" * 10_000, b""),
    ],
    ids=lambda part: str(part[:40]),
)
def test_what_a_forger_writes_is_refused(line: bytes, arrays: bytes, tmp_path: Path) -> None:
    forge(tmp_path / "a", line, arrays)
    with pytest.raises(CheckpointError, match="is damaged"):
        read_checkpoint(tmp_path / "a")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (object(), r"the state\['a'\]\[1\] is a builtins.object"),
        (np.array([None]), "ndarray"),
        (np.zeros(2, "M8[s]"), "ndarray"),
        (1j, "complex"),
        ({1.5: 2}, "has the key 1.5"),
        ({None: 2}, "key None"),
        ({True: 2}, "key True"),
        (Path("x"), "PosixPath|WindowsPath"),
        ({1, 2}, "set"),
        (os.stat_result, "type"),
    ],
    ids=lambda value: type(value).__name__,  # the same in all workers of pytest-xdist
)
def test_other_things_are_not_written(value: Any, message: str, file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(CheckpointError, match=message):
        write_checkpoint(file, {"a": [1, value]})
    assert file.read_bytes() == before and os.listdir(file.parent) == [file.name]


def test_a_state_that_holds_itself_is_not_written(tmp_path: Path) -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(CheckpointError, match="nested too deeply"):
        write_checkpoint(tmp_path / "a", {"a": endless})


def test_subclasses_of_dict_are_read_as_dicts(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "a", OrderedDict(a=OrderedDict(b=1)))
    assert same(read_checkpoint(tmp_path / "a"), {"a": {"b": 1}})


def test_a_file_that_is_not_there_or_a_directory(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="cannot be read: No such file"):
        read_checkpoint(tmp_path / "a")
    with pytest.raises(CheckpointError, match="cannot be read"):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"], ids=["long", "NUL"])
def test_names_that_no_file_can_have(name: str, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="cannot be read"):
        read_checkpoint(tmp_path / name)


def test_values_take_much_more_memory_than_room_in_the_file_so_there_is_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = b'{"map":[["a",[' + b",".join([b"[]"] * 1_000_000) + b"]]]}"
    forge(tmp_path / "a", line, b"")
    tracemalloc.start()
    with pytest.raises(CheckpointError, match="more than 1,000,000 values besides its arrays"):
        read_checkpoint(tmp_path / "a")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * len(line)  # it took 48 times its size

    monkeypatch.setattr(checkpoint, "MOST_VALUES", 40)
    write_checkpoint(tmp_path / "b", {"a": [1] * 15, "b": np.zeros(1000)})
    read_checkpoint(tmp_path / "b")
    with pytest.raises(CheckpointError, match="more than 40 values; keep numbers in arrays"):
        write_checkpoint(tmp_path / "b", {"a": [1] * 45})
    assert len(read_checkpoint(tmp_path / "b")["a"]) == 15
