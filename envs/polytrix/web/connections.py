"""Connections that ask in time, few from each address: uvicorn has a limit for neither."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from .limits import CONNECTIONS_OF_AN_ADDRESS, SECONDS_TO_ASK


class Connection(H11Protocol):
    """A connection until it becomes a web socket.

    It is closed if it does not send all headers of a request in time. If an address has too many, its oldest
    one gives way, first of all one that is not being answered: who asks for nothing keeps nobody out.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Expect a request."""
        super().connection_made(transport)
        self.opened = self.loop.time()
        self._expect_request()
        others = [each for each in self.connections if isinstance(each, Connection) and each is not self]
        same = [each for each in others if each.address == self.address and not each.transport.is_closing()]
        if len(same) >= CONNECTIONS_OF_AN_ADDRESS:
            min(same, key=lambda each: (each.is_answered, each.opened)).transport.abort()

    def on_response_complete(self) -> None:
        """Expect the next request."""
        self._expect_request()
        super().on_response_complete()

    @property
    def address(self) -> str:
        """Where it comes from."""
        return self.client[0] if self.client else ""

    @property
    def is_answered(self) -> bool:
        """Whether there is a request without its whole answer."""
        return self.cycle is not None and not self.cycle.response_complete

    def _expect_request(self) -> None:
        self.loop.call_later(SECONDS_TO_ASK, self._close_without, self.cycle)

    def _close_without(self, before: RequestResponseCycle | None) -> None:
        """Close if no request came after an earlier one."""
        if self.cycle is before and self.transport.get_protocol() is self:
            self.transport.abort()
