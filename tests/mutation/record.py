"""What became of each mutant, in a file that a campaign goes on from; and the mutants that are equivalent."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EQUIVALENT = Path(__file__).with_name("equivalent.toml")

KILLED = ("failed", "timed out", "crashed", "not collected")
"""Verdicts on which the tests have noticed the mutant."""

STAGES = ("quick", "thorough")
"""What a mutant goes through, until it is noticed."""


@dataclass(frozen=True)
class Result:
    """One mutant's fate.

    Attributes:
        key: `Mutant.key`.
        line: where it was in its file.
        verdict: as in `Outcome`; "passed" if no test noticed it.
        stage: "quick" or "thorough", whichever noticed it or came last.
        test: the test that noticed it.
        seconds: what that took.
    """

    key: str
    line: int
    verdict: str
    stage: str
    test: str
    seconds: float


class Record:
    """The results of one campaign, kept in a file to which each new one is added."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results: dict[str, Result] = {}
        if path.exists():
            whole, _, cut_off = path.read_text(encoding="utf-8").rpartition("\n")
            for line in whole.splitlines():
                result = Result(**json.loads(line))
                self.results[result.key] = result
            if cut_off:
                path.write_text(whole + "\n" if whole else "", encoding="utf-8")

    def is_past(self, key: str, stage: str) -> bool:
        """Whether nothing is left to do for a mutant in a stage: it was noticed, or has gone through it."""
        result = self.results.get(key)
        return result is not None and (
            result.verdict in KILLED or STAGES.index(result.stage) >= STAGES.index(stage)
        )

    def forget(self, keys: Iterable[str]) -> None:
        """Take the results of these mutants back; the file keeps them until there are new ones."""
        for key in keys:
            self.results.pop(key, None)

    def add(self, result: Result) -> None:
        """Keep a result, in the place of an earlier one of the same mutant."""
        self.results[result.key] = result
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(result)) + "\n")


def equivalents(path: Path = EQUIVALENT) -> dict[str, str]:
    """By `Mutant.key` why no test can tell the mutant from the original."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", [])
    return {entry["key"]: entry["reason"] for entry in entries}


def summary(results: Iterable[Result], equivalent: Iterable[str]) -> dict[str, int]:
    """Counts: killed in all, of them timed out and crashed; equivalent, survived."""
    known = set(equivalent)
    counts: Counter[str] = Counter()
    for result in results:
        counts["mutants"] += 1
        if result.verdict in KILLED:
            counts["killed"] += 1
            counts[result.verdict] += 1
        else:
            counts["equivalent" if result.key in known else "survived"] += 1
    columns = ("mutants", "killed", "failed", "not collected", "timed out", "crashed", "equivalent", "survived")
    return {column: counts[column] for column in columns}
