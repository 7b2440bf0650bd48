"""`polytrix train`: runs a training script, which comes with the package."""

from __future__ import annotations

import os
import subprocess
import sys
from enum import Enum
from importlib.util import find_spec
from typing import Annotated

import typer

from polytrix.core.errors import MissingExtraError, PolytrixError
from polytrix.core.shipped import shipped_folder

from .screen import echo

COMMAND = "POLYTRIX_COMMAND"
"""Environment variable that tells a script how it was called, for its help and its reports."""


class Script(str, Enum):
    """The training scripts."""

    FAST_PPO = "fast_ppo"
    SB3_PPO = "sb3_ppo"
    RLLIB_PPO = "rllib_ppo"
    EXPERT = "expert"
    BEST_RESPONSE = "best_response"
    LANGUAGE_MODEL = "language_model"


NEEDED = {
    Script.FAST_PPO: ("train", ("torch", "tyro", "tensorboard", "tqdm", "matplotlib")),
    Script.SB3_PPO: ("train", ("torch", "tyro", "tensorboard", "tqdm", "matplotlib", "sb3_contrib")),
    Script.RLLIB_PPO: ("rllib", ("torch", "tyro", "tensorboard", "tqdm", "matplotlib", "ray")),
    Script.EXPERT: ("train", ("torch", "tyro", "tensorboard", "tqdm", "matplotlib")),
    Script.BEST_RESPONSE: ("train", ("torch", "tyro", "tensorboard", "tqdm", "matplotlib")),
    Script.LANGUAGE_MODEL: ("transformers", ("torch", "tyro", "tqdm", "matplotlib", "transformers")),
}
"""The extra that a script needs, and packages of it."""


def train(
    context: typer.Context,
    script: Annotated[Script, typer.Option(help="Which training script.")] = Script.FAST_PPO,
) -> None:
    """Train a policy by self-play, in a folder of runs/. `polytrix train --help` lists the settings.

    The same as `python training/fast_ppo.py` in a clone, or as the script that `--script` names.
    """
    extra, packages = NEEDED[script]
    if any(find_spec(name) is None for name in packages):
        raise MissingExtraError("training", extra)
    folder = shipped_folder("training")
    if folder is None:
        raise PolytrixError("the training scripts are missing; install polytrix from its wheel or its clone")
    called = "polytrix train" if script is Script.FAST_PPO else f"polytrix train --script {script.value}"
    if {"-h", "--help"} & set(context.args):
        others = ", ".join(each.value for each in Script)
        echo(f"Settings of {script.value}.py; choose another script with --script: {others}\n")
    sys.stdout.flush()
    replace_process([sys.executable, str(folder / f"{script.value}.py"), *context.args], {COMMAND: called})


def replace_process(command: list[str], more: dict[str, str]) -> None:
    """Run a command in place of this process, so that it gets all signals, with more environment variables.

    The script has an interpreter of its own because it sets the threads of NumPy before it is imported.
    """
    environment = {**os.environ, **more}
    if sys.platform == "win32":  # there the new process would not be waited for
        raise typer.Exit(subprocess.call(command, env=environment))
    os.execve(command[0], command, environment)
