"""`polytrix play`: a person against agents."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from polytrix.agents import begin_games
from polytrix.agents.policy import name_of
from polytrix.core.calls import did_you_mean
from polytrix.core.errors import NotationError
from polytrix.play.moves import read_move, why_not
from polytrix.play.opponents import AGENTS, agent
from polytrix.play.session import Session, join_outcomes

from .arguments import GameName, GivenOptions, SaveFile, Seed, read_options
from .commands import (
    COMMANDS,
    Quit,
    Seat,
    Undone,
    carry_out,
    command_in,
    show_board,
    show_legend,
    terminal,
)
from .screen import echo, echo_folded, make_ready, out

HELP = (
    "Type a move or its number, ? to list the moves, ?? to explain them, help for all commands; Tab completes."
)


def play(
    game: GameName,
    opponent: Annotated[
        str, typer.Option(help=f"Agent in the other seats: {AGENTS}; process:COMMAND.")
    ] = "greedy",
    seat: Annotated[int, typer.Option(min=0, help="Your seat; 0 is the first one.")] = 0,
    seed: Seed = None,
    option: GivenOptions = None,
    save: SaveFile = None,
) -> None:
    """Play a game in the terminal against agents."""
    found, options = read_options(game, option)
    players = found.num_players(options)
    if seat >= players:
        raise typer.BadParameter(f"seat is {seat}; this game of {found.name} has seats 0 to {players - 1}")
    policy = agent(opponent, found)
    begin_games(policy, 1)
    session = Session(found, options, seed, viewer=seat)
    others = [name for name in session.seats if name != found.seats[seat]]
    against = ", ".join(f"{name} is {name_of(policy)}" for name in others)
    echo_folded(f"{found.title}, seed {session.seed}. You are {found.seats[seat]}; {against}.")
    own = Seat(session, policy, terminal())
    show_legend(own)
    out.print(HELP)
    try:
        play_on(own)
    except (Quit, EOFError, KeyboardInterrupt):
        echo(f"\nstopped{'' if save else after(session)}")
    finally:
        if save is not None:
            echo(session.save(save))


def after(session: Session) -> str:
    """Where a game stops that nobody has asked to save, and how to keep one."""
    if session.last_of(session.viewer) is None:
        return ""
    made = len(session.actions)
    return f" after {made} decisions; to keep a game, type save FILE or start with --save FILE"


def play_on(seat: Seat) -> None:
    """Play the game to its end."""
    session = seat.session
    if session.opening:
        echo_folded(f"chance: {join_outcomes(session.opening)}")
    while not session.over:
        if session.state.mover == session.viewer:
            show_board(seat)
            try:
                action = persons_move(seat)
            except Undone:
                continue
        else:
            make_ready(session.game, seat.policy)
            action = session.choose(seat.policy)
        turn = session.play(action)
        if turn.seat == session.game.seats[session.viewer or 0]:
            seat.happened.clear()
        else:
            seat.happened.append(str(turn))
        echo_folded(str(turn))
    echo_folded(f"\n{session.text()}\n{session.payoffs()}")
    if session.taken_back:
        echo(f"decisions taken back: {session.taken_back}")


def persons_move(seat: Seat) -> int:
    """Ask until the answer is a legal action.

    Raises:
        Quit: the player quits.
        Undone: the player has taken a decision back.
    """
    session = seat.session
    moves = session.moves()
    names = [move.notation for move in moves]
    while True:
        answer = " ".join(seat.ask(f"{session.seat_name()}> ", [*names, *COMMANDS]).split())
        if not answer:
            continue
        command = None if answer in names else command_in(answer)
        if command is not None:
            carry_out(seat, *command)
            continue
        try:
            return read_move(session.game, session.state, moves, answer)
        except NotationError as error:
            meant = did_you_mean(answer.split()[0].lower(), COMMANDS)
            out.print(Text(why_not(error, moves, answer) + meant))
