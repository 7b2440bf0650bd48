"""Measures how fast environments are.

Every measurement is repeated, and in between a fixed reference loop of plain Python and NumPy is timed. The
ratio of both rates can be compared between machines, and between busy and idle ones.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.agents import SearchPolicy, ask_rows
from polytrix.api.aec import AECGame
from polytrix.api.vector import VectorEnv
from polytrix.core import drivers
from polytrix.core.compile.programs import programs
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import GENERATOR

FORMAT = "polytrix bench 1"
SEED = 1

Work = Callable[[], int]
"""Makes some decisions and returns their number."""

Say = Callable[[str], None]

Options = Mapping[str, Any]
"""Values of a game's options, by name; other options have their default."""


@dataclass(frozen=True)
class Settings:
    """Settings of the measurements.

    Args:
        num_envs: number of games in a batch.
        seconds: seconds per measurement, all repeats together.
        repeats: repeats of each measurement.
        threads: threads of the multi-threaded measurement.
    """

    num_envs: int = 4096
    seconds: float = 5.0
    repeats: int = 5
    threads: int = 2


def measure(
    game: Game, settings: Settings, options: Options | None = None, say: Say = lambda label: None
) -> dict[str, Any]:
    """All measurements of a game; `say` is called with the label of each."""
    say("compiling")
    count, threads, values = settings.num_envs, settings.threads, game.options.validate(options or {})
    works = {
        "batch": ("batch, 1 thread", random_play(game, count, 1, values)),
        "batch_threads": (f"batch, {threads} threads", random_play(game, count, threads, values)),
        "rules": ("rules alone", bare_rules(game, count, values)),
        "vector": ("Gymnasium vector", vector_play(game, count, values)),
        "aec": ("PettingZoo AEC", aec_play(game, values)),
    }
    if game.greedy is not None:
        works["greedy"] = ("batch against greedy", greedy_play(game, count, values))
        works["search_greedy"] = ("search, greedy playouts", search_play(game, "greedy", values))
    works["search"] = ("search, random playouts", search_play(game, "random", values))
    rates = rates_of(works, settings, say)
    ratios = np.divide(rates["batch_threads"]["repeats"], rates["batch"]["repeats"])
    say("parts of a step")
    parts = parts_of_a_step(game, settings, values)
    say("starting")
    return {
        "options": values,
        "rates": rates,
        "threads_ratio": {"threads": settings.threads, **spread(ratios.tolist())},
        "parts": parts,
        "start": starting(game, settings.repeats, values),
    }


def receipt(settings: Settings, measured: dict[str, Any]) -> dict[str, Any]:
    """The measurements of games by id, with settings, machine and versions, for JSON."""
    about = when_and_where("numpy", "numba", "gymnasium", "pettingzoo")
    return {"format": FORMAT, **about, "settings": asdict(settings), "games": measured}


def when_and_where(*packages: str) -> dict[str, Any]:
    """Date, machine, and versions of these packages, for a receipt."""
    date = datetime.now(timezone.utc).isoformat(timespec="seconds")
    return {"date": date, "machine": machine(), "versions": versions(*packages)}


def versions(*packages: str) -> dict[str, str]:
    """Versions of Python, polytrix and these packages."""
    return {"python": platform.python_version(), **{name: version(name) for name in ("polytrix", *packages)}}


def machine() -> dict[str, Any]:
    """Processor, cores and operating system."""
    cores = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    return {"cpu": processor(), "cores": cores, "usable_cores": usable, "system": platform.platform(terse=True)}


def processor() -> str:
    """The processor's model, if the system knows it."""
    known = Path("/proc/cpuinfo")
    if known.is_file():
        for line in known.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


# -- rates --------------------------------------------------------------------------------


