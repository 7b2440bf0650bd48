"""Minari reads the data sets that are written for it, and they are read back as they were."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("minari", reason="needs the extra minari: make test-integrations")

import minari

import polytrix
from polytrix.api.shared.spaces import action_space, masked_space
from polytrix.arena.records import RecordsError
from polytrix.dataset import Dataset, expand, read
from polytrix.dataset.minari import read as read_minari
from polytrix.dataset.minari import write
from tests.dataset.making import played

from .examples import run_python_of

GAME = polytrix.find("estimatrix")
NAME = "polytrix/estimatrix/test-v0"


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    """Some games of three, some of them cut off, and an empty folder for Minari."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    agents = ("greedy", "random")
    return read(played(tmp_path / "games.jsonl", GAME, agents, players=3, max_decisions=40))


def test_each_seat_of_each_game_is_an_episode(games: Dataset) -> None:
    write(games, NAME)
    found = minari.load_dataset(NAME)
    assert found.observation_space == masked_space(GAME) and found.action_space == action_space(GAME)
    (part,) = expand(games)
    assert found.total_steps == len(part.action) and part.truncated.any()
    told = found.storage.get_episode_metadata(range(len(found)))
    episodes = zip(found, told, strict=True)
    for index, game in enumerate(games.games):
        for seat in range(3):
            episode, about = next(episodes)
            own = (part.game == index) & (part.seat == seat)
            assert about["seed"] == game.seed and about["options"]["agent"] == game.agents[seat]
            seen, mask = episode.observations["observation"], episode.observations["action_mask"]
            assert np.array_equal(seen, [*part.observation[own], part.final_observation[index, seat]])
            assert np.array_equal(mask[:-1], part.action_mask[own]) and not mask[-1].any()
            assert np.array_equal(episode.actions, part.action[own])
            assert found.observation_space.contains({"observation": seen[0], "action_mask": mask[0]})
            assert episode.rewards.tolist() == [0.0] * (own.sum() - 1) + [game.payoffs[seat]]
            assert episode.truncations[-1] == part.truncated[index] != episode.terminations[-1]
            assert not (episode.truncations | episode.terminations)[:-1].any()
    assert next(episodes, None) is None


def test_episodes_are_read_back(games: Dataset) -> None:
    write(games, NAME)
    (part,) = expand(games)
    seeds, decided = read_minari(NAME, GAME, 3)
    assert seeds.tolist() == [game.seed for game in games.games for _ in range(3)]
    observation, mask, action, seat, payoffs = next(decided(np.array([4])))
    own = (part.game == 1) & (part.seat == 1)
    assert np.array_equal(observation, part.observation[own]) and np.array_equal(mask, part.action_mask[own])
    assert np.array_equal(action, part.action[own]) and {*seat.tolist()} == {1}
    assert (payoffs == games.games[1].payoffs).all()


def test_names_that_are_taken_or_no_ids_are_refused(games: Dataset) -> None:
    write(games, NAME)
    with pytest.raises(RecordsError, match="exists in"):
        write(games, NAME)
    for name in ("no id", "polytrix/../../x-v0"):
        with pytest.raises(RecordsError, match="Minari refuses"):
            write(games, name)


def test_an_export_that_fails_leaves_nothing(games: Dataset, tmp_path: Path) -> None:
    wrong = games._replace(games=[*games.games[:-1], games.games[-1]._replace(payoffs=np.ones(3))])
    with pytest.raises(RecordsError, match="do not lead to its payoffs"):
        write(wrong, NAME)
    assert minari.list_local_datasets() == {}
    write(games, NAME)


def test_other_data_sets_are_refused(games: Dataset, tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="no Minari data set"):
        read_minari("polytrix/nothing-v0", GAME, 3)
    write(games, NAME)
    with pytest.raises(RecordsError, match="it is not of polytrix/quatrix-v0"):
        read_minari(NAME, polytrix.find("quatrix"), 2)
    with pytest.raises(RecordsError, match="games with 4 players"):
        read_minari(NAME, GAME, 4)
    metadata = tmp_path / "minari" / NAME / "data" / "metadata.json"
    told = json.loads(metadata.read_text(encoding="utf-8"))
    del told["action_space"]  # Minari would make the environment that is named instead
    metadata.write_text(
        json.dumps(told | {"env_spec": '{"id": "x-v0", "entry_point": "os:system"}'}), encoding="utf-8"
    )
    with pytest.raises(RecordsError, match="does not tell its spaces"):
        read_minari(NAME, GAME, 3)


def test_the_page_runs(games: Dataset) -> None:
    episode = run_python_of("datasets.md")["episode"]
    assert len(episode) > 0 and episode.rewards[-1] in (-1, 0, 1)  # type: ignore[arg-type, attr-defined]
