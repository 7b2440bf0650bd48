"""Language models in `polytrix arena`: who they are, and their figures as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import typer

from polytrix.arena import Contestant
from polytrix.arena.contestants import contestant, named, split_name, tell_apart
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.llm.evaluation import Terms, language_model
from polytrix.llm.models import FUNCTION, HF, LLM, Model, function_at

from .screen import out, row, table

PANEL = "Language models (llm:MODEL, hf:FOLDER, ask:MODULE:FUNCTION)"


def model_option(*names: str, help: str, **more: Any) -> Any:
    """An option that help shows among those of language models."""
    return typer.Option(*names, help=help, rich_help_panel=PANEL, **more)


def models_of(specs: Sequence[str], endpoint: Mapping[str, Any]) -> dict[str, Model]:
    """The language models among some specs of agents, by spec; `endpoint` are arguments of `Endpoint`.

    Raises:
        PolicyError: a spec that stands for nothing.
        MissingExtraError: a model needs the extra `llm` or `transformers`.
    """
    kinds = {spec: split_name(spec)[1] for spec in specs}
    return {
        spec: model_of(kind, endpoint) for spec, kind in kinds.items() if kind.startswith((LLM, HF, FUNCTION))
    }


def line_up(
    game: Game, specs: Sequence[str], table: str | None, models: Mapping[str, Model], terms: Terms
) -> tuple[list[Contestant], dict[str, Model]]:
    """The agents of some specs, as `contestants` makes them, with language models among them.

    Args:
        game: the game.
        specs: as given.
        table: the name or the spec of one of them, or the spec of a further one, or None.
        models: by spec, see `models_of`.
        terms: the same for all models.

    Returns:
        All agents, and the language models by name.

    Raises:
        PolicyError: a spec that stands for nothing, or two agents with the same name.
    """

    def agent(spec: str) -> Contestant:
        if spec not in models:
            return contestant(game, spec)
        return replace(language_model(split_name(spec)[0] or models[spec].name, models[spec], terms), spec=spec)

    agents = tell_apart([agent(spec) for spec in specs])
    if table is not None and named(agents, table) is None:
        agents = tell_apart([*agents, agent(table)])
    return agents, {one.name: models[one.spec] for one in agents if one.spec in models}


def model_of(spec: str, endpoint: Mapping[str, Any]) -> Model:
    """The model of `llm:MODEL`, `hf:FOLDER` or `ask:MODULE:FUNCTION`."""
    if spec.startswith(FUNCTION):
        return function_at(spec.removeprefix(FUNCTION))
    if spec.startswith(HF):
        from polytrix.llm.transformers import ChatModel

        return ChatModel.load(spec.removeprefix(HF))
    name = spec.removeprefix(LLM)
    if not name:
        raise PolicyError(f"{spec!r} names no model; write {LLM}MODEL, with the name that its server knows")
    from polytrix.llm.endpoint import Endpoint

    return Endpoint(name, **endpoint)


LINES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "games": lambda done: f"{done['games']}",
    "decisions": lambda done: f"{done['decisions']}",
    "answers": lambda done: f"{done['answers']}",
    "asked again": lambda done: f"{done['answers'] - done['decisions']}",
    "malformed answers": lambda done: share(done["malformed"], done["answers"]),
    "illegal moves": lambda done: share(done["illegal"], done["answers"]),
    "moves in another form": lambda done: share(done["loose"], done["answers"]),
    "answers cut off": lambda done: share(done["cut"], done["answers"]),
    "failed decisions": lambda done: f"{done['failed']}",
    "games forfeited": lambda done: f"{done['forfeits']}",
    "tokens of prompts": lambda done: short(done["prompt_tokens"]),
    "of these from caches": lambda done: short(done["cached_tokens"]),
    "tokens of answers": lambda done: short(done["completion_tokens"]),
    "seconds an answer": lambda done: f"{done['seconds_median']:.2f}",
    "requests repeated": lambda done: f"{done['requests'] - done['answers']}",
    "cost": lambda done: "unknown" if done["cost"] is None else f"${done['cost']:.2f}",
}
"""What is shown of a model's figures."""


def show_models(figures: Mapping[str, Mapping[str, Any]], title: str = "language models and programs") -> None:
    """Print what models have done and what it took: a column for each."""
    shown = table("", *figures, right=tuple(figures), title=title)
    for label, figure in LINES.items():
        row(shown, label, *map(figure, figures.values()))
    out.print(shown)


def share(part: int, whole: int) -> str:
    """A part of a whole in percent.

    >>> share(1, 8), share(0, 0)
    ('12.5%', '')
    """
    return f"{part / whole:.1%}" if whole else ""


def short(number: int) -> str:
    """A large number in short form.

    >>> short(950), short(12_345), short(3_400_000)
    ('950', '12k', '3.4M')
    """
    if number < 1000:
        return str(number)
    return f"{number / 1e3:.0f}k" if number < 1e6 else f"{number / 1e6:.1f}M"
