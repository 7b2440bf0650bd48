"""Writes the figures and the picture of a study."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from rich.console import Console

from polytrix.bench import machine


def write_report(
    out: Path,
    script: str,
    arguments: Sequence[str],
    figures: Mapping[str, Any],
    draw: Callable[[Path], None],
    console: Console,
) -> None:
    """Write the figures with date, command and machine, draw the picture, and print where both are.

    Args:
        out: JSON file of the figures; the picture has the same name with `.png`.
        script: file of the study.
        arguments: its command line.
        figures: anything that JSON can represent.
        draw: draws the picture to a file.
        console: for the message.
    """
    report = {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "command": " ".join([f"python benchmarks/studies/{Path(script).name}", *arguments]),
        "machine": machine(),
        **figures,
    }
    out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    picture = out.with_suffix(".png")
    draw(picture)
    console.print(f"figures {out}\npicture {picture}", soft_wrap=True)
