"""Language models and programs in a tournament: their games are played by text, many side by side.

All other games are played as in every arena; the ratings are of all games together.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.agents import Policy
from polytrix.agents.resolve import PROCESS
from polytrix.arena import Contestant, Tournament
from polytrix.arena.contestants import split_name
from polytrix.arena.play import Block, Counts, Games, of_both_sides
from polytrix.arena.records import Records
from polytrix.arena.tournament import first_seed
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import ClosedError, PolicyError
from polytrix.core.files import write_json
from polytrix.core.transcript import Transcript
from polytrix.programs import ProgramPolicy
from polytrix.replay.chats import KEY

from .conversation import without_system_role
from .episode import MODEL, Episode, Failure
from .games import KeptAnswers, figures_of, game_record, read
from .models import Model, Reply
from .prompts import Message, Prompts

LONGEST_NAMES = 180
"""Bytes of agents' names in the name of a file, which has at most 255. The name of a program is its command."""


@dataclass(frozen=True)
class Terms:
    """What holds for every model: the same for all, so that they can be compared.

    Args:
        prompts: how they are asked.
        attempts: number of answers to one question before it counts as failed.
        failure: what follows then: "forfeit" or "random".
        system_role: whether the task is a message of the role "system"; otherwise it is the beginning of the
            first question, for models that know no such role.
    """

    prompts: Prompts = field(default_factory=Prompts)
    attempts: int = 3
    failure: Failure = "forfeit"
    system_role: bool = True

    @property
    def mark(self) -> str:
        """All of it, as text."""
        return json.dumps(asdict(self), sort_keys=True)

    def chat(self, messages: Sequence[Message]) -> Sequence[Message]:
        """The messages of a game as models are sent them."""
        return messages if self.system_role else without_system_role(messages)


def language_model(name: str, model: Model, terms: Terms) -> Contestant:
    """A model as an agent of a tournament."""

    def make() -> Policy:
        raise PolicyError(f"{name} is a language model, which plays by text only")

    return Contestant(name, f"{model.mark} {terms.mark}", make)


@dataclass(frozen=True)
class Seating:
    """A game of a block: a deal, with `one` in the seat `rotation`.

    Attributes:
        deal: number in the block, from 0 on.
    """

    block: Block
    deal: int
    rotation: int

    @property
    def file_name(self) -> str:
        """Of the finished game; agents with another mark have other files."""
        block = self.block
        mark = hashlib.sha256(f"{block.one_mark}\n{block.rest_mark}".encode()).hexdigest()[:8]
        names = "_".join(re.sub(r"[^\w.=,-]+", "-", name) for name in (block.one, block.rest))
        names = names.encode()[:LONGEST_NAMES].decode(errors="ignore")
        return f"{names}_{mark}_deal{block.first + self.deal:04d}_seat{self.rotation}.json"


