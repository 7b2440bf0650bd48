"""Calls of every face, good and bad ones, at positions of random games."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from polytrix.core.game import Game

from .batch_faces import SimulatorFace, SingleFace, VectorFace
from .faces import AECFace, Bad, Face, SessionFace, bad
from .library_faces import OpenSpielFace, RLlibFace, SB3Face, TianshouFace

NEEDS: dict[type[Face], str] = {
    SimulatorFace: "polytrix", AECFace: "polytrix", SingleFace: "polytrix", VectorFace: "polytrix",
    SessionFace: "typer", SB3Face: "sb3_contrib", OpenSpielFace: "pyspiel", TianshouFace: "tianshou",
    RLlibFace: "ray.rllib",
}  # fmt: skip
"""All faces, each with the package that it needs."""

SHORT = {"max_decisions": 40}
"""So that tries meet ends as well."""


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """A try calls one of the installed faces once, in a game that the tries before it have played on.

    Half of the calls are legal actions, which must be taken. An eighth are numbers drawn at random, and the
    others of those that the face lists as bad ones for its position: they must be refused with a documented
    error and leave everything as it was.
    """
    faces = [kind(game, 0, **SHORT) for kind, package in NEEDS.items() if installed(package)]
    for face in faces:
        face.reset(0)

    def attempt(rng: np.random.Generator) -> str:
        face = faces[rng.integers(len(faces))]
        legal = face.legal()
        way = rng.integers(8)
        if way < 4 and not legal:
            face.reset(int(rng.integers(1 << 62)))
            return "begun"
        if way < 4 or (way == 4 and legal):
            action = int(rng.choice(legal)) if way < 4 else any_number(game, rng)
            if action in legal:
                take(face, action)
                return "taken"
            call = bad(face.errors_for(action), face.step, action)
            if isinstance(face, OpenSpielFace) and face.state.is_chance_node():
                return "left out"  # an outcome that comes to the same as one that is listed is taken
        else:
            calls = list(face.bad_calls())
            call = calls[rng.integers(len(calls))]
        refuse(face, call)
        return "refused"

    return attempt


def installed(package: str) -> bool:
    """Whether a package can be imported."""
    return find_spec(package.partition(".")[0]) is not None


def any_number(game: Game, rng: np.random.Generator) -> int:
    """A number that is an action, or nearly, or anything."""
    low, high = ((0, game.actions.size), (-3, game.actions.size + 3), (-(1 << 63), (1 << 63) - 1))[
        rng.integers(3)
    ]
    return int(rng.integers(low, high))


def take(face: Face, action: int) -> None:
    """Take a legal action, or AssertionError if it is not taken."""
    before = face.memory()
    try:
        face.step(action)
    except Exception as error:
        raise AssertionError(f"{face.name} refused the legal action {action}: {error!r}") from error
    assert face.memory() != before, f"{face.name}: the legal action {action} has changed nothing"


def refuse(face: Face, call: Bad) -> None:
    """Make a bad call; AssertionError unless it is refused as documented and changes nothing."""
    before = face.memory()
    try:
        call.call()
    except call.errors:
        pass
    except Exception as error:
        raise AssertionError(f"{face.name}: {call} raised {error!r:.300}") from error
    else:
        raise AssertionError(f"{face.name}: {call} was taken")
    assert face.memory() == before, f"{face.name}: {call} was refused and has changed something"
