"""Print the speed of training runs, and the share of time of each part, as a Markdown table.

python training/speed.py checkpoints/*/
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tyro
from rich import box
from rich.console import Console
from rich.table import Table

from polytrix.training.shared.reports import shares_of_time

PARTS = ("environment", "inference", "learning")


def read(run: Path) -> dict[str, Any]:
    """The `result.json` of a run.

    Raises:
        SystemExit: there is none.
    """
    file = run / "result.json"
    if not file.is_file():
        raise SystemExit(f"{run} holds no result.json: give the folders of finished runs")
    record: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return record


def table_of(runs: Sequence[Path]) -> Table:
    """One row per run; `-` if the shares of time were not measured."""
    table = Table(box=box.MARKDOWN)
    for heading in ("run", "script", "decisions", "per second", *PARTS):
        table.add_column(heading, justify="left" if heading in ("run", "script") else "right", no_wrap=True)
    for run in runs:
        record = read(run)
        shares = shares_of_time(record["seconds_of"])
        table.add_row(
            run.resolve().name,
            record["script"],
            f"{record['steps']:,}",
            f"{record['steps'] / max(record['training_seconds'], 1e-9):,.0f}",
            *(f"{shares[part]:.0%}" if part in shares else "-" for part in PARTS),
        )
    return table


def main(runs: tyro.conf.Positional[tuple[Path, ...]]) -> None:
    """Print the table.

    Args:
        runs: folders of finished runs.
    """
    Console(width=160).print(table_of(runs))


if __name__ == "__main__":
    tyro.cli(main, description=__doc__)
