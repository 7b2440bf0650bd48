"""What is dealt anew that a seat cannot know, and not one byte changes of what any outlet sends to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.agents import RandomPolicy, resolve
from polytrix.core.errors import PolytrixError
from polytrix.core.game import Game
from polytrix.core.random import reseed
from polytrix.core.viewers import SPECTATOR
from polytrix.play.log import Log
from polytrix.play.opponents import agent
from polytrix.play.session import Session
from polytrix.replay import data
from polytrix.web import views
from polytrix.web.settings import PERSON, Chair, Settings, new_token
from polytrix.web.store import Store
from polytrix.web.table import Table
from tests import toys
from tests.every_game import every_game
from tests.programs.running import Pipe, greeted
from tests.toys import broken

DECISIONS = 8
Message = dict[str, Any]
Send = Callable[[Session, int], list[Message]]
"""All messages that a viewer of a game may be sent now; "log" is what they tell of the past."""


def twin_of(session: Session, viewer: int, key: int) -> Session:
    """A twin of a game; for spectators it is dealt anew for each seat, one after the other."""
    twin = session.fork()
    reseed(twin.state.generator, np.uint64(key))
    for seat in range(len(session.seats)) if viewer == SPECTATOR else [viewer]:
        twin.game.redeal(twin.state, seat)
    return twin


def at_table(table: Table, session: Session) -> Table:
    """The table with another game in the place of its own."""
    made = copy(table)
    made.session, made.log = session, Log(session)
    return made


def to_pages(game: Game, folder: Path) -> Send:
    """Pages at a table of people."""
    options = game.options.defaults
    chairs = tuple(Chair(PERSON, token=new_token()) for _ in range(game.num_players(options)))
    store = Store(folder / "tables.sqlite")
    table = Table.new(Settings(game.id, options, chairs, new_token()), 1, store)
    store.close()

    def send(session: Session, seat: int) -> list[Message]:
        now, decisions = at_table(table, session), len(session.actions)
        sent = [views.view(now, seat), views.view(now, seat, max(0, decisions - 3))]
        if now.mover == seat:
            sent.append(views.hint(session.fork(), agent("greedy", game)))
        return [*sent, {"log": views.whole_log(now, seat)}]

    return send


def to_programs(game: Game, folder: Path) -> Send:
    """Programs, if they are asked now, and if the game ends now."""

    def send(session: Session, seat: int) -> list[Message]:
        pipe = Pipe()
        program = greeted(session, seat, pipe)
        if session.state.mover == seat:
            program.ask(session.moves())
        program.leave([0.0])
        return [json.loads(line) for line in pipe.lines]

    return send


def to_clients(game: Game, folder: Path) -> Send:
    """Clients of the Model Context Protocol."""
    pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")
    from polytrix.llm.conversation import Conversation
    from polytrix.llm.mcp import Tools

    tools, players = Tools(), game.num_players(game.options.defaults)
    ids = list(tools.start_game(game.name, ["model"] * players, seed=1).values())

    def send(session: Session, seat: int) -> list[Message]:
        episode = tools._seats[ids[seat]][0].episode
        episode.session = session
        episode._models[seat] = Conversation(session, Log(session), seat, episode.prompts)
        told = []
        for tool in ("current_player", "legal_actions", "get_return", "get_observation", "get_transcript"):
            try:
                told.append({tool: getattr(tools, tool)(ids[seat])})
            except PolytrixError as refused:  # noqa: PERF203
                told.append({tool: str(refused)})
        with pytest.raises(PolytrixError) as wrong:
            tools.play_action(ids[seat], "nothing")
        return [*told, {"play_action": str(wrong.value)}]

    return send


def to_replays(game: Game, folder: Path) -> Send:
    """Replays for one seat, with the thoughts of an agent."""
    agents = [resolve("ppo" if polytrix.baselines(game) else "random", game)]

    def send(session: Session, seat: int) -> list[Message]:
        class Again(Session):
            """Played again, it comes to the present of that game, and has its past."""

            def replay(self, actions: Sequence[int]) -> Iterator[int | None]:
                for number, action in enumerate(super().replay(actions)):
                    if number == len(actions):
                        self._states[:], self._decisions[:] = session._states, session._decisions
                    yield action

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(data, "session_of", lambda told: Again(game, told.options, told.seed))
            return [data.replay_of(session.transcript(), agents, seat=seat).to_dict()]

    return send


OUTLETS = {"pages": to_pages, "programs": to_programs, "clients": to_clients, "replays": to_replays}
WITH_LOG = ("pages", "programs")


def without_log(sent: list[Message]) -> list[Message]:
    return [{name: told for name, told in message.items() if name != "log"} for message in sent]


def compared(outlet: str, game: Game, seed: int, folder: Path) -> tuple[int, int]:
    """Play a game; the numbers of twins that hide something else, and of those that look the same later.

    Where there is a log a twin goes on with the same action, if that is legal. When it looks the same then, its
    log must be the same.
    """
    send = OUTLETS[outlet](game, folder)
    session, policy = Session(game, game.options.defaults, seed), RandomPolicy(game)
    hiding = following = 0
    for number in range(DECISIONS):
        if session.over:
            break
        viewers = {number % len(session.seats), int(session.state.mover)}
        viewers |= {SPECTATOR} if outlet == "pages" else set()
        twins = {viewer: twin_of(session, viewer, 100 * number + viewer + 1) for viewer in viewers}
        action = session.choose(policy)
        for viewer, twin in twins.items():
            hiding += twin.state.tobytes() != session.state.tobytes()
            ours, theirs = send(session, viewer), send(twin, viewer)
            assert json.dumps(ours) == json.dumps(theirs), f"decision {number}, viewer {viewer}"
        session.play(action)
        if outlet not in WITH_LOG:
            continue
        for viewer, twin in twins.items():
            if action in twin.legal():
                twin.play(action)
                ours, theirs = send(session, viewer), send(twin, viewer)
                if without_log(ours) == without_log(theirs):
                    following += 1
                    assert ours == theirs, f"after decision {number}, viewer {viewer}"
    return hiding, following


@every_game
@pytest.mark.parametrize("outlet", OUTLETS)
def test_what_is_sent_to_a_seat_depends_on_what_it_knows(outlet: str, game: Game, tmp_path: Path) -> None:
    counts = [compared(outlet, game, seed, tmp_path) for seed in (1, 2)]
    hiding, following = (sum(each) for each in zip(*counts, strict=True))
    assert hiding > 0 or not game.hides or game.name == "pressure_matrix"
    assert following > 0 or outlet not in WITH_LOG


LEAKS: dict[str, dict[str, Any]] = {
    "text": {"text": toys.leaking_text},
    "explain": {"explain": toys.leaking_explain},
    "draw": {"draw": toys.leaking_picture},
    "touch": {"touch": toys.leaking_touch},
    "tell": {"tell": toys.leaking_tell},
    "spectators": {"text": toys.text_leaking_to_spectators, "spectators": True},
}


@pytest.mark.parametrize(
    ("outlet", "leak"),
    [
        *(("pages", leak) for leak in LEAKS),
        *(("programs", leak) for leak in ("text", "explain", "tell")),
        *(("clients", leak) for leak in ("text", "explain")),
        *(("replays", leak) for leak in ("text", "explain", "draw")),
    ],
)
def test_it_would_find_a_leak(outlet: str, leak: str, register: Callable[[Game], Game], tmp_path: Path) -> None:
    game = register(broken(f"to_{outlet}_{leak}", **LEAKS[leak]))
    with pytest.raises(AssertionError, match="decision"):
        compared(outlet, game, 2, tmp_path)


@pytest.mark.parametrize("outlet", OUTLETS)
def test_the_seed_is_not_told_while_the_game_goes_on(outlet: str, tmp_path: Path) -> None:
    game = polytrix.find("resistor")
    session = Session(game, game.options.defaults, 987654321)
    assert "987654321" not in json.dumps(OUTLETS[outlet](game, tmp_path)(session, 0))
