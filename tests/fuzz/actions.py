"""Fuzz the APIs with valid and invalid calls at positions of random games."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from polytrix.core.game import Game

from .batch_targets import SimulatorTarget, SingleTarget, VectorTarget
from .library_targets import OpenSpielTarget, RLlibTarget, SB3Target, TianshouTarget
from .targets import AECTarget, Bad, SessionTarget, Target, bad

NEEDS: dict[type[Target], str] = {
    SimulatorTarget: "polytrix", AECTarget: "polytrix", SingleTarget: "polytrix", VectorTarget: "polytrix",
    SessionTarget: "typer", SB3Target: "sb3_contrib", OpenSpielTarget: "pyspiel", TianshouTarget: "tianshou",
    RLlibTarget: "ray.rllib",
}  # fmt: skip
"""All targets, with the package that each needs."""

SHORT = {"max_decisions": 40}
"""Short games, so that tries also reach their end."""


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try makes one call to one of the installed targets, continuing the game of earlier tries.

    Half of the calls are legal actions, which must be accepted. An eighth are random numbers, and the
    rest come from the target's list of bad calls at its position: they must be refused with a documented
    error and change nothing.
    """
    targets = [kind(game, 0, **SHORT) for kind, package in NEEDS.items() if installed(package)]
    for target in targets:
        target.reset(0)

    def attempt(rng: np.random.Generator) -> str:
        target = targets[rng.integers(len(targets))]
        legal = target.legal()
        way = rng.integers(8)
        if way < 4 and not legal:
            target.reset(int(rng.integers(1 << 62)))
            return "begun"
        if way < 4 or (way == 4 and legal):
            action = int(rng.choice(legal)) if way < 4 else any_number(game, rng)
            if action in legal:
                take(target, action)
                return "taken"
            call = bad(target.errors_for(action), target.step, action)
            if isinstance(target, OpenSpielTarget) and target.state.is_chance_node():
                return "left out"  # an unlisted outcome may be equivalent to a listed one, and accepted
        else:
            calls = list(target.bad_calls())
            call = calls[rng.integers(len(calls))]
        refuse(target, call)
        return "refused"

    return attempt


def installed(package: str) -> bool:
    """Whether a package can be imported."""
    return find_spec(package.partition(".")[0]) is not None


def any_number(game: Game, rng: np.random.Generator) -> int:
    """A random action number, a number near the action range, or any 64-bit integer."""
    low, high = ((0, game.actions.size), (-3, game.actions.size + 3), (-(1 << 63), (1 << 63) - 1))[
        rng.integers(3)
    ]
    return int(rng.integers(low, high))


def take(target: Target, action: int) -> None:
    """Take a legal action; AssertionError if it is refused or changes nothing."""
    before = target.memory()
    try:
        target.step(action)
    except Exception as error:
        raise AssertionError(f"{target.name} refused the legal action {action}: {error!r}") from error
    assert target.memory() != before, f"{target.name}: the legal action {action} has changed nothing"


def refuse(target: Target, call: Bad) -> None:
    """Make a bad call; AssertionError unless it is refused as documented and changes nothing."""
    before = target.memory()
    try:
        call.call()
    except call.errors:
        pass
    except Exception as error:
        raise AssertionError(f"{target.name}: {call} raised {error!r:.300}") from error
    else:
        raise AssertionError(f"{target.name}: {call} was taken")
    assert target.memory() == before, f"{target.name}: {call} was refused and has changed something"
