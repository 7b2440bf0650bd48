"""Expert iteration: what is learned is what happened in the games, and runs go on where they stopped."""

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
from polytrix.agents import NetworkPolicy, load, save_network
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.training.expert import Learner, Settings, main
from polytrix.training.learner.network import Network
from polytrix.training.learner.supervised import gradient
from polytrix.training.shared.scripts import save_policy
from polytrix.training.shared.self_play import SelfPlay, Window, no_decisions, targets_of
from tests.high import HIGH
from tests.networks import save, some_network
from tests.training.learners import learner_of, restored

GAME = polytrix.find("resistor")
TINY = Settings(
    game="resistor", minutes=1e9, total_steps=500, num_envs=8, simulations=12, window=400,
    batch_size=64, num_steps=20, threads=2, final_games=2, gate_deals=2, gate_simulations=4,
    network="", layers=(16,),
)  # fmt: skip


def test_targets_are_sums_of_later_values_with_decreasing_weights() -> None:
    rng = np.random.default_rng(1)
    values, payoff = list(rng.normal(size=(6, 3))), rng.normal(size=3)
    for decay in (0.0, 0.7, 1.0):
        for number, target in enumerate(targets_of(values, payoff, decay)):
            later = [*values[number + 1 :], payoff]
            weights = [(1 - decay) * decay**k for k in range(len(later) - 1)] + [decay ** (len(later) - 1)]
            assert np.allclose(target, sum(w * each for w, each in zip(weights, later, strict=True)))


