"""`league.py`: agents are added, meet, are weighted, and play in training as they are, for whole games."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import polytrix
from polytrix.agents import load, save_network
from polytrix.agents.network import NetworkPolicy
from polytrix.core.game import Game
from polytrix.training import league
from polytrix.training.learner.rollout import LEARNER
from tests.every_game import every_game
from tests.high import HIGH
from tests.networks import some_network
from tests.training.learners import learner_of, restored

RACE = polytrix.find("quatrix")
TINY = ["--threads", "2", "--num-envs", "12", "--num-steps", "16", "--batch-size", "64", "--layers", "8"]


def command(*arguments: object) -> None:
    """Carry out a command of the script."""
    sys.argv = ["league.py", *map(str, arguments)]
    league.main()


@pytest.fixture(autouse=True)
def _arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [])


def saved(to: Path, game: Game = RACE, layers: tuple[int, ...] = (6,), seed: int = 1) -> Path:
    return save_network(to, game, some_network(game, layers, seed=seed).layers, "relu", {"steps": seed})


def begun(tmp_path: Path, game: Game = RACE, *options: str) -> Path:
    """A league of two random networks."""
    folder = tmp_path / "league"
    command("add", folder, "one", saved(tmp_path / "1.npz", game), *options)
    command("add", folder, "two", saved(tmp_path / "2.npz", game, (5, 4), 2))
    return folder


def mixed(folder: Path, mixture: Mapping[str, float]) -> Path:
    """The league, as if `solve` had found this mixture."""
    (folder / "mixture.json").write_text(json.dumps({"mixture": dict(mixture)}), encoding="utf-8")
    return folder


@every_game
def test_the_league_has_the_opponents_whatever_partners_the_game_has(game: Game, tmp_path: Path) -> None:
    """Settings files are those of self-play, which may name partners and shares of games."""
    folder = mixed(begun(tmp_path, game), {"one": 0.5, "two": 0.5})
    asked = league.read_settings([str(folder)])
    assert asked.share_past == 0.5 and not (asked.share_partners or asked.share_greedy or asked.partners)


# -- agents -----------------------------------------------------------------------------------


def test_an_agent_is_a_copy(tmp_path: Path) -> None:
    run = tmp_path / "run"
    file = saved(run / "policy.npz")
    told = {"settings": {"options": {"finish_depth": 2}}}
    (run / "result.json").write_text(json.dumps(told), encoding="utf-8")
    command("add", tmp_path / "league", "first", run)
    command("add", tmp_path / "league", "expert", "expert")
    known = json.loads((tmp_path / "league" / "league.json").read_text(encoding="utf-8"))
    assert known == {"environment": RACE.id, "options": {"finish_depth": 2}}
    assert league.read(tmp_path / "league").agents == ["expert", "first"]
    original = file.read_bytes()
    saved(file, seed=2)
    assert (tmp_path / "league" / "first.npz").read_bytes() == original != file.read_bytes()
    assert league.read(tmp_path / "league").options["finish_depth"] == 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["one", "1.npz"], "name is 'one'; allowed: letters, digits and .* no name that is taken"),
        (["../other", "1.npz"], "name is '../other'; allowed"),
        (["other", "high.npz"], r"high\.npz plays .*high-v0; this is polytrix/quatrix-v0"),
        (["other", "flat.npz"], r"flat\.npz is no network that can train: hidden layers"),
        (["other", "nowhere.npz"], "there is no network file"),
        (["other", "1.npz", "--options", "finish_depth=3"], "leave out --options"),
    ],
)
def test_what_is_not_added(
    arguments: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = begun(tmp_path)
    saved(tmp_path / "high.npz", HIGH)
    save_network(tmp_path / "flat.npz", RACE, flat(), "relu")
    before = {file: file.read_bytes() for file in folder.iterdir()}
    with pytest.raises(SystemExit, match=problem):
        command("add", folder, *arguments)
    assert {file: file.read_bytes() for file in folder.iterdir()} == before


def flat() -> list[tuple[Any, Any]]:
    """A network without hidden layers."""
    return [(np.zeros((RACE.observations.size, RACE.actions.size)), np.zeros(RACE.actions.size))]


# -- the mixture ------------------------------------------------------------------------------


def test_the_mixture_is_the_equilibrium() -> None:
    """Of a game whose equilibrium is known: rock beats scissors by 2, and everybody beats the fourth."""
    payoffs = np.array([[0.0, -1, 2, 1], [1, 0, -1, 1], [-2, 1, 0, 1], [-1, -1, -1, 0]])
    weights = league.hardest_to_beat(payoffs)
    assert np.allclose(weights, [0.25, 0.5, 0.25, 0], atol=1e-5)
    assert league.hardest_to_beat(np.array([[0.0, 0.1], [-0.1, 0.0]])).tolist() == [1, 0]
    assert league.hardest_to_beat(np.zeros((1, 1))).tolist() == [1]


def test_the_mixture_gives_the_best_agent_the_least_where_more_play() -> None:
    payoffs = np.array([[0.0, 0.4, 0.3], [0.2, 0.0, 0.5], [-0.1, 0.1, 0.0]])
    least = (payoffs @ league.hardest_to_beat(payoffs)).max()
    every = [np.array([i, j, 20 - i - j]) / 20 for i in range(21) for j in range(21 - i)]
    assert least <= min((payoffs @ weights).max() for weights in every) + 1e-6


def test_pairs_meet_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = begun(tmp_path)
    with pytest.raises(SystemExit, match="some pairs have not met in 3 deals"):
        command("solve", folder, "--deals", "3")
    command("match", folder, "--deals", "3")
    played = (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()
    command("add", folder, "three", saved(tmp_path / "3.npz", seed=3))
    command("match", folder, "--deals", "3")
    after = (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()
    assert after[: len(played)] == played and len(played) == 2 and len(after) == 4
    command("solve", folder, "--deals", "3")
    found = json.loads((folder / "mixture.json").read_text(encoding="utf-8"))
    payoffs = np.array(found["payoffs"])
    assert found["agents"] == ["one", "three", "two"] and np.array_equal(payoffs, -payoffs.T)
    games = np.array(json.loads(played[1])["payoffs"])  # (deals, rotations, seats)
    assert payoffs[0, 2] == pytest.approx((games[:, 0, 0] + games[:, 1, 1]).mean() / 2)
    assert sum(found["mixture"].values()) == pytest.approx(1)
    assert "weight" in capsys.readouterr().out


def test_a_table_of_four(tmp_path: Path) -> None:
    folder = begun(tmp_path, polytrix.find("pressure_matrix"), "--options", "players=4", "max_decisions=60")
    command("match", folder, "--deals", "1")
    command("solve", folder, "--deals", "1")
    lines = (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    assert len(lines) == 2 and np.array(json.loads(lines[0])["payoffs"]).shape == (1, 4, 4)
    given = league.read_settings([str(folder), *TINY])
    assert given.options["players"] == 4 and {*given.against} <= {"one", "two"}
    learner = learner_of(league.Learner, replace(given, share_past=1.0))
    for rollout in learner.rollouts:
        assert ((rollout.player[:, :4] == LEARNER).sum(axis=1) == 1).all()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["match", "nowhere"], r"nowhere is no league: begin one with league\.py add nowhere NAME FILE"),
        (["match", "league", "--deals", "0"], "deals is 0; allowed: 1 to"),
        (["train", "league"], r"there is no league.mixture\.json: run league\.py solve league first"),
    ],
)
def test_what_comes_first(
    arguments: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=problem):
        command(*arguments)


def test_a_run_plays_what_the_league_plays(tmp_path: Path) -> None:
    folder = mixed(begun(tmp_path, RACE, "--options", "finish_depth=2"), {"one": 1.0})
    assert league.read_settings([str(folder)]).options["finish_depth"] == 2
    with pytest.raises(SystemExit, match="leave out --options"):
        league.read_settings([str(folder), "--options.finish-depth", "3"])


# -- opponents in training --------------------------------------------------------------------


def learner_in(folder: Path, *arguments: str) -> league.Learner:
    return learner_of(league.Learner, league.read_settings([str(folder), *TINY, *arguments]))


def test_every_agent_plays_as_in_its_file_for_whole_games(tmp_path: Path) -> None:
    """From the first game on; no opponent is untrained, or takes another's place in the middle of a game."""
    folder = mixed(begun(tmp_path, RACE, "--options", "max_decisions=40"), {"one": 0.75, "two": 0.25})
    learner = learner_in(folder, "--share-past", "0.8", "--num-envs", "60")
    agents: list[Any] = [load(folder / f"{name}.npz", deterministic=True) for name in ("one", "two")]
    began: list[int] = []

    for rollout in learner.rollouts:
        simulator, step, begin = rollout.simulator, rollout.simulator.step, rollout.begin
        during = rollout.player.copy()
        began += during.max(axis=1).tolist()

        def asked(
            actions: Any, rollout: Any = rollout, simulator: Any = simulator, step: Callable[..., Any] = step,
            during: Any = during,
        ) -> None:  # fmt: skip
            assert np.array_equal(rollout.player, during)
            mover = rollout.player[np.arange(len(actions)), simulator.mover]
            for number, agent in enumerate(agents):
                rows = np.flatnonzero(mover == number)
                chosen = agent(simulator.observation[rows], simulator.mask[rows], np.random.default_rng(0))
                assert np.array_equal(actions[rows], chosen)
            step(actions)

        def begun_again(
            rows: Any, rollout: Any = rollout, begin: Callable[..., Any] = begin, during: Any = during
        ) -> None:
            begin(rows)
            during[rows] = rollout.player[rows]
            began.extend(during[rows].max(axis=1).tolist())  # noqa: B023  # there is one

        simulator.step, rollout.begin = asked, begun_again  # type: ignore[method-assign]
    for _ in range(25):
        learner.iterate(0.0)
    counts = np.bincount(np.array(began) + 1, minlength=3)  # games of the learner alone, and of each agent
    assert len(began) > 300 and (np.abs(counts / len(began) - [0.2, 0.6, 0.2]) < 0.08).all()
    alone = np.array([[LEARNER] * 2])
    for rollout in learner.rollouts:
        others = rollout.player[(rollout.player != alone).any(axis=1)]
        assert ((others == LEARNER).sum(axis=1) == 1).all()


