"""`polytrix watch`: shows a game of agents."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated

import typer

from polytrix.agents import begin_games
from polytrix.agents.policy import Policy, name_of
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.play.opponents import AGENTS, agent
from polytrix.play.session import Session, join_outcomes

from .arguments import GameName, GivenOptions, SaveFile, Seed, read_options
from .screen import echo, echo_folded, make_ready


def watch(
    game: GameName,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT",
            help=f"Agents, repeated for more seats: {AGENTS}; process:COMMAND.",
            show_default="greedy random",
        ),
    ] = None,
    delay: Annotated[float, typer.Option(min=0.0, help="Seconds between moves.")] = 0.5,
    seed: Seed = None,
    option: GivenOptions = None,
    save: SaveFile = None,
) -> None:
    """Watch agents play against each other; Ctrl-C stops."""
    found, options = read_options(game, option)
    policies = policies_of(found, agents or ["greedy", "random"], found.num_players(options))
    for policy in policies:
        begin_games(policy, 1)
    session = Session(found, options, seed)
    names = ", ".join(f"{seat} is {name_of(p)}" for seat, p in zip(session.seats, policies, strict=True))
    echo_folded(f"{found.title}, seed {session.seed}: {names}")
    try:
        watch_on(session, policies, delay)
    except KeyboardInterrupt:
        echo("\nstopped")
    finally:
        if save is not None:
            echo(session.save(save))


def policies_of(game: Game, agents: Sequence[str], players: int) -> list[Policy]:
    """A policy for each seat, repeated from the first if there are more seats."""
    if len(agents) > players:
        raise PolicyError(f"{len(agents)} agents are given; this game of {game.name} has {players} seats")
    policies = [agent(spec, game) for spec in agents]
    return [policies[seat % len(policies)] for seat in range(players)]


def watch_on(session: Session, policies: list[Policy], delay: float) -> None:
    """Play and show the game to its end."""
    if session.opening:
        echo_folded(f"chance: {join_outcomes(session.opening)}")
    echo_folded(session.text())
    while not session.over:
        time.sleep(delay)
        policy = policies[session.state.mover]
        make_ready(session.game, policy)
        turn = session.play(session.choose(policy))
        echo_folded(f"\n{len(session.actions)}. {turn}\n{session.text()}")
    echo(session.payoffs())
