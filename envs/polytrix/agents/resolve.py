"""Resolves what a user gives as a policy."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from polytrix.core.baselines import ALGORITHMS, EXPERT, baseline_files
from polytrix.core.calls import did_you_mean
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.imports import imported

from .built_in import HeuristicPolicy, RandomPolicy
from .guided import SEARCH, GuidedSearchPolicy
from .network import NetworkPolicy
from .policy import Policy, asks_for, name_of, needs_states, remembers
from .population import NOISY, NoisyPolicy, population
from .saved import layout_mark, load
from .search import SearchPolicy, TreeSearch, is_search, search_settings

PolicySpec: TypeAlias = "str | os.PathLike[str] | Policy"

FILE = ",file="
"""Begins the file of a policy of one's own: `module:Class,file=PATH`."""

PROCESS = "process:"
"""Begins the spec of a program: `process:COMMAND`."""

MASTER = "master"
MASTER_SEARCH = f"search:200,network={EXPERT}"
"""What "master" stands for; "master-players4" is the same search with the network "expert-players4"."""

KNOW_DATA = (HeuristicPolicy, TreeSearch)
"""Policies that depend on the contents of data files; other policies depend on the layouts only."""


def resolve(spec: PolicySpec, game: Game) -> Policy:
    """The policy that `spec` stands for.

    Args:
        spec: "random", "greedy" or another name in `game.built_in_policies`; a bot of the game's `population`;
            "noisy:0.3,greedy" (see `NoisyPolicy`); "ppo", "expert" or the name of another released network (see
            `polytrix.baselines`); "master", the search that "expert" guides
            (`MASTER_SEARCH`); "search:200", or with settings "search:200,rollout=random" (see `SearchPolicy`)
            or "search:200,network=expert" (see `GuidedSearchPolicy`; `network` and `others` may be paths, and
            the network of the others plays its most probable action); the path of a saved network, or of a
            folder with a `policy.npz`; "module:name" or "file.py:name" to import a policy, where a class is
            called with the game, and as "module:name,file=PATH" with the game and the path; "process:COMMAND"
            for a program (see `polytrix.programs.ProgramPolicy`); or a callable (see `Policy`). A name is never
            read as a path: a folder `ppo` of your own is "./ppo".
        game: the game that it is to play.

    Raises:
        PolicyError: `spec` is none of these, or a policy for another game.

    >>> import polytrix
    >>> resolve("greedy", polytrix.find("quatrix")).name
    'greedy'
    >>> resolve("ppo", polytrix.find("quatrix")).name
    'ppo'
    """
    if spec == RandomPolicy.name:
        return RandomPolicy(game)
    if isinstance(spec, str) and spec in game.built_in_policies:
        return HeuristicPolicy(game, spec)
    if isinstance(spec, str) and is_search(spec):
        return search_of(spec, game)
    if isinstance(spec, str) and spec.startswith(NOISY):
        return noisy(spec, game)
    if isinstance(spec, str) and spec in (bots := population(game)):
        bot: Any = resolve(bots[spec], game)
        bot.name = spec
        return bot  # type: ignore[no-any-return]
    if isinstance(spec, str) and spec in (masters := master_specs(game)):
        master = search_of(masters[spec], game)
        master.name = spec
        return master
    file = network_file(spec, game)
    if file is not None:
        return network_from(file, spec, game)
    if isinstance(spec, str) and spec.startswith(PROCESS):
        # By name: a program is told the log of a game, which is made of modules above this one.
        program: Policy = import_module("polytrix.programs").ProgramPolicy(game, spec)
        return program
    if isinstance(spec, str) and ":" in spec:
        return resolve(policy_at(spec, game), game)
    if isinstance(spec, (str, os.PathLike)):
        raise unknown(os.fspath(spec), game)
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


def search_of(spec: str, game: Game) -> TreeSearch:
    """The search agent of a spec, see `search_settings`."""
    settings = search_settings(spec)
    if "network" not in settings:
        return SearchPolicy(game, **settings)
    network = network_in(spec, "network", settings.pop("network"), game)
    others = settings.pop("others", None)
    if others is not None and others not in (SEARCH, *game.built_in_policies):
        others = network_in(spec, "others", others, game, SEARCH, *game.listed_policies)
        others.deterministic = True
    return GuidedSearchPolicy(game, network, others=others, **settings)


