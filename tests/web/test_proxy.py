"""Behind nginx with HTTPS, as the page sets it up."""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from polytrix.web.limits import CONNECTIONS_OF_AN_ADDRESS
from tests.cli.running import refused
from tests.pages import ROOT, blocks

from .running import process

FORM = {"game": "quatrix", "seats": [{"kind": "you"}, {"kind": "agent", "agent": "greedy"}], "seed": 5}
NAME = "table.example.org"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
OPENSSL = shutil.which("openssl")
ANYBODY = ssl._create_unverified_context()  # the certificate is signed by nobody

with_nginx = pytest.mark.skipif(
    NGINX is None or OPENSSL is None, reason="needs nginx and openssl, which are no Python packages"
)


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def written(folder: Path, port: int, behind: int) -> Path:
    """The settings on the page, for a port of this machine, with files in a folder."""
    own = next(block.content for block in blocks(ROOT / "docs/table.md") if block.kind == "nginx")
    for given, here in (
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        (f"/etc/ssl/{NAME}", str(folder / NAME)),
        ("127.0.0.1:8765", f"127.0.0.1:{behind}"),
    ):
        assert given in own
        own = own.replace(given, here)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    file = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""  # else it could not write to the folder
    file.write_text(
        f"{user} daemon off; pid {folder}/pid; error_log {folder}/errors;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}{own}}}\n",
        encoding="utf-8",
    )
    return file


@contextmanager
def nginx(folder: Path, port: int, behind: int) -> Iterator[None]:
    """nginx with HTTPS at a port, in front of the server at another one."""
    pem, key = folder / f"{NAME}.pem", folder / f"{NAME}.key"
    signed = f"req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN={NAME}"
    command = [str(OPENSSL), *signed.split(), "-keyout", key, "-out", pem]
    subprocess.run(command, check=True, capture_output=True)
    with subprocess.Popen([str(NGINX), "-p", folder, "-c", written(folder, port, behind)]) as running:
        try:
            for _ in range(300):
                with socket.socket() as tried:
                    if running.poll() is not None or tried.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            assert running.poll() is None, (folder / "errors").read_text(encoding="utf-8")
            yield
        finally:
            running.terminate()


class Front(NamedTuple):
    """A table behind nginx."""

    port: int
    key: str

    @property
    def address(self) -> str:
        """Where browsers find it."""
        return f"https://{NAME}:{self.port}"

    def ask(self, path: str, content: bytes | None = None, **headers: str) -> Any:
        """The answer to a page that browsers have loaded there; HTTPError if it is refused."""
        own = {"Host": f"{NAME}:{self.port}", "Origin": self.address, "Authorization": f"Bearer {self.key}"}
        asked = Request(f"https://127.0.0.1:{self.port}{path}", content, {**own, **headers})
        return urlopen(asked, context=ANYBODY, timeout=30)

    def page(self, origin: str | None = None, source: str = "127.0.0.1") -> ClientConnection:
        """A page's connection."""
        made = socket.create_connection(("127.0.0.1", self.port), timeout=30, source_address=(source, 0))
        return connect(
            f"wss://{NAME}:{self.port}/socket",
            sock=made,
            ssl=ANYBODY,
            origin=Origin(origin or self.address),
        )


@pytest.fixture
def front(tmp_path: Path) -> Iterator[Front]:
    port, behind = free_port(), free_port()
    address = f"https://{NAME}:{port}"
    with process(tmp_path, behind, "--address", address) as (_, shown, key), nginx(tmp_path, port, behind):
        assert shown == address
        yield Front(port, key)


@with_nginx
def test_people_play_through_nginx(front: Front) -> None:
    policy = front.ask("/").headers["Content-Security-Policy"]
    assert f"wss://{NAME}:{front.port}" in policy
    token = json.load(front.ask("/api/tables", json.dumps(FORM).encode()))["seats"][0]["token"]
    with front.page() as page:
        page.send(json.dumps({"type": "join", "token": token, "seen": -1}))
        while json.loads(page.recv(30))["type"] != "view":
            pass
    with pytest.raises(HTTPError, match="400"):  # not 413: nginx lets large files pass
        front.ask("/api/networks?name=a.npz&game=quatrix", bytes(20_000_000))


@with_nginx
def test_other_sites_stay_out(front: Front) -> None:
    for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
        with pytest.raises(HTTPError, match="403"):
            front.ask("/api/tables", json.dumps(FORM).encode(), **headers)
    with pytest.raises(InvalidStatus, match="403"):
        front.page("https://evil.example")


@with_nginx
def test_addresses_are_those_of_browsers(front: Front) -> None:
    with ExitStack() as stack:
        for _ in range(CONNECTIONS_OF_AN_ADDRESS):
            stack.enter_context(front.page())
        with pytest.raises(InvalidStatus, match="403"):
            front.page()
        stack.enter_context(front.page(source="127.0.0.2"))


@pytest.mark.parametrize("given", ["", NAME, "ftp://a", "https://", "https://a/b", "https://[", "https://a b"])
def test_an_address_that_is_none(given: str) -> None:
    assert f"the address is {given!r}; allowed: https://" in refused("table", "--no-open", "--address", given)
