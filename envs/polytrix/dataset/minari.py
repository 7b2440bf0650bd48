"""Data sets of games for Minari: an episode for each seat of each game that has decided something."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from warnings import catch_warnings

import numpy as np

from polytrix.api.shared.spaces import action_space, masked_space
from polytrix.arena.records import RecordsError
from polytrix.core.errors import MissingExtraError
from polytrix.core.game import Game
from polytrix.core.state import ByteArray, FloatArray, IntArray

try:
    from minari import create_dataset_from_buffers, load_dataset
    from minari.data_collector import EpisodeBuffer
    from minari.dataset.minari_storage import MinariStorage
    from minari.storage import get_dataset_path
except ImportError:
    raise MissingExtraError("a Minari data set", "minari") from None

from .expansion import expand
from .games import Dataset


def write(dataset: Dataset, name: str, tick: Callable[[int], object] = lambda games: None) -> None:
    """Expand the games to a Minari data set on this machine.

    Args:
        dataset: the games.
        name: the id of the new data set, `namespace/name-vN`.
        tick: called with numbers of finished games.

    Raises:
        RecordsError: there is a data set of this name, it is no id, or the games do not replay.
    """
    folder = get_dataset_path(name)
    if folder.exists():
        raise RecordsError(
            f"{name} exists in {folder}; choose another version, or delete it: minari delete {name}"
        )
    agents = sorted({agent for game in dataset.games for agent in game.agents})
    try:
        with catch_warnings(action="ignore"):  # about authors and environments, which it may lack
            create_dataset_from_buffers(
                name,
                _episodes(dataset, tick),
                algorithm_name=", ".join(agents),
                action_space=action_space(dataset.game),
                observation_space=masked_space(dataset.game),
                description=f"{dataset.game.id}, {dict(dataset.options)}",
            )
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, ValueError) and not isinstance(error, RecordsError):
            raise RecordsError(f"Minari refuses {name}: {error}") from None
        raise


def _episodes(dataset: Dataset, tick: Callable[[int], object]) -> Iterator[EpisodeBuffer]:
    """The episodes, game after game and seat after seat."""
    for part in expand(dataset):
        for index, number in enumerate(part.number):
            game = dataset.games[number]
            for seat in range(dataset.players):
                own = np.flatnonzero((part.game == index) & (part.seat == seat))
                if len(own):
                    last = np.arange(len(own)) == len(own) - 1
                    seen = part.observation[own], part.final_observation[index, seat][None]
                    mask = part.action_mask[own], np.zeros_like(part.action_mask[:1])
                    yield EpisodeBuffer(
                        seed=game.seed,
                        options={"seat": seat, "agent": game.agents[seat], "payoffs": game.payoffs},
                        observations={"observation": np.concatenate(seen), "action_mask": np.concatenate(mask)},
                        actions=part.action[own].astype(np.int64),
                        rewards=np.where(last, game.payoffs[seat], np.float32(0)),
                        terminations=last & ~part.truncated[index],
                        truncations=last & part.truncated[index],
                        infos={},
                    )
        tick(len(part.number))


Decided = tuple[ByteArray, ByteArray, IntArray, IntArray, FloatArray]
"""Observations (n, O), masks (n, A), actions (n,), seats (n,) and payoffs of all seats (n, P)."""


def read(name: str, game: Game, players: int) -> tuple[IntArray, Callable[[IntArray], Iterator[Decided]]]:
    """A data set that `write` has made.

    Args:
        name: its id.
        game, players: of which it must be.

    Returns:
        The seed of each episode's game, and what yields the decisions of the episodes with given numbers.

    Raises:
        RecordsError: there is none, or it is of another game. So does what is returned.
    """
    try:
        stored = MinariStorage.read_raw_metadata(get_dataset_path(name) / "data")
        if not {"observation_space", "action_space"} <= stored.keys():  # or Minari would make an environment
            raise ValueError("it does not tell its spaces")
        found = load_dataset(name)
        if found.observation_space != masked_space(game) or found.action_space != action_space(game):
            raise ValueError(f"it is not of {game.id}")
        told = [*found.storage.get_episode_metadata(range(found.total_episodes))]
        seeds = np.array([each["seed"] for each in told], np.int64)
        seats = np.array([each["options"]["seat"] for each in told], np.int64)
        payoffs = np.array([each["options"]["payoffs"] for each in told], np.float32)
        if payoffs.shape[1:] != (players,):
            raise ValueError(f"it is not of games with {players} players")
    except (ValueError, KeyError, OSError) as error:
        raise RecordsError(
            f"{name} is not a file of games, and no Minari data set of such games: {error}"
        ) from None

    def decided(numbers: IntArray) -> Iterator[Decided]:
        for episode in found.iterate_episodes(numbers):
            seen, mask = (episode.observations[key][:-1] for key in ("observation", "action_mask"))
            count, action = len(seen), episode.actions
            size, most = mask.shape[1], mask.sum(1).max(initial=0)
            legal = action.shape == (count,) and (action >= 0).all() and (action < size).all()
            legal = legal and np.isin(mask, (0, 1)).all() and mask[np.arange(count), action].all()
            if not legal or most > game.max_legal:
                raise RecordsError(
                    f"{name} has an episode, {episode.id}, of a game that nobody can have played"
                )
            yield (
                seen,
                mask,
                action,
                np.full(count, seats[episode.id]),
                np.tile(payoffs[episode.id], (count, 1)),
            )

    return seeds, decided
