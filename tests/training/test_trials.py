"""Trials: what is counted, what is kept, and how a killed one goes on."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.agents import NetworkPolicy, load, resolve
from polytrix.arena.contestants import contestant
from polytrix.core.game import Game
from polytrix.training.shared import runs
from polytrix.training.shared.checkpoints import Checkpoints
from polytrix.training.shared.runs import Budget, cpu_seconds
from polytrix.training.trials.trial import Trial
from tests.high import HIGH


def network(game: Game, bias: float) -> NetworkPolicy:
    """A network that likes one action."""
    weights = np.zeros((game.observations.size, game.actions.size)), np.arange(game.actions.size) * bias
    return NetworkPolicy(game, [weights])


def trial_in(folder: Path, decisions: int = 1000, **settings: Any) -> Trial:
    return Trial(HIGH, {**HIGH.options.defaults}, 1, Budget(decisions=decisions), folder, points=4, **settings)


def count(trial: Trial, until: int = 10_000) -> list[float]:
    """An algorithm that makes 130 decisions per iteration; what was done before each."""
    done: list[float] = []
    decisions = 0 if trial.saved is None else int(trial.saved["decisions"])

    def state() -> Mapping[str, Any]:
        return {"decisions": decisions}

    def policy() -> NetworkPolicy:
        return network(HIGH, decisions)

    while trial.goes_on(decisions, policy, state):
        if decisions > until:
            raise KeyboardInterrupt
        done.append(trial.done)
        decisions += 130
    return done


def biases(trial: Trial) -> list[float]:
    """The decisions after which the policies were kept, from their weights."""
    files = [trial.policy_file(point) for point in range(1, trial.points + 1)]
    return [float(load(file, HIGH).layers[0][1][1]) for file in files]


def test_policies_are_kept_at_even_fractions_of_the_budget(tmp_path: Path) -> None:
    trial = trial_in(tmp_path)
    assert count(trial) == [pytest.approx(0.13 * k) for k in range(8)]
    assert biases(trial) == [260, 520, 780, 1040]
    written = json.loads((tmp_path / "trial.json").read_text())
    assert [point["decisions"] for point in written["curve"]] == biases(trial)
    assert written["game"] == HIGH.id and written["seed"] == 1
    assert not list(tmp_path.glob("checkpoint*"))


def test_a_killed_trial_goes_on(tmp_path: Path) -> None:
    first = trial_in(tmp_path, checkpoint_seconds=0.0)
    with pytest.raises(KeyboardInterrupt):
        count(first, until=500)
    first.close()
    again = trial_in(tmp_path)
    assert again.saved == {"decisions": 520} and again.used.decisions == 520
    assert count(again)[0] == pytest.approx(0.52)
    assert biases(again) == [260, 520, 780, 1040]


def test_no_checkpoint_comes_before_the_first_iteration(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        count(trial_in(tmp_path, checkpoint_seconds=0.0), until=-1)
    assert not list(tmp_path.glob("checkpoint*"))


def test_another_budget_is_refused_in_the_folder_of_a_trial(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        count(trial_in(tmp_path, checkpoint_seconds=0.0), until=500)
    with pytest.raises(SystemExit, match=r"other settings \(decisions\)"):
        trial_in(tmp_path, decisions=2000)


def test_other_data_files_are_refused_in_the_folder_of_a_trial(tmp_path: Path) -> None:
    usual = polytrix.find("resistor")
    micro, options = usual.configured(usual.variants["micro"])
    with Trial(micro, options, 1, Budget(decisions=100), tmp_path, checkpoint_seconds=0.0) as trial:
        for decisions in (0, 50):
            assert trial.goes_on(decisions, lambda: network(micro, 1.0), lambda: {})
    with pytest.raises(SystemExit, match=r"other settings \(data\)"):
        Trial(usual, options, 1, Budget(decisions=100), tmp_path)
    trial = Trial(micro, options, 1, Budget(decisions=100), tmp_path)
    assert not trial.goes_on(100, lambda: network(micro, 1.0))
    assert Trial(micro, options, 1, Budget(decisions=100), tmp_path).finished
    with pytest.raises(SystemExit, match=r"other settings \(data\)"):
        Trial(usual, options, 1, Budget(decisions=100), tmp_path)


def test_cpu_time_counts_from_the_first_question_on_and_not_while_policies_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = [0.0]
    monkeypatch.setattr(runs, "cpu_seconds", lambda: spent[0])

    def slow() -> NetworkPolicy:
        spent[0] += 100
        return network(HIGH, 1)

    trial = Trial(HIGH, {**HIGH.options.defaults}, 1, Budget(cpu_minutes=1), tmp_path, points=2)
    spent[0] += 100
    iterations = 0
    while trial.goes_on(iterations, slow):
        spent[0] += 15
        iterations += 1
    assert iterations == 4 and trial.used.cpu_seconds == 60


def test_processes_that_it_has_started_count() -> None:
    before = cpu_seconds()
    loop = "import time\nwhile time.process_time() < 60: pass"
    with subprocess.Popen([sys.executable, "-c", loop]) as process:
        while cpu_seconds() < before + 0.5 and process.poll() is None:
            time.sleep(0.05)
        alive = cpu_seconds()
        process.kill()
    assert alive >= before + 0.5
    assert cpu_seconds() >= alive - 0.05


class Liking:
    """A policy that is no network: it likes some actions more than others."""

    def __init__(self, game: Game, file: str | None = None, liked: float = 0.0) -> None:
        self.liked = (
            liked if file is None else float(json.loads(Path(file).read_text(encoding="utf-8"))["liked"])
        )

    def __call__(self, observation: Any, mask: Any, rng: np.random.Generator) -> Any:
        return (mask * (1 + self.liked * np.arange(mask.shape[1]))).argmax(axis=1)

    def save(self, file: Path) -> None:
        file.write_text(json.dumps({"liked": self.liked}), encoding="utf-8")


def test_a_policy_of_any_class_that_can_be_saved_is_kept(tmp_path: Path) -> None:
    trial = trial_in(tmp_path)
    decisions = 0
    while trial.goes_on(decisions, partial(Liking, HIGH, liked=decisions)):
        decisions += 250
    again = trial_in(tmp_path)
    assert again.finished
    found = [resolve(again.agent(point), HIGH) for point in (1, 2, 3, 4)]
    assert [(type(each).__name__, each.liked) for each in found] == [
        ("Liking", liked) for liked in (250, 500, 750, 1000)
    ]
    marks = [contestant(HIGH, f"a={again.agent(point)}").mark for point in (1, 2)]
    assert marks[0] != marks[1], "another file is another agent"
    again.policy_file(1).write_text(json.dumps({"liked": 500}))
    assert contestant(HIGH, f"a={again.agent(1)}").mark == marks[1], "the same file is the same agent"


def test_a_policy_whose_class_cannot_be_found_again_is_refused(tmp_path: Path) -> None:
    class Local(Liking):
        pass

    with pytest.raises(TypeError, match=r"has been saved, but cannot be made again: .*<locals>"):
        trial_in(tmp_path).goes_on(1000, lambda: Local(HIGH))


def test_bad_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="never end"):
        Budget()
    with pytest.raises(TypeError, match=r"a trial keeps a NetworkPolicy or an object with a method `save"):
        trial_in(tmp_path).goes_on(1000, lambda: lambda observation, mask, rng: np.zeros(1, np.int64))


def test_an_algorithm_that_begins_anew_leaves_no_class_behind(tmp_path: Path) -> None:
    first = trial_in(tmp_path)
    first.goes_on(0, partial(Liking, HIGH))
    first.goes_on(250, partial(Liking, HIGH))
    first.close()
    count(trial := trial_in(tmp_path))
    assert isinstance(resolve(trial.agent(1), HIGH), NetworkPolicy)


def test_a_class_of_the_script_that_was_started_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Liking, "__module__", "__main__")
    trial = trial_in(tmp_path)
    trial.goes_on(0, partial(Liking, HIGH))
    with pytest.raises(TypeError, match="put it into a module"):
        trial.goes_on(250, partial(Liking, HIGH))
    trial_in(tmp_path)  # nobody holds the folder any more


def test_a_trial_that_another_process_finishes_meanwhile_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def finished_meanwhile(folder: Path) -> Checkpoints:
        monkeypatch.undo()
        count(trial_in(folder))
        return Checkpoints(folder)

    monkeypatch.setattr("polytrix.training.trials.trial.Checkpoints", finished_meanwhile)
    assert trial_in(tmp_path).finished


def test_minutes_may_be_whole(tmp_path: Path) -> None:
    options = {**HIGH.options.defaults}
    first = Trial(HIGH, options, 1, Budget(minutes=5), tmp_path, checkpoint_seconds=0.0)
    for decisions in range(2):
        first.goes_on(decisions, partial(network, HIGH, 0), dict)
    first.close()
    assert Trial(HIGH, options, 1, Budget(minutes=5.0), tmp_path).saved == {}
