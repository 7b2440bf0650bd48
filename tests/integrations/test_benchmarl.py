"""BenchMARL on a task of polytrix: its algorithms and masks, whose rewards come where, and the example."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("benchmarl", reason="needs the extra benchmarl: make test-integrations")

import torch
from benchmarl import algorithms
from benchmarl.experiment import Callback, Experiment, ExperimentConfig
from benchmarl.models import MlpConfig
from tensordict import TensorDictBase

from polytrix.api.benchmarl import PolytrixTask
from polytrix.core.game import Game
from tests.every_game import every_game
from tests.pages import ROOT

from .examples import command_of, run_example, run_python_of

pytestmark = pytest.mark.filterwarnings("ignore")

ILLEGAL: list[int] = []


class Watch(Callback):
    """Counts illegal actions in what was collected. At module level: BenchMARL pickles callbacks."""

    def on_batch_collected(self, batch: TensorDictBase) -> None:
        legal = batch["agents", "action_mask"].gather(-1, batch["agents", "action"][..., None])
        ILLEGAL.append(int((~legal).sum()))


def experiment(algorithm: str, folder: Path) -> Experiment:
    """A tiny experiment, two iterations long."""
    config = ExperimentConfig.get_from_yaml()
    config.max_n_iters, config.max_n_frames = 2, None
    config.on_policy_n_envs_per_worker = config.off_policy_n_envs_per_worker = 1
    config.on_policy_collected_frames_per_batch = config.off_policy_collected_frames_per_batch = 60
    config.on_policy_minibatch_size, config.on_policy_n_minibatch_iters = 30, 1
    config.off_policy_n_optimizer_steps, config.off_policy_train_batch_size = 2, 16
    config.off_policy_memory_size = 200
    config.evaluation, config.render, config.create_json, config.loggers = False, False, False, []
    config.save_folder = str(folder)
    network = MlpConfig(num_cells=[16], layer_class=torch.nn.Linear, activation_class=torch.nn.Tanh)
    return Experiment(
        task=PolytrixTask("quatrix", {"max_decisions": 40, "shaping": 1.0}),
        algorithm_config=getattr(algorithms, algorithm).get_from_yaml(),
        model_config=network,
        critic_model_config=network,
        seed=1,
        config=config,
        callbacks=[Watch()],
    )


@pytest.mark.parametrize(
    "algorithm",
    ["IppoConfig", "MappoConfig", "IqlConfig", "IsacConfig", "MasacConfig", "VdnConfig", "QmixConfig"],
)
def test_algorithms_learn_without_an_illegal_action(algorithm: str, tmp_path: Path) -> None:
    ILLEGAL.clear()
    run = experiment(algorithm, tmp_path)
    before = [weights.clone() for weights in run.policy.parameters()]
    run.run()
    assert ILLEGAL == [0, 0]
    assert any((old != new).any() for old, new in zip(before, run.policy.parameters(), strict=True))


@every_game
def test_the_task_takes_every_game_and_pays_every_seat(game: Game) -> None:
    env = PolytrixTask(game.name, {"max_decisions": 60}).get_env_fun(3, False, 3, torch.device("cpu"))()
    played = env.rollout(60, break_when_any_done=False)
    mask, ends = played["agents", "action_mask"], played["next", "done"][..., 0]
    assert played["agents", "observation"].dtype == torch.float32
    alone = (mask.sum(-1) == 1) & mask[..., 0]  # all but the agent to move have one action, which does nothing
    assert ((~alone).sum(-1) <= 1).all() and (~alone).any()
    assert ends.any(1).all()
    paid = played["next", "agents", "reward"]
    assert paid[ends].sum(1).abs().max() < 1e-5  # payoffs sum to zero
    assert (paid[~ends] == 0).all()


def test_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert run_python_of("benchmarl.md")["played"].shape == (8, 40)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_the_example_as_the_page_calls_it() -> None:
    before, after = leads_in(
        run_example("benchmarl_quatrix.py", *command_of("benchmarl.md", "benchmarl_quatrix.py"))
    )
    assert after >= before + 0.1


def leads_in(output: str) -> list[float]:
    """How far the network was ahead of `random`, before and after training."""
    return [float(lead) for lead in re.findall(r"ahead of random (?:before|after): (-?\d\.\d+)", output)]
