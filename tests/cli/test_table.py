"""`polytrix table`, as far as the command line goes."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.cli.running import refused
from tests.pages import ROOT


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


def test_the_first_page_needs_no_compiler(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['numba'] = None; sys.modules['llvmlite'] = None; "
        "sys.argv = ['polytrix', 'table', 'quatrix', '--no-open', '--port', '0']; "
        "from polytrix.cli import main; main()"
    )
    environment = {
        "PYTHONPATH": str(ROOT / "envs"),
        "POLYTRIX_CACHE": str(tmp_path / "cache"),
        "POLYTRIX_DATA": str(tmp_path / "data"),
        "PATH": "",
    }
    with subprocess.Popen(
        [sys.executable, "-u", "-c", script], env=environment, cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        try:
            assert address.endswith("&game=quatrix")
            page = urlopen(address.partition("#")[0]).read()
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()
    assert b"Choose a game" in page
