"""`polytrix arena`: a tournament of agents in duplicate games, with ratings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
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

from polytrix.agents.population import POPULATION, population
from polytrix.arena import Contestant, Tournament, Verdict, play_all, sprt, summarise
from polytrix.arena.contestants import named
from polytrix.arena.picture import picture
from polytrix.arena.play import Block, Games
from polytrix.arena.records import Records
from polytrix.arena.sequential import BOUND
from polytrix.arena.summary import over_games
from polytrix.core.files import write_json
from polytrix.llm import Prompts
from polytrix.llm.evaluation import Evaluation, Terms
from polytrix.llm.games import figures_of

from .arena_tables import show, show_behaviour, show_ratings
from .arguments import ALL, GameOrAll, GivenOptions, out_file, read_games
from .language_models import line_up, model_option, models_of, show_models
from .screen import echo, err

DEALS, MOST_DEALS = 200, 10_000
"""Deals of a line-up, and the most of a sequential test."""

PICTURE, GAMES = ".png", ".games"
"""Endings of the picture, and of the folder with games of language models and programs."""

STATUS = {True: 0, False: 1, None: 3}
"""Exit statuses of a sequential test by `Verdict.passed`; 2 is an error's."""

WAITING = "waiting for the answers that are under way, so that they are kept"