def rates_of(works: dict[str, tuple[str, Work]], settings: Settings, say: Say) -> dict[str, Any]:
    """Decisions per second of each work, and per round of the reference loop.

    The works take turns, so that other load on the machine affects all of them equally.
    """
    share = settings.seconds / settings.repeats
    rates: dict[str, list[float]] = {name: [] for name in works}
    relative: dict[str, list[float]] = {name: [] for name in works}
    for repeat in range(settings.repeats):
        for name, (label, work) in works.items():
            say(f"{label}, {repeat + 1} of {settings.repeats}")
            reference = per_second(reference_round, share / 5)
            work()  # warm-up
            rates[name].append(per_second(work, share))
            relative[name].append(rates[name][-1] / reference)
    return {
        name: {
            "label": label,
            **spread(rates[name]),
            "per_reference": statistics.median(relative[name]),
            "repeats": rates[name],
        }
        for name, (label, _) in works.items()
    }


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, lowest and highest of some values."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def per_second(work: Work, seconds: float) -> float:
    """Decisions per second of `work`, repeated for at least `seconds`."""
    made = 0
    start = time.perf_counter()
    while True:
        made += work()
        passed = time.perf_counter() - start
        if passed >= seconds:
            return made / passed


def reference_round() -> int:
    """One round of the reference loop: about half a millisecond of plain Python and NumPy."""
    number = 1
    for _ in range(3000):
        number = number * 1103515245 + 12345 & 0x7FFFFFFF
    values = np.arange(65536, dtype=np.int64)
    for _ in range(4):
        values = (values * 5 + number) & 0xFFFF
    return 1 if int(values.sum()) >= 0 else 0


# -- ways to play -------------------------------------------------------------------------


def random_play(game: Game, num_envs: int, threads: int, options: Options | None = None) -> Work:
    """Steps of all games with random legal actions; finished games are restarted."""
    sim = Simulator(game, num_envs, options, seed=SEED, num_threads=threads)
    sim.restart()  # loads the compiled program before the measurement

    def work() -> int:
        sim.step(sim.random_actions())
        sim.restart(np.flatnonzero(sim.over))
        return num_envs

    return work


def greedy_play(game: Game, num_envs: int, options: Options | None = None) -> Work:
    """The same with the greedy policy in all seats but the first; the decisions of all seats count."""
    sim = Simulator(game, num_envs, options, seed=SEED)
    sim.policy[:, 1:] = drivers.GREEDY
    sim.restart()
    restart_ended(sim)

    def work() -> int:
        before = int(sim.states["decisions"].sum())
        sim.step(sim.random_actions())
        made = int(sim.states["decisions"].sum()) - before
        restart_ended(sim)
        return made

    return work


def restart_ended(sim: Simulator) -> None:
    """Restart finished games until none is over: a game may end before the first seat's decision."""
    while sim.over.any():
        sim.restart(np.flatnonzero(sim.over))


def bare_rules(game: Game, num_envs: int, options: Options | None = None) -> Work:
    """Random decisions without observations and masks: legal actions, choice, rules, chance."""
    sim = Simulator(game, num_envs, options, seed=SEED)
    rollout = programs(game).rollout
    states = sim.states.view(np.ndarray)
    generators = np.zeros(num_envs, GENERATOR)
    generators["key"] = np.arange(num_envs)
    ids = np.zeros(game.max_legal, np.int16)

    def work() -> int:
        rollout(states, 16, ids, generators)
        return 16 * num_envs

    return work


def search_play(game: Game, rollout: str, options: Options | None = None) -> Work:
    """Searches with 200 simulations at positions of random play; the decisions in simulations count."""
    sim = Simulator(game, 16, options, seed=SEED)
    for _ in range(20):
        sim.step(sim.random_actions())
        restart_ended(sim)
    policy, rng = SearchPolicy(game, rollout=rollout), np.random.default_rng(SEED)
    row = [0]

    def work() -> int:
        before = policy.decisions
        while policy.decisions == before:  # a forced move needs no search
            row[0] = (row[0] + 1) % sim.num_envs
            ask_rows(policy, sim, row, rng)
        return policy.decisions - before

    return work


def vector_play(game: Game, num_envs: int, options: Options | None = None) -> Work:
    """The Gymnasium vector environment, playing the first legal action; only the learners' decisions count."""
    envs = VectorEnv(game, num_envs, opponent="random", autoreset_mode="SameStep", **(options or {}))
    envs.reset(seed=SEED)
    _, first = envs.reset()
    masks = [first["action_mask"]]

    def work() -> int:
        masks[0] = envs.step(masks[0].argmax(axis=1))[4]["action_mask"]
        return num_envs

    return work


