"""The table of what a small language model has learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

HEADINGS = (
    "answers",
    "opponent",
    "games won",
    "95% interval",
    "mean payoff",
    "games forfeited",
    "illegal answers",
)


def rows_of(stage: str, results: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """A row of a table for each opponent."""
    return [
        [
            stage.replace("_", " "),
            "sampled" if each["sampled"] else "most probable",
            each["opponent"],
            f"{each['wins'] / each['games']:.1%} of {each['games']}",
            f"{each['interval'][0]:.1%} to {each['interval'][1]:.1%}",
            f"{each['payoff']:+.2f}",
            f"{each['forfeits'] / each['games']:.1%}",
            f"{illegal([each]):.2%} of {each['questions']:,}",
        ]
        for each in results
    ]


def illegal(results: Sequence[Mapping[str, Any]]) -> float:
    """Share of a stage's answers that were no legal move: with one attempt, each of them is a forfeit."""
    questions = sum(int(each["questions"]) for each in results)
    return sum(int(each["forfeits"]) for each in results) / max(1, questions)
