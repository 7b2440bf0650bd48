"""`fast_ppo.py`: samples against an independent implementation, resuming, imitation, learning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import polytrix
from polytrix.agents import load, save_network
from polytrix.core.compile.programs import forget_programs
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import IdArray, Record
from polytrix.learning.advantages import END, OPEN
from polytrix.learning.samples import NOBODY, Samples, advantages, closed, new_samples
from polytrix.training import fast_ppo
from polytrix.training.fast_ppo import Learner, Settings, learn, read_settings
from polytrix.training.learner import rollout as rollouts
from polytrix.training.learner.network import Network, act
from polytrix.training.learner.rollout import GREEDY, LEARNER, RANDOM, Rollout
from polytrix.training.shared.runs import Used
from polytrix.training.shared.scripts import ScriptRun
from tests.high import HIGH, TWO_WAYS
from tests.training.learners import learner_of

TINY = Settings("high", num_envs=6, num_steps=25, batch_size=32, layers=(8,), options={"players": 3})


@pytest.fixture
def _plain(known_toys: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The game High in plain Python; the network's layers are compiled."""
    forget_programs()
    for module in ("compiler", "programs"):
        monkeypatch.setattr(f"polytrix.core.compile.{module}.runs_plain", lambda mode: True)
    yield
    forget_programs()


def rollout_of(settings: Settings, game: Game = HIGH) -> Rollout:
    """All games of a run, as one group."""
    options = game.options.validate(settings.options)
    capacity = settings.num_envs * (settings.num_steps + game.num_players(options))
    (samples,) = new_samples(game, [capacity], torch.device("cpu"))
    return Rollout(game, options, settings, samples, settings.num_envs)


def played(settings: Settings, steps: int) -> tuple[Rollout, list[list[tuple[int, float, float, bool]]]]:
    """Rollout after some steps, and what each seat of each game saw happen, written down independently.

    The history of a seat in a game: (its decision's number, potential then, payoff, whether the game ended).
    """
    rollout = rollout_of(settings)
    networks = {LEARNER: Network(HIGH, settings.layers)}
    histories: dict[tuple[int, int], list[tuple[int, float, float, bool]]] = {}
    closed: list[list[tuple[int, float, float, bool]]] = []
    finish = rollout.finish

    def pay(rows: np.ndarray) -> None:
        for row in rows:
            for seat in range(rollout.players):
                if story := histories.pop((int(row), seat), []):
                    number, potential, _, _ = story[-1]
                    story[-1] = (number, potential, float(rollout.simulator.reward[row, seat]), True)
                    closed.append(story)
        finish(rows)

    rollout.finish = pay  # type: ignore[method-assign]
    for _ in range(steps):
        sim, number = rollout.simulator, rollout.samples.size
        for row, mover in enumerate(sim.mover.tolist()):
            if rollout.player[row, mover] == LEARNER:
                potential = float(sim.potential()[row, mover])
                histories.setdefault((row, mover), []).append((number, potential, 0.0, False))
                number += 1
        rollout.step(networks)
    return rollout, [*closed, *histories.values()]


@pytest.mark.usefixtures("_plain")
@pytest.mark.parametrize("shares", [(0.0, 0.0), (0.4, 0.3)])
def test_rewards_and_advantages_follow_each_seats_own_decisions(shares: tuple[float, float]) -> None:
    settings = replace(TINY, share_random=shares[0], share_greedy=shares[1], shaping=0.5)
    rollout, stories = played(settings, 25)
    samples, gamma, decay = rollout.samples, 0.9, 0.9 * 0.7
    estimates, targets = advantages(samples, gamma, 0.7)
    assert np.allclose(targets - estimates, samples.used()["value"], atol=1e-6)
    assert sum(len(story) for story in stories) == samples.size
    ended = [number for story in stories for number, *_ in (story if story[-1][3] else story[:-1])]
    assert closed(samples).tolist() == sorted(ended)
    assert any(story[-1][3] for story in stories) and not all(story[-1][3] for story in stories)
    for story in stories:
        value = [float(samples.value[number]) for number, *_ in story]
        surprises = []
        for k, (number, potential, payoff, ended) in enumerate(story):
            if k + 1 < len(story):
                reward, after = 0.5 * (story[k + 1][1] - potential), value[k + 1]
                assert samples.next[number] == story[k + 1][0]
            elif ended:
                reward, after = payoff - 0.5 * potential, 0.0
                assert samples.next[number] == END
            else:
                assert samples.next[number] == OPEN and estimates[number] == 0
                continue
            assert samples.reward[number] == pytest.approx(reward, abs=1e-6)
            surprises.append(reward + gamma * after - value[k])
        for k in range(len(surprises)):
            slow = sum(decay**j * surprise for j, surprise in enumerate(surprises[k:]))
            assert estimates[story[k][0]] == pytest.approx(slow, abs=1e-5)


