"""Settings on the command line: the name of the game, and numbers that are refused."""

from __future__ import annotations

from itertools import product
from types import ModuleType

import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")


from polytrix.training import fast_ppo, sb3_ppo
from polytrix.training.shared.arguments import named_game

SCRIPTS = pytest.mark.parametrize("script", [sb3_ppo, fast_ppo], ids=lambda script: script.__name__)


@pytest.mark.parametrize(
    ("arguments", "game"),
    [
        ("quatrix", "quatrix"),
        ("--minutes 5 quatrix", "quatrix"),
        ("--minutes=5 quatrix --seed 2", "quatrix"),
        ("--restart quatrix", "quatrix"),
        ("--no-restart quatrix", "quatrix"),
        ("--seed 1 --restart quatrix", "quatrix"),
        ("--layers 8 16 quatrix", "quatrix"),
        ("--layers 8 16 --restart quatrix", "quatrix"),
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
    assert named_game(fast_ppo.Settings, arguments.split()) == game


@SCRIPTS
def test_the_game_may_stand_anywhere(script: ModuleType) -> None:
    settings = script.read_settings(["--minutes", "5", "quatrix", "--layers", "8", "8"])
    assert (settings.game, settings.minutes, settings.layers) == ("quatrix", 5.0, (8, 8))
    assert settings == script.read_settings(["quatrix", "--layers", "8", "8", "--minutes", "5"])


NUMBERS = [
    "minutes",
    "num-envs",
    "num-steps",
    "batch-size",
    "epochs",
    "learning-rate",
    "clip-range",
    "curve-games",
    "final-games",
]
"""Settings that must not be 0."""
SB3_NUMBERS = ["torch-threads", "pool-size", "freeze-every-iterations"]
FRACTIONS = [
    "minutes",
    "checkpoint-seconds",
    "gamma",
    "gae-lambda",
    "clip-range",
    "entropy",
    "entropy",
    "shaping",
    "learning-rate",
]


@pytest.mark.parametrize(
    ("name", "script"),
    [
        *product(NUMBERS, (sb3_ppo, fast_ppo)),
        *product(("torch-threads", "pool-size", "freeze-every-iterations"), (sb3_ppo,)),
    ],
)
def test_a_setting_of_zero_is_refused(name: str, script: ModuleType) -> None:
    with pytest.raises(SystemExit, match=rf"--{name} is 0(\.0)?; allowed: (from 1|above 0)"):
        script.read_settings(["quatrix", f"--{name}", "0"])


@SCRIPTS
@pytest.mark.parametrize("value", ["nan", "inf", "-1"])
@pytest.mark.parametrize("name", FRACTIONS)
def test_a_setting_that_is_no_number_or_negative_is_refused(name: str, value: str, script: ModuleType) -> None:
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
