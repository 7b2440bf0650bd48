"""What is measured once and kept in a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from polytrix.core.files import write_json
from polytrix.training.benchmarking.cells import Settings
from polytrix.training.shared.receipts import Table


def measured(table: Table, settings: Settings, key: str, measure: Callable[[], Any]) -> Any:
    """What is measured once for a seed, and kept in a file of the table.

    Args:
        table, settings: name the folder and the seed.
        key: names all that it depends on except the seed.
        measure: measures it.
    """
    file, key = settings.runs / table.name / "measured.json", f"{key} seed {settings.seed}"
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    if key not in known:
        known[key] = measure()
        file.parent.mkdir(parents=True, exist_ok=True)
        write_json(file, known)
    return known[key]
