"""Receipts: what was measured in a game, with all that one must know to measure it again, as JSON files."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import polytrix
from polytrix.bench import machine
from polytrix.core.game import Game
from polytrix.training.shared.reports import run_name, versions

ROOT = Path(__file__).resolve().parents[2]

TABLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("quatrix", {}),
    ("resistor", {}),
    ("pixel_tactics", {}),
    ("pressure_matrix", {}),
    ("pressure_matrix", {"players": 4}),
    ("estimatrix", {}),
)
"""The games and their options; the numbers of players for which there are released networks."""

DIGITS = 5
"""Of the numbers in a receipt that are not whole."""


@dataclass(frozen=True)
class Table:
    """A game with its options."""

    game: Game
    options: dict[str, Any]

    @property
    def name(self) -> str:
        """The game's name, and the number of players if it is not the default."""
        return run_name(self.game, self.options)

    @property
    def players(self) -> int:
        """Number of players."""
        return self.game.num_players(self.options)

    def arguments(self, options: Mapping[str, Any]) -> list[str]:
        """The arguments of a script for options that are not the usual ones."""
        usual = self.game.options.defaults
        return [f"--options.{name}={value}" for name, value in options.items() if value != usual[name]]

    def receipt(self, command: str, packages: Sequence[str] = ()) -> dict[str, Any]:
        """The first part of a receipt: table, date, command, machine, versions of all that matters."""
        return {
            "table": self.name,
            "title": self.game.title,
            "environment": self.game.id,
            "players": self.players,
            "options": self.options,
            "date": time.strftime("%Y-%m-%d"),
            "command": command,
            "machine": machine(),
            "versions": versions(*packages),
        }


def tables(games: Sequence[str] = ()) -> list[Table]:
    """The tables of some games, or all.

    Raises:
        GameError: there is no such game.
    """
    chosen = {polytrix.find(name).name for name in games} or {name for name, _ in TABLES}
    found = []
    for name, own in TABLES:
        if name in chosen:
            game, options = polytrix.find(name).configured(own)
            found.append(Table(game, {**options}))
    return found


def command_of(script: str, settings: Any, leave_out: Sequence[str]) -> str:
    """The command that measures the same again.

    Args:
        script: name of the script's file.
        settings: its settings, a dataclass with default values.
        leave_out: settings that do not matter for what is measured.
    """
    parts = [f"python training/{script}"]
    for setting in fields(settings):
        value = getattr(settings, setting.name)
        if value != setting.default and setting.name not in leave_out:
            values = value if isinstance(value, tuple) else (value,)
            parts.append(" ".join([f"--{setting.name.replace('_', '-')}", *map(str, values)]))
    return " ".join(parts)


def brief(summary: Mapping[str, Any], opponents: Sequence[str] = ("greedy", "random")) -> dict[str, Any]:
    """What receipts keep of a tournament: ratings, and the games against some opponents.

    Args:
        summary: as from `polytrix.arena.summarise`.
        opponents: names of agents.
    """
    deals = [meeting["deals"] for meeting in summary["meetings"]]
    meetings = [one for one in summary["meetings"] if one["others"] in opponents]
    won, payoff = ("win_rate", "win_interval"), ("payoff", "payoff_interval")
    return {
        **{name: summary[name] for name in ("table", "games", "truncated", "seed")},
        "deals": [min(deals), max(deals)],
        "agents": _only(summary["agents"], "name", "rating", "low", "high", "games", *won, *payoff),
        "meetings": _only(meetings, "agent", "others", *won),
    }


def _only(found: Sequence[Mapping[str, Any]], *names: str) -> list[dict[str, Any]]:
    """These entries of each, where it has them."""
    return [{name: one[name] for name in names if name in one} for one in found]


def rounded(content: Any) -> Any:
    """JSON with numbers of so many digits that pages may need.

    >>> rounded({"rate": [0.123456789, 12], "seconds": 61.00000001})
    {'rate': [0.12346, 12], 'seconds': 61.0}
    """
    if isinstance(content, Mapping):
        return {name: rounded(value) for name, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [rounded(value) for value in content]
    return float(f"{content:.{DIGITS}g}") if isinstance(content, float) else content


def read_all(folder: Path) -> list[dict[str, Any]]:
    """The receipts in a folder, one for each table, in the order of `TABLES`."""
    files = [folder / f"{table.name}.json" for table in tables()]
    return [json.loads(file.read_text(encoding="utf-8")) for file in files if file.exists()]
