"""Update the playthrough next to each transcript.

python -m polytrix.testing.write_playthroughs tests/golden/*.transcript.json
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from polytrix.core.transcript import Transcript

from .playthrough import playthrough


def main(paths: Iterable[str]) -> None:
    """Write `game.txt` for each `game.json`; raises TranscriptError like `Transcript.load`."""
    for path in map(Path, paths):
        transcript = Transcript.load(path)
        path.with_suffix(".txt").write_text(playthrough(transcript), encoding="utf-8")
        payoffs = transcript.payoffs()
        print(f"{path.with_suffix('.txt')}: {len(transcript.actions)} decisions, payoffs {payoffs}")


if __name__ == "__main__":
    main(sys.argv[1:])
