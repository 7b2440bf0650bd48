"""Settings on the command line: the name of the game, and numbers that are refused."""

from __future__ import annotations

from itertools import product
from types import ModuleType

import pytest

from polytrix.training import best_response, fast_ppo, sb3_ppo
from polytrix.training.shared.arguments import named_game

SCRIPTS = pytest.mark.parametrize("script", [sb3_ppo, fast_ppo], ids=lambda script: script.__name__)


@pytest.mark.parametrize(
    ("arguments", "game"),
    [
        ("quatrix", "quatrix"),
        ("--minutes 5 quatrix", "quatrix"),
        ("--minutes=5 quatrix --seed 2", "quatrix"),
        ("--sample quatrix", "quatrix"),
        ("--no-sample quatrix", "quatrix"),
        ("--seed 1 --sample quatrix", "quatrix"),
        ("--layers 8 16 quatrix", "quatrix"),
        ("--layers 8 16 --sample quatrix", "quatrix"),
        ("--out resistor quatrix", "quatrix"),
        ("--options.players 4 pressure_matrix", "pressure_matrix"),
        ("--options.players=4 pressure_matrix", "pressure_matrix"),
        ("--total_steps 5 quatrix", "quatrix"),
        ("quatrix --out resistor", "quatrix"),
        ("--minutes 5", None),
        ("--help", None),
        ("", None),
    ],
)
def test_the_game_is_what_belongs_to_no_option(arguments: str, game: str | None) -> None:
    assert named_game(best_response.Settings, arguments.split()) == game


@SCRIPTS
def test_the_game_may_stand_anywhere(script: ModuleType) -> None:
    settings = script.read_settings(["--minutes", "5", "quatrix", "--layers", "8", "8"])
    assert (settings.game, settings.minutes, settings.layers) == ("quatrix", 5.0, (8, 8))
    assert settings == script.read_settings(["quatrix", "--layers", "8", "8", "--minutes", "5"])


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
        script.read_settings(["--minutes", "5", "quatrox"])