@pytest.mark.usefixtures("_plain")
def test_one_seat_learns_where_others_are_built_in() -> None:
    settings = replace(TINY, num_envs=300, share_random=0.3, share_greedy=0.3)
    rollout = rollout_of(settings)
    learning = (rollout.player[:, :3] == LEARNER).sum(axis=1)
    for number, built_in in ((RANDOM, 1), (GREEDY, 2)):
        rows = (rollout.player[:, :3] == number).any(axis=1)
        assert 60 < rows.sum() < 120 and (learning[rows] == 1).all()
        assert ((rollout.simulator.policy == built_in) == (rollout.player == number)).all()
    assert (learning[(rollout.player[:, :3] == LEARNER).all(axis=1)] == 3).all()
    assert set(np.unique(rollout.player[rollout.player[:, 0] == LEARNER, 0])) == {LEARNER}


def test_no_illegal_action_is_ever_drawn() -> None:
    """Even if illegal actions have much higher logits."""
    torch.manual_seed(1)
    game = polytrix.find("resistor")
    network = Network(game, (8,))
    sim = Simulator(game, 200, seed=1)
    for _ in range(10):
        wanted = torch.zeros(game.actions.size)
        wanted[sim.mask.sum(axis=0) < 100] = 1e4
        network.policy.bias.data = wanted
        given = (torch.from_numpy(each.copy()) for each in (sim.observation, sim.legal_ids, sim.num_legal))
        place, log_probability, _ = act(network, *given, torch.rand(200))
        assert (place.numpy() < sim.num_legal).all() and (log_probability <= 1e-6).all()
        sim.step(sim.legal_ids[np.arange(200), place])
        sim.restart(np.flatnonzero(sim.over))


@pytest.mark.usefixtures("_plain")
@pytest.mark.parametrize("past", [0.0, 0.5])
def test_each_seat_sees_the_game_under_a_symmetry_of_its_own(past: float) -> None:
    settings = replace(TINY, num_envs=40, symmetric=True, share_past=past)
    rollout = rollout_of(settings, TWO_WAYS)
    networks = {LEARNER: Network(TWO_WAYS, (8,)), 0: Network(TWO_WAYS, (8,))}
    rollout.choose_rival([0])
    samples, sim, rows = rollout.samples, rollout.simulator, np.arange(40)
    for _ in range(settings.num_steps):
        drawn, first = rollout.symmetry.copy(), samples.size
        mover, before, seen = sim.mover.copy(), sim.states.copy(), sim.observation.copy()
        assert (sim.num_legal == 3).all()
        learns, which = rollout.player[rows, mover] == LEARNER, drawn[rows, mover]
        rollout.step(networks)
        expected = seen.copy()
        expected[which == 1, :6] = np.roll(seen[which == 1, :6], 1, axis=1)
        assert (samples.observation[first : samples.size].numpy() == expected[learns]).all()
        shown = samples.legal[first : samples.size].numpy()
        assert (shown == np.where(which[:, None], [1, 0, 2], [0, 1, 2])[learns]).all()
        place = samples.place[first : samples.size].numpy()
        goes_on = sim.states["decisions"][learns] > before["decisions"][learns]
        gained = sim.states["pot"][learns].astype(int) - before["pot"][learns]
        assert (gained == np.array([1, 2, 0])[place])[goes_on].all()  # what the place means in the game itself
        same = sim.states["decisions"] > before["decisions"]
        assert (rollout.symmetry == drawn)[same].all()
    assert 0.4 < rollout.symmetry.mean() < 0.6
    assert 0.3 < (rollout.symmetry[:, 0] != rollout.symmetry[:, 1]).mean() < 0.7


