"""Resolves what a user gives as a policy."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import TypeAlias

from polytrix.core.calls import did_you_mean
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game

from .built_in import HeuristicPolicy, RandomPolicy
from .policy import Policy, name_of
from .saved import layout_mark, load
from .search import SearchPolicy, is_search, parse_search

PolicySpec: TypeAlias = "str | os.PathLike[str] | Policy"


KNOW_DATA = (HeuristicPolicy, SearchPolicy)
"""Policies that depend on the contents of data files; other policies depend on the layouts only."""


def resolve(spec: PolicySpec, game: Game) -> Policy:
    """The policy that `spec` stands for.

    Args:
        spec: "random", "greedy" or another name in `game.built_in_policies`; "search:200", or with settings
            "search:200,rollout=random" (see `SearchPolicy`); the path of a saved network, or of a folder
            with a `policy.npz`; "module:name" to import a policy; or a callable (see `Policy`).
        game: the game that it is to play.

    Raises:
        PolicyError: `spec` is none of these, or a policy for another game.

    >>> import polytrix
    >>> resolve("greedy", polytrix.find("quatrix")).name
    'greedy'
    """
    if spec == RandomPolicy.name:
        return RandomPolicy(game)
    if spec in ("greedy", *game.heuristics):
        return HeuristicPolicy(game, spec)
    if isinstance(spec, str) and is_search(spec):
        return parse_search(spec, game)
    file = network_file(spec)
    if file is not None:
        return load(file, game)
    if isinstance(spec, str) and ":" in spec:
        return resolve(imported(spec, game), game)
    if isinstance(spec, (str, os.PathLike)):
        meant = did_you_mean(os.fspath(spec), [*game.built_in_policies, "search"])
        raise PolicyError(
            f"policy {os.fspath(spec)!r} is neither a name nor an existing file. {allowed(game)}.{meant}"
        )
    if not callable(spec):
        raise PolicyError(f"policy {spec!r} of type {type(spec).__name__} is not allowed. {allowed(game)}")
    own_game = getattr(spec, "game", game)
    if isinstance(own_game, Game):
        if own_game.id != game.id:
            raise PolicyError(f"policy {name_of(spec)!r} plays {own_game.id}; this is {game.id}")
        knows_data = isinstance(spec, KNOW_DATA) and own_game.data_marks != game.data_marks
        if knows_data or layout_mark(own_game) != layout_mark(game):
            raise PolicyError(
                f"policy {name_of(spec)!r} plays {game.id} with other data files; "
                "create it for the game with these files"
            )
    return spec


def network_file(spec: object) -> Path | None:
    """The file at this path, or `policy.npz` in the folder at this path, or None."""
    if not isinstance(spec, (str, os.PathLike)):
        return None
    path = Path(spec)
    if path.is_dir():
        return path / "policy.npz"
    return path if path.is_file() else None


def imported(spec: str, game: Game) -> Policy:
    """The policy at `module:name`; the working directory is searched too. A class is called with the game.

    Raises:
        PolicyError: the module or the name does not exist, or is not callable.
    """
    module, _, name = spec.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        found = attrgetter(name)(import_module(module))
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise PolicyError(f"policy {spec!r} cannot be imported ({error}). {allowed(game)}") from None
    finally:
        sys.path.remove(os.getcwd())
    policy: Policy = found(game) if isinstance(found, type) else found
    if not callable(policy):
        raise PolicyError(f"policy {spec!r} is {policy!r}, which cannot be called. {allowed(game)}")
    return policy


def allowed(game: Game) -> str:
    """The allowed forms of a policy, for error messages."""
    names = ", ".join(map(repr, game.built_in_policies))
    return (
        f"Allowed: {names}, 'search:SIMULATIONS', the path of a saved network (.npz), a callable "
        "(observation, mask, rng) -> actions, or 'module:name' to import one"
    )
