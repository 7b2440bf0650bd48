"""Decisions a second in TorchRL: its environments of games, and its wrappers of Gymnasium and PettingZoo.

    python benchmarks/throughput/torchrl_envs.py --json benchmarks/throughput/torchrl_envs.json

All ways take turns in this process, on one thread, with random legal actions from the compiled loop: a policy
that costs next to nothing. Games end all the time: rows have limits from 200 to 600 decisions. Rates are
decisions per CPU second; those of opponents do not count. It needs the extra `torchrl`.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import gymnasium as gym
import numpy as np
import torch
from tensordict import TensorDictBase
from torchrl.collectors import Collector
from torchrl.envs import EnvBase, GymWrapper, MarlGroupMapType, PettingZooWrapper

import polytrix
from polytrix.api.aec import AECGame
from polytrix.api.torchrl import AllSeatsEnv, LinkDecisions, OneSeatEnv
from polytrix.core.files import write_json
from polytrix.core.simulator import Simulator

LIMITS = [*range(200, 601)]
FRAMES = 1 << 16
"""Decisions of a batch."""


def simulator(game: str, rows: int) -> Iterator[int]:
    games = Simulator(
        polytrix.find(game), rows, [{"max_decisions": LIMITS[row % len(LIMITS)]} for row in range(rows)], 1
    )
    while True:
        games.step(games.random_actions())
        games.restart(np.flatnonzero(games.over))
        yield rows


def make_vec(game: str, rows: int) -> Iterator[int]:
    envs = gym.make_vec(f"polytrix/{game}-v0", rows, opponent="random", max_decisions=LIMITS)
    envs.reset(seed=1)
    games = envs.unwrapped._batch.simulator
    while True:
        envs.step(np.maximum(games.random_actions(), 0))
        yield rows


def collected(
    env: EnvBase, games: Simulator, postproc: Callable[..., TensorDictBase] | None = None
) -> Iterator[int]:
    """Batches of a Collector, without a copy of each."""
    rows = env.batch_size[0]
    frames = max(FRAMES, 8 * rows)
    collector = Collector(
        env,
        lambda now: now.set("action", torch.from_numpy(games.random_actions())),
        frames_per_batch=frames,
        total_frames=-1,
        return_same_td=True,
        postproc=postproc,
        trust_policy=True,
    )
    for _ in collector:
        yield frames


def all_seats(game: str, rows: int) -> Iterator[int]:
    env = AllSeatsEnv(game, rows, seed=1, max_decisions=LIMITS)
    return collected(env, env.simulator)


def all_seats_linked(game: str, rows: int) -> Iterator[int]:
    env = AllSeatsEnv(game, rows, seed=1, max_decisions=LIMITS)
    return collected(env, env.simulator, LinkDecisions())


def one_seat(game: str, rows: int) -> Iterator[int]:
    env = OneSeatEnv(game, rows, seed=1, max_decisions=LIMITS)
    return collected(env, env.simulator)


def gym_wrapper(game: str, rows: int) -> Iterator[int]:
    envs = gym.make_vec(
        f"polytrix/{game}-v0", rows, opponent="random", max_decisions=LIMITS, autoreset_mode="Disabled"
    )
    env = GymWrapper(envs, categorical_action_encoding=True).auto_register_info_dict()
    return collected(env, envs.unwrapped._batch.simulator)


def pettingzoo_wrapper(game: str, rows: int) -> Iterator[int]:
    """One game, by rollouts with random legal actions of TorchRL."""
    env = PettingZooWrapper(
        AECGame(game, max_decisions=LIMITS[0]), use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP
    )
    while True:
        yield len(env.rollout(LIMITS[0]))


WAYS: dict[str, Callable[[str, int], Iterator[int]]] = {
    "Simulator": simulator,
    "gym.make_vec": make_vec,
    "AllSeatsEnv": all_seats,
    "AllSeatsEnv, LinkDecisions": all_seats_linked,
    "OneSeatEnv": one_seat,
    "GymWrapper": gym_wrapper,
    "PettingZooWrapper, 1 game": pettingzoo_wrapper,
}


def rate(way: Iterator[int], seconds: float) -> float:
    """Decisions per CPU second, over so many of them."""
    begin, made = time.process_time(), 0
    while (used := time.process_time() - begin) < seconds:
        made += next(way)
    return made / used


def main() -> None:
    """Measure, print a table, write a receipt."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="quatrix")
    parser.add_argument("--rows", type=int, nargs="+", default=[1024, 4096])
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds of a measurement")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    found: dict[str, dict[int, list[float]]] = {name: {} for name in WAYS}
    for rows in given.rows:
        ways = {name: way(given.game, rows) for name, way in WAYS.items()}
        for repeat in range(-1, given.repeats):  # the first is the warm-up
            for name, way in ways.items():
                measured = rate(way, given.seconds)
                if repeat >= 0:
                    found[name].setdefault(rows, []).append(measured)
    print(f"{given.game}, decisions per CPU second, load {os.getloadavg()[0]:.1f}")
    print("| |" + "".join(f" {rows:,} games |" for rows in given.rows) + "\n|---|" + "---|" * len(given.rows))
    for name, by_rows in found.items():
        print(f"| {name} |" + "".join(f" {statistics.median(by_rows[rows]):,.0f} |" for rows in given.rows))
    if given.json:
        about = {"game": given.game, "machine": platform.machine(), "cores": os.cpu_count()}
        write_json(given.json, about | {"load": os.getloadavg()[0], "results": found})


if __name__ == "__main__":
    main()
