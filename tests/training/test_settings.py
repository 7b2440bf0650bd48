"""Settings on the command line: the name of the game, and numbers that are refused."""

from __future__ import annotations

from itertools import product
from types import ModuleType

import pytest

from polytrix.training import fast_ppo, sb3_ppo

SCRIPTS = pytest.mark.parametrize("script", [sb3_ppo, fast_ppo], ids=lambda script: script.__name__)


@SCRIPTS
def test_the_game_comes_first(script: ModuleType) -> None:
    with pytest.raises(SystemExit, match="--minutes comes before the game; the game comes first"):
        script.read_settings(["--minutes", "5", "quatrix"])
    with pytest.raises(SystemExit) as ended:
        script.read_settings([])
    assert ended.value.code == 0  # after the help


ABOVE_ZERO = ["minutes", "num-envs", "num-steps", "batch-size", "epochs", "learning-rate"]
NOT_NEGATIVE = ["checkpoint-seconds", "gamma", "gae-lambda", "entropy", "shaping"]


@SCRIPTS
@pytest.mark.parametrize(
    ("name", "value"),
    [
        *product(ABOVE_ZERO, ["0"]),
        *product(("minutes", "learning-rate"), ["nan"]),
        *product(NOT_NEGATIVE, ["-1", "nan", "inf"]),
    ],
)
def test_a_number_that_is_not_allowed_is_refused(name: str, value: str, script: ModuleType) -> None:
    with pytest.raises(SystemExit, match=rf"--{name} is {value}(\.0)?; allowed"):
        script.read_settings(["quatrix", f"--{name}={value}"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--layers", "--layers is empty; allowed: from 1"),
        ("--layers 8 0", "--layers is 8 0; allowed: from 1"),
        ("--seed=-1", "--seed is -1; allowed: from 0 to 4294967295"),
        ("--gamma 1.5", "allowed: from 0 to 1"),
        ("--threads=-1", "--threads is -1; allowed: from 0"),
        ("--imitation nan", "imitation is nan"),
        ("--device nonesuch", "--device is 'nonesuch'"),
        ("--options.finish-depth 9", "option 'finish_depth' is 9"),
        ("--share-past 0.9 --share-greedy 0.9", "their sum is above 1"),
        ("--share-partners 0.5", "needs partners, for example --partners greedy"),
    ],
)
def test_others_that_are_refused(arguments: str, message: str) -> None:
    with pytest.raises(SystemExit, match=message):
        fast_ppo.read_settings(["quatrix", *arguments.split()])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--num-envs 1 --num-steps 1", "at least 2 decisions"),
        ("--weight-random 0 --weight-greedy 0", "nobody plays against"),
    ],
)
def test_others_that_sb3_ppo_refuses(arguments: str, message: str) -> None:
    with pytest.raises(SystemExit, match=message):
        sb3_ppo.read_settings(["quatrix", *arguments.split()])


@SCRIPTS
def test_an_unknown_game_is_told_in_a_line(script: ModuleType) -> None:
    with pytest.raises(SystemExit, match="unknown game 'quatrox'"):
        script.read_settings(["quatrox", "--minutes", "5"])
