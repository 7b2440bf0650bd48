"""`polytrix table`, as far as the command line goes."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.cli.running import refused


@pytest.mark.parametrize("missing", ["starlette", "uvicorn", "websockets"])
def test_without_the_extra_it_says_how_to_install_it(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.cli.table.find_spec", lambda name: None if name == missing else name)
    assert "pip install 'polytrix[table]'" in refused("table", "--no-open")


def test_an_unknown_game() -> None:
    assert "resistr" in refused("table", "resistr", "--no-open")


def test_a_port_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYTRIX_DATA", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert "choose another with --host and --port" in refused("table", "--no-open", "--port", port)


@pytest.mark.parametrize("host", ["foo..bar", ""])
def test_a_host_that_is_none(host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYTRIX_DATA", str(tmp_path))
    assert "choose another with --host and --port" in refused("table", "--no-open", "--host", host)
