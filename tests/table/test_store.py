"""Games are kept: what was confirmed is there after the process has been killed."""

from __future__ import annotations

import os
import random
import shutil
import stat
import sys
from pathlib import Path

import pytest

from polytrix.core.errors import PolytrixError
from polytrix.table.folder import data_folder
from polytrix.table.store import Store

from .playing import serving


def without_names(view: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in view.items() if key != "type"}


@pytest.mark.parametrize("game", ["quatrix", "resistor", "pixel_tactics"])
def test_a_killed_server_goes_on_with_the_same_view(game: str, tmp_path: Path) -> None:
    """The files are copied while the server runs: what a killed process leaves."""
    left = tmp_path / "left"
    running = tmp_path / "running"
    running.mkdir()
    with serving(running) as server:
        token = server.set_up(game, "you", "greedy", seed=3)["seats"][0]["token"]
        rng = random.Random(2)
        with server.page(token) as page:
            for _ in range(4):
                page.my_turn()
                page.move(rng.choice(page.view["moves"])["action"])
            page.my_turn()
            if page.view["may"]["take_back"]:
                page.send("take_back")
                page.receive("view")
        with server.page(token) as page:
            page.my_turn()
            before = page.view
        shutil.copytree(running, left)
    with serving(left) as server, server.page(token) as page:
        page.my_turn()
        assert without_names(page.view) == without_names(before)
        page.move()


def test_a_new_game_and_resignations_are_kept(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        token = server.set_up("quatrix", "you", "greedy", seed=3)["seats"][0]["token"]
        with server.page(token) as page:
            page.my_turn()
            page.send("resign")
            page.receive("view")
    with serving(tmp_path) as server, server.page(token) as page:
        page.receive("view")
        assert page.view["over"]
        page.send("begin")
        page.receive("view")
        assert page.view["round"] == 1
    with serving(tmp_path) as server, server.page(token) as page:
        page.receive("view")
        assert page.view["round"] == 1 and not page.view["over"]


def test_data_of_ones_own_are_kept(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = server.set_up("resistor", "you", "greedy", data={"deck": "micro"}, options={"max_decisions": 3})
        token = table["seats"][0]["token"]
        with server.page(token) as page:
            page.receive("view")
            board = page.view["board"]
    with serving(tmp_path) as server, server.page(token) as page:
        assert page.receive("view")["board"] == board


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    store = Store(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(store.key) >= 22  # 128 bits
    store.close()


def test_one_server_at_a_time(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    with pytest.raises(PolytrixError, match="runs already"):
        Store(tmp_path / "tables.sqlite")
    store.close()
    again = Store(tmp_path / "tables.sqlite")
    assert again.key == store.key
    again.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(PolytrixError, match="move it away"):
        Store(tmp_path / "tables.sqlite")


def test_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYTRIX_DATA", str(tmp_path / "own"))
    assert data_folder() == tmp_path / "own"
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "own").stat().st_mode) == 0o700
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("POLYTRIX_DATA", str(tmp_path / "file"))
    with pytest.raises(PolytrixError, match="POLYTRIX_DATA"):
        data_folder()


@pytest.mark.skipif(sys.platform == "win32", reason="Unix alone has limits of files")
def test_a_full_disk_is_not_another_process(tmp_path: Path) -> None:
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(PolytrixError, match=r"cannot be used \(.*(full|disk I/O)"):
            Store(tmp_path / "tables.sqlite")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
