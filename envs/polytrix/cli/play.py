"""`polytrix play`: a person against agents."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.columns import Columns
from rich.text import Text

from polytrix.agents import begin_games, resolve
from polytrix.agents.policy import Policy, name_of
from polytrix.core.catalogue import find
from polytrix.core.errors import NotationError
from polytrix.core.words import listed
from polytrix.core.words import moves as in_words

from .arguments import GameName, GivenOptions, SaveFile, Seed, read_options, seed_or_fresh
from .prompt import Ask, numbered, read_move, terminal
from .screen import out
from .session import Session
from .warmup import ready

QUIT = "quit"
HELP = "Type a move, its number, ? for the list of moves, ?? for what they do, or quit."


class Quit(Exception):  # noqa: N818  # no error
    """The player quits."""


def play(
    game: GameName,
    opponent: Annotated[
        str, typer.Option(help="Agent in the other seats: random, greedy, ppo, search:200, or a saved network.")
    ] = "greedy",
    seat: Annotated[int, typer.Option(min=0, help="Your seat; 0 is the first one.")] = 0,
    seed: Seed = None,
    option: GivenOptions = None,
    save: SaveFile = None,
) -> None:
    """Play a game in the terminal against agents."""
    found, options = read_options(find(game), option)
    players = found.num_players(options)
    if seat >= players:
        raise typer.BadParameter(f"seat is {seat}; this game of {found.name} has seats 0 to {players - 1}")
    policy = resolve(opponent, found)
    ready(found, policy)
    begin_games(policy, 1)
    session = Session(found, options, seed_or_fresh(seed), viewer=seat)
    others = [name for name in session.seats if name != found.seats[seat]]
    against = ", ".join(f"{name} is {name_of(policy)}" for name in others)
    typer.echo(f"{found.title}, seed {session.seed}. You are {found.seats[seat]}; {against}. {HELP}")
    try:
        play_on(session, policy, terminal())
    except (Quit, EOFError, KeyboardInterrupt):
        typer.echo("\nstopped")
    finally:
        if save is not None:
            session.save(save)


def play_on(session: Session, policy: Policy, ask: Ask) -> None:
    """Play the game to its end."""
    if session.opening:
        typer.echo("chance: " + " ".join(session.opening))
    while not session.over:
        if session.state.mover == session.viewer:
            typer.echo("\n" + session.text())
            action = persons_move(session, ask)
        else:
            action = session.choose(policy)
        typer.echo(str(session.play(action)))
    typer.echo(f"\n{session.text()}\n{session.payoffs()}")


def persons_move(session: Session, ask: Ask) -> int:
    """Ask until the answer is a legal action.

    Raises:
        Quit: the answer is `quit`.
    """
    moves = numbered(session.game, session.state, session.legal())
    show_moves(moves)
    while True:
        answer = ask(f"{session.seat_name()}> ", [*moves.values(), "?", "??", QUIT]).strip()
        if answer == QUIT:
            raise Quit
        if answer == "?":
            show_moves(moves)
        elif answer == "??":
            typer.echo(listed(in_words(session.game, session.state, session.legal())))
        elif answer:
            try:
                return read_move(session.game, session.state, moves, answer)
            except NotationError as error:
                typer.echo(str(error))


def show_moves(moves: dict[int, str]) -> None:
    """Print the legal moves with their numbers, in columns."""
    lines = [Text(f"{number:>3} {move}") for number, move in enumerate(moves.values(), start=1)]
    out.print(Columns(lines, equal=True, column_first=True, padding=(0, 2)))
