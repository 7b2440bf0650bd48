"""Reads the settings of a training script: the game's settings file, overridden by the command line."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import tyro

import polytrix
from polytrix.agents import NetworkPolicy, resolve
from polytrix.core.errors import PolytrixError
from polytrix.core.game import Game

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SETTINGS = Path(__file__).parents[1] / "settings"

FREE = ("out", "minutes", "cpu_minutes", "total_steps", "checkpoint_seconds",
        "address", "env_runners", "threads", "final_games", "choice_games",
        "value_minutes", "search_simulations")  # fmt: skip
"""Settings that a run may change when it is continued."""

_Settings = TypeVar("_Settings")


@dataclass(frozen=True)
class Within:
    """The allowed range of a setting, in its annotation: finite, and `low..high`, or above `low` if `open`.

    For a tuple, the range of each item; a tuple needs at least one item.
    """

    low: float
    high: float = math.inf
    open: bool = False

    def __contains__(self, value: float) -> bool:
        above = value > self.low if self.open else value >= self.low
        return math.isfinite(value) and above and value <= self.high

    def __str__(self) -> str:
        low = f"above {self.low}" if self.open else f"from {self.low}"
        return low + ("" if self.high == math.inf else f" to {self.high}")


Count = Annotated[int, Within(1)]
Amount = Annotated[int, Within(0)]
Sizes = Annotated[tuple[int, ...], Within(1)]
Seed = Annotated[int, Within(0, 2**32 - 1)]
Positive = Annotated[float, Within(0, open=True)]
Weight = Annotated[float, Within(0)]
Share = Annotated[float, Within(0, 1)]


def settings_from(
    kind: type[_Settings],
    arguments: list[str],
    script: str,
    description: str | None,
    instead: Mapping[str, Any] | None = None,
) -> _Settings:
    """Settings for the game that the first argument names.

    Args:
        kind: the dataclass of the script's settings, with fields `game`, `layers` and `options`. Annotations
            declare the allowed values, see `Within`.
        arguments: the command line without the script; the first one is the game.
        script: name of the script, whose settings files are in `settings/SCRIPT/GAME.toml`.
        description: of the script, for `--help`.
        instead: settings that do not come from the file.

    Raises:
        SystemExit: no game or an unknown one, or an option or setting that is not allowed.
    """
    name = next(iter(arguments), "--help")
    if name in ("-h", "--help"):
        return tyro.cli(kind, args=["--help"], description=description)
    if name.startswith("-"):
        raise SystemExit(f"{name} comes before the game; the game comes first: quatrix {name} ...")
    try:
        game = polytrix.find(name)
    except PolytrixError as error:
        raise SystemExit(str(error)) from None
    defaults: dict[str, Any] = {}
    file = SETTINGS / script / f"{game.name}.toml"
    if file.exists():
        read = tomllib.loads(file.read_text(encoding="utf-8"))
        defaults = {name: tuple(each) if isinstance(each, list) else each for name, each in read.items()}
    shipped = dict.fromkeys((data.name for data in game.data), "")
    defaults["options"] = {**game.options.defaults, **shipped, **defaults.get("options", {})}
    unknown = set(defaults) - {f.name for f in fields(kind)}  # type: ignore[arg-type]  # a dataclass
    if unknown:
        raise SystemExit(f"{file}: unknown settings {', '.join(sorted(unknown))}")
    usual = kind(**{"game": name, **defaults, **(instead or {})})
    settings = tyro.cli(kind, args=arguments, default=usual, description=description)
    check(settings)
    return settings


def check(settings: Any) -> None:
    """Refuse settings that are not allowed.

    Raises:
        SystemExit: a number outside the range in its annotation, or an option that the game does not have.
    """
    check_ranges(settings)
    try:
        polytrix.find(settings.game).configured(given_options(settings))
    except PolytrixError as error:
        raise SystemExit(str(error)) from None


def check_ranges(settings: Any) -> None:
    """Refuse numbers outside the ranges in their annotations.

    Raises:
        SystemExit: there is one.
    """
    for name, hint in get_type_hints(type(settings), include_extras=True).items():
        allowed = next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Within)), None)
        if allowed is None:
            continue
        value = getattr(settings, name)
        values = value if isinstance(value, tuple) else (value,)
        if not values or not all(each in allowed for each in values):
            shown = " ".join(map(str, values)) or "empty"
            raise SystemExit(f"--{name.replace('_', '-')} is {shown}; allowed: {allowed}")


def given_options(settings: Any) -> dict[str, Any]:
    """The options of the game, without the data files for which the usual one is wanted."""
    return {name: value for name, value in settings.options.items() if value != ""}


def network_named(name: str, game: Game) -> NetworkPolicy:
    """The network that a setting names: a file, or the name of a baseline.

    Raises:
        SystemExit: it cannot be read, or is no network.
    """
    try:
        network = resolve(name, game)
    except (PolytrixError, OSError) as error:
        raise SystemExit(f"network is {name}: {error}") from None
    if not isinstance(network, NetworkPolicy):
        raise SystemExit(f"network is {name}, which is no saved network")
    return network


def network_with_values(name: str, game: Game) -> NetworkPolicy:
    """The network of this name, for a search that it guides.

    Raises:
        SystemExit: it cannot be read, or has no values.
    """
    network = network_named(name, game)
    if network.values is None:
        raise SystemExit(f"{name} has no values: run training/values.py")
    return network


def result_file(out: Path | None, network: str) -> Path:
    """The file for the result: `--out`, or the file of the network that it replaces.

    Raises:
        SystemExit: there is neither.
    """
    file = out or Path(network)
    if file.suffix != ".npz":
        raise SystemExit(f"--out is missing: {network} is no file that could be replaced")
    return file


def check_shares(*shares: float) -> None:
    """Refuse the shares of games that differ in who plays if their sum is above 1.

    Raises:
        SystemExit: it is.
    """
    if sum(shares) > 1:
        raise SystemExit("share_random, share_greedy, ... are shares of all games: their sum is above 1")


def frozen(settings: Any) -> dict[str, Any]:
    """The settings that must stay the same when a run is continued."""
    return {name: value for name, value in asdict(settings).items() if name not in FREE}