def test_a_game_without_symmetries_is_not_seen_under_them() -> None:
    with pytest.raises(SystemExit, match="resistor has no symmetries; leave out --symmetric"):
        read_settings(["resistor", "--symmetric"])
    assert read_settings(["quatrix", "--symmetric"]).symmetric


@pytest.mark.usefixtures("_plain")
def test_the_result_is_the_mean_of_the_last_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_ppo, "AVERAGED", 2)
    learner, weights = learner_of(Learner, TINY), []
    for _ in range(5):
        learner.iterate(0.5)
        weights.append(learner.networks[LEARNER].vector.detach().clone())
    expected = sum(k * each for k, each in enumerate(weights)) / 10
    assert torch.allclose(learner.mean.vector, expected, atol=1e-6)
    assert not torch.allclose(learner.mean.vector, weights[-1], atol=1e-6)


@pytest.mark.usefixtures("_plain")
def test_learning_rate_and_entropy_bonus_fall_to_0(monkeypatch: pytest.MonkeyPatch) -> None:
    learner, given = learner_of(Learner, replace(TINY, learning_rate=0.01, entropy=0.2)), []

    def noted(network: Any, optimizer: Any, tensors: Any, minibatches: Any, weights: Any, *more: Any) -> Any:
        given.append((optimizer.param_groups[0]["lr"], weights.entropy))
        return torch.zeros((1, 9))

    monkeypatch.setattr(fast_ppo, "update", noted)
    for done in (0.0, 0.75, 1.0):
        learner.iterate(done)
    assert given == [(0.01, 0.2), (0.0025, 0.05), (0.0, 0.0)]


@pytest.mark.usefixtures("_plain")
def test_a_learner_begins_with_a_network(tmp_path: Path) -> None:
    first = save_network(tmp_path / "first.npz", HIGH, Network(HIGH, (5,)).exported(), "relu")
    learner, begun = learner_of(Learner, replace(TINY, network=str(first))), load(first, HIGH)
    for layer, given in zip(learner.networks[LEARNER].exported(), begun.layers, strict=True):
        assert all(np.array_equal(*pair) for pair in zip(layer, given, strict=True))


@pytest.mark.usefixtures("_plain")
def test_a_budget_of_cpu_time_or_decisions_replaces_the_minutes(tmp_path: Path) -> None:
    for cpu_minutes, total_steps, done in [
        (0.0, 0, 0.5),
        (1.0, 0, 0.1),
        (0.0, 1000, 0.25),
        (1.0, 1000, 0.25),
        (0.1, 1000, 1.0),
    ]:
        settings = replace(TINY, minutes=1.0, cpu_minutes=cpu_minutes, total_steps=total_steps, out=tmp_path)
        with ScriptRun(settings, "fast_ppo.py") as run:
            run.used = Used(decisions=250, seconds=30.0, cpu_seconds=6.0)
            assert run.done == pytest.approx(done)


@pytest.mark.usefixtures("_plain")
@pytest.mark.parametrize("what", ["weights", "value", "optimiser", "overflow"])
def test_what_is_not_finite_never_replaces_a_good_checkpoint(what: str, tmp_path: Path) -> None:
    settings = replace(TINY, total_steps=10_000, checkpoint_seconds=0.0, final_games=3, out=tmp_path)
    with ScriptRun(settings, "fast_ppo.py") as run:
        learner = learner_of(Learner, settings)
        network = learner.networks[LEARNER]
        for _ in range(2):
            assert run.goes_on(learner.decisions, learner.policy, learner.state)
            learner.iterate(run.done)
        assert run.goes_on(learner.decisions, learner.policy, learner.state)
        good = (tmp_path / "checkpoint.polytrix").read_bytes()
        with torch.no_grad():
            if what == "weights":
                network.first.weight[0, 0] = torch.inf
            elif what == "value":
                network.value.bias[0] = torch.nan
            elif what == "optimiser":
                next(iter(learner.optimizer.state.values()))["exp_avg_sq"][0] = torch.inf
            else:
                for each in (network, learner.mean):
                    each.first.weight[:] = 1e37
                    each.policy.weight[:] = 1e37
        with pytest.raises(SystemExit, match=r"has diverged after .* The last checkpoint is of \d+ steps"):
            run.goes_on(learner.decisions, learner.policy, learner.state)
    assert (tmp_path / "checkpoint.polytrix").read_bytes() == good


