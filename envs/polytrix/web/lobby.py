"""What the lobby shows, and the form that sets up a table."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Any

from polytrix.agents import RandomPolicy
from polytrix.agents.resolve import MASTER, names_of, network_file
from polytrix.agents.search import is_search
from polytrix.core.baselines import EXPERT, PPO
from polytrix.core.calls import check_seed, shown
from polytrix.core.catalogue import all_games, find
from polytrix.core.errors import PolytrixError
from polytrix.core.game import Game
from polytrix.core.options import Value
from polytrix.core.pages import summary
from polytrix.play.lessons import LEARNER, lesson_of
from polytrix.play.opponents import agent
from polytrix.play.session import Session

from .limits import SLOWEST
from .settings import AGENT, PERSON, YOU, Chair, Settings, new_token

SHOWN_DECISIONS = 14
"""A game's picture shows it after so many decisions."""


DIFFICULTIES = ("", "easy", "medium", "hard")
"""Words for `Game.difficulty`."""

STRENGTHS = {
    "greedy": "easy, follows simple rules",
    PPO: "hard, has learned by playing against itself",
    EXPERT: "hard, has learned from looking ahead as well",
    MASTER: "very hard, looks ahead; takes a minute before its first game",
}
"""Words for agents, the weaker kinds first; further heuristics are not stronger than greedy."""


class FormError(PolytrixError):
    """A form that sets up no table."""


# -- what is shown ----------------------------------------------------------------------------


def games() -> list[dict[str, Any]]:
    """All games, the easiest ones first, with what their forms need."""
    return [
        describe(game) for game in sorted(all_games(), key=lambda game: (game.difficulty or 9, game.minutes))
    ]


def describe(game: Game) -> dict[str, Any]:
    """A game for the lobby."""
    return {
        "id": game.id,
        "name": game.name,
        "title": game.title,
        "summary": summary(game),
        "guided": lesson_of(game) is not None,
        "difficulty": DIFFICULTIES[game.difficulty],
        "minutes": game.minutes,
        "seats": list(game.seats),
        "counts": list(game.player_counts),
        "options": [{"kind": type(each).__name__.lower(), **asdict(each)} for each in game.options],
        "data": [{"name": file.name, "help": file.help, "shipped": list(file.shipped)} for file in game.data],
        "variants": {name: dict(values) for name, values in game.variants.items()},
        "agents": [{"name": name, "help": help_of(name)} for name in by_strength(game)],
    }


def by_strength(game: Game) -> list[str]:
    """The agents of a game, the weakest first."""
    kinds = [RandomPolicy.name, *game.heuristics, *STRENGTHS]
    return sorted(names_of(game), key=lambda name: kinds.index(name.partition("-players")[0]))


def help_of(name: str) -> str:
    """How strong an agent is, and what, in a few words."""
    if name == RandomPolicy.name:
        return "very easy, moves at random"
    kind, _, players = name.partition("-players")
    return STRENGTHS.get(kind, "easy, with a habit of its own") + (
        f"; for {players} players" if players else ""
    )


@cache
def picture(game: Game) -> str:
    """A position of the game, as SVG."""
    session = Session(game, game.options.defaults, seed=7, viewer=0)
    policy = agent("greedy", game) if game.greedy is not None else RandomPolicy(game)
    while not session.over and len(session.actions) < SHOWN_DECISIONS:
        session.play(session.choose(policy))
    return str(game.draw(session.state, 0).svg())


# -- the form ---------------------------------------------------------------------------------


def settings_of(form: Any) -> tuple[Settings, int | None]:
    """The settings and the seed that a form names.

    Args:
        form: `{"game", "options", "data", "seats", "seed", "pace"}`, parsed from JSON, from anyone. A seat is
            `{"kind", "agent"}`; a data file the name of a shipped one, or its content. A guided first game is
            `{"game", "guided": true}`.

    Raises:
        FormError, OptionError, DataError, PolicyError, UnknownGameError: what is wrong.
    """
    if not isinstance(form, dict) or not isinstance(form.get("game"), str):
        raise FormError(f"the form is {shown(form)}; it names a game")
    if form.get("guided") is True:
        return guided(find(form["game"]))
    game, options = configure(find(form["game"]), form)
    seats = form.get("seats")
    players = game.num_players(options)
    if not isinstance(seats, list) or len(seats) != players:
        raise FormError(f"seats are {shown(seats)}; this game of {game.title} has {players}")
    chairs = tuple(chair_of(game, seat) for seat in seats)
    if sum(chair.kind == YOU for chair in chairs) > 1:
        raise FormError("You can take only one seat; give the others to agents or to other people.")
    seed, pace = form.get("seed"), form.get("pace", 0)
    if seed is not None:
        try:
            check_seed(seed)
        except ValueError as error:
            raise FormError(str(error)) from None
    if isinstance(pace, bool) or not isinstance(pace, (int, float)) or not 0 <= pace <= SLOWEST:
        raise FormError(f"pace is {shown(pace)}; allowed: 0 to {SLOWEST:g} seconds")
    return Settings(game.id, options, chairs, new_token(), dict(game.replaced), float(pace)), seed


def guided(game: Game) -> tuple[Settings, int | None]:
    """The settings and the seed of a guided first game.

    Raises:
        FormError: the game has none.
    """
    lesson = lesson_of(game)
    if lesson is None:
        raise FormError(f"{game.title} has no guided first game; set up a table")
    game, options = game.configured(lesson.options)
    agents = tuple(Chair(AGENT, "greedy") for _ in range(game.num_players(options) - 1))
    chairs = (*agents[:LEARNER], Chair(YOU, token=new_token()), *agents[LEARNER:])
    return Settings(game.id, options, chairs, new_token(), guided=True), lesson.seed


def configure(game: Game, form: dict[str, Any]) -> tuple[Game, dict[str, Value]]:
    """The game with its data files, and the values of its options."""
    options, data = form.get("options", {}), form.get("data", {})
    if not isinstance(options, dict) or not isinstance(data, dict):
        raise FormError("options and data are objects: names with values")
    game.refuse_paths(data)
    return game.configured({**options, **data})


def chair_of(game: Game, seat: Any) -> Chair:
    """Who plays a seat of the form. An agent is loaded once, so that the form tells what is wrong."""
    kind, spec = (seat.get("kind"), seat.get("agent", "")) if isinstance(seat, dict) else (None, "")
    if kind in (YOU, PERSON):
        return Chair(kind, token=new_token())
    if kind != AGENT or not isinstance(spec, str) or len(spec) > 1000:
        raise FormError(f"a seat is {shown(seat)}; allowed kinds: {YOU}, {PERSON}, {AGENT} with its name")
    if ":" in spec and not is_search(spec) and network_file(spec, game) is None:
        raise FormError(f"{spec!r} would run code; on the page, agents are names and saved networks")
    agent(spec, game)
    return Chair(AGENT, spec)


def table_row(table_id: str, settings: Settings, status: str = "") -> dict[str, Any]:
    """A table for the lobby of its host, with the secrets of its links.

    Args:
        table_id, settings: of the table.
        status: who is to move there, or how the game ended.
    """
    game = find(settings.game)
    return {
        "id": table_id,
        "title": game.title,
        "status": status,
        "watch": settings.watch,
        "seats": [
            {"name": name, "kind": chair.kind, "player": chair.player, "token": chair.token}
            for name, chair in zip(game.seats, settings.chairs, strict=False)
        ],
    }
