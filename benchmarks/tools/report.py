"""Keeps what a study has measured, and writes its figures and its picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from rich.console import Console

from polytrix.bench import machine
from polytrix.core.files import write_json
from polytrix.training.shared.pictures import reduce_colours


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
    write_json(out, report)
    picture = out.with_suffix(".png")
    draw(picture)
    reduce_colours(picture)
    console.print(f"figures {out}\npicture {picture}", soft_wrap=True)


def kept(file: Path, settings: Mapping[str, Any], measure: Callable[[], Any]) -> Any:
    """What has been measured with some settings: read from a file, or measured now and written to it.

    Args:
        file: JSON file; what it has of other settings is replaced.
        settings: anything that JSON can represent; likewise what is measured.
        measure: measures it.
    """
    wanted = json.loads(json.dumps(settings))
    if file.exists():
        found = json.loads(file.read_text(encoding="utf-8"))
        if found["settings"] == wanted:
            return found["measured"]
    measured = measure()
    file.parent.mkdir(parents=True, exist_ok=True)
    write_json(file, {"settings": wanted, "measured": measured})
    return measured