class Rate(ProgressColumn):
    """Games per second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.1f} games/s")


COLUMNS = (
    TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeElapsedColumn(),
    TextColumn("<"), TimeRemainingColumn(),
)  # fmt: skip
"""Of a bar of games."""


def arena(
    game: GameOrAll,
    agents: Annotated[
        list[str],
        typer.Argument(
            help="Random, greedy, ppo, expert, master, search:200, saved networks or their folders, or "
            "MODULE:NAME of your own policy; programs: process:COMMAND; language models: llm:MODEL, "
            "hf:FOLDER, or ask:MODULE:FUNCTION. NAME=AGENT sets the name."
        ),
    ],
    deals: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Deals per line-up, with --sprt the most; each is played from all seats.",
            show_default=f"{DEALS}; with --sprt {MOST_DEALS}",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the deals and the agents.")] = 0,
    others: Annotated[
        str | None,
        typer.Option(
            "--table",
            help="This agent, one of these or another, plays all other seats; agents do not meet each other. "
            "`population`: each of the game's bots does, in turn.",
        ),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(
            help="The agent, one of these, with a rating of 1000.",
            show_default="the table, greedy, or the first",
        ),
    ] = None,
    elo: Annotated[
        tuple[float, float] | None,
        typer.Option(
            "--sprt",
            metavar="ELO0 ELO1",
            help="Of two agents, NEW and OLD: play until it is known whether NEW is ELO1 or more above OLD, or "
            "ELO0 or less. The exit status tells: 0 and 1, and 3 if it is not known after all deals.",
        ),
    ] = None,
    behaviour: Annotated[
        bool, typer.Option("--behaviour", help="Show how the agents play, in figures of the game.")
    ] = False,
    threads: Annotated[int, typer.Option(min=1, help="Number of line-ups that are played in parallel.")] = 1,
    option: GivenOptions = None,
    save: Annotated[
        Path | None,
        out_file(
            "--json",
            help="Write the results to this file, and beside it a picture and the games; with `all`, each game "
            "has a file of its own. If stopped, the same command continues.",
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        model_option(help="Address of an OpenAI-compatible server. The key is read from OPENAI_API_KEY."),
    ] = None,
    model_deals: Annotated[
        int, model_option(min=1, help="Deals per line-up with a language model, instead of --deals.")
    ] = 10,
    concurrency: Annotated[
        int, model_option(min=1, help="Games of language models and programs that are played side by side.")
    ] = 8,
    attempts: Annotated[int, model_option(min=1, help="Answers to a question before it counts as failed.")] = 3,
    on_failure: Annotated[
        Literal["forfeit", "random"],
        model_option(help="What follows: the game is lost, or a random move is made."),
    ] = "forfeit",
    rules: Annotated[
        bool,
        model_option(
            "--rules/--no-rules", help="Tell the rules, and how moves are written; models may know them."
        ),
    ] = True,
    list_moves: Annotated[
        bool, model_option("--list-moves/--no-list-moves", help="List the legal moves in prompts.")
    ] = True,
    list_notation: Annotated[
        bool, model_option("--list-notation", help="List the legal moves by notation alone: shorter prompts.")
    ] = False,
    memory: Annotated[int, model_option(min=0, help="Earlier decisions that stay in the chat.")] = 2,
    strict: Annotated[
        bool,
        model_option("--strict", help="Only a last line `MOVE: move` is an answer; other forms are refused."),
    ] = False,
    system_role: Annotated[
        bool,
        model_option("--system-role/--no-system-role", help="Send the task in a message of the role `system`."),
    ] = True,
    temperature: Annotated[
        float | None, model_option(min=0, help="Sampling temperature.", show_default="the server's")
    ] = None,
    max_tokens: Annotated[
        int | None,
        model_option(
            min=1,
            help="The most tokens of an answer (`max_completion_tokens`).",
            show_default="the server's limit",
        ),
    ] = None,
    timeout: Annotated[
        float, model_option(min=0.1, help="Seconds for a request and its whole answer.")
    ] = 120.0,
    retries: Annotated[int, model_option(min=0, help="How often a failed request is repeated.")] = 6,
    per_minute: Annotated[
        float,
        model_option(min=0, help="The most requests in a minute to a model, with repeated ones; 0: no limit."),
    ] = 0.0,
    price: Annotated[
        tuple[float, float] | None,
        model_option(metavar="IN OUT", help="Dollars per million tokens of prompts and of answers."),
    ] = None,
    cached_price: Annotated[
        float | None,
        model_option(
            min=0,
            help="Dollars per million tokens of prompts from the server's cache.",
            show_default="as others",
        ),
    ] = None,
) -> None:
    """Rate agents by duplicate games: the same deals for all, from every seat."""
    if list_notation and not list_moves:
        raise typer.BadParameter("--no-list-moves and --list-notation exclude each other")
    if save is not None and save.suffix in (PICTURE, GAMES):
        raise typer.BadParameter(f"--json is {save}, where something else is written; choose another ending")
    prompts = Prompts(rules, rules, "notation" if list_notation else list_moves, memory, strict)
    terms = Terms(prompts, attempts, on_failure, system_role)
    sampling = {"temperature": temperature, "max_completion_tokens": max_tokens}
    endpoint = {
        "base_url": base_url,
        "timeout": timeout,
        "retries": retries,
        "requests_per_minute": per_minute,
        "price": price,
        "cached_price": cached_price,
        "settings": {name: value for name, value in sampling.items() if value is not None},
    }
    models = models_of([*agents, *filter(None, [others])], endpoint)
    if elo is not None and models:
        raise typer.BadParameter(f"--sprt plays no language models; given: {', '.join(models)}")
    contests = []
    for found, options in read_games(game, option):
        bots = list(population(found, found.num_players(options))) if others == POPULATION else []
        taking_part, by_name = line_up(found, [*agents, *bots], None if bots else others, models, terms)
        table = None if bots else choose_agent("table", others, taking_part)
        if elo is not None and table is None and len(taking_part) == 2:
            table = taking_part[1].name
        most = deals or (DEALS if elo is None else MOST_DEALS)
        tournament = Tournament(found, options, taking_part, most, seed, bots or [*filter(None, [table])])
        with_models = {each: model_deals for each in tournament.line_ups if by_name.keys() & {*each}}
        counting = behaviour or (save is not None and elo is None)
        tournament = replace(tournament, at_most=with_models, behaviour=counting)
        fixed = choose_agent("anchor", anchor, taking_part)
        file = save.with_stem(f"{save.stem}_{found.name}") if save and game == ALL else save
        folder = file.with_suffix(GAMES) if file else None
        evaluation = Evaluation(tournament, by_name, terms, folder, concurrency)
        contests.append(Contest(tournament, evaluation, fixed, file, elo, behaviour))
    try:
        results = [rate(contest, threads) for contest in contests]
    except KeyboardInterrupt:
        kept = "the same command continues from here" if save else "no results are kept; --json FILE keeps them"
        echo(f"stopped; {kept}", err=True)
        raise typer.Exit(130) from None
    if game == ALL:
        sum_up(contests, results, save)
    if elo is not None:
        raise typer.Exit(max(STATUS[result["sprt"]["passed"]] for result in results))


@dataclass(frozen=True)
class Contest:
    """The games of the command in one game.

    Attributes:
        anchor: name of the agent with a rating of 1000, or None.
        file: for the results, or None.
        elo: what `sprt` tests, or None for a whole tournament.
        behaviour: whether to show how the agents play.
    """

    tournament: Tournament
    evaluation: Evaluation
    anchor: str | None
    file: Path | None
    elo: tuple[float, float] | None = None
    behaviour: bool = False


def choose_agent(option: str, given: str | None, agents: Sequence[Contestant]) -> str | None:
    """The name of the agent that the user means by an option."""
    if given is None:
        return None
    agent = named(agents, given)
    if agent is None:
        raise typer.BadParameter(f"the {option} is {given!r}; agents: {', '.join(one.name for one in agents)}")
    return agent.name


def rate(contest: Contest, threads: int) -> dict[str, Any]:
    """Play a contest's games, show the results and write them to its file."""
    tournament, evaluation, file = contest.tournament, contest.evaluation, contest.file
    kept = file.with_suffix(".games.jsonl") if file else None
    with closing(Records(tournament.game, tournament.options, tournament.seed, kept)) as records:
        verdict = play_with_a_bar(tournament, records, threads, evaluation, contest.elo)
        if verdict is not None:
            tournament = replace(tournament, deals=verdict.deals)
        result = summarise(tournament, records, contest.anchor)
    show(result)
    if contest.behaviour and tournament.game.behaviour.size:
        show_behaviour(result, tournament.game.behaviour)
    if verdict is not None:
        result["sprt"] = asdict(verdict) | {"bound": BOUND, "passed": verdict.passed, "verdict": str(verdict)}
        echo(str(verdict))
    if evaluation.names:
        figures = evaluation.figures()
        result["language_models"] = {"terms": asdict(evaluation.terms), "models": figures}
        show_models(figures)
    if file is not None:
        write_json(file, result)
        shown = file.with_suffix(PICTURE)
        shown.write_bytes(picture(result).png(2))
        echo(f"results: {file}, picture: {shown}")
    return result


