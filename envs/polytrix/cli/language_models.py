"""Options of `polytrix arena` for language models, and their figures as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

import typer

from polytrix.arena import Contestant
from polytrix.arena.contestants import contestant, named, split_name, tell_apart
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.llm.evaluation import Terms, language_model
from polytrix.llm.models import FUNCTION, HF, LLM, Model, function_at

from .screen import out, row, table

PANEL = "Language models (llm:MODEL, hf:FOLDER, ask:MODULE:FUNCTION)"


def option(*names: str, help: str, **more: Any) -> Any:  # as Typer calls it
    """An option that help shows among those of language models."""
    return typer.Option(*names, help=help, rich_help_panel=PANEL, **more)


BaseUrl = Annotated[
    str | None,
    option(help="Address of an OpenAI-compatible server. The key is read from OPENAI_API_KEY."),
]
ModelDeals = Annotated[int, option(min=1, help="Deals per line-up with a language model, instead of --deals.")]
Concurrency = Annotated[int, option(min=1, help="Games of language models that are played side by side.")]
Attempts = Annotated[int, option(min=1, help="Answers to a question before it counts as failed.")]
OnFailure = Annotated[
    Literal["forfeit", "random"], option(help="What follows: the game is lost, or a random move is made.")
]
Rules = Annotated[
    bool, option("--rules/--no-rules", help="Tell the rules, and how moves are written; models may know them.")
]
ListMoves = Annotated[bool, option("--list-moves/--no-list-moves", help="List the legal moves in prompts.")]
ListNotation = Annotated[
    bool, option("--list-notation", help="List the legal moves by notation alone: shorter prompts.")
]
Strict = Annotated[
    bool, option("--strict", help="Only a last line `MOVE: move` is an answer; other forms are refused.")
]
Memory = Annotated[int, option(min=0, help="Earlier decisions that stay in the chat.")]
SystemRole = Annotated[
    bool,
    option("--system-role/--no-system-role", help="Send the task in a message of the role `system`."),
]
Timeout = Annotated[float, option(min=0.1, help="Seconds for a request and its whole answer.")]
Retries = Annotated[int, option(min=0, help="How often a failed request is repeated.")]
PerMinute = Annotated[
    float, option(min=0, help="The most requests in a minute to a model, with repeated ones; 0: no limit.")
]
Temperature = Annotated[float | None, option(min=0, help="Sampling temperature. [default: the server's]")]
MaxTokens = Annotated[
    int | None,
    option(min=1, help="The most tokens of an answer (`max_completion_tokens`). [default: the server's limit]"),
]
Price = Annotated[
    tuple[float, float] | None,
    option(metavar="IN OUT", help="Dollars per million tokens of prompts and of answers."),
]
CachedPrice = Annotated[
    float | None,
    option(min=0, help="Dollars per million tokens of prompts from the server's cache. [default: as others]"),
]


def models_of(specs: Sequence[str], endpoint: Mapping[str, Any]) -> dict[str, Model]:
    """The language models among some specs, by spec.

    Args:
        specs: of agents, as given.
        endpoint: arguments of `Endpoint`.

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


def show_models(figures: Mapping[str, Mapping[str, Any]], title: str = "language models") -> None:
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
