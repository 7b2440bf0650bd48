"""Starts the server."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import webbrowser
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

from polytrix.core.calls import shown
from polytrix.core.errors import PolytrixError
from polytrix.core.terminal import printable

from .app import application
from .connections import Connection
from .guard import LOOPBACK, is_host, split
from .limits import MOST_PAGES
from .messages import LONGEST_MESSAGE
from .store import Store, data_folder

FILE = "tables.sqlite"

SWITCH = 0.0005
"""Seconds after which a thread that draws or thinks lets another one run. A move passes from thread to thread
several times; with Python's usual 5 ms it would wait ten times as long each time."""


def serve(
    host: str, port: int, address: str | None, path: str, open_page: bool, say: Callable[[str], None]
) -> None:
    """Serve tables until the process is interrupted.

    Args:
        host: the address to listen at.
        port: the port; 0 for any that is free.
        address: where browsers find the server that passes their requests on to this one, for example
            "https://table.example.org"; None if they ask this one itself.
        path: what stands behind the lobby's key in its address, for example `&game=quatrix`.
        open_page: whether to open the lobby in the browser.
        say: prints a line.

    Raises:
        PolytrixError: the address cannot be used, or the games cannot be kept.
    """
    names = LOOPBACK if address is None else (*LOOPBACK, name_in(address))
    store = Store(data_folder() / FILE)
    listening = bind(host, port)
    port = listening.getsockname()[1]
    name = host if host not in ("0.0.0.0", "::") else socket.gethostname()
    own = f"http://{f'[{name}]' if ':' in name else name}:{port}"
    lobby = f"{(address or own).rstrip('/')}/#key={store.key}{path}"
    app = application(store, names if host in LOOPBACK else ())

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            say(f"The table is at {lobby}")
            say("Ctrl-C stops; games are kept.")
            if open_page:
                asyncio.get_running_loop().run_in_executor(None, webbrowser.open, lobby)

    reports = logging.StreamHandler()
    reports.setFormatter(Reports("%(levelname)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[reports])
    sys.setswitchinterval(SWITCH)
    Server(config_of(app, address is not None)).run([listening])


class Reports(logging.Formatter):
    """What the server reports; it may cite requests."""

    def format(self, record: logging.LogRecord) -> str:
        """As a text without control characters."""
        return printable(super().format(record))


def config_of(app: ASGIApp, behind: bool = False) -> uvicorn.Config:
    """How the application is served; `behind` a server of this machine that tells whose requests it passes."""
    return uvicorn.Config(
        app,
        http=Connection,
        proxy_headers=behind,
        log_config=None,
        log_level="warning",
        access_log=False,
        ws_max_size=4 * LONGEST_MESSAGE,  # characters of up to four bytes
        ws_ping_interval=20,
        limit_concurrency=MOST_PAGES + 100,  # pages that have not joined yet, and requests
        server_header=False,
        timeout_graceful_shutdown=2,
    )


def name_in(address: str) -> str:
    """The name of the server at an address, or PolytrixError."""
    parts = split(address)
    whole = address.rstrip("/") == f"{parts.scheme}://{parts.netloc}" and is_host(parts.netloc)
    if not whole or parts.scheme not in ("http", "https") or not parts.hostname:
        raise PolytrixError(
            f"the address is {shown(address)}; allowed: https:// and a name, such as https://table.example.org"
        )
    return parts.hostname


def bind(host: str, port: int) -> socket.socket:
    """A socket at this address, or PolytrixError."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.socket(family)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
    except (OSError, UnicodeError) as error:  # UnicodeError: no name of a computer, such as "a..b"
        why = getattr(error, "strerror", None) or error
        raise PolytrixError(
            f"{host}:{port} cannot be used ({why}); choose another with --host and --port"
        ) from None
    return made
