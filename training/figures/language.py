"""What a small language model has learned."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from polytrix.training.figures.markdown import interval, table


def language_model(root: Path) -> str:
    """What a small language model has learned."""
    file = root / "benchmarks" / "studies" / "language_model.json"
    return language_results(json.loads(file.read_text(encoding="utf-8"))["results"])


def language_results(results: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """What a language model has done at the end of each stage: one row for each opponent and way to answer."""
    head = [
        "", "answers", "opponent", "games won", "95% interval", "mean payoff", "games forfeited",
        "illegal answers",
    ]  # fmt: skip
    rows = [
        [
            stage.replace("_", " "),
            "sampled" if each["sampled"] else "most probable",
            each["opponent"],
            f"{each['wins'] / each['games']:.1%} of {each['games']}",
            interval(each["interval"], ".1%"),
            f"{each['payoff']:+.2f}",
            f"{each['forfeits'] / each['games']:.1%}",
            f"{illegal([each]):.2%} of {each['questions']:,}",
        ]
        for stage, found in results.items()
        for each in found
    ]
    return table(head, rows)


def illegal(results: Sequence[Mapping[str, Any]]) -> float:
    """Share of a stage's answers that were no legal move: with one attempt, each of them is a forfeit."""
    questions = sum(int(each["questions"]) for each in results)
    return sum(int(each["forfeits"]) for each in results) / max(1, questions)
