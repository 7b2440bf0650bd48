"""`polytrix mcp`: the games as tools of language models."""

from __future__ import annotations

import signal
from typing import Annotated

import typer

from .screen import echo


def mcp(
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Serve HTTP at this port, not standard input and output."),
    ] = None,
    host: Annotated[
        str, typer.Option(help="With --port: address to listen at; 0.0.0.0 lets other computers in.")
    ] = "127.0.0.1",
) -> None:
    """Serve the games to clients of the Model Context Protocol: language models with tools."""
    from polytrix.llm.mcp import serve

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else Ctrl-C would wait for the thread that reads a line
    if port is not None:
        echo(f"http://{host}:{port}/mcp")
    serve(port, host)
