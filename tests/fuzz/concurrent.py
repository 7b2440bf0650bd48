"""Fuzz environments that are used from several places at once, or interrupted at any moment.

A call from elsewhere must be refused, or wait for its turn; a game must stay one that can be played.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

from polytrix.api.aec import AECGame
from polytrix.core.bounds import check_numbers
from polytrix.core.errors import BusyError, IllegalActionError, PolytrixError, SnapshotError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.testing.faults import first_fault

Generator = np.random.Generator
ROWS = 64
SECONDS = 0.05
"""For which a try goes on."""


class Interrupted(BaseException):
    """Raised by a signal, like KeyboardInterrupt."""


def prepare(game: Game, folder: Path) -> Callable[[Generator], str]:
    """Each try plays while threads or signals disturb it.

    Outcomes: the names of the ways.
    """
    sim = Simulator(game, ROWS, seed=1)
    plays = {name: make(game) for name, make in PLAYED.items()}
    for play in plays.values():
        play(False)  # compiles

    def attempt(rng: Generator) -> str:
        way = ways[rng.integers(len(ways))]
        way(sim, rng)
        try:
            check_numbers(game, sim.copies().states)
            assert first_fault(game, sim.copies().states) is None
        except (SnapshotError, AssertionError) as error:
            sim.seed(1)
            raise AssertionError(f"{way.__name__} leaves an impossible state: {error!s:.200}") from error
        return way.__name__

    def interrupted(sim: Simulator, rng: Generator) -> None:
        name = list(plays)[rng.integers(len(plays))]
        play, plays[name] = plays[name], PLAYED[name](game)  # anew, if this one is lost
        _interrupt(play, rng, name)
        plays[name] = play

    ways = (signals, threads, changing_actions, interrupted, interrupted)
    return attempt


# -- ways -------------------------------------------------------------------------------------------------


def signals(sim: Simulator, rng: Generator) -> None:
    """A signal handler calls the simulator that it interrupts."""
    calls = disturbances(sim, rng)

    def handler(*_: object) -> None:
        with suppress(PolytrixError):
            calls[rng.integers(len(calls))]()

    with alarms(handler, 0.0005, 0.0007):
        play_on(sim)


def threads(sim: Simulator, rng: Generator) -> None:
    """Other threads call the simulator while this one plays."""
    stop, wrong = threading.Event(), list[BaseException]()
    calls = disturbances(sim, rng)
    order = rng.integers(len(calls), size=1000)

    def disturb() -> None:
        for number in order:
            if stop.is_set():
                return
            try:
                calls[number]()
            except PolytrixError:
                time.sleep(0.0001)
            except BaseException as error:
                wrong.append(error)
                return

    others = [threading.Thread(target=disturb, daemon=True) for _ in range(2)]
    for each in others:
        each.start()
    try:
        play_on(sim)
    finally:
        stop.set()
        for each in others:
            each.join()
    assert not wrong, f"another thread was told {wrong[0]!r:.200}"


def changing_actions(sim: Simulator, rng: Generator) -> None:
    """Another thread writes the arrays that are being read."""
    restart(sim)
    stop = threading.Event()
    good = sim.random_actions()
    actions, rows = good.copy(), np.arange(ROWS)

    def write() -> None:
        while not stop.is_set():
            actions[:], rows[:] = 1 << 40, -(1 << 40)
            actions[:], rows[:] = good, np.arange(ROWS)

    other = threading.Thread(target=write, daemon=True)
    other.start()
    try:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            with suppress(IllegalActionError, ValueError, IndexError):
                sim.step(actions, rows)
            restart(sim)
            good[:] = sim.random_actions()
    finally:
        stop.set()
        other.join()


def _interrupt(play: Callable[[bool], None], rng: Generator, name: str) -> None:
    """An exception out of a signal, at any moment."""
    playing = True

    def handler(*_: object) -> None:
        if playing:
            raise Interrupted

    with suppress(Interrupted), alarms(handler, float(rng.uniform(0.0002, 0.002)), 0.03):
        with suppress(Interrupted):  # the first one may come where Python ignores exceptions
            play(True)
        playing = False
    try:
        play(False)
    except Exception as error:
        raise AssertionError(f"{name} cannot be used after an interrupt: {error!r:.200}") from error


# -- what is played ---------------------------------------------------------------------------------------


def disturbances(sim: Simulator, rng: Generator) -> list[Callable[[], Any]]:
    """Calls of a simulator that change its games, or read them."""
    data = sim.save()
    return [
        lambda: sim.seed(int(rng.integers(1 << 40))),
        lambda: sim.restart(np.arange(4)),
        lambda: sim.step(sim.random_actions(np.arange(8)), np.arange(8)),
        lambda: sim.load(data),
        sim.save,
        sim.random_actions,
    ]


def play_on(sim: Simulator) -> None:
    """Play for a while, though calls may be refused and games may be other ones than before."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with suppress(BusyError, PolytrixError, ValueError):
            sim.step(sim.random_actions())
            restart(sim)


def restart(sim: Simulator) -> None:
    """Begin the games anew that are over."""
    sim.restart(np.flatnonzero(sim.over))


@contextmanager
def alarms(handler: Callable[..., None], first: float, every: float) -> Iterator[None]:
    """Let a handler be called while the block runs; seconds."""
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, first, every)
        yield
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _simulator(game: Game) -> Callable[[bool], None]:
    sim = Simulator(game, 4, seed=1)

    def play(forever: bool) -> None:
        sim.seed(3)
        while True:
            sim.step(sim.random_actions())
            restart(sim)
            if not forever:
                return

    return play


def _aec(game: Game) -> Callable[[bool], None]:
    env = AECGame(game)

    def play(forever: bool) -> None:
        env.reset(seed=2)
        while True:
            if not env.agents:
                env.reset()
            env.step(next(iter(env.legal_actions()), None))  # None: who has finished leaves
            if not forever:
                return

    return play


def _single(game: Game) -> Callable[[bool], None]:
    env = gym.make(game.id)

    def play(forever: bool) -> None:
        _, info = env.reset(seed=2)
        while True:
            _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
            if terminated or truncated:
                _, info = env.reset()
            if not forever:
                return

    return play


def _vector(game: Game) -> Callable[[bool], None]:
    envs = gym.make_vec(game.id, 4)

    def play(forever: bool) -> None:
        _, info = envs.reset(seed=2)
        while True:
            info = envs.step(info["action_mask"].argmax(1))[-1]
            if not forever:
                return

    return play


PLAYED = {"simulator": _simulator, "aec": _aec, "single": _single, "vector": _vector}
"""What is interrupted: each makes a function that begins a game and makes a step, or steps for ever."""
