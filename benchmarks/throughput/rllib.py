"""How fast RLlib trains with its own runners, one game per environment, and with ours, on this machine.

    python benchmarks/throughput/rllib.py --json benchmarks/throughput/rllib.json

Each way plays and learns in a process of its own; they take turns, so that a busy machine is busy for all.
Decisions are the learner's. CPU time is that of all processes: on a busy machine compare decisions per CPU
second. It needs the extra `rllib`.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that wait leave their core to others

WAYS = {
    "RLlib's runners, 2": ("PPOConfig", 2),
    "BatchEnvRunner, 1": ("BatchPPOConfig", 1),
    "BatchEnvRunner, 2": ("BatchPPOConfig", 2),
}
ROLLOUT, MINIBATCH, EPOCHS = 4096, 512, 3
"""As in `training/rllib_ppo.py`."""
OPPONENTS = {"random": 0.1, "greedy": 0.2}


def measure(way: str, game: str, num_envs: int, seconds: float) -> dict[str, float]:
    """Train for some seconds after two rounds of warming up."""
    import ray
    import torch
    from ray.rllib.algorithms.ppo import PPOConfig

    from polytrix.api.rllib.batch import BatchPPOConfig
    from polytrix.api.rllib.league import decisions, self_play

    kind, runners = WAYS[way]
    cores = len(os.sched_getaffinity(0))
    torch.set_num_threads(cores if kind == "PPOConfig" else 1)  # our learner has threads of its own
    quiet: dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, "logging_level": logging.ERROR}
    ray.init(address="local", num_cpus=runners, object_store_memory=300 * 2**20, **quiet)
    config = self_play(
        {"PPOConfig": PPOConfig, "BatchPPOConfig": BatchPPOConfig}[kind](),
        game, opponents=OPPONENTS, share_past=0.2, max_decisions=1000,
    )  # fmt: skip
    config.env_runners(
        num_env_runners=runners,
        num_envs_per_env_runner=num_envs // runners,
        rollout_fragment_length=ROLLOUT // num_envs,
    )
    config.training(train_batch_size_per_learner=ROLLOUT, minibatch_size=MINIBATCH, num_epochs=EPOCHS)
    config.learners(learner_config_dict={"threads": cores})
    algorithm = config.training(use_kl_loss=False).debugging(log_level="ERROR").build_algo()

    def cpu_seconds() -> float:
        played = algorithm.env_runner_group.foreach_env_runner(
            lambda runner: time.process_time(), local_env_runner=False
        )
        return time.process_time() + sum(played)

    for _ in range(2):
        algorithm.train()
    begin, cpu, made = time.perf_counter(), cpu_seconds(), 0
    sampling = learning = 0.0
    while time.perf_counter() - begin < seconds:
        result = algorithm.train()
        made += decisions(result)
        sampling += result["timers"]["env_runner_sampling_timer"]
        learning += result["timers"]["learner_update_timer"]
    wall = time.perf_counter() - begin
    cpu = cpu_seconds() - cpu
    algorithm.stop()
    ray.shutdown()
    return {
        "per_second": made / wall,
        "per_cpu_second": made / cpu,
        "playing": sampling / (sampling + learning),
    }


def main() -> None:
    """Measure, print a table, write a receipt."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="pressure_matrix")
    parser.add_argument("--num-envs", type=int, default=128, help="games of all runners together")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--way", choices=WAYS, help="measure only this way, in this process")
    given = parser.parse_args()
    if given.way:
        print(json.dumps(measure(given.way, given.game, given.num_envs, given.seconds)))
        return
    found: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
    for _ in range(given.repeats):
        for way in WAYS:
            command = [sys.executable, __file__, "--way", way, "--game", given.game]
            command += ["--num-envs", str(given.num_envs), "--seconds", str(given.seconds)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise SystemExit(done.stderr)
            found[way].append(json.loads(done.stdout.splitlines()[-1]))
    print(f"{given.game}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print("| runners | decisions/s | per CPU second | playing | learning |\n|---|---|---|---|---|")
    for way, results in found.items():
        rate, cpu, playing = (statistics.median(each[name] for each in results) for name in results[0])
        print(f"| {way} | {rate:,.0f} | {cpu:,.0f} | {playing:.0%} | {1 - playing:.0%} |")
    if given.json:
        from polytrix.core.files import write_json

        about = {
            "game": given.game,
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "load": os.getloadavg()[0],
        }
        write_json(given.json, about | {"results": found})


if __name__ == "__main__":
    main()