@pytest.mark.parametrize(
    ("game", "players", "greedy"), [(GAME, 2, 0.0), (HIGH, 4, 0.0), (HIGH, 4, 0.5)], ids=str
)
def test_decisions_are_those_of_the_games(
    game: Game, players: int, greedy: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each choice of a game, what its mover saw and might do, and the payoffs from the mover on."""
    network = some_network(game)
    settings = replace(TINY, game=game.name, decay=1.0, share_greedy=greedy)
    options = {} if players == 2 else {"players": players}
    group = SelfPlay(game, game.options.validate(options), settings, 6, 0)
    simulator, told = group.simulator, [list[Any]() for _ in range(6)]
    finished: list[tuple[list[Any], Any]] = []
    everyone = set[int]()
    step = simulator.step

    def observed(actions: Any) -> None:
        for row in np.flatnonzero(simulator.num_legal > 1):
            legal = simulator.legal_ids[row, : simulator.num_legal[row]].tolist()
            assert actions[row] in legal
            told[row].append((int(simulator.mover[row]), simulator.observation[row].tolist(), legal))
        step(actions)
        for row in np.flatnonzero(simulator.over):
            finished.append((told[row], simulator.reward[row].copy()))
            movers = {mover for mover, *_ in told[row]}
            assert (len(movers) == 1) == group.alone[row]
            everyone.update(movers)
            told[row] = []

    monkeypatch.setattr(simulator, "step", observed)
    decisions = group.play(network, 150)
    assert everyone == {*range(players)}
    expected = [(*each, payoff) for story, payoff in finished for each in story]
    assert len(expected) == len(decisions.num_legal) > 100
    for number, (mover, seen, legal, payoff) in enumerate(expected):
        count = len(legal)
        assert decisions.observation[number].tolist() == seen
        assert decisions.num_legal[number] == count and decisions.legal[number, :count].tolist() == legal
        for seat in range(players):
            assert decisions.target[number, seat] == payoff[(mover + seat) % players]
        share = decisions.policy[number]
        assert not share[count:].any() and float(share.sum()) == pytest.approx(1)


def some_window(size: int, seen: int) -> Window:
    """A window to which random decisions were added."""
    rng, window = np.random.default_rng(2), Window(GAME, size)
    made = no_decisions(GAME, seen)
    made.observation[:] = rng.integers(0, 2, made.observation.shape) * (
        rng.random(made.observation.shape) < 0.1
    )
    made.num_legal[:] = rng.integers(2, 9, seen)
    for row, count in enumerate(made.num_legal):
        made.legal[row, :count] = np.sort(rng.permutation(GAME.actions.size)[:count])
        if rng.random() < 0.5:
            made.policy[row, :count] = rng.dirichlet(np.ones(count))
    made.target[:, 0] = rng.uniform(-1, 1, seen)
    made.target[:, 1] = -made.target[:, 0]
    for first in range(0, seen, 7):
        window.add(type(made)(*(each[first : first + 7] for each in made)))
    return window


def test_the_window_holds_the_latest_decisions() -> None:
    few, many = some_window(200, 100), some_window(64, 200)
    assert few.used == 100 and many.used == 64
    kept, order = some_window(200, 200).decisions, (200 + np.arange(-64, 0)) % 64
    for own, all_of_them in zip(many.decisions, kept, strict=True):
        assert np.array_equal(own[order], all_of_them[-64:])


def test_the_loss_is_that_of_the_exported_network() -> None:
    torch.manual_seed(1)
    network, window = Network(GAME, (16, 8), values=2), some_window(100, 100)
    with torch.no_grad():
        network.vector += torch.randn_like(network.vector) / 4
    policy = NetworkPolicy(GAME, network.exported(), "relu", values=network.exported_values())
    numbers, seen = torch.arange(10, 70), window.decisions
    slope, (policy_loss, value_loss, variance) = gradient(network, window, numbers, 2, 60)
    logits, values = policy.logits(seen.observation), policy.payoffs(seen.observation)
    wanted_policy = wanted_value = 0.0
    for number in numbers.tolist():
        legal = seen.legal[number, : seen.num_legal[number]]
        likely = logits[number, legal] - np.log(np.exp(logits[number, legal]).sum())
        wanted_policy -= float((seen.policy[number, : len(legal)] * likely).sum()) / 60
        wanted_value += float(((values[number] - seen.target[number]) ** 2).mean()) / 60
    assert float(policy_loss) == pytest.approx(wanted_policy, rel=1e-4)
    assert float(value_loss) == pytest.approx(wanted_value, rel=1e-4)
    assert float(variance) == pytest.approx(float((seen.target[10:70] ** 2).mean()), rel=1e-5)
    parts = [gradient(network, window, part, 2, 60)[0] for part in numbers.chunk(3)]
    assert torch.allclose(sum(parts), slope, atol=1e-6) and slope.abs().max() > 1e-3  # type: ignore[arg-type]
    with torch.no_grad():
        network.vector -= 0.01 * slope / slope.norm()
    _, after = gradient(network, window, numbers, 2, 60)
    before = float(policy_loss + value_loss)
    assert before - float(after[0] + after[1]) == pytest.approx(0.01 * float(slope.norm()), rel=0.1)


def test_it_learns_stops_and_goes_on(tmp_path: Path) -> None:
    learner = learner_of(Learner, TINY)
    while learner.decisions < 500:
        learner.iterate(learner.decisions / 1000)
    assert learner.window.used == 400
    everything, losses = torch.arange(400), []
    for _ in range(2):
        losses.append(gradient(learner.network, learner.window, everything, 2, 400)[1])
        learner.learn(0.9, 150)
    assert losses[1][0] < losses[0][0] and losses[1][1] < losses[0][1]
    again = restored(learner_of(Learner, TINY), learner.state(), tmp_path)
    assert torch.equal(again.network.vector, learner.network.vector)
    assert again.window.added == learner.window.added
    for one, other in zip(again.window.decisions, learner.window.decisions, strict=True):
        assert np.array_equal(one, other)
    again.compare()
    assert again.gates[-1]["steps"] == learner.decisions and again.gates[-1]["deals"] == 2
    best = again.network.vector if again.gates[-1]["ratio"] >= 0 else learner.best.vector
    assert torch.equal(again.best.vector, best)


def test_a_state_with_weights_that_are_too_large_is_refused(tmp_path: Path) -> None:
    learner = learner_of(Learner, TINY)
    with torch.no_grad():
        learner.best.first.weight[:] = 1e37
    with pytest.raises(PolicyError, match="layer 0"):
        restored(learner_of(Learner, TINY), learner.state(), tmp_path)


def test_a_run_leaves_a_network_that_guides_a_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = "--total-steps 300 --num-envs 8 --simulations 4 --window 200 --batch-size 16"
    small = "--num-steps 20 --threads 1 --final-games 2 --gate-deals 1 --gate-simulations 2"
    given = ["expert.py", "resistor", *own.split(), *small.split(), "--network=", "--layers", "8"]
    monkeypatch.setattr(sys, "argv", [*given, "--out", str(tmp_path)])
    main()
    assert "expert iteration baseline" in (tmp_path / "card.md").read_text(encoding="utf-8")
    record = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert record["gates"][-1]["steps"] == record["steps"] == record["curve"][-1]["steps"] >= 300
    found = load(tmp_path / "policy.npz", GAME)
    assert isinstance(found, NetworkPolicy) and found.values is not None
    search: Any = polytrix.agents.resolve(f"search:5,network={tmp_path / 'policy.npz'}", GAME)
    assert "network" in search.name


def test_it_begins_with_a_saved_network(tmp_path: Path) -> None:
    given = some_network(GAME)
    file = save(tmp_path / "given.npz", given)
    policy: Any = learner_of(Learner, replace(TINY, network=str(file))).policy()
    simulator = polytrix.Simulator(GAME, 5, seed=1)
    assert np.allclose(policy.payoffs(simulator.observation), given.payoffs(simulator.observation))
    assert np.allclose(policy.logits(simulator.observation), given.logits(simulator.observation))


def test_beliefs_stay_as_they_are(tmp_path: Path) -> None:
    game = polytrix.find("pressure_matrix")
    given = some_network(game, (16,), beliefs=(8,))
    file = save(tmp_path / "given.npz", given, belief_positions=7, seconds=1)
    learner = learner_of(Learner, replace(TINY, game="pressure_matrix", network=str(file)))
    save_policy(tmp_path / "found.npz", game, learner.policy(), {"seconds": 0})
    found = load(tmp_path / "found.npz", game)
    assert isinstance(found, NetworkPolicy) and found.beliefs is not None and given.beliefs is not None
    assert found.notes["belief_positions"] == 7 and found.notes["seconds"] == 0
    assert np.array_equal(found.beliefs[0][0], np.float32(given.beliefs[0][0]))


def test_what_cannot_guide_is_refused(tmp_path: Path) -> None:
    given = some_network(GAME)
    poor = save_network(tmp_path / "poor.npz", GAME, given.layers, "relu")
    tanh = save_network(tmp_path / "tanh.npz", GAME, given.layers, "tanh", values=given.values)
    for network, problem in [
        (poor, "has no values"),
        (tanh, "expected relu"),
        ("greedy", "no saved network"),
        ("x", "is x"),
    ]:
        with pytest.raises(SystemExit, match=problem):
            learner_of(Learner, replace(TINY, network=str(network)))