def test_a_learner_that_was_stopped_goes_on_exactly(tmp_path: Path) -> None:
    folder = mixed(begun(tmp_path), {"one": 0.5, "two": 0.5})
    whole, parts = learner_in(folder), learner_in(folder)
    whole.iterate(0.0)
    state = deepcopy(whole.state())
    assert {*state["networks"]} == {LEARNER}
    whole.iterate(0.0)
    restored(parts, state, tmp_path).iterate(0.0)
    assert torch.equal(parts.networks[LEARNER].vector, whole.networks[LEARNER].vector)
    again = learner_of(
        league.Learner, replace(whole.settings, threads=1)
    )  # with groups of another size at first
    assert [*map(len, (r.player for r in restored(again, state, tmp_path).rollouts))] == [6, 6]
    again.iterate(0.0)
    assert torch.equal(again.networks[LEARNER].vector, whole.networks[LEARNER].vector)


def test_a_run_from_beginning_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = mixed(begun(tmp_path), {"one": 0.5, "two": 0.5})
    brief = ["--total-steps", "300", "--final-games", "2", "--out", tmp_path / "run"]
    command("train", folder, *TINY, *brief)
    assert f"python training/league.py train {folder}" in capsys.readouterr().out
    assert isinstance(load(tmp_path / "run" / "policy.npz", RACE), NetworkPolicy)
    mixed(folder, {"one": 1.0})
    with pytest.raises(SystemExit, match=r"a run with other settings \(against\)"):
        command("train", folder, *TINY, *brief)
    command("add", folder, "three", tmp_path / "run")
    assert league.read(folder).agents == ["one", "three", "two"]
