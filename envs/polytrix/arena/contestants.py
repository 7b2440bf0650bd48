"""The agents of an arena, from what a user gives."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from polytrix.agents import (
    NetworkPolicy,
    Policy,
    load,
    name_of,
    resolve,
)
from polytrix.agents.policy import remembers
from polytrix.agents.population import NOISY, NoisyPolicy, population
from polytrix.agents.resolve import FILE, PROCESS, is_baseline, network_file
from polytrix.agents.search import TreeSearch
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.search.inference import Net

SEARCH_VERSION = 2
"""Part of the marks of searches. Raise it if they choose otherwise than before with the same settings."""


@dataclass(frozen=True)
class Contestant:
    """An agent in an arena.

    Args:
        name: name in tables and files.
        mark: identifies what plays under this name. Stored games with another mark do not count.
        make: creates the policy; every thread has its own.
        spec: what the user gave.
    """

    name: str
    mark: str
    make: Callable[[], Policy]
    spec: str = ""


def contestants(game: Game, specs: Sequence[str]) -> list[Contestant]:
    """The agents of some specs: anything that `resolve` accepts, or NAME=SPEC.

    A saved network plays its most probable action.

    Raises:
        PolicyError: a spec that `resolve` refuses, or two agents with the same name.
    """
    return tell_apart([contestant(game, spec) for spec in specs])


def tell_apart(agents: Sequence[Contestant]) -> list[Contestant]:
    """The agents; if several have the same name, those whom the user has not named are called by their specs.

    Raises:
        PolicyError: two agents still have the same name.
    """
    names = [one.name for one in agents]
    agents = [
        replace(one, name=one.spec) if names.count(one.name) > 1 and not split_name(one.spec)[0] else one
        for one in agents
    ]
    names = [one.name for one in agents]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise PolicyError(f"two agents are called {', '.join(twice)}; name them yourself: NAME=SPEC")
    return agents


def named(agents: Sequence[Contestant], given: str) -> Contestant | None:
    """The agent that a user means, by its name or by what the user gave for it; or None."""
    meant = [one for one in agents if one.name == given] + [one for one in agents if one.spec == given]
    return meant[0] if meant else None


def contestant(game: Game, given: str) -> Contestant:
    """One agent. A bot is its spec under a name."""
    name, spec = split_name(given)
    if spec in (bots := population(game)):
        name, spec = name or spec, bots[spec]
    file = network_file(spec, game)
    if file is None:
        policy = resolve(spec, game)
        if remembers(policy) and resolve(spec, game) is policy:
            raise PolicyError(
                f"policy {spec!r} remembers its games, and threads would share it; give its class "
                "instead, so that each thread has its own"
            )
        return Contestant(name or name_of(policy), spec_mark(policy, spec), lambda: resolve(spec, game), given)
    loaded = load(file, game)  # fails now instead of in its first game
    own_name = spec if is_baseline(spec, game) else loaded.name
    mark = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    return Contestant(name or own_name, mark, lambda: load(file, game, deterministic=True), given)


def split_name(spec: str) -> tuple[str, str]:
    """The name before a spec, or "", and the spec.

    >>> split_name("deep=search:50,depth=20"), split_name("search:50,depth=20")
    (('deep', 'search:50,depth=20'), ('', 'search:50,depth=20'))
    >>> split_name("folder/a=b"), split_name("random")
    (('', 'folder/a=b'), ('', 'random'))
    """
    name, sign, rest = spec.partition("=")
    if not sign or any(character in name for character in ":,/" + os.sep):
        return "", spec
    return name, rest


def spec_mark(policy: Policy, spec: str) -> str:
    """The mark of a policy that is no file: its settings, its full name, or its spec."""
    if isinstance(policy, TreeSearch):  # the same under any name, from any folder
        limits = f"simulations={policy.simulations} seconds={policy.seconds} trees={policy.trees}"
        plans = " ".join(str(policy.plan(players)) for players in (2, 3))
        networks = " ".join(hash_of(net) for net in policy.nets if net)
        return f"search {SEARCH_VERSION} {limits} {plans} {networks}".rstrip()
    if isinstance(policy, NoisyPolicy):
        return f"{NOISY}{policy.share:g},{contestant(policy.game, policy.spec).mark}"
    name, _, saved = spec.partition(FILE)
    if saved and not spec.startswith(PROCESS):
        return f"{name} {hashlib.sha256(Path(saved).read_bytes()).hexdigest()[:16]}"
    return spec if Path(spec).suffix or not isinstance(policy, NetworkPolicy) else name_of(policy)


def hash_of(net: Net) -> str:
    """A hash of a network's weights."""
    return hashlib.sha256(net.parameters.tobytes()).hexdigest()[:16]
