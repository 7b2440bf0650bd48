"""Short runs of the training scripts, and how they go on."""

from __future__ import annotations

import errno
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import polytrix
from polytrix.agents import RandomPolicy, load
from polytrix.agents.checkpoint import read_checkpoint, write_checkpoint
from polytrix.training import fast_ppo, ppo
from polytrix.training.shared.checkpoints import Checkpoints
from polytrix.training.shared.evaluation import evaluate, wilson
from tests.pages import ROOT

TRAINING = ROOT / "training"

SMALL = (
    "--minutes 1000 --total-steps 1280 --checkpoint-seconds 0 --num-envs 8 --num-steps 16 --batch-size 64 "
    "--layers 16 --final-games 8 --options.max-decisions 60"
)
MIXED = "--threads 2 --share-random 0.2 --share-greedy 0.2 --share-past 0.3"


def arguments(out: Path, more: str = MIXED) -> list[str]:
    return ["quatrix", "--out", str(out), *SMALL.split(), *more.split()]


def run(out: Path) -> None:
    """Run `fast_ppo.py` in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["fast_ppo.py", *arguments(out)])
        fast_ppo.main()


def weights(folder: Path) -> list[np.ndarray]:
    return [array for layer in load(folder / "policy.npz").layers for array in layer]


def assert_same_weights(one: Path, other: Path) -> None:
    assert all(np.array_equal(a, b) for a, b in zip(weights(one), weights(other), strict=True))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run, from beginning to end."""
    out = tmp_path_factory.mktemp("run")
    run(out)
    return out


def test_a_run_leaves_network_curve_card_and_results(finished: Path) -> None:
    game = polytrix.find("quatrix")
    policy = load(finished / "policy.npz", game)
    observation = np.zeros((3, game.observations.size), np.int8)
    mask = np.zeros((3, game.actions.size), np.int8)
    mask[:, 5] = 1
    assert policy(observation, mask, np.random.default_rng(0)).tolist() == [5, 5, 5]
    assert (finished / "curve.png").read_bytes().startswith(b"\x89PNG")
    result = json.loads((finished / "result.json").read_text(encoding="utf-8"))
    assert 1280 <= result["steps"] < 1280 + 128
    assert [r["opponent"] for r in result["results"]] == ["random", "greedy"]
    assert all(r["games"] == 8 for r in result["results"])
    best = load(finished / "policy.npz", game, deterministic=True)
    for told in result["results"]:
        options = result["settings"]["options"]
        assert evaluate(game, best, told["opponent"], 8, options).wins == told["wins"]
    assert read_checkpoint(finished / "checkpoint.polytrix")["used"]["decisions"] == result["steps"]
    spent = result["seconds_of"]
    assert set(spent) == {"environment", "inference", "learning"}
    assert all(wall > 0 and cpu > 0 for wall, cpu in spent.values())
    assert sum(wall for wall, _ in spent.values()) <= result["training_seconds"] + 0.1
    card = (finished / "card.md").read_text(encoding="utf-8")
    assert "95% interval" in card
    assert re.search(
        r"\n- Speed: [\d,]+ decisions per second; CPU time: environment \d+%, inference \d+%, learning \d+%\n",
        card,
    )
    events = EventAccumulator(str(finished / "tensorboard")).Reload()
    speeds = [each.value for each in events.Scalars("charts/steps_per_second")]
    assert len(speeds) >= 10 and max(speeds) < 1e8  # of each iteration: the first one was over 10^11
    assert speeds[-1] * result["training_seconds"] == pytest.approx(result["steps"], rel=0.2)


KILLED = """
import os, runpy, sys
from polytrix.training.shared.checkpoints import Checkpoints

write, written = Checkpoints.write, []

def write_and_die(*arguments):
    write(*arguments)
    written.append(1)
    if len(written) == 6:
        os._exit(9)

Checkpoints.write = write_and_die
runpy.run_path(sys.argv.pop(1), run_name="__main__")
"""
"""A script that ends like one that is killed, after its sixth checkpoint."""


def test_a_killed_run_goes_on(finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All scripts keep their runs by the same code, `shared/runs.py`; `test_states.py` has the learners."""
    out, file = tmp_path / "killed", tmp_path / "killed.py"
    file.write_text(KILLED)
    command = [sys.executable, file, TRAINING / "fast_ppo.py", *arguments(out)]
    assert subprocess.run(command, capture_output=True, timeout=300).returncode == 9
    assert 0 < read_checkpoint(out / "checkpoint.polytrix")["used"]["decisions"] < 1280
    run(out)
    assert "Continuing" in capsys.readouterr().out
    assert json.loads((out / "result.json").read_text(encoding="utf-8"))["steps"] >= 1280
    assert_same_weights(finished, out)


def test_the_script_to_be_read_makes_such_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ppo.py", *arguments(tmp_path, more="")])
    ppo.main()
    assert json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["steps"] >= 1280


def test_a_finished_run_is_not_trained_further(finished: Path) -> None:
    before = weights(finished)
    run(finished)
    assert all(np.array_equal(a, b) for a, b in zip(before, weights(finished), strict=True))


def test_a_damaged_checkpoint_is_refused_and_kept(finished: Path, tmp_path: Path) -> None:
    half = (finished / "checkpoint.polytrix").read_bytes()[:1000]
    (tmp_path / "checkpoint.polytrix").write_bytes(half)
    with pytest.raises(SystemExit, match=r"(?s)is damaged.*another --out, or delete"):
        run(tmp_path)
    assert (tmp_path / "checkpoint.polytrix").read_bytes() == half


def test_nothing_is_compiled_for_a_checkpoint_that_does_not_match(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = read_checkpoint(finished / "checkpoint.polytrix")
    write_checkpoint(tmp_path / "checkpoint.polytrix", {**told, "state": {}})
    monkeypatch.setattr(fast_ppo.Learner, "warm_up", lambda self: pytest.fail("it compiles"))
    with pytest.raises(SystemExit, match="does not match this run"):
        run(tmp_path)


def test_a_full_disk_is_said_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Checkpoints, "write", full)
    with pytest.raises(SystemExit, match="cannot be written"):
        run(tmp_path)


def test_wilson_interval_by_hand() -> None:
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    low, high = wilson(200, 400)
    assert low == pytest.approx(1 - high)


def test_evaluation_counts_both_seats_and_no_truncated_game_as_win() -> None:
    game = polytrix.find("quatrix")
    result = evaluate(game, RandomPolicy(game), "random", 20, {"max_decisions": 50})
    assert (result.games, result.wins, result.losses, result.truncated) == (20, 0, 0, 20)
    strong = evaluate(game, RandomPolicy(game), "greedy", 10, {"finish_depth": 3})
    assert strong.losses == 10
