"""`polytrix train`: runs a training script, which comes with the package."""

from __future__ import annotations

import sys
from enum import Enum
from importlib import import_module
from typing import Annotated

import typer

from polytrix.core.errors import MissingExtraError

from .screen import echo


class Script(str, Enum):
    """The training scripts."""

    FAST_PPO = "fast_ppo"
    PPO = "ppo"
    SB3_PPO = "sb3_ppo"
    RLLIB_PPO = "rllib_ppo"
    EXPERT = "expert"
    IMITATE = "imitate"
    BEST_RESPONSE = "best_response"
    LEAGUE = "league"
    LANGUAGE_MODEL = "language_model"


EXTRA = {Script.RLLIB_PPO: "rllib", Script.LANGUAGE_MODEL: "transformers"}
"""The extra that a script needs, if it is not `train`."""


def train(
    context: typer.Context,
    script: Annotated[Script, typer.Option(help="Which training script.")] = Script.FAST_PPO,
) -> None:
    """Train a policy by self-play, in a folder of runs/. `polytrix train --help` lists the settings.

    The same as `python training/fast_ppo.py` in a clone, or as the script that `--script` names.
    """
    called = "polytrix train" if script is Script.FAST_PPO else f"polytrix train --script {script.value}"
    if {"-h", "--help"} & set(context.args):
        others = ", ".join(each.value for each in Script)
        echo(f"Settings of {script.value}.py; choose another script with --script: {others}\n")
    sys.argv = [called, *context.args]  # as if the script had been started: its help and its reports show it
    try:
        module = import_module(f"polytrix.training.{script.value}")
    except ModuleNotFoundError as error:
        if str(error.name).startswith("polytrix"):
            raise
        raise MissingExtraError("training", EXTRA.get(script, "train")) from None
    module.main()
