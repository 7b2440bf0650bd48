"""`best_response.py`: exploiters find out weak agents, and what they gain is measured as it is said."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import polytrix
from polytrix.agents import (
    GuidedSearchPolicy,
    NetworkPolicy,
    load,
    resolve,
    save_network,
)
from polytrix.arena.contestants import Contestant, contestant
from polytrix.core.errors import CheckpointError
from polytrix.core.game import Game
from polytrix.core.state import FloatArray
from polytrix.learning.samples import new_samples
from polytrix.learning.workers import one_blas_thread
from polytrix.training import values
from polytrix.training.best_response import INSTEAD, Learner, Run, Settings, main, read_settings
from polytrix.training.exploiters.agent import agent_of, beginning
from polytrix.training.exploiters.gains import conclusion, measured_gains
from polytrix.training.learner.network import Network
from polytrix.training.learner.rollout import ASKED, GREEDY, LEARNER, Rollout, take_figures
from polytrix.training.shared.self_play import HeadSettings
from polytrix.training.values import played
from tests.every_game import every_game
from tests.networks import some_network
from tests.toys import SECRET
from tests.training.learners import learner_of, restored

DUEL = polytrix.find("resistor")
SHOW = polytrix.find("pressure_matrix")

TINY = [
    "--threads", "1", "--num-envs", "8", "--num-steps", "16", "--batch-size", "64", "--minutes", "1000",
    "--total-steps", "500", "--choice-games", "4", "--final-games", "8",
    "--value-minutes", "0.005", "--search-simulations", "4", "--options.max-decisions", "60",
]  # fmt: skip


def settings(*arguments: str | Path) -> Settings:
    return read_settings([*map(str, arguments)])


@every_game
def test_the_agent_plays_all_others_whatever_partners_the_game_has(game: Game) -> None:
    """Settings files are those of self-play, which may name partners and shares of games."""
    asked = settings(game.name, "greedy")
    assert asked.agent == "greedy" and asked.share_partners == 1 and not (asked.partners or asked.copies)


# -- a planted weakness -------------------------------------------------------------------

TRIGGER = 3
"""The weak agent plays badly for the whole game if the enemy has bid so much, or more. "ppo" itself bids 2."""

SHUT = 1000.0
"""More than any output of a layer."""


def planted(to: Path) -> Path:
    """The released network for two players, which in one situation plays its least probable action.

    A unit of the first layer is 1 if the enemy has bid TRIGGER. It lets a copy of the last hidden layer pass,
    which turns all logits round.
    """
    sound = resolve("ppo", SHOW)
    assert isinstance(sound, NetworkPolicy) and sound.values is not None
    (first, first_bias), (second, second_bias), (head, head_bias) = sound.layers
    bid = SHOW.observations.offset("bid") + 1  # 1 + the bid of the next seat
    first = np.pad(first, ((0, 0), (0, 1)))
    first[bid, -1] = 1 / SHOW.observations.scale[bid]
    second = np.pad(np.hstack([second, second]), ((0, 1), (0, 0)))
    second[-1, len(second_bias) :] = SHUT
    layers = [
        (first, np.append(first_bias, -TRIGGER)),
        (second, np.append(second_bias, second_bias - SHUT)),
        (np.vstack([head, -2 * head]), head_bias),
    ]
    values = np.vstack([sound.values[0], 0 * sound.values[0]]), sound.values[1]
    return save_network(to / "weak.npz", SHOW, layers, "relu", values=values)


def gain_against(agent: str | Path, out: Path, steps: int) -> dict[str, Any]:
    """What an exploiter that begins with "ppo" gains after so many decisions."""
    learning = "--network ppo --num-envs 256 --temperature 6 --learning-rate 1e-3"
    limits = f"--minutes 1000 --total-steps {steps} --final-games 2 --value-minutes 0 --threads 1"
    with (
        one_blas_thread(),  # as in the script: the agent's network is computed by NumPy
        Run(settings("pressure_matrix", agent, *learning.split(), *limits.split(), "--out", out)) as run,
    ):
        learner = learner_in(run)
        while steps > 1 and run.goes_on(learner.decisions, learner.policy):
            learner.iterate(run.done)
        run.export(out / "policy.npz", learner.networks[LEARNER].exported(), learner.begun_with)
        (gain,) = run.play(run.exploiters(out / "policy.npz"), 7, 400, threads=1)
    return gain


def learner_in(run: Run) -> Learner:
    """The learner of a run."""
    return Learner(run.settings, run.game, run.options, run.clock, run.agent)


def test_an_exploiter_finds_out_a_weak_agent(tmp_path: Path) -> None:
    weak = planted(tmp_path)
    found = gain_against(weak, tmp_path / "found", 30_000)
    without_training = gain_against(weak, tmp_path / "without", 1)
    assert found["gain_interval"][0] > without_training["gain_interval"][1] + 0.3
    assert abs(without_training["gain"]) < 0.1  # nobody else sees the weakness


@pytest.mark.slow
def test_a_search_that_knows_the_agent_gains_more_than_one_that_does_not(tmp_path: Path) -> None:
    agent = contestant(DUEL, "ppo")
    network: Any = resolve("ppo", DUEL)

    def searching(others: Any) -> Contestant:
        name = "knows" if others != "search" else "does not"
        return Contestant(name, name, lambda: GuidedSearchPolicy(DUEL, network, 48, others=others))

    both = [searching(agent.make()), searching("search")]
    options = DUEL.options.validate({})
    knows, does_not = measured_gains(DUEL, options, both, agent, 150, 3, tmp_path / "games.jsonl")
    assert knows["gain_interval"][0] > 0 and knows["gain"] > does_not["gain"] + 0.05


# -- the agent ----------------------------------------------------------------------------


def test_what_stands_for_an_agent_and_where_an_exploiter_begins(tmp_path: Path) -> None:
    network = agent_of(DUEL, "expert")
    assert isinstance(network.model, NetworkPolicy) and network.model.deterministic and not network.searches
    sampled = agent_of(DUEL, "expert", sample=True)
    assert isinstance(sampled.model, NetworkPolicy) and not sampled.model.deterministic
    assert sampled.contestant.mark != network.contestant.mark and sampled.name == "expert sampled"
    master = agent_of(DUEL, "master")
    assert isinstance(master.model, NetworkPolicy) and master.searches and "expert" in master.plays
    assert isinstance(master.fast(), NetworkPolicy) and isinstance(master.contestant.make(), GuidedSearchPolicy)
    assert agent_of(DUEL, "greedy").model == "greedy" == agent_of(DUEL, "search:20").model
    assert agent_of(DUEL, "search:20,rollout=random").fast().name == "random"  # type: ignore[attr-defined]
    own = agent_of(DUEL, "polytrix.agents.choice:sampled")
    assert own.model is None and own.network is None and own.fast() is not None

    def name(agent: Any, players: int = 2) -> str:
        found = beginning(agent, agent.game.options.validate({"players": players} if players > 2 else {}))
        assert found is not None
        return found.name

    assert name(agent_of(SHOW, "expert")) == "expert"
    assert [name(each) for each in (network, master, own)] == ["ppo"] * 3  # it gets more than a copy would
    assert name(agent_of(SHOW, "greedy"), players=4) == "ppo-players4"
    weak = save_network(tmp_path / "weak.npz", DUEL, some_network(DUEL, (8,)).layers, "relu")
    assert name(agent_of(DUEL, str(weak))) == "ppo"  # who loses to "ppo" is not where its exploiter begins
    assert beginning(agent_of(SECRET, "random"), {}) is None


def test_agents_that_cannot_be_exploited_are_refused() -> None:
    for spec, problem in {
        "nobody": "agent is nobody: policy 'nobody' is neither a name nor an existing file",
        "tests.remembering:Elephant": "remembers earlier decisions",
    }.items():
        with pytest.raises(SystemExit, match=problem):
            agent_of(DUEL, spec)
    with pytest.raises(SystemExit, match="--sample is for saved networks; greedy is none"):
        agent_of(DUEL, "greedy", sample=True)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("--share-greedy 0.5", "partners and shares of games are for fast_ppo.py"),
        ("--share-partners 0.5", "partners and shares of games are for fast_ppo.py"),
        ("--copies 0.5", "partners and shares of games are for fast_ppo.py"),
        ("--temperature 0", "--temperature is 0.0; allowed: above 0"),
        ("--share-itself 2", "--share-itself is 2.0; allowed: from 0 to 1"),
    ],
)
def test_settings_that_are_refused(arguments: str, problem: str) -> None:
    with pytest.raises(SystemExit, match=problem):
        settings("resistor", "greedy", *arguments.split())


def test_an_agent_must_be_named() -> None:
    with pytest.raises(SystemExit, match=r"agent is missing, for example: best_response\.py resistor greedy"):
        settings("resistor")
    assert {name: getattr(settings("quatrix", "greedy"), name) for name in INSTEAD} == INSTEAD


# -- its games ----------------------------------------------------------------------------


class Recorder:
    """Plays the first legal action, and remembers what it was asked."""

    name = "recorder"

    def __init__(self) -> None:
        self.asked: list[FloatArray] = []

    def __call__(self, observation: Any, mask: Any, rng: np.random.Generator) -> Any:
        self.asked.append(observation.copy())
        return mask.argmax(axis=1)


def rollout_against(*partners: Any, game: Game = SHOW, players: int = 3, copies: float = 0.0) -> Rollout:
    given = Settings(game.name, agent="any", num_envs=12, share_partners=1.0, copies=copies)
    options = game.options.validate({"players": players})
    (samples,) = new_samples(game, [12 * 60], torch.device("cpu"))
    return Rollout(game, options, given, samples, 12, partners=partners)


def test_one_seat_learns_and_the_opponent_is_asked_for_all_others() -> None:
    opponent = Recorder()
    rollout, network = rollout_against(opponent), Network(SHOW, (8,))
    assert ((rollout.player[:, :3] == LEARNER).sum(axis=1) == 1).all()
    rollout.play({LEARNER: network}, 50)
    asked = sum(map(len, opponent.asked))
    assert asked + rollout.samples.size == 12 * 50 and 300 < asked < 500
    mine = SHOW.observations.offset("mover")
    assert (rollout.samples.observation[: rollout.samples.size, mine] == 1).all()
    assert (np.concatenate(opponent.asked)[:, mine] == 1).all()
    assert set(take_figures([rollout])) <= {"rollout/ep_len_mean", "wins/partner"}


def test_a_game_that_the_learner_plays_alone_is_no_win_over_a_partner() -> None:
    rollout = rollout_against(Recorder(), players=2, copies=1.0)
    rollout.play({LEARNER: Network(SHOW, (8,))}, 50)
    assert rollout.lengths and not rollout.results


def test_each_game_has_one_of_the_partners() -> None:
    partners = Recorder(), Recorder()
    rollout = rollout_against(*partners, resolve("greedy", SHOW))
    seated = [{*players.tolist()} - {LEARNER} for players in rollout.player[:, :3]]
    assert all(each in ({ASKED}, {ASKED + 1}, {GREEDY}) for each in seated)
    asked = [seated.count({ASKED + i}) for i in range(2)]
    assert asked[0] and asked[1] and sum(asked) < 12
    movers = rollout.player[np.arange(12), rollout.simulator.mover].tolist()
    rollout.play({LEARNER: Network(SHOW, (8,))}, 1)
    assert [sum(map(len, each.asked)) for each in partners] == [movers.count(ASKED + i) for i in range(2)]


def test_the_learner_has_a_part_of_the_other_seats_at_mixed_tables() -> None:
    rollout = rollout_against(Recorder(), copies=0.3)
    own = []
    for _ in range(300):
        rollout.begin(np.arange(12))
        own.append((rollout.player[:, :3] == LEARNER).sum(1))
    assert set(np.ravel(own)) == {1, 2, 3}
    assert np.mean(own) == pytest.approx(1 + 0.3 * 2, abs=0.05)  # 15 standard errors


def test_values_come_from_the_seat_of_the_network_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "for_minutes", lambda *_: range(300))  # steps, however long they take
    monkeypatch.setattr(values, "SAMPLED", 1.0)
    opponent, network = Recorder(), some_network(SHOW, (6,))
    options = SHOW.options.validate({"players": 3, "max_decisions": 60})
    given = HeadSettings("pressure_matrix", num_envs=16)
    features, payoffs, games = played(SHOW, network, given, options, opponent)
    alone, _, its_games = played(SHOW, network, given, options)
    shares = [len(each) / (number.max() + 1) for each, number in ((features, games), (alone, its_games))]
    assert len(features) == len(payoffs) == len(games) and shares[0] < 0.6 * shares[1]
    for game in range(int(games.max())):
        own = payoffs[games == game]
        assert (own == own[:1]).all()  # always seen from the same seat


# -- what is gained -----------------------------------------------------------------------


def test_a_copy_of_the_agent_gains_nothing(tmp_path: Path) -> None:
    agent, copy = contestant(DUEL, "ppo"), replace(contestant(DUEL, "ppo"), name="copy")
    (gain,) = measured_gains(DUEL, DUEL.options.validate({}), [copy], agent, 20, 1, tmp_path / "games.jsonl")
    assert gain["gain"] == 0 and gain["gain_interval"] == (0, 0) and gain["games"] == 40
    assert gain["exploiter"] == "copy"


@pytest.mark.parametrize(
    ("low", "said"), [(0.1, "gains at least"), (-0.1, "Nobody was found who surely gains")]
)
def test_a_gain_that_may_be_chance_is_called_so(low: float, said: str) -> None:
    gain = {"exploiter": "search", "gain": 0.2, "gain_interval": (low, 0.3)}
    assert said in conclusion({"agent": "ppo", "gains": [gain], "chosen": "search"})


# -- whole runs ---------------------------------------------------------------------------


def learner(*arguments: str | Path) -> Learner:
    """A learner without a run."""
    given = settings(*arguments)
    return learner_of(Learner, given, agent_of(polytrix.find(given.game), given.agent, given.sample))


def test_another_agent_under_the_same_name_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "agent.npz"
    save_network(file, DUEL, some_network(DUEL, (8,)).layers, "relu")
    state = learner("resistor", file, *TINY).state()
    save_network(file, DUEL, some_network(DUEL, (8,), seed=2).layers, "relu")
    with pytest.raises(CheckpointError, match="agent is another agent than before"):
        restored(learner("resistor", file, *TINY), state, tmp_path)


def test_the_beginning_is_the_agents_network_softened() -> None:
    soft = learner("resistor", "ppo", *TINY, "--temperature", "4")
    own, policy = resolve("ppo", DUEL), soft.policy()
    assert isinstance(own, NetworkPolicy) and isinstance(policy, NetworkPolicy) and own.values is not None
    seen = polytrix.Simulator(DUEL, 9, seed=1).observation
    assert np.allclose(policy.logits(seen), own.logits(seen) / 4, atol=1e-4)
    value = soft.networks[LEARNER].value
    assert np.allclose(value.weight.detach().numpy()[0], own.values[0][:, 0])
    untrained: Any = learner("resistor", "ppo", *TINY, "--network", "", "--layers", "8").policy()
    assert len(untrained.layers[0][1]) == 8


def test_the_search_of_an_exploiter_has_the_temperature_that_its_first_network_notes(tmp_path: Path) -> None:
    file, noted, none = tmp_path / "policy.npz", some_network(DUEL, (4,)), some_network(DUEL, (4,))
    noted.notes["search_temperature"] = 1.5
    with Run(settings("resistor", "greedy", *TINY, "--out", tmp_path / "run")) as run:
        for begun_with, temperature in ((noted, 1.5), (none, None)):
            run.export(file, noted.layers, begun_with)
            assert run.search(file).noted == temperature


def test_a_search_is_met_at_the_end_of_the_training() -> None:
    against = learner("resistor", "search:4,network=ppo", *TINY)
    assert all(isinstance(rollout.partners[0], NetworkPolicy) for rollout in against.rollouts)
    against.iterate(0.0)
    against.iterate(0.8)
    assert all(isinstance(rollout.partners[0], GuidedSearchPolicy) for rollout in against.rollouts)


@pytest.mark.parametrize("agent", ["greedy", pytest.param("search:4,network=ppo", marks=pytest.mark.slow)])
def test_a_run_from_beginning_to_end(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["best_response.py", "resistor", agent, *TINY, "--out", str(tmp_path)])
    main()
    told = capsys.readouterr().out
    assert "gain" in told and "was chosen on other deals" in told
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert [each["exploiter"] for each in result["gains"]] == ["network", "search"]
    assert all(each["games"] == 8 for each in result["gains"])
    card = (tmp_path / "card.md").read_text(encoding="utf-8")
    assert f"how exploitable is {result['agent']}?" in card and conclusion(result) in card
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    network = load(tmp_path / "policy.npz", DUEL)
    assert isinstance(network, NetworkPolicy) and network.values is not None
    assert network.notes["exploits"] == result["agent"]
    assert list((tmp_path / "tensorboard").glob("events.*"))
    main()
    assert "Continuing" in capsys.readouterr().out
    assert json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["gains"] == result["gains"]