# -- imitation of the greedy policy --------------------------------------------------------


def much_or_nothing(s: Record, ids: IdArray) -> int:
    """High with the actions 1 and 2 only, so that actions differ from their index among the legal ones."""
    ids[0], ids[1] = 1, 2
    return 2


@pytest.mark.usefixtures("_plain")
@pytest.mark.parametrize(
    ("imitation", "share", "games"), [(1.0, 0.5, 3), (1.0, 0.4, 3), (1.0, 0.0, 0), (0.0, 1.0, 0)]
)
def test_the_greedy_policy_is_asked_in_its_share_of_the_games(
    imitation: float, share: float, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = replace(HIGH, legal=much_or_nothing)
    monkeypatch.setattr(rollouts, "IMITATION_GAMES", share)
    settings = replace(TINY, imitation=imitation, share_random=0.3)
    rollout = rollout_of(settings, game)
    networks = {LEARNER: Network(game, settings.layers)}
    where: list[int] = []
    for _ in range(25):
        mover = rollout.simulator.mover
        where += [row for row in range(6) if rollout.player[row, mover[row]] == LEARNER]
        rollout.step(networks)
    samples = rollout.samples
    taught, asked = samples.taught[: samples.size], np.array(where) < games
    assert samples.size == len(where) and (taught[~asked] == NOBODY).all()
    number = samples.used()["observation"][:, :6].argmax(axis=1)[asked]
    rating = np.stack([number + 1, np.full(len(number), 3)], axis=1)  # of +2 and of folding; see `greedy`
    assert (rating[np.arange(len(number)), taught[asked]] == rating.max(axis=1)).all()
    assert not games or {0, 1} == set(taught[asked].tolist())


@pytest.mark.usefixtures("_plain")
def test_imitation_pulls_towards_the_greedy_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollouts, "IMITATION_GAMES", 1.0)
    likely = {}
    for weight in (0.0, 1.0):
        torch.manual_seed(1)
        settings = replace(TINY, imitation=1.0, learning_rate=0.01, epochs=5)
        rollout = rollout_of(settings)
        network = Network(HIGH, settings.layers)
        optimizer = torch.optim.Adam([network.vector])
        for _ in range(25):
            rollout.step({LEARNER: network})
        samples = rollout.samples
        given = (samples.observation, samples.legal, samples.count)

        def of_the_taught(network: Network = network, samples: Samples = samples, given: Any = given) -> float:
            shown = network.log_probabilities(*(each[: samples.size] for each in given))
            taught = torch.from_numpy(samples.taught[: samples.size, None])
            return float(shown.exp().gather(1, taught).mean())

        before = of_the_taught()
        for _ in range(5):
            learn(network, optimizer, [samples], settings, left=1.0, imitation=weight)
        likely[weight] = before, of_the_taught()
    assert likely[0.0][0] == likely[1.0][0] == pytest.approx(1 / 3, abs=0.05)
    assert likely[1.0][1] > max(0.6, likely[0.0][1] + 0.2)


def test_a_game_without_a_greedy_policy_has_nobody_to_imitate(register: Callable[[Game], Game]) -> None:
    register(replace(HIGH, greedy=None))
    assert read_settings(["high"]).imitation == 0
    with pytest.raises(SystemExit, match=r"high-v0 has no greedy policy; .* leave --imitation at 0"):
        read_settings(["high", "--imitation", "0.5"])


def test_the_teacher_may_be_another_heuristic_of_the_game() -> None:
    asked = ["estimatrix", "--imitation", "0.1", "--teacher"]
    assert read_settings([*asked, "literal"]).teacher == "literal"
    with pytest.raises(SystemExit, match=r"--teacher is 'oracle': .* it has random, greedy, literal"):
        read_settings([*asked, "oracle"])


@pytest.mark.usefixtures("_plain")
@pytest.mark.parametrize(("until", "left"), [(0.0, 0.5), (0.8, 0.25), (0.15, 0.0)])
def test_the_weight_of_imitation_fades_or_stays(until: float, left: float) -> None:
    learner = learner_of(Learner, replace(TINY, imitation=0.5, imitation_until=until))
    learner.iterate(0.4)
    assert learner.rollouts[0].imitation == left
