"""`polytrix arena`: a tournament of agents in duplicate games, with ratings."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from polytrix.arena import Tournament, play_all, summarise
from polytrix.arena.picture import picture
from polytrix.arena.records import Records
from polytrix.arena.summary import deals_of
from polytrix.core.catalogue import find
from polytrix.core.files import write_json
from polytrix.llm import Prompts
from polytrix.llm.evaluation import Evaluation, Terms

from .arguments import GameName, GivenOptions, in_a_folder, read_options
from .language_models import (
    Attempts,
    BaseUrl,
    Concurrency,
    DisguiseSeed,
    ListMoves,
    MaxTokens,
    Memory,
    ModelDeals,
    OnFailure,
    PerMinute,
    Price,
    Retries,
    Rules,
    Temperature,
    Timeout,
    line_up,
    show_models,
)
from .screen import err, out, row, table

WAITING = "waiting for the answers that are under way, so that they are kept"


class Rate(ProgressColumn):
    """Games per second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.1f} games/s")


def arena(
    game: GameName,
    agents: Annotated[
        list[str],
        typer.Argument(
            help="Random, greedy, ppo, expert, master, search:200, saved networks or their folders, or "
            "MODULE:NAME of your own policy; language models: llm:MODEL, hf:FOLDER, or ask:MODULE:FUNCTION. "
            "NAME=AGENT sets the name."
        ),
    ],
    deals: Annotated[int, typer.Option(min=1, help="Deals per line-up; each is played from all seats.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the deals and the agents.")] = 0,
    others: Annotated[
        str | None,
        typer.Option("--table", help="This agent plays all other seats; the agents do not meet each other."),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(help="The agent with a rating of 1000. [default: the table, greedy, or the first]"),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Number of line-ups that are played in parallel.")] = 1,
    option: GivenOptions = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--json",
            dir_okay=False,
            writable=True,
            callback=in_a_folder,
            help="Write the results to this file, and beside it a picture and the games. "
            "If stopped, the same command continues.",
        ),
    ] = None,
    base_url: BaseUrl = None,
    model_deals: ModelDeals = 10,
    concurrency: Concurrency = 8,
    attempts: Attempts = 3,
    on_failure: OnFailure = "forfeit",
    rules: Rules = True,
    list_moves: ListMoves = True,
    memory: Memory = 2,
    disguise: DisguiseSeed = None,
    temperature: Temperature = None,
    max_tokens: MaxTokens = None,
    timeout: Timeout = 120.0,
    retries: Retries = 6,
    per_minute: PerMinute = 0.0,
    price: Price = None,
) -> None:
    """Rate agents by duplicate games: the same deals for all, from every seat."""
    found, options = read_options(find(game), option)
    specs = agents if others is None or others in agents else [*agents, others]
    prompts = Prompts(rules=rules, notation=rules, legal_moves=list_moves, memory=memory, disguise=disguise)
    terms = Terms(prompts, attempts, on_failure)
    sampling = {"temperature": temperature, "max_completion_tokens": max_tokens}
    endpoint = {
        "base_url": base_url,
        "timeout": timeout,
        "retries": retries,
        "requests_per_minute": per_minute,
        "price": price,
        "settings": {name: value for name, value in sampling.items() if value is not None},
    }
    taking_part, models = line_up(found, specs, terms, endpoint)
    tournament = Tournament(found, options, taking_part, deals, seed, others)
    with_models = {each: model_deals for each in tournament.line_ups if models.keys() & {*each}}
    tournament = replace(tournament, at_most=with_models)
    if anchor is not None and anchor not in tournament.names:
        raise typer.BadParameter(f"the anchor is {anchor!r}; agents: {', '.join(tournament.names)}")
    games = save.with_suffix(".games.jsonl") if save else None
    evaluation = Evaluation(
        tournament, models, terms, save.with_suffix(".games") if save and models else None, concurrency
    )
    with closing(Records(found, options, seed, games)) as records:
        try:
            play_with_a_bar(tournament, records, threads, evaluation)
        except KeyboardInterrupt:
            typer.echo("stopped" + ("; the same command continues from here" if save else ""), err=True)
            raise typer.Exit(130) from None
        result = summarise(tournament, records, anchor)
    show(result)
    if models:
        figures = evaluation.figures()
        result["language_models"] = {"terms": asdict(terms), "models": figures}
        show_models(figures)
    if save is not None:
        write_json(save, result)
        shown = save.with_suffix(".png")
        shown.write_bytes(picture(result).png(2))
        typer.echo(f"results: {save}, picture: {shown}")


def play_with_a_bar(
    tournament: Tournament, records: Records, threads: int, evaluation: Evaluation | None = None
) -> None:
    """Play the missing games, with a progress bar; those of an evaluation last."""
    done = sum(block.deals * tournament.players for block in tournament.blocks() if block in records)
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeElapsedColumn(),
        TextColumn("<"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=err, speed_estimate_period=120) as progress:
        bar = progress.add_task(f"{tournament.game.name} games", total=tournament.num_games, completed=done)
        by_text = set() if evaluation is None else set(evaluation.blocks)
        others = [block for block in tournament.blocks() if block not in by_text]
        play_all(tournament, records, threads, partial(progress.advance, bar), others)
        if evaluation is not None:
            evaluation.play(records, partial(progress.advance, bar), lambda: progress.console.print(WAITING))


def show(result: dict[str, Any]) -> None:
    """Print the tables of agents, meetings and seats."""
    played = f"{result['games']} games: {deals_of(result)} deals of each line-up"
    head = f"{result['environment']}, {result['players']} players, {played}"
    figures = ("rating", "95%", "won", "95%", "payoff", "95%")
    shown = table("agent", *figures, right=figures, title=head)
    shown.box, shown.padding = SIMPLE_HEAD, (0, 1, 0, 0)  # fits a terminal of 80 columns
    shown.columns[0].no_wrap = False
    for agent in result["agents"]:
        cells = [agent["name"], f"{agent['rating']:.0f}", span(agent["low"], agent["high"], form=".0f")]
        if agent["games"]:
            cells += [f"{agent['win_rate']:.1%}", span(*agent["win_interval"], form=".1%")]
            cells += [f"{agent['payoff']:+.2f}", span(*agent["payoff_interval"], form="+.2f")]
        row(shown, *cells)
    out.print(shown)
    names = {agent["name"]: str(place) for place, agent in enumerate(result["agents"], 1)}
    rates = {(one["agent"], one["others"]): one["win_rate"] for one in result["meetings"]}
    title = f"games won by the row's agent among the column's; fair share {result['fair_share']:.0%}"
    crossed = table("", "agent", *names.values(), right=names.values(), title=title)
    for one, place in names.items():
        cells = [f"{rates[one, other]:.1%}" if (one, other) in rates else "" for other in names]
        row(crossed, place, one, *cells)
    out.print(crossed)
    seats = table("seat", "won", "95%", "payoff", "95%", title="seats, over all games")
    for seat in result["seats"]:
        won = (f"{seat['win_rate']:.1%}", span(*seat["win_interval"], form=".1%"))
        row(seats, seat["seat"], *won, f"{seat['payoff']:+.2f}", span(*seat["payoff_interval"], form="+.2f"))
    out.print(seats)


def span(low: float, high: float, *, form: str) -> str:
    """An interval in short form.

    >>> span(0.25, 0.5, form=".1%"), span(-1, 0.25, form="+.2f")
    ('25.0..50.0%', '-1.00..+0.25')
    """
    return f"{low:{form}}".rstrip("%") + f"..{high:{form}}"