def sum_up(contests: Sequence[Contest], results: Sequence[dict[str, Any]], save: Path | None) -> None:
    """Show the results of all games side by side, and write them to a file."""
    together = over_games(
        {each.tournament.game.name: result for each, result in zip(contests, results, strict=True)}
    )
    show_ratings(together)
    first = contests[0].evaluation
    if first.names:
        games = [game for each in contests for game in each.evaluation.games]
        figures = {name: figures_of(name, games) for name in first.names}
        together["language_models"] = {"terms": asdict(first.terms), "models": figures}
        show_models(figures, "language models and programs, all games")
    if save is not None:
        together["files"] = {each.tournament.game.name: each.file.name for each in contests if each.file}
        write_json(save, together)
        echo(f"all games: {save}")


def play_with_a_bar(
    tournament: Tournament,
    records: Records,
    threads: int,
    evaluation: Evaluation | None = None,
    elo: tuple[float, float] | None = None,
    begin: Callable[[Block], Future[Games]] | None = None,
) -> Verdict | None:
    """Play the missing games with a bar, then an evaluation's; see `sprt` for `elo`, `play_all` for `begin`."""
    done = sum(tournament.games_of(block) for block in tournament.blocks() if block in records)
    name = f"{tournament.game.name} games"
    with Progress(*COLUMNS, console=err, speed_estimate_period=120) as progress:
        bar = progress.add_task(name, total=tournament.num_games, completed=done)
        tick = partial(progress.advance, bar)
        if elo is not None:

            def tell(verdict: Verdict) -> None:
                progress.update(bar, description=f"{name}, LLR {verdict.ratio:+.2f} of ±{BOUND:.2f}")

            return sprt(tournament, records, elo, threads, tick, tell)
        by_text = set() if evaluation is None else set(evaluation.blocks)
        others = [block for block in tournament.blocks() if block not in by_text]
        play_all(tournament, records, threads, tick, others, begin=begin)
        if evaluation is not None:
            evaluation.play(records, tick, lambda: progress.console.print(WAITING))
    return None
