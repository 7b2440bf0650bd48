"""training/benchmark.py on a Ray cluster of three nodes on this machine, one of which dies."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray", reason="needs the extra rllib: make test-integrations")

from polytrix.training.shared.cluster import join
from tests.integrations.nodes import Nodes
from tests.integrations.processes import until
from tests.pages import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

WAITING = '''
"""An algorithm that notes where it begins, and learns once it may."""

import os
import time
from pathlib import Path

import numpy as np
from polytrix.agents import NetworkPolicy

def train(trial):
    here = Path(__file__).parent
    with (here / "begun.txt").open("a") as file:
        file.write(f"{trial.seed} {os.getpid()} {os.environ.get('POLYTRIX_CACHE')}\\n")
    while not (here / "go").exists():
        time.sleep(0.1)
    rng, made = np.random.default_rng(trial.seed), 0
    shape = (trial.game.observations.size, trial.game.actions.size)
    while trial.goes_on(
        50 * made, lambda: NetworkPolicy(trial.game, [(rng.normal(size=shape), np.zeros(shape[1]))])
    ):
        made += 1
'''

LITTLE = [
    "--games", "resistor", "--seeds", "4", "--minutes", "1000", "--decisions", "200", "--points", "2",
    "--curve-deals", "4", "--sampling-deals", "20", "--copies-deals", "4", "--population-deals", "2",
    "--exploited", "0",
]  # fmt: skip
"""Trials end after their decisions, so that they do not depend on the machine."""


class Benchmark:
    """Runs of the benchmark with `WAITING`.

    Args:
        folder: for the algorithm and all results.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "waiting.py").write_text(WAITING, encoding="utf-8")

    def start(self, name: str, *arguments: str) -> subprocess.Popen[str]:
        places = ["--runs", str(self.folder / name / "runs"), "--out", str(self.folder / name)]
        command = ["training/benchmark.py", "--algorithms", str(self.folder / "waiting.py"), *LITTLE, *places]
        return subprocess.Popen(
            [sys.executable, *command, *arguments],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def begun(self) -> list[tuple[int, int, str]]:
        """Seed, process and cache of each trial that has begun, in this order."""
        file = self.folder / "begun.txt"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [(int(seed), int(process), cache) for seed, process, cache in map(str.split, lines)]

    def go(self) -> None:
        """Let all trials learn."""
        (self.folder / "go").touch()

    def result(self, name: str) -> dict[str, Any]:
        """What the benchmark has found, without times and the machine's date."""
        found: dict[str, Any] = json.loads((self.folder / name / "resistor.json").read_text(encoding="utf-8"))
        for point in (point for curve in found["curves"].values() for point in curve):
            del point["cpu_seconds"], point["seconds"]
        return {key: value for key, value in found.items() if key not in ("date", "command")}

    def games(self, name: str) -> list[tuple[Any, ...]]:
        """The games of the ratings; without hashes of policies, in whose files there are times."""
        file = self.folder / name / "runs" / "resistor" / "ratings.games.jsonl"
        _, *blocks = map(json.loads, file.read_text(encoding="utf-8").splitlines())
        return sorted((block["one"], block["rest"], block["first"], block["payoffs"]) for block in blocks)


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return Benchmark(tmp_path)


def finish(run: subprocess.Popen[str]) -> str:
    """What a run prints that must succeed."""
    out, _ = run.communicate(timeout=1800)
    assert run.returncode == 0, out
    return out


def test_a_node_dies_and_the_result_is_that_of_one_machine(nodes: Nodes, benchmark: Benchmark) -> None:
    address = ("--ray", nodes.cluster.address)
    run = benchmark.start("cluster", "--deals", "20", *address)
    until("three trials", lambda: len(benchmark.begun()) == 3, run)
    before = benchmark.begun()
    assert {cache for _, _, cache in before} == set(map(str, nodes.caches)), "one trial on each node"

    victim = 2
    ((lost, _, _),) = [each for each in before if each[2] == str(nodes.caches[victim])]
    nodes.kill(victim)
    benchmark.go()
    finish(run)
    seeds = [seed for seed, _, _ in benchmark.begun()]
    assert sorted(seeds) == sorted([1, 2, 3, 4, lost]), "only the lost trial began twice"
    assert str(nodes.caches[victim]) not in [cache for _, _, cache in benchmark.begun()[3:]]

    compiled = [nodes.programs(number) for number in range(2)]
    assert all(compiled)
    finish(benchmark.start("cluster", "--deals", "40", *address))  # more games, and no trial again
    assert len(benchmark.begun()) == 5
    assert [nodes.programs(number) for number in range(2)] == compiled, "each program is compiled once a node"

    finish(benchmark.start("alone", "--deals", "40"))
    assert benchmark.result("cluster") == benchmark.result("alone")
    assert benchmark.games("cluster") == benchmark.games("alone")


def test_ctrl_c_stops_in_words_and_the_same_command_continues(nodes: Nodes, benchmark: Benchmark) -> None:
    address = ("--deals", "2", "--ray", nodes.cluster.address)
    run = benchmark.start("cluster", *address)
    until("three trials", lambda: len(benchmark.begun()) == 3, run)
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=600)
    assert "stopped; the same command continues from here" in out and "Traceback" not in out
    until(
        "end of the trials", lambda: not any(Path(f"/proc/{each}").exists() for _, each, _ in benchmark.begun())
    )
    benchmark.go()
    finish(benchmark.start("cluster", *address))
    assert benchmark.result("cluster")["missing"] == []


def test_a_trial_that_fails_on_a_node_says_where_to_look(nodes: Nodes, benchmark: Benchmark) -> None:
    (benchmark.folder / "waiting.py").write_text("def train(trial):\n    raise ZeroDivisionError('planted')\n")
    out, _ = (run := benchmark.start("cluster", "--seeds", "1", "--ray", nodes.cluster.address)).communicate()
    log = benchmark.folder / "cluster" / "runs" / "resistor" / "waiting-1" / "log.txt"
    assert run.returncode and f"has failed, see {log}" in out.replace("\n", "")
    assert "planted" in log.read_text(encoding="utf-8")


@pytest.mark.parametrize("address", ["127.0.0.1:1", "127.0.0.1:100000", "127.0.0.1:port", "no-such-machine:1"])
def test_a_cluster_that_does_not_exist_is_named(address: str) -> None:
    with pytest.raises(SystemExit, match=f"cannot join a Ray cluster at {address!r}"):
        join(address)
