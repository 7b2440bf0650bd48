"""`polytrix replay`: shows a transcript position by position, and what agents think at each decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import Annotated, NamedTuple

import typer
from rich.progress import track

from polytrix.core.files import write_text
from polytrix.core.transcript import Transcript, text_in
from polytrix.play.opponents import AGENTS, agent
from polytrix.play.session import Session, Turn, join_outcomes, session_of
from polytrix.play.thoughts import Mind, Opinion, Thought, as_markdown, how_to_read, in_text, opinion
from polytrix.replay.chats import Told, read_game
from polytrix.replay.data import Opinions, forfeit, replay_of, thought_of
from polytrix.replay.page import page

from .arguments import out_file
from .screen import echo, err, fold, make_ready, out


def replay(
    file: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, readable=True, help="A transcript written by --save."),
    ],
    hint: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help=f"Show what an agent thinks at each decision: {AGENTS}. Give it twice to compare two agents.",
        ),
    ] = None,
    markdown: Annotated[
        Path | None, out_file(help="Write the game to this file as Markdown, instead of printing it.")
    ] = None,
    html: Annotated[
        Path | None,
        out_file(
            help="Write the game to this file as a page for the browser that needs nothing else, instead of "
            "printing it."
        ),
    ] = None,
) -> None:
    """Show a recorded game, and check that its moves lead to the recorded payoffs.

    An agent that gives hints is told no more than the seat to move knows. If it played the game itself, in
    `polytrix play` or `polytrix watch`, its thoughts are those with which it chose, unless it is a search
    with a time limit.
    """
    with text_in(file) as text:
        transcript, told = read_game(text)
    session = session_of(transcript)
    limit = float(session.game.payoff_limit(session.options))
    minds = [Mind(agent(spec, session.game), limit) for spec in hint or ()]
    written = markdown is not None or html is not None
    tell = (lambda text: None) if written else echo
    tell(title(transcript))
    for mind in minds:
        make_ready(session.game, mind.policy)
        tell(how_to_read(mind.policy))
    opening = ([f"chance: {join_outcomes(session.opening)}"] if session.opening else []) + [session.text()]
    tell(fold("\n".join(opening), out.width))
    steps = []
    actions = track(transcript.actions, "decisions", console=err, transient=True, disable=not written)
    for number, action in enumerate(actions):
        say(told, number, tell)
        steps.append(show_decision(session, number + 1, action, minds, tell))
    say(told, len(transcript.actions), tell)
    end = how_it_ended(session, told)
    echo(f"\n{end}\nverified: {len(transcript.actions)} decisions replay as recorded")
    if markdown is not None:
        heading = ["", "seat", "move", "chance"]
        for mind in minds:
            heading += [f"{mind.name} expects", "and likes best"]
        table = as_markdown(heading, [step[:3] for step in steps])
        parts = [title(transcript), fence("\n".join(opening)), table, fence(session.text()), end]
        write_text(markdown, "\n\n".join(parts) + "\n")
        echo(f"written: {markdown}")
    if html is not None:
        agents = [
            Opinions(mind.name, [*(step.thoughts[i] for step in steps), thought_of(session, mind, None, None)])
            for i, mind in enumerate(minds)
        ]
        write_text(html, page(replace(replay_of(transcript, told=told), agents=agents)))
        echo(f"written: {html}")


class Step(NamedTuple):
    """A decision, and what agents thought before it: each by itself, and beside what they thought before."""

    turn: Turn
    action: int
    opinions: list[Opinion]
    thoughts: list[Thought]


def show_decision(
    session: Session, number: int, action: int, minds: Sequence[Mind], tell: Callable[[str], None]
) -> Step:
    """Play and tell a decision, with what agents think before it."""
    held = [opinion(session, mind.policy) for mind in minds]
    thoughts = [mind.compare(session, each, action) for mind, each in zip(minds, held, strict=True)]
    turn = session.play(action)
    lines = [fold(f"\n{number}. {turn}", out.width)]
    lines += [f"{mind.name} {in_text(each, action)}" for mind, each in zip(minds, held, strict=True)]
    tell("\n".join([*lines, fold(session.text(), out.width)]))
    return Step(turn, action, held, thoughts)


def say(told: Told, position: int, tell: Callable[[str], None]) -> None:
    """Tell what a language model has said at a position, if one was asked."""
    chat = told.chats[position] if told.chats else None
    if chat is None:
        return
    lines = []
    for answer in chat.answers:
        lines.append(indent(answer.text.strip() or "(nothing)", "  "))
        if answer.error is not None:
            lines.append(f"refused: {answer.error}")
    tell("\n".join([f"\n{told.players[chat.seat]} says:", *lines]))


def how_it_ended(session: Session, told: Told) -> str:
    """How the game ended, or who is to move."""
    if told.forfeited is not None and told.payoffs is not None:
        paid = ", ".join(f"{seat} {x:+g}" for seat, x in zip(session.seats, told.payoffs, strict=True))
        return f"{forfeit(session.seats[told.forfeited])} payoffs: {paid}"
    return session.payoffs() if session.over else f"not over, {session.seat_name()} is to move"


def title(transcript: Transcript) -> str:
    """The game, its seed and its settings."""
    own = [f"{name} of its own" for name in transcript.data]
    settings = ", ".join([*(f"{name}={value}" for name, value in transcript.options.items()), *own])
    return f"{transcript.game}, seed {transcript.seed}, {settings}"


def fence(text: str) -> str:
    """A block of text in Markdown."""
    return f"```text\n{text}\n```"