def aec_play(game: Game, options: Options | None = None) -> Work:
    """Rounds of `last`, a random legal choice and `step` in one PettingZoo environment."""
    env = AECGame(game, **(options or {}))
    env.reset(seed=SEED)
    env.reset()
    rng = random.Random(SEED)

    def work() -> int:
        for _ in range(100):
            _, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                env.last()
            legal = env.legal_actions()
            env.step(legal[int(rng.random() * len(legal))])
        return 100

    return work


# -- where the time goes ------------------------------------------------------------------


def parts_of_a_step(game: Game, settings: Settings, options: Options) -> dict[str, Any]:
    """Nanoseconds per decision of the parts of batched random play on one thread, and their shares.

    Parts of a step are timed separately on the positions after each step: the check; the observation alone
    (`observe`: of a seat that is not to move); observation, legal actions and mask (`show`: of the mover). The
    rest of the step is rules and chance.
    """
    sim = Simulator(game, settings.num_envs, options, seed=SEED)
    sim.restart()
    run, players = programs(game), sim.num_players
    states, rows, ids = sim.states.view(np.ndarray), np.arange(sim.num_envs), np.zeros(game.max_legal, np.int16)
    observation, mask = np.zeros_like(sim.observation), np.zeros_like(sim.mask)
    spent = dict.fromkeys(("choose", "check", "step", "observe", "show", "restart"), 0.0)
    steps = 0

    def timed(part: str, call: Callable[..., Any], *arguments: Any) -> Any:
        start = time.perf_counter()
        result = call(*arguments)
        spent[part] += time.perf_counter() - start
        return result

    def restart() -> None:
        sim.restart(np.flatnonzero(sim.over))

    run.first_illegal(states, rows, sim.random_actions(), sim.mask)  # compiled
    run.view(states, rows, np.zeros_like(rows), observation, mask, ids)
    sim.refresh()
    start = time.perf_counter()
    while steps == 0 or time.perf_counter() - start < settings.seconds:
        actions = timed("choose", sim.random_actions)
        timed("check", run.first_illegal, states, rows, actions, sim.mask)
        timed("step", sim.step, actions)
        others = (sim.mover.astype(np.int64) + 1) % players
        timed("observe", run.view, states, rows, others, observation, mask, ids)
        timed("show", sim.refresh)
        timed("restart", restart)
        steps += 1
    show = spent.pop("show")
    spent["rules"] = max(0.0, spent.pop("step") - spent["check"] - show)
    spent["legal"] = max(0.0, show - spent["observe"])
    labels = {
        "choose": "choose a random action",
        "check": "check that the actions are legal",
        "rules": "apply the action, draw chance",
        "legal": "legal actions and mask",
        "observe": "observation",
        "restart": "begin the next games",
    }
    decisions, total = steps * settings.num_envs, sum(spent.values())
    return {
        name: {"label": label, "nanoseconds": 1e9 * spent[name] / decisions, "share": spent[name] / total}
        for name, label in labels.items()
    }


_START = """
import time
start = time.perf_counter()
import polytrix
imported = time.perf_counter()
from polytrix.api.aec import AECGame
env = AECGame({game!r}, **{arguments!r})
env.reset(seed=1)
env.step(env.legal_actions()[0])
print(imported - start, time.perf_counter() - imported)
"""


def starting(game: Game, repeats: int, options: Options) -> dict[str, Any]:
    """Seconds of `import polytrix`, and from there to the end of the first step, in fresh interpreters.

    The compiled programs are in the cache, since the game was measured before.
    """
    code = _START.format(game=game.id, arguments={**options, **game.replaced})
    times = []
    for _ in range(repeats):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        times.append([float(x) for x in done.stdout.split()])
    return {
        name: spread(column)
        for name, column in zip(("import", "first_step"), zip(*times, strict=True), strict=True)
    }
