"""`polytrix bot`: an agent as a program that speaks the protocol of programs."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from polytrix.core.calls import seed_or_fresh
from polytrix.programs.serve import answers

from .arguments import Seed


def bot(
    agent: Annotated[
        str,
        typer.Argument(
            help="Random, greedy, ppo, saved networks, MODULE:NAME of your own, or kaggle:FILE.py:FUNCTION."
        ),
    ] = "greedy",
    seed: Seed = None,
) -> None:
    """Play as a program: messages come on standard input, moves go to standard output (docs/programs.md)."""
    output = sys.stdout
    with redirect_stdout(sys.stderr):  # what the agent prints is no answer
        for answer in answers(agent, sys.stdin, seed_or_fresh(seed)):
            print(json.dumps(answer), file=output, flush=True)
