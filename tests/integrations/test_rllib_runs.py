"""training/rllib_ppo.py: lost runners, interruptions, a cluster, forged checkpoints."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="needs the extra rllib: make test-integrations")

from polytrix.core.errors import CheckpointError
from polytrix.training import rllib_ppo
from polytrix.training.shared.runs import go_on
from tests.commands import run
from tests.integrations.nodes import Nodes
from tests.integrations.processes import descendants, until
from tests.pages import ROOT, run_blocks
from tests.training.learners import learner_of

SMALL = [
    "--num-envs", "8", "--num-steps", "32", "--batch-size", "64", "--layers", "16", "--checkpoint-seconds", "1",
    "--final-games", "4", "--options.max-decisions", "30",
]  # fmt: skip

GROWING = [
    "--share-random", "0", "--share-greedy", "0", "--share-past", "1", "--league-games", "1", "--lead", "-1",
]  # fmt: skip
"""A new past self after every round: some of its games, which are shorter than a round, have ended."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]  # several runs, each with waits


def title(process: int) -> str:
    """What a process calls itself; nothing if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8")
    except OSError:
        return ""


def runners(processes: set[int]) -> set[int]:
    """Those of the processes that play games."""
    return {each for each in processes if "BatchEnvRunner" in title(each)}


def started(folder: Path, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "training/rllib_ppo.py", "quatrix", "--out", folder, *SMALL, *arguments]
    return subprocess.Popen(
        list(map(str, command)), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finished(run: subprocess.Popen[str], folder: Path) -> dict[str, float]:
    """What a run reports that must succeed."""
    out, errors = run.communicate(timeout=600)
    assert run.returncode == 0, out + errors
    record: dict[str, float] = json.loads((folder / "result.json").read_text())
    return record


def in_the_arena(folder: Path) -> str:
    """Games of a run's policy, as the command of the page plays them."""
    command = ("-m", "polytrix.cli", "arena", "quatrix", "random", folder, "--deals", 3)
    return run(sys.executable, *command, cwd=folder, timeout=600).stdout


def test_a_run_finishes_when_a_runner_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run = started(folder, "--minutes", "0.5", "--env-runners", "2")
    until("a checkpoint", (folder / "checkpoint.polytrix").exists, run)
    before = runners(descendants(run.pid))
    assert len(before) == 2
    victim = min(before)
    os.kill(victim, signal.SIGKILL)
    until("a new runner", lambda: len(runners(descendants(run.pid)) - {victim}) == 2, run)
    record = finished(run, folder)
    assert record["steps"] > 500 and record["training_seconds"] >= 30
    assert "random" in in_the_arena(folder)


def test_interrupted_and_killed_runs_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    checkpoint = folder / "checkpoint.polytrix"
    run = started(folder, "--minutes", "5", "--env-runners", "1", *GROWING)
    until("a checkpoint", checkpoint.exists, run)
    run.send_signal(signal.SIGINT)
    out, errors = run.communicate(timeout=400)
    assert run.returncode == 130 and "the same command continues" in out, out + errors

    run = started(folder, "--minutes", "5", "--env-runners", "1", *GROWING)
    saved = checkpoint.stat().st_mtime
    until("another checkpoint", lambda: checkpoint.stat().st_mtime > saved, run)
    playing = runners(descendants(run.pid))
    assert playing
    run.kill()
    assert "Continuing" in run.communicate(timeout=400)[0]
    last = time.monotonic() + 120
    while any(Path(f"/proc/{each}").exists() for each in playing) and time.monotonic() < last:
        time.sleep(0.2)
    assert not [each for each in playing if Path(f"/proc/{each}").exists()], "the runners play on"

    run = started(folder, "--total-steps", "1", "--env-runners", "0", *GROWING)
    record = finished(run, folder)
    assert record["past_selves"] > 1
    other = started(folder, "--learning-rate", "0.1")
    assert "other settings" in other.communicate(timeout=400)[1] and other.returncode


def test_a_run_that_diverges_says_so(tmp_path: Path) -> None:
    run = started(tmp_path / "run", "--minutes", "5", "--env-runners", "0", "--learning-rate", "1e30")
    assert "The run has diverged" in run.communicate(timeout=400)[1] and run.returncode


def test_a_forged_optimiser_is_refused() -> None:
    """Its tensors go to fused Adam, which does not compare shapes."""
    settings = rllib_ppo.Settings(
        "resistor", env_runners=0, num_envs=8, num_steps=16, batch_size=64, layers=(16,)
    )
    with closing(learner_of(rllib_ppo.Learner, settings)) as learner:
        learner.iterate(0.0)
        state = learner.state()
        rllib_ppo.remembered(state["algorithm"])["state"][0]["exp_avg"] = np.zeros(3, np.float32)
        with pytest.raises(CheckpointError, match=r"exp_avg.*float32 of shape \(3,\)"):
            go_on(learner, state)
        go_on(learner, learner.state())


def test_a_run_on_three_nodes_goes_on_when_one_dies(nodes: Nodes, tmp_path: Path) -> None:
    folder, cluster = tmp_path / "run", ("--address", nodes.cluster.address)
    too_many = started(tmp_path / "other", *cluster, "--env-runners", "40")
    assert "give at most --env-runners 3" in too_many.communicate(timeout=400)[1] and too_many.returncode
    run = started(folder, "--minutes", "1", *cluster, "--env-runners", "3")
    until("a checkpoint", (folder / "checkpoint.polytrix").exists, run)
    assert all(runners(nodes.processes(number)) for number in range(3)), "a runner on each node"
    assert not runners(descendants(run.pid)), "the runners belong to the cluster"
    nodes.kill(2)
    killed = time.time()
    until("another checkpoint", lambda: (folder / "checkpoint.polytrix").stat().st_mtime > killed + 2, run)
    assert finished(run, folder)["steps"] > 500
    assert "random" in in_the_arena(folder)


def test_the_page_runs_as_it_stands(tmp_path: Path) -> None:
    run_blocks("docs/rllib.md", tmp_path)
    assert (tmp_path / "runs" / "rllib-page" / "policy.npz").exists()


def test_the_settings_files_are_read() -> None:
    code = "import sys; from polytrix.training import rllib_ppo; rllib_ppo.read_settings(sys.argv[1:])"
    files = sorted((ROOT / "training" / "settings" / "rllib_ppo").glob("*.toml"))
    assert files
    for file in files:
        run(sys.executable, "-c", code, file.stem, cwd=ROOT, timeout=400)
