"""The report of a language model's training: figures of games, card and picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.arena.statistics import wilson
from polytrix.llm import Rollout
from polytrix.llm.transformers import Answer
from polytrix.training.figures.language import illegal, language_results
from polytrix.training.shared.pictures import save
from polytrix.training.shared.reports import provenance

COLOURS = {"random": "#3a7d44", "greedy": "#c8553d"}
ILLEGAL = "#6b6b6b"

FIGURES: dict[str, Any] = {
    "opponent": "random", "sampled": True, "games": 1, "wins": 1, "interval": [0.0, 1.0], "payoff": 1.0,
    "forfeits": 0, "questions": 1, "prompt_tokens": 1.0, "answer_tokens": 1.0,
}  # fmt: skip
"""An example of what `figures` returns."""


def figures(opponent: str, games: Sequence[Rollout], sampled: bool) -> dict[str, Any]:
    """What a model has done in games against an opponent, with one attempt to answer each question.

    Args:
        opponent: its name.
        games: as from `rollouts`.
        sampled: whether answers were sampled, or the most probable ones.

    Returns:
        `opponent`; whether answers were `sampled`; `games`, and of these the `wins` (payoff above 0) and
        `forfeits` (by an answer that was no legal move); `interval` of the win rate (95%, Wilson); the mean
        `payoff`; `questions`; the median number of `prompt_tokens` and of `answer_tokens`.
    """
    answers = [turn.answer for game in games for turn in game.turns]
    spelled = [each for each in answers if isinstance(each, Answer)]
    wins = sum(game.reward > 0 for game in games)
    return {
        "opponent": opponent,
        "sampled": sampled,
        "games": len(games),
        "wins": wins,
        "interval": [round(each, 4) for each in wilson(wins, len(games))],
        "payoff": float(np.mean([game.reward for game in games])),
        "forfeits": sum(game.forfeited for game in games),
        "questions": len(answers),
        "prompt_tokens": float(np.median([len(each.prompt) for each in spelled])) if spelled else 0.0,
        "answer_tokens": float(np.median([len(each.tokens) for each in spelled])) if spelled else 0.0,
    }


def draw(file: Path, record: Mapping[str, Any], title: str) -> None:
    """Plot games won and illegal answers over both stages; `record` is what `LanguageRun.record` returns."""
    from matplotlib import pyplot

    panels = {"imitation": "positions of games of the teacher", "policy_gradient": "games of its own"}
    trained = [stage for stage in panels if stage in record["results"]]
    figure, places = pyplot.subplots(
        1, len(trained), figsize=(8.5, 4), sharey=True, squeeze=False, layout="constrained"
    )
    for axes, stage in zip(places[0], trained, strict=True):
        points = points_of(record, stage)
        done = [point["done"] for point in points]
        for number, rival in enumerate(each["opponent"] for each in points[0]["results"]):
            won = [point["results"][number]["wins"] / point["results"][number]["games"] for point in points]
            axes.plot(done, won, "o-", color=COLOURS[rival], label=f"games won against {rival}")
        axes.plot(done, [illegal(p["results"]) for p in points], "s--", color=ILLEGAL, label="illegal answers")
        axes.set(xlabel=panels[stage], ylim=(-0.02, 1.02), title=stage.replace("_", " "))
        axes.grid(alpha=0.3)
    places[0][0].set_ylabel("share")
    handles = places[0][0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(COLOURS) + 1)
    figure.suptitle(f"{title}: games with sampled answers")
    save(figure, file)


def points_of(record: Mapping[str, Any], stage: str) -> list[dict[str, Any]]:
    """The learning curve of a stage, with its beginning and its end: games with sampled answers."""
    results = record["results"]
    stages = list(results)
    end = record["positions"] if stage == "imitation" else record["games"]
    before = {"done": 0, "results": results[stages[stages.index(stage) - 1]]}
    own = [point for point in record["curve"] if point["stage"] == stage]
    points = [before, *own, {"done": end, "results": results[stage]}]
    return [
        {"done": point["done"], "results": [each for each in point["results"] if each["sampled"]]}
        for point in points
    ]


def card(record: Mapping[str, Any]) -> str:
    """The card of a run: what the model has learned, and how."""
    settings = record["settings"]
    took = [f"{name.replace('_', ' ')} {each / 60:.0f} min" for name, each in record["seconds"].items()]
    opponents = " and ".join(f"`{each}`" for each in settings["opponents"])
    title = f"{record['environment']}, {record['players']} players: a language model"
    last = list(record["results"])[-1]
    lengths = record["results"][last][-1]
    return f"""# {title} of {record["parameters"]:,} parameters

{language_results(record["results"])}
Held-out seeds, one attempt: an answer that is no legal move loses the game. Answers are sampled, or the most
probable ones.

- Trained: {record["date"]}, {record["positions"]:,} positions by imitation of `{settings["teacher"]}`,
  {record["games"]:,} games by policy gradient against {opponents}: {", ".join(took)}
- Prompts: {lengths["prompt_tokens"]:.0f} tokens (median), answers {lengths["answer_tokens"]:.0f}; \
{"with" if settings["list_moves"] else "without"} the list of legal moves
- Command: `{record["command"]}`
{provenance(record)}"""
