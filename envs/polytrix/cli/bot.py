"""`polytrix bot`: an agent as a program, for whoever speaks the protocol of programs."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from polytrix.core.calls import seed_or_fresh
from polytrix.llm.bots.serve import answer_all

from .arguments import GameName, Seed


def bot(
    game: GameName,
    agent: Annotated[
        str,
        typer.Argument(
            help="Random, greedy, ppo, a saved network, MODULE:NAME of your own policy, or "
            "kaggle:FILE.py:FUNCTION."
        ),
    ] = "greedy",
    seed: Seed = None,
) -> None:
    """Play as a program: messages come on standard input, moves go to standard output (docs/bots.md)."""
    answers = sys.stdout

    def write(line: str) -> None:
        print(line, file=answers, flush=True)

    with redirect_stdout(sys.stderr):  # what the agent prints is no answer
        answer_all(game, agent, sys.stdin, write, seed_or_fresh(seed))
