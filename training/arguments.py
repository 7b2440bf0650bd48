"""Settings of a training script: from the game's settings file, overridden by the command line."""

from __future__ import annotations

import sys
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

import tyro

import polytrix

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SETTINGS = Path(__file__).parent / "settings"

FREE = ("out", "restart", "minutes", "total_steps", "checkpoint_seconds", "evaluation_seconds", "address",
        "env_runners", "object_store_mb", "curve_games", "final_games")  # fmt: skip
"""Settings that a run may change when it is continued."""

_Settings = TypeVar("_Settings")


def settings_from(
    kind: type[_Settings], arguments: list[str], folder: Path, description: str | None
) -> _Settings:
    """Settings of the game that the arguments name.

    Args:
        kind: the dataclass of the script's settings, with fields `game`, `layers` and `options`.
        arguments: the command line without the program's name.
        folder: where the settings files are, GAME.toml.
        description: of the script, for `--help`.
    """
    names = [a for a in arguments if not a.startswith("-")]
    defaults: dict[str, Any] = {}
    if names:
        game = polytrix.find(names[0])
        file = folder / f"{game.name}.toml"
        if file.exists():
            defaults = tomllib.loads(file.read_text())
            if "layers" in defaults:
                defaults["layers"] = tuple(defaults["layers"])
        shipped = dict.fromkeys((data.name for data in game.data), "")
        defaults["options"] = {**game.options.defaults, **shipped, **defaults.get("options", {})}
    unknown = set(defaults) - {f.name for f in fields(kind)}  # type: ignore[arg-type]  # a dataclass
    if unknown:
        raise SystemExit(f"{file}: unknown settings {', '.join(sorted(unknown))}")
    if not names:
        return tyro.cli(kind, args=arguments, description=description)
    return tyro.cli(
        kind, args=arguments, default=kind(**{"game": names[0], **defaults}), description=description
    )


def frozen(settings: Any) -> dict[str, Any]:
    """The settings that a run cannot change when it is continued."""
    return {name: value for name, value in asdict(settings).items() if name not in FREE}
