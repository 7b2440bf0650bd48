"""The released networks, which come with the package: policies with names like "ppo" and "expert"."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .catalogue import all_games, find
from .game import Game

CHECKPOINTS = (Path(__file__).parents[1] / "checkpoints").resolve()
"""The folder of the networks. In a clone, the package has a link to it."""

PPO, EXPERT = "ppo", "expert"
ALGORITHMS = (PPO, EXPERT)
"""The first part of the names: a network was trained by self-play with PPO, or by expert iteration."""


@dataclass(frozen=True)
class Baseline:
    """A released network.

    Attributes:
        name: the policy's name, wherever a policy is accepted: "ppo" or "expert", with "-playersN" if it was
            trained with another number of players than the game's default.
        game: id of the game.
        players: number of players in training. It plays with any number, but was not trained for others.
        won: share of the games won with the most probable actions against each opponent, by its name, on
            held-out seeds; equal players win `1 / players`.
        payoff: mean payoff in these games.
        path: the network's file, for `polytrix.agents.load`. The folder also holds `card.md` and `result.json`.
        options: options of the game in training that are not the default.
        steps: decisions of the learner in training.
        minutes: duration of the training.
    """

    name: str
    game: str
    players: int
    won: Mapping[str, float] = field(hash=False)
    payoff: Mapping[str, float] = field(hash=False, repr=False)
    path: Path = field(repr=False)
    options: Mapping[str, Any] = field(hash=False, repr=False)
    steps: int = field(repr=False)
    minutes: float = field(repr=False)

    @property
    def algorithm(self) -> str:
        """How it was trained: "ppo" by self-play with PPO, "expert" by expert iteration."""
        return self.name.partition("-")[0]

    @property
    def card(self) -> str:
        """How it was trained and how strong it is, as Markdown."""
        return self.path.with_name("card.md").read_text(encoding="utf-8")


def baselines(game: Game | str | None = None) -> tuple[Baseline, ...]:
    """The released networks of a game, or of all games.

    Args:
        game: a game or its name; None for all.

    Returns:
        The networks, those of the default number of players first, PPO's before that of expert iteration;
        () if the game has none.

    Raises:
        UnknownGameError: there is no such game.

    >>> import polytrix
    >>> network = polytrix.baselines("quatrix")[0]
    >>> network
    Baseline(name='ppo', game='polytrix/quatrix-v0', players=2, won={'random': 1.0, 'greedy': 0.9305})
    >>> [each.name for each in polytrix.baselines("pressure_matrix") if each.algorithm == "ppo"]
    ['ppo', 'ppo-players4']

    Play against it with `opponent=network.name`, or load it:

    >>> from polytrix.agents import load
    >>> load(network.path, deterministic=True).game.id
    'polytrix/quatrix-v0'
    """
    games = all_games() if game is None else (find(game),)
    return tuple(_read(name, file) for each in games for name, file in baseline_files(each).items())


def baseline_files(game: Game, players: int | None = None) -> dict[str, Path]:
    """The files of the game's released networks, by policy name.

    Args:
        game: the game.
        players: only networks for so many players; None for all.
    """
    usual = f"{game.name}-v{game.version}"
    found = [each for each in CHECKPOINTS.iterdir() if each.name == usual or each.name.startswith(usual + "-")]
    files = {policy_name(each.name.removeprefix(usual)): each / "policy.npz" for each in found}
    names = [name for name in sorted(files, key=_place) if files[name].is_file()]
    if players is not None:
        wanted = "" if players == game.num_players(game.options.defaults) else f"players{players}"
        names = [name for name in names if name.partition("-")[2] == wanted]
    return {name: files[name] for name in names}


def policy_name(suffix: str) -> str:
    """The name of a network, from what its folder's name has after the game.

    >>> [policy_name(suffix) for suffix in ("", "-expert", "-players4", "-players4-expert")]
    ['ppo', 'expert', 'ppo-players4', 'expert-players4']
    """
    rest = suffix.removesuffix(f"-{EXPERT}")
    return (PPO if rest == suffix else EXPERT) + rest


def _place(name: str) -> tuple[str, int]:
    """Where a network comes among those of its game: those of the default number of players are first."""
    algorithm, _, players = name.partition("-")
    return players, ALGORITHMS.index(algorithm)


def _read(name: str, file: Path) -> Baseline:
    """The record of a network, from the `result.json` beside it."""
    record = json.loads(file.with_name("result.json").read_text(encoding="utf-8"))
    usual = find(record["environment"]).options.defaults
    given = record["settings"]["options"]
    return Baseline(
        name=name,
        game=record["environment"],
        players=record["players"],
        won={result["opponent"]: result["rate"] for result in record["results"]},
        payoff={result["opponent"]: result["payoff"] for result in record["results"]},
        path=file,
        options={
            option: given[option] for option in usual if given.get(option, usual[option]) != usual[option]
        },
        steps=record["steps"],
        minutes=round(record["training_seconds"] / 60, 1),
    )
