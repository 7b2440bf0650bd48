"""`polytrix replay`: shows a transcript position by position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import TranscriptError
from polytrix.core.transcript import Transcript

from .session import Session, listed


def replay(
    file: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, readable=True, help="A transcript written by --save."),
    ],
) -> None:
    """Show a recorded game, and check that its moves lead to the recorded payoffs."""
    transcript = read(file)
    session = Session(transcript.description(), transcript.options, transcript.seed)
    own = [f"{name} of its own" for name in transcript.data]
    settings = ", ".join([*(f"{name}={value}" for name, value in transcript.options.items()), *own])
    typer.echo(f"{transcript.game}, seed {transcript.seed}, {settings}")
    if session.opening:
        typer.echo(f"chance: {listed(session.opening)}")
    typer.echo(session.text())
    for number, action in enumerate(transcript.actions, start=1):
        typer.echo(f"\n{number}. {session.play(action)}\n{session.text()}")
    end = session.payoffs() if session.over else f"not over, {session.seat_name()} is to move"
    typer.echo(f"\n{end}\nverified: {len(transcript.actions)} decisions replay as recorded")


def read(file: Path) -> Transcript:
    """Read a transcript, and check it in plain Python."""
    try:
        return Transcript.from_text(file.read_text(encoding="utf-8"), Mode.PLAIN)
    except UnicodeDecodeError:
        raise TranscriptError(f"{file} is no text") from None
    except TranscriptError as error:
        raise TranscriptError(f"{file}: {error}") from None
