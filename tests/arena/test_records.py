"""The file of an arena's games: errors name the damaged line, no games are lost, one process writes it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix.arena.play import Block, Games
from polytrix.arena.records import Records, RecordsError
from polytrix.core.lock import FileLock
from tests.pages import ROOT
from tests.toys import SECRET

OPTIONS = SECRET.options.defaults
GAMES = Games(np.array([[[1, -1], [0.5, -0.5]]], np.float32), 0, 7)


def block(first: int) -> Block:
    return Block("one", "rest", "mark", "mark", first, 1)


def opened(path: Path) -> closing[Records]:
    return closing(Records(SECRET, OPTIONS, 1, path))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A header and two blocks."""
    file = tmp_path / "games.jsonl"
    with opened(file) as records:
        records.add(block(0), GAMES)
        records.add(block(1), GAMES)
    return file


def refused(path: Path, message: str) -> None:
    """The file is refused, and is unchanged."""
    before = path.read_bytes()
    with pytest.raises(RecordsError, match=message):
        Records(SECRET, OPTIONS, 1, path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def with_line(path: Path, number: int, text: str) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    lines[number - 1] = text + "\n"
    path.write_text("".join(lines), encoding="utf-8")


def test_what_was_added_is_there(path: Path) -> None:
    with opened(path) as records:
        assert block(0) in records and (records[block(1)].payoffs == GAMES.payoffs).all()


def test_counts_of_behaviour_are_kept_and_may_be_missing(path: Path) -> None:
    counts = {"calls": [[1, 2], [3, 4]]}
    with opened(path) as records:
        records.add(block(2), GAMES._replace(behaviour=counts))
    with opened(path) as records:
        assert records[block(2)].behaviour == counts and records[block(1)].behaviour == {}
    assert '"behaviour"' not in path.read_text(encoding="utf-8").splitlines()[2]


def test_a_block_is_added_once(path: Path) -> None:
    before = path.read_bytes()
    with opened(path) as records, pytest.raises(RecordsError, match="are there already"):
        records.add(block(0), GAMES)
    assert path.read_bytes() == before


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize(
    "text", ["[]", "5", "null", '"text"', "{}", "", "{", "[" * 100_000, "\ud800", '{"payoffs": 1}', "1" * 5000]
)
def test_a_line_that_is_no_block_is_named(text: str, number: int, path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    lines[number - 1] = text.encode(errors="surrogatepass") + b"\n"
    path.write_bytes(b"".join(lines))
    refused(
        path, "another format" if (text, number) in (("{}", 1), ('{"payoffs": 1}', 1)) else f"line {number}"
    )


@pytest.mark.parametrize(
    "change",
    [
        {"payoffs": [[[1, -1]]]}, {"payoffs": [[["1", "-1"], ["0.5", "-0.5"]]]},
        {"payoffs": [[[1, -1], [None, 1]]]},
        {"payoffs": [[[1, -1], [float("nan"), 0]]]}, {"payoffs": [[[1, -1], [1e39, 0]]]},
        {"payoffs": [[[True, -1], [0.5, 0]]]}, {"payoffs": [[[10**400, -1], [0.5, 0]]]}, {"payoffs": {}},
        {"payoffs": [[[0.1 + 1e-12, -1], [0.5, 0]]]}, {"deals": 2}, {"deals": 1.0}, {"deals": True},
        {"first": -1},
        {"first": "0"}, {"truncated": -1}, {"truncated": 3}, {"decisions": 0.5}, {"one": 5}, {"rest": ["rest"]},
        {"one_mark": None}, {"extra": 1}, {"behaviour": None}, {"behaviour": 5}, {"behaviour": {}},
        {"behaviour": {"calls": [[1, 2]]}}, {"behaviour": {"calls": [[1, 2], [3, -1]]}},
        {"behaviour": {"calls": [[1, 2], [3, 0.5]]}}, {"behaviour": {"calls": [[1, 2], [3, 2**64]]}},
        {"behaviour": [["calls", [[1, 2], [3, 4]]]]},
    ],
    ids=str,
)  # fmt: skip
def test_a_block_with_something_wrong_is_named(change: dict[str, Any], path: Path) -> None:
    entry = json.loads(path.read_text(encoding="utf-8").splitlines()[2])
    with_line(path, 3, json.dumps({**entry, **change}, separators=(",", ":")))
    refused(path, "line 3 is damaged")


def test_the_same_block_with_other_games_is_refused(path: Path) -> None:
    second = path.read_text(encoding="utf-8").splitlines()[1]
    with path.open("a", encoding="utf-8") as file:
        file.write(second + "\n")
    with opened(path) as records:  # twice the same is no harm
        assert (records[block(0)].payoffs == GAMES.payoffs).all()
    with_line(path, 4, second.replace("0.5", "0.25"))
    refused(path, "line 4: a block comes again with other games")


def test_an_unfinished_line_is_cut_off(path: Path) -> None:
    whole = path.read_bytes()
    for length in (len(whole) - 1, len(whole) - 20):
        path.write_bytes(whole[:length])
        with opened(path) as records:
            assert block(0) in records and block(1) not in records
        assert whole.startswith(path.read_bytes()) and path.read_bytes().count(b"\n") == 2


def test_an_unfinished_header_is_written_anew(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:10])
    opened(path).__enter__().close()
    assert path.read_bytes() == whole[: whole.index(b"\n") + 1]


@pytest.mark.parametrize("content", ["something dear to its owner", '{"dear": 1}', "a\nb", "\n"])
def test_a_file_of_something_else_stays_as_it_is(content: str, tmp_path: Path) -> None:
    file = tmp_path / "thesis.txt"
    file.write_text(content)
    refused(file, "is not a file of an arena's games|line 1")


def test_a_line_is_not_cut_off_if_another_is_damaged(path: Path) -> None:
    with_line(path, 2, "5")
    path.write_bytes(path.read_bytes()[:-3])
    refused(path, "line 2")


# -- one process at a time ----------------------------------------------------------------

HOLD = """
import sys
from pathlib import Path
from polytrix.arena.records import Records
from tests.toys import SECRET
records = Records(SECRET, SECRET.options.defaults, 1, Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_file_that_another_process_adds_to_is_refused(path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "envs")])},
    )
    try:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        before = path.read_bytes()
        with pytest.raises(
            RecordsError, match=f"is being written by process {process.pid} on {socket.gethostname()}"
        ):
            Records(SECRET, OPTIONS, 1, path)
        assert path.read_bytes() == before
        process.kill()
        process.wait()
        with opened(path) as records:  # the lock went with the process
            assert block(1) in records
    finally:
        process.kill()
        process.communicate()


def test_a_file_that_this_process_adds_to_is_refused(path: Path) -> None:
    with opened(path), pytest.raises(RecordsError, match=f"is being written by process {os.getpid()} on"):
        Records(SECRET, OPTIONS, 1, path)
    assert os.listdir(path.parent) == [path.name]


def test_a_refused_file_is_not_held(path: Path) -> None:
    whole = path.read_bytes()
    with_line(path, 2, "5")
    refused(path, "line 2")
    path.write_bytes(whole)
    opened(path).__enter__().close()


@pytest.mark.parametrize(
    ("platform", "order"), [("linux", ["remove", "close"]), ("win32", ["close", "remove"])]
)
def test_a_lock_file_goes_in_the_order_that_the_system_needs(
    platform: str, order: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Windows removes no open file; elsewhere nobody may lock a file that is about to be removed."""
    file, done, close, unlink = tmp_path / "a.lock", [], os.close, Path.unlink
    lock = FileLock(file)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "platform", platform)
        patched.setattr(os, "close", lambda descriptor: (done.append("close"), close(descriptor)))
        patched.setattr(Path, "unlink", lambda path: (done.append("remove"), unlink(path)))
        lock.release()
    assert done == order and not file.exists()
