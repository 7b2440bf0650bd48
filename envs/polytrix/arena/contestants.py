"""Who takes part: from what a user writes to named agents."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from polytrix.agents import NetworkPolicy, Policy, SearchPolicy, load, name_of, resolve
from polytrix.agents.policy import remembers
from polytrix.agents.resolve import network_file
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game


@dataclass(frozen=True)
class Contestant:
    """An agent in an arena.

    Args:
        name: its own, in tables and files.
        mark: what plays under that name. Games that were played under another mark do not count.
        make: makes the policy; every thread has one of its own.
    """

    name: str
    mark: str
    make: Callable[[], Policy]


def contestants(game: Game, specs: Sequence[str]) -> list[Contestant]:
    """The agents that specs mean: anything that `resolve` takes, or NAME=SPEC.

    A saved network plays its most probable action.

    Raises:
        PolicyError: what `resolve` refuses, or two agents of one name.
    """
    made = [contestant(game, spec) for spec in specs]
    names = [one.name for one in made]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise PolicyError(f"two agents are called {', '.join(twice)}; name them yourself: NAME=SPEC")
    return made


def contestant(game: Game, spec: str) -> Contestant:
    """One agent."""
    name, spec = split_name(spec)
    file = network_file(spec)
    if file is None:
        policy = resolve(spec, game)
        if remembers(policy) and resolve(spec, game) is policy:
            raise PolicyError(
                f"policy {spec!r} remembers its games, and threads would share it; name its class, "
                "which makes one for each of them"
            )
        return Contestant(name or name_of(policy), spec_mark(policy, spec), lambda: resolve(spec, game))
    if not name:
        name = file.parent.resolve().name if file.stem == "policy" else file.stem
    load(file, game)  # refused now, not when its first game begins
    mark = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    return Contestant(name, mark, lambda: load(file, game, deterministic=True))


def split_name(spec: str) -> tuple[str, str]:
    """The name that stands before a spec, or no name, and the spec.

    >>> split_name("deep=search:50,depth=20"), split_name("search:50,depth=20")
    (('deep', 'search:50,depth=20'), ('', 'search:50,depth=20'))
    """
    name, sign, rest = spec.partition("=")
    if not sign or any(character in name for character in ":,/" + os.sep):
        return "", spec
    return name, rest


def spec_mark(policy: Policy, spec: str) -> str:
    """What tells policies apart that are no files: the name that says all, or where they come from."""
    if isinstance(policy, SearchPolicy):
        return f"{policy.name} exploration={policy.exploration:g} rollout={policy.rollout} depth={policy.depth}"
    return spec if Path(spec).suffix or not isinstance(policy, NetworkPolicy) else name_of(policy)
