"""The games for clients of the Model Context Protocol: language models that call tools.

`polytrix mcp` serves them. The tools have the names and arguments of those in OpenSpiel's example, as far as it
has them. A session is one seat of one game: it is told what this seat may know, and nothing else.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial, wraps
from threading import Lock
from typing import Annotated, Any, ParamSpec, TypeVar

from polytrix.agents.population import population
from polytrix.agents.resolve import names_of
from polytrix.core.calls import SEED_LIMIT, did_you_mean, seed_or_fresh, shown
from polytrix.core.catalogue import all_games, find
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import MissingExtraError, OptionError, PolicyError, PolytrixError
from polytrix.core.game import Game
from polytrix.core.pages import notation_text, page_text, rules_text, summary
from polytrix.core.version import __version__
from polytrix.core.words import Move, parse_move

from .episode import MODEL, Episode
from .prompts import Prompts
from .setup import Setup

try:
    from mcp.server.mcpserver import MCPServer
except ImportError:
    raise MissingExtraError("polytrix.llm.mcp", "mcp") from None

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resources import FunctionResource
from pydantic import Field

MOST_SESSIONS = 100
"""Sessions that are kept."""
IDLE = 3600.0
"""Seconds after which a session that nobody has used makes room for new ones."""
LONGEST_GAME = 2000
"""The most decisions of a game."""
LONGEST_BODY = 100_000
"""Bytes of a message over HTTP."""
TERMINAL = -4
"""The current player of a game that is over, as in OpenSpiel."""

GUIDE = """\
Tabletop games. list_games names them; game_info tells the rules, options and opponents of one. start_game
begins a game; get_observation shows the position as your seat sees it, with your legal moves. Make them with
play_action, which shows the next position, until the game is over. Your return at the end is what counts."""

Text = Annotated[str, Field(max_length=100)]
Number = Annotated[int, Field(ge=0, lt=SEED_LIMIT)]
SessionId = Annotated[str, Field(max_length=100, description="from start_game")]
GameName = Annotated[str, Field(max_length=100, description="from list_games")]
Seed = Annotated[Number | None, Field(description="of chance and of the opponents' choices; null: a fresh one")]
Seats = Annotated[
    list[Text] | None,
    Field(
        max_length=10,
        description='who plays each seat: "model", or an opponent from game_info; null: you in the first '
        "seat, greedy in the others",
    ),
]
Options = Annotated[
    dict[Text, int | Text | bool] | None,
    Field(max_length=20, description="from game_info; the others keep their defaults"),
]
Action = Annotated[Text | Number, Field(description="a legal move: its notation, or its number in the list")]

P = ParamSpec("P")
T = TypeVar("T")


class SessionError(PolytrixError):
    """A call that is not possible now. Nothing has changed."""


@dataclass
class Match:
    """Games between the same players, one after the other."""

    setup: Setup
    episode: Episode
    used: float = field(default_factory=time.monotonic)
    lock: Lock = field(default_factory=Lock)


class Tools:
    """The games of all clients. Each public method is a tool; its docstring is for the model."""

    def __init__(self) -> None:
        self._seats: dict[str, tuple[Match, int]] = {}  # by session id
        self._starting = Lock()

    def list_games(self) -> dict[str, str]:
        """What each game is about, by its name."""
        return {game.name: summary(game) or game.title for game in all_games()}

    def game_info(self, game_name: GameName) -> dict[str, Any]:
        """The rules of a game, how moves are written, its seats, numbers of players, options and opponents."""
        game = find(game_name)
        return {
            "id": game.id,
            "title": game.title,
            "seats": game.seats,
            "players": game.player_counts,
            "options": {each.name: f"{each.help}; {each.allowed}; {each.default!r}" for each in game.options}
            | {each.name: f"{each.help}; one of {', '.join(each.shipped)}" for each in game.data},
            "opponents": opponents(game),
            "rules": f"{rules_text(game)}\n{notation_text(game)}".strip(),
        }

    def start_game(
        self, game_name: GameName, seats: Seats = None, options: Options = None, seed: Seed = None
    ) -> dict[str, str]:
        """Begin a game. Returns a session_id for each "model" seat, by the seat's name.

        Opponents move by themselves, and so does your seat where it has only one legal move.
        """
        game = find(game_name)
        given = {"max_decisions": min(LONGEST_GAME, game.options.defaults["max_decisions"])} | (options or {})
        game.refuse_paths(given)
        setup = Setup(game, seats, rotate=False, options=given, prompts=Prompts(memory=0))
        allowed = [MODEL, *opponents(setup.game)]
        for seat in setup.seats:
            if seat not in allowed:
                meant = did_you_mean(seat, allowed)
                raise PolicyError(f"a seat is {shown(seat)}; allowed: {', '.join(allowed)}.{meant}")
        if int(setup.options["max_decisions"]) > LONGEST_GAME:
            raise OptionError(
                f"option 'max_decisions' is {given['max_decisions']}; allowed: up to {LONGEST_GAME}"
            )
        match = Match(setup, setup.episode(seed_or_fresh(seed)))
        begun = {secrets.token_hex(8): seat for seat, who in enumerate(setup.seats) if who == MODEL}
        with self._starting:
            self._make_room(len(begun))
            self._seats |= {session_id: (match, seat) for session_id, seat in begun.items()}
        return {game.seats[seat]: session_id for session_id, seat in begun.items()}

    def reset_game(self, session_id: SessionId, seed: Seed = None) -> str:
        """Begin another game with the same players and options. Returns the first observation."""
        with self._at(session_id) as (match, seat):
            if match.setup.models > 1 and not match.episode.over:
                raise SessionError("other models play this game too; the next one can begin once it is over")
            match.episode = match.setup.episode(seed_or_fresh(seed))
            return match.episode.told(seat)

    def current_player(self, session_id: SessionId) -> int:
        """The number of the seat that is to move; -4 once the game is over."""
        with self._at(session_id) as (match, _):
            seat = match.episode.seat
            return TERMINAL if seat is None else seat

    def legal_actions(self, session_id: SessionId) -> dict[str, str]:
        """What each of your legal moves does, by its notation."""
        with self._at(session_id) as (match, seat):
            return {move.notation: move.words for move in legal_moves(match.episode, seat)}

    def play_action(self, session_id: SessionId, action: Action) -> str:
        """Make a move; the opponents answer. Returns the next observation."""
        with self._at(session_id) as (match, seat):
            episode = match.episode
            legal = legal_moves(episode, seat)
            number = parse_move(episode.game, episode.session.state, str(action), legal)
            episode.answer(f"MOVE: {number}")
            return episode.told(seat)

    def get_return(self, session_id: SessionId) -> float:
        """Your payoff; 0 until the game is over."""
        with self._at(session_id) as (match, seat):
            return match.episode.rewards[seat]

    def get_observation(self, session_id: SessionId) -> str:
        """What has happened since your last move, the position as you see it, and your legal moves."""
        with self._at(session_id) as (match, seat):
            return match.episode.told(seat)

    def get_transcript(self, session_id: SessionId) -> str:
        """The game with all that was hidden, once it is over, as a file for `polytrix replay`."""
        with self._at(session_id) as (match, _):
            if not match.episode.over:
                raise SessionError(
                    "a transcript gives hidden information away; ask for it once the game is over"
                )
            return match.episode.transcript().to_text(Mode.PLAIN)

    @contextmanager
    def _at(self, session_id: str) -> Iterator[tuple[Match, int]]:
        """The match and the seat of a session; other calls wait."""
        found = self._seats.get(session_id)
        if found is None:
            raise SessionError(
                f"unknown session {shown(session_id)}; start_game gives one. Those that nobody has used for "
                f"{IDLE / 60:.0f} minutes make room for new ones."
            )
        match, _ = found
        with match.lock:
            match.used = time.monotonic()
            yield found

    def _make_room(self, count: int) -> None:
        """Drop idle sessions if there are too many for so many new ones."""
        if len(self._seats) + count > MOST_SESSIONS:
            since = time.monotonic() - IDLE
            busy = {key: (match, seat) for key, (match, seat) in self._seats.items() if match.used > since}
            if len(busy) + count > MOST_SESSIONS:
                raise SessionError(
                    f"{len(busy)} sessions are in use; allowed: {MOST_SESSIONS}. Try again later."
                )
            self._seats = busy


def opponents(game: Game) -> list[str]:
    """The agents that a client may name: names, so that no call reads a file, runs code or thinks forever."""
    names = game.listed_policies if game.replaced else names_of(game)  # networks know the shipped data files
    return list(dict.fromkeys([*names, *population(game)]))


def legal_moves(episode: Episode, seat: int) -> list[Move]:
    """The legal moves of a seat; raises SessionError if another one is to move, or none."""
    if episode.over:
        raise SessionError(
            "the game is over; call get_return and get_transcript, or reset_game for another one"
        )
    if episode.seat != seat:
        raise SessionError(f"it is not your turn: {episode.session.seat_name()} is to move")
    return episode.session.moves()


def with_reasons(tool: Callable[P, T]) -> Callable[P, T]:
    """A tool that tells the client why it refuses a call."""

    @wraps(tool)
    def call(*arguments: P.args, **named: P.kwargs) -> T:
        try:
            return tool(*arguments, **named)
        except PolytrixError as error:
            raise ToolError(str(error)) from None

    return call


def server() -> MCPServer[Any]:
    """A server with the tools, and the page of each game as a resource."""
    made = MCPServer[Any]("polytrix", instructions=GUIDE, version=__version__, log_level="WARNING")
    tools = Tools()
    for name in vars(Tools):
        if not name.startswith("_"):
            made.add_tool(with_reasons(getattr(tools, name)))
    for game in all_games():
        uri, title, page = f"polytrix://rules/{game.name}", f"Rules of {game.title}", partial(page_text, game)
        made.add_resource(FunctionResource(uri=uri, name=title, mime_type="text/markdown", fn=page))
    return made


def serve(port: int | None = None, host: str = "127.0.0.1") -> None:
    """Serve a client on standard input and output, or all that come over HTTP.

    Args:
        port: where to listen; None: standard input and output.
        host: address to listen at. Anyone who can reach it can play; it asks for no password.
    """
    if port is None:
        server().run()
    else:
        server().run("streamable-http", host=host, port=port, max_request_body_size=LONGEST_BODY)