class Evaluation:
    """The games of a tournament in which language models or programs play.

    Args:
        tournament: its models are contestants made by `language_model`.
        models: by name.
        terms: the terms of `language_model`.
        folder: for finished games, and the answers of games that go on; None: nothing is kept.
        concurrency: number of games that are played side by side.

    Attributes:
        names: of the models and the programs.
    """

    def __init__(
        self,
        tournament: Tournament,
        models: Mapping[str, Model],
        terms: Terms,
        folder: Path | None = None,
        concurrency: int = 8,
    ) -> None:
        self.tournament, self.models, self.terms = tournament, models, terms
        self.folder, self.concurrency = folder, concurrency
        self.names = [
            agent.name
            for agent in tournament.agents
            if agent.name in models or split_name(agent.spec)[1].startswith(PROCESS)
        ]
        self.blocks = [block for block in tournament.blocks() if {block.one, block.rest} & {*self.names}]
        self._makers = {agent.name: agent.make for agent in tournament.agents}
        self._own = threading.local()  # each thread's policies
        self._stop = threading.Event()
        self._games: dict[Seating, dict[str, Any]] = {}

    def seatings(self, block: Block) -> list[Seating]:
        """The games of a block."""
        seats = range(self.tournament.players)
        return [Seating(block, deal, seat) for deal in range(block.deals) for seat in seats]

    def play(
        self,
        records: Records,
        tick: Callable[[int], None] = lambda finished: None,
        waiting: Callable[[], None] = lambda: None,
    ) -> None:
        """Play all games that are not finished, and add their blocks to the records.

        An interruption waits for the answers that are under way, so that they are kept.

        Args:
            records: of the tournament.
            tick: called with numbers of finished games.
            waiting: called if it is interrupted, before it waits.

        Raises:
            ModelError: a model cannot be asked; all answers up to now are kept.
            KeptError: a file of a game is damaged.
        """
        if self.folder is not None and self.blocks:
            self.folder.mkdir(parents=True, exist_ok=True)
        todo = [each for block in self.blocks for each in self.seatings(block) if self._wants(each, records)]
        left = {block: len(self.seatings(block)) for block in self.blocks if block not in records}
        self._stop.clear()
        with ThreadPoolExecutor(self.concurrency) as pool:
            try:
                running = {pool.submit(self._game, each): each for each in todo}
                for done in as_completed(running):
                    seating = running[done]
                    if isinstance(done.exception(), ClosedError):
                        continue  # because of a failure, which comes too
                    self._games[seating] = done.result()
                    if seating.block in left:
                        tick(1)
                        left[seating.block] -= 1
                        if not left[seating.block]:
                            records.add(seating.block, self._results(seating.block))
            except BaseException:
                self._stop.set()
                waiting()
                pool.shutdown(cancel_futures=True)
                raise

    @property
    def games(self) -> list[dict[str, Any]]:
        """All finished games, see `game_record`."""
        order = (each for block in self.blocks for each in self.seatings(block))
        return [self._games[each] for each in order if each in self._games]

    def figures(self) -> dict[str, dict[str, Any]]:
        """What each model has done and what it took, for JSON; see `figures_of`."""
        return {name: figures_of(name, self.games) for name in self.names}

    def _wants(self, seating: Seating, records: Records) -> bool:
        """Whether a game is to be played, or to be read for the figures."""
        path = self._path(seating)
        return seating.block not in records or (path is not None and path.exists())

    def _path(self, seating: Seating) -> Path | None:
        return None if self.folder is None else self.folder / seating.file_name

    def _results(self, block: Block) -> Games:
        """The results of a block whose games are all there."""
        players = self.tournament.players
        games = [self._games[each] for each in self.seatings(block)]
        payoffs = np.array([game[KEY]["rewards"] for game in games], np.float32)
        return Games(
            payoffs.reshape(block.deals, players, players),
            sum(game[KEY]["truncated"] for game in games),
            sum(len(game["actions"]) for game in games),
            self._behaviour(block, games) if self.tournament.behaviour else {},
        )

    def _behaviour(self, block: Block, games: Sequence[Mapping[str, Any]]) -> Counts:
        """How the seats of a block's games have played."""
        seatings = self.seatings(block)
        counts = [
            replace(self._beginning(each), actions=tuple(one["actions"])).behaviour(Mode.PLAIN)
            for each, one in zip(seatings, games, strict=True)
        ]
        own = np.eye(self.tournament.players, dtype=np.bool_)[[each.rotation for each in seatings]]
        return of_both_sides(self.tournament.game.behaviour, np.stack(counts), own)

    def _beginning(self, seating: Seating) -> Transcript:
        """A game before its first decision."""
        game, options = self.tournament.game, self.tournament.options
        seed = first_seed(self.tournament.seed, seating.block) + seating.deal
        return Transcript(game.id, options, seed, (), game.replaced)

    def _policy(self, name: str) -> Policy:
        """This thread's policy of an agent."""
        policies: dict[str, Policy] = self._own.__dict__.setdefault("policies", {})
        if name not in policies:
            policies[name] = policy = self._makers[name]()
            if isinstance(policy, ProgramPolicy):
                policy.stop = self._stop
        return policies[name]

    def _ask(self, name: str, messages: Sequence[Message]) -> Reply:
        """A model's reply. If there is none, no game asks any more."""
        try:
            return self.models[name](messages)
        except BaseException:
            self._stop.set()
            raise

    def _game(self, seating: Seating) -> dict[str, Any]:
        """The finished game, read or played."""
        path = self._path(seating)
        tournament, terms, beginning = self.tournament, self.terms, self._beginning(seating)
        if path is not None and path.exists():
            return read(path, beginning)
        players = range(tournament.players)
        names = [seating.block.one if seat == seating.rotation else seating.block.rest for seat in players]
        episode = Episode(
            tournament.game,
            [MODEL if name in self.models else self._policy(name) for name in names],
            options=tournament.options,
            seed=beginning.seed,
            prompts=terms.prompts,
            attempts=terms.attempts,
            failure=terms.failure,
        )
        kept = KeptAnswers(None if path is None else path.with_suffix(".answers.jsonl"))
        while (seat := episode.seat) is not None:
            number, messages = len(episode.session.actions), terms.chat(episode.messages())
            reply = kept.find(number, seat, messages)
            if reply is None:
                if self._stop.is_set():
                    raise ClosedError("the evaluation was stopped")
                reply = self._ask(names[seat], messages)
                kept.add(number, seat, messages, reply)
            episode.answer(reply.text, reply.cut)
        game = game_record(episode, names, kept.replies())
        if path is not None:
            write_json(path, game)
            kept.drop()
        return game
