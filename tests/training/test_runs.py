"""Short runs of the training scripts, and their exact resumption."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.fuzz.damage import Payload

import polytrix
from polytrix.agents import RandomPolicy, load
from polytrix.agents.checkpoint import read_checkpoint

torch = pytest.importorskip("torch", reason="training needs the extra 'train'")

TRAINING = Path(__file__).parents[2] / "training"

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator  # noqa: E402

from polytrix.training.shared.evaluation import evaluate, wilson  # noqa: E402

SMALL = [
    "--minutes", "1000", "--total-steps", "1280", "--checkpoint-seconds", "0", "--num-envs", "8",
    "--num-steps", "16", "--batch-size", "64", "--layers", "16", "--curve-games", "4", "--final-games", "8",
    "--options.max-decisions", "60",
]  # fmt: skip


SCRIPTS = {
    "ppo.py": ["--threads", "1"],
    "sb3_ppo.py": ["--torch-threads", "1", "--freeze-every-iterations", "2", "--pool-size", "2"],
    "fast_ppo.py": ["--threads", "2", "--share-random", "0.2", "--share-greedy", "0.2", "--share-past", "0.3"],
}


fast_first = pytest.mark.parametrize(
    "script",
    ["fast_ppo.py", *(pytest.param(script, marks=pytest.mark.slow) for script in ("ppo.py", "sb3_ppo.py"))],
    indirect=True,
    scope="module",
)
"""All keep their runs by the same code, `training/shared/runs.py`; each start of a script takes seconds."""


def command(script: str, out: Path, *more: str) -> list[str]:
    own = [*SMALL, *SCRIPTS[script], *more]
    return [sys.executable, str(TRAINING / script), "quatrix", "--out", str(out), *own]


def run(script: str, out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(script, out, *more), capture_output=True, text=True, timeout=300)


def weights(folder: Path) -> list[np.ndarray]:
    return [array for layer in load(folder / "policy.npz").layers for array in layer]


@pytest.fixture(scope="module", params=SCRIPTS)
def script(request: pytest.FixtureRequest) -> str:
    """The file of a training script."""
    return str(request.param)


@pytest.fixture(scope="module")
def finished(script: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run, from beginning to end."""
    out = tmp_path_factory.mktemp("run")
    done = run(script, out)
    assert done.returncode == 0, done.stderr
    assert "win rate" in done.stdout
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


@pytest.mark.slow
def test_a_finished_run_is_not_trained_further(script: str, finished: Path) -> None:
    before = weights(finished)
    assert run(script, finished).returncode == 0
    assert all(np.array_equal(a, b) for a, b in zip(before, weights(finished), strict=True))


KILLED = """
import os, runpy, sys
from polytrix.training.shared.checkpoints import Checkpoints

write, written = Checkpoints.write, []

def write_and_die(*arguments):
    write(*arguments)
    written.append(1)
    if len(written) == 4:
        os._exit(9)

Checkpoints.write = write_and_die
runpy.run_path(sys.argv.pop(1), run_name="__main__")
"""
"""A script that ends like one that is killed, after its fourth checkpoint."""


@fast_first
def test_a_killed_run_resumes_exactly(script: str, finished: Path, tmp_path: Path) -> None:
    python, *arguments = command(script, tmp_path)
    file = tmp_path / "killed.py"
    file.write_text(KILLED)
    assert subprocess.run([python, file, *arguments], capture_output=True, timeout=300).returncode == 9
    assert 0 < read_checkpoint(tmp_path / "checkpoint.polytrix")["used"]["decisions"] < 1280
    done = run(script, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Continuing" in done.stdout
    assert all(np.array_equal(a, b) for a, b in zip(weights(finished), weights(tmp_path), strict=True))


@fast_first
def test_a_damaged_checkpoint_is_refused_and_kept(script: str, finished: Path, tmp_path: Path) -> None:
    whole = (finished / "checkpoint.polytrix").read_bytes()
    (tmp_path / "checkpoint.polytrix").write_bytes(whole[: len(whole) // 2])
    done = run(script, tmp_path)
    assert done.returncode != 0
    assert "is damaged" in done.stderr
    assert "--restart" in done.stderr
    assert (tmp_path / "checkpoint.polytrix").read_bytes() == whole[: len(whole) // 2]


@pytest.mark.slow
def test_a_damaged_checkpoint_is_done_without_if_there_is_one_before(
    script: str, finished: Path, tmp_path: Path
) -> None:
    """The run continues identically, and keeps the intact checkpoint meanwhile."""
    for name in ("checkpoint.polytrix", "checkpoint.before.polytrix"):
        shutil.copy(finished / name, tmp_path)
    damaged = bytearray((tmp_path / "checkpoint.polytrix").read_bytes())
    damaged[len(damaged) // 2] ^= 4
    (tmp_path / "checkpoint.polytrix").write_bytes(damaged)
    done = run(script, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "checkpoint.polytrix is damaged: its checksum does not match; going on from the one" in done.stderr
    assert all(np.array_equal(a, b) for a, b in zip(weights(finished), weights(tmp_path), strict=True))
    assert read_checkpoint(tmp_path / "checkpoint.polytrix")["used"]["decisions"] >= 1280
    assert not list(tmp_path.glob("*.part")) and not list(tmp_path.glob("*.new"))


@fast_first
@pytest.mark.parametrize(
    ("name", "says"),
    [("checkpoint.pt", "could hold code"), ("checkpoint.polytrix", "is no checkpoint")],
    ids=["of an earlier version", "of today's name"],
)
def test_a_planted_checkpoint_does_not_run(script: str, tmp_path: Path, name: str, says: str) -> None:
    payload = Payload(tmp_path / "run")
    torch.save({"settings": payload}, tmp_path / name)
    done = run(script, tmp_path)
    assert done.returncode != 0 and says in done.stderr
    payload.check()


@pytest.mark.slow
def test_weights_that_are_not_finite_end_a_run(script: str, tmp_path: Path) -> None:
    wild = ("--learning-rate", "1e30", "--total-steps", "20000")
    done = run(script, tmp_path, *wild)
    assert done.returncode == 1
    assert "The run has diverged after" in done.stderr and "Traceback" not in done.stderr
    assert "lower --learning-rate" in done.stderr
    assert not list(tmp_path.glob("checkpoint*")) and not (tmp_path / "policy.npz").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Unix alone has limits of files")
def test_a_full_disk_is_said_in_a_line_and_the_checkpoint_stays(
    script: str, finished: Path, tmp_path: Path
) -> None:
    import resource

    for name in ("checkpoint.polytrix", "checkpoint.before.polytrix"):
        shutil.copy(finished / "checkpoint.before.polytrix", tmp_path / name)
    before = (tmp_path / "checkpoint.polytrix").read_bytes()

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, len(before) // 2))

    done = subprocess.run(
        command(script, tmp_path), capture_output=True, text=True, timeout=300, preexec_fn=limit
    )
    assert done.returncode == 1
    assert "cannot be written" in done.stderr and "Traceback" not in done.stderr
    assert (tmp_path / "checkpoint.polytrix").read_bytes() == before
    assert not list(tmp_path.glob("*.part")) and not list(tmp_path.glob("*.new"))


@pytest.mark.slow
def test_other_settings_do_not_continue_a_run(script: str, finished: Path) -> None:
    done = run(script, finished, "--gamma", "0.5")
    assert done.returncode != 0
    assert "other settings (gamma)" in done.stderr


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
