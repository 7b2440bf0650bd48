"""`polytrix replay`: shows a transcript position by position, and what an agent thinks at each decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polytrix.agents import begin_games
from polytrix.agents.policy import name_of
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import TranscriptError
from polytrix.core.transcript import Transcript
from polytrix.play.opponents import AGENTS, agent
from polytrix.play.session import Session, Turn, listed
from polytrix.play.thoughts import Thoughts, as_markdown, how_to_read, thoughts

from .arguments import in_a_folder
from .opponents import Compiled


def replay(
    file: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, readable=True, help="A transcript written by --save."),
    ],
    hint: Annotated[
        str | None,
        typer.Option(metavar="AGENT", help=f"Show what an agent thinks at each decision: {AGENTS}."),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False,
            writable=True,
            callback=in_a_folder,
            help="Write the game to this file as Markdown, too.",
        ),
    ] = None,
) -> None:
    """Show a recorded game, and check that its moves lead to the recorded payoffs.

    An agent that gives hints is told no more than the seat to move knows. If it played the game itself, in
    `polytrix play` or `polytrix watch`, its thoughts are those with which it chose, unless it is a search
    that keeps trees or has a time limit.
    """
    transcript = read(file)
    game = transcript.description()
    session = Session(game, transcript.options, transcript.seed)
    policy = None if hint is None else agent(hint, game)
    own = [f"{name} of its own" for name in transcript.data]
    settings = ", ".join([*(f"{name}={value}" for name, value in transcript.options.items()), *own])
    title = f"{transcript.game}, seed {transcript.seed}, {settings}"
    typer.echo(title)
    if policy is not None:
        begin_games(policy, 1)
        Compiled(game).make_ready(policy)
        typer.echo(how_to_read(policy))
    opening = ([f"chance: {listed(session.opening)}"] if session.opening else []) + [session.text()]
    typer.echo("\n".join(opening))
    steps: list[tuple[Turn, Thoughts | None]] = []
    for number, action in enumerate(transcript.actions, start=1):
        thought = None if policy is None else thoughts(session, policy, action)
        turn = session.play(action)
        steps.append((turn, thought))
        told = "" if policy is None else f"\n{name_of(policy)} {thought}"
        typer.echo(f"\n{number}. {turn}{told}\n{session.text()}")
    end = session.payoffs() if session.over else f"not over, {session.seat_name()} is to move"
    typer.echo(f"\n{end}\nverified: {len(transcript.actions)} decisions replay as recorded")
    if markdown is not None:
        heading = ["", "seat", "move", "chance"]
        if policy is not None:
            heading += [f"{name_of(policy)} expects", "and likes best"]
        parts = [title, fenced("\n".join(opening)), as_markdown(heading, steps), fenced(session.text()), end]
        markdown.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        typer.echo(f"written: {markdown}")


def fenced(text: str) -> str:
    """A block of text in Markdown."""
    return f"```text\n{text}\n```"


def read(file: Path) -> Transcript:
    """Read a transcript, and check it in plain Python."""
    try:
        return Transcript.from_text(file.read_text(encoding="utf-8"), Mode.PLAIN)
    except UnicodeDecodeError:
        raise TranscriptError(f"{file} is no text") from None
    except TranscriptError as error:
        raise TranscriptError(f"{file}: {error}") from None
