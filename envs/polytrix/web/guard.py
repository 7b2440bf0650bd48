"""Keeps other sites away from the server, and scripts of others from its pages."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "::1")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class Guard:
    """Refuses requests that other sites make, and adds headers that restrict pages to this server.

    A site may lead a browser to this server in two ways. It can request from its own origin, which the header
    `Origin` tells; or it can give its own name the address of this server, which the header `Host` tells.

    Args:
        app: what is guarded.
        hosts: names under which the server may be asked; empty for any, where it listens beyond this machine.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = ()) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as an ASGI application."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if refused := self._refusal(scope, headers, host):
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": refused})
            else:
                await PlainTextResponse(refused, 403)(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = MutableHeaders(scope=message)
                added.update(HEADERS)
                added["Content-Security-Policy"] = POLICY.format(sockets=f"ws://{host} wss://{host}")
            await send(message)

        await self._app(scope, receive, send_guarded)

    def _refusal(self, scope: Scope, headers: Headers, host: str) -> str:
        """Why a request is refused; "" if it is not."""
        name = split(f"//{host}").hostname or "" if is_host(host) else ""
        if not name or (self._hosts and name not in self._hosts):
            return "this server is not asked under its own name"
        origin = headers.get("origin")
        asks = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if origin is None:
            return "a page of this server names its origin" if asks else ""
        return "" if split(origin).netloc == host else "this request comes from another site"


def split(address: str) -> SplitResult:
    """The parts of an address, all empty if it is none."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def is_host(host: str) -> bool:
    """Whether this can be a header `Host`, and stand in another header."""
    return 0 < len(host) <= 255 and all(sign.isalnum() or sign in ".-:[]_" for sign in host) and host.isascii()