def noisy(spec: str, game: Game) -> NoisyPolicy:
    """The policy of a spec `noisy:SHARE,AGENT`.

    Raises:
        PolicyError: the share is not from 0 to 1, or the agent needs more than observations.
    """
    share, _, inner = spec.removeprefix(NOISY).partition(",")
    try:
        if not 0 <= float(share) <= 1:
            raise ValueError
    except ValueError:
        raise PolicyError(f"{spec!r}: the share of random decisions is {share!r}; allowed: 0 to 1") from None
    policy = resolve(inner, game)
    if needs_states(policy) or remembers(policy) or asks_for(policy):
        raise PolicyError(f"{spec!r}: {inner!r} needs more than observations and masks; give another agent")
    return NoisyPolicy(game, float(share), policy, inner)


def network_in(spec: str, setting: str, name: str, game: Game, *others: str) -> NetworkPolicy:
    """The network that a setting of a search names.

    Raises:
        PolicyError: there is none. `others` are allowed too.
    """
    file = network_file(name, game)
    if file is None:
        allowed = [*map(repr, (*others, *baseline_files(game))), "the path of a saved network"]
        raise PolicyError(f"{spec!r}: {setting} is {name!r}; allowed: {', '.join(allowed)}")
    return network_from(file, name, game)


def master_specs(game: Game) -> dict[str, str]:
    """The searches that the game's networks of expert iteration guide: their specs, by policy name."""
    experts = [name for name in baseline_files(game) if name.startswith(EXPERT)]
    return {name.replace(EXPERT, MASTER): MASTER_SEARCH.replace(EXPERT, name) for name in experts}


def is_baseline(spec: object, game: Game) -> bool:
    """Whether this is the name of a released network of the game."""
    return isinstance(spec, str) and spec in baseline_files(game)


def network_file(spec: object, game: Game) -> Path | None:
    """The file of the released network of this name, at this path, or in the folder at this path; or None."""
    if not isinstance(spec, (str, os.PathLike)):
        return None
    if is_baseline(spec, game):
        return baseline_files(game)[str(spec)]
    if os.path.isdir(spec):  # unlike Path, no error for a name that no file can have
        return Path(spec, "policy.npz")
    return Path(spec) if os.path.isfile(spec) else None


def network_from(file: Path, spec: object, game: Game) -> NetworkPolicy:
    """The network in the file that a spec names; a released one has its name there."""
    network = load(file, game)
    if is_baseline(spec, game):
        network.name = str(spec)
    return network


def policy_at(spec: str, game: Game) -> Policy:
    """The policy at `module:name`; the working directory is searched too.

    A class is called with the game, and with the path in `module:name,file=PATH`.

    Raises:
        PolicyError: the module, the name or the file does not exist or fails, or the policy is not callable.
    """
    name, sign, file = spec.partition(FILE)
    try:
        found = imported(name)
    except ImportError as error:
        raise PolicyError(f"policy {spec!r} cannot be imported ({error}). {allowed(game)}") from error
    if sign and not os.path.isfile(file):
        raise PolicyError(f"policy {spec!r}: there is no file {file!r}")
    if file and not isinstance(found, type):
        raise PolicyError(
            f"policy {spec!r} has a file, but {name} is no class, to be called with game and file"
        )
    try:
        policy: Policy = found(game, *filter(None, [file])) if isinstance(found, type) else found
    except Exception as error:
        raise PolicyError(f"policy {spec!r} cannot be made ({type(error).__name__}: {error})") from error
    if not callable(policy):
        raise PolicyError(f"policy {spec!r} is {policy!r}, which cannot be called. {allowed(game)}")
    return policy


def unknown(spec: str, game: Game) -> PolicyError:
    """The error for text that stands for no policy of the game."""
    none = ""
    if spec.partition("-")[0] in (*ALGORITHMS, MASTER):
        named = f" {spec.replace(MASTER, EXPERT)!r}" if baseline_files(game) else ""
        none = f": {game.id} has no released network{named}"
    meant = did_you_mean(spec, [*names_of(game), *population(game), "search"])
    return PolicyError(f"policy {spec!r} is neither a name nor an existing file{none}. {allowed(game)}.{meant}")


def names_of(game: Game) -> list[str]:
    """The names of the game's built-in policies, of its released networks and of the searches they guide."""
    return [*game.listed_policies, *baseline_files(game), *master_specs(game)]


def allowed(game: Game) -> str:
    """The allowed forms of a policy, for error messages."""
    names = ", ".join(map(repr, names_of(game)))
    return (
        f"Allowed: {names}, 'search:SIMULATIONS', the path of a saved network (.npz), a callable "
        "(observation, mask, rng) -> actions, 'module:name' or 'file.py:name' to import one, "
        f"'process:COMMAND', 'noisy:SHARE,AGENT', or a bot that `polytrix describe {game.name}` lists"
    )
