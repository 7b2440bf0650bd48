"""What is measured once and kept in a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from polytrix.core.files import write_json
from polytrix.training.benchmarking.cells import Settings
from polytrix.training.shared.receipts import Table


class Measured:
    """Figures that are measured once for a seed, in a file.

    Args:
        table: of which they are.
        settings: name the folder and the seed.
    """

    def __init__(self, table: Table, settings: Settings) -> None:
        self.file = settings.runs / table.name / "measured.json"
        self.seed = settings.seed
        self.known: dict[str, Any] = {}
        if self.file.exists():
            self.known = json.loads(self.file.read_text(encoding="utf-8"))

    def get(self, key: str, measure: Callable[[], Any]) -> Any:
        """The figure or figures of a key, which names all that they depend on except the seed."""
        key = f"{key} seed {self.seed}"
        if key not in self.known:
            self.known[key] = measure()
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_json(self.file, self.known)
        return self.known[key]
