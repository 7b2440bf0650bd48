"""`polytrix table`: a table in the browser."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from polytrix.core.catalogue import find
from polytrix.core.errors import MissingExtraError

from .screen import echo


def table(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Which game to choose first."),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8765,
    host: Annotated[
        str, typer.Option(help="Address to listen at; 0.0.0.0 lets other computers in.")
    ] = "127.0.0.1",
    address: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Where browsers find the server with HTTPS that passes requests on to this one."
        ),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Play in the browser, against agents or with other people."""
    if any(find_spec(name) is None for name in ("starlette", "uvicorn", "websockets")):
        raise MissingExtraError("a table in the browser", "table")
    from polytrix.web.serve import serve

    chosen = "" if game is None else f"&game={find(game).name}"
    serve(host, port, address, chosen, open_page, echo)
