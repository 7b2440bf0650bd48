"""A game in replayable form: id, options, replaced data, seed and actions.

Chance is drawn from the seed, so a transcript need not store its outcomes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from .calls import check_seed
from .catalogue import UnknownGameError, find_exactly
from .compile.compiler import Mode
from .errors import DataError, IllegalActionError, NotationError, OptionError, TranscriptError
from .files import write_text
from .game import Game
from .loaded import as_begun_here
from .options import Value
from .policy import Policy
from .simulator import Simulator
from .state import OVER, IntArray, Record
from .version import __version__

FORMAT = "polytrix transcript 1"


@dataclass(frozen=True)
class Transcript:
    """One game from its beginning, finished or not.

    Args:
        game: the environment id of a registered game.
        options: the values of all options.
        seed: the seed of the game.
        actions: the actions of the seats, in order.
        data: the contents of the replaced data files, by name.

    >>> from polytrix.core.transcript import Transcript, play
    >>> import polytrix
    >>> played = play(polytrix.find("quatrix"), {"max_decisions": 5}, seed=3)
    >>> len(played.actions), played.payoffs()
    (5, (0.0, 0.0))
    >>> Transcript.from_text(played.to_text()) == played
    True
    """

    game: str
    options: Mapping[str, Value]
    seed: int
    actions: tuple[int, ...] = field(default=())
    data: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Transcript({self.game}, seed={self.seed}, {len(self.actions)} actions)"

    @classmethod
    def of(cls, sim: Simulator, row: int = 0) -> Transcript:
        """The game so far in a row of a simulator that keeps actions. Plays it again in plain Python.

        Raises:
            TranscriptError: the game was not played there from its beginning: it was loaded, or its state was
                changed from outside.
        """
        state, options = sim.states[row : row + 1], sim.options_of(row)
        seed, actions = int(state[0].generator.key), sim.played[row, : state[0].decisions].tolist()
        again = Simulator(sim.game, 1, options, seed=seed, mode=Mode.PLAIN)
        for action in actions:
            if again.mask[0, action]:
                again.step([action])
        if again.states.tobytes() != as_begun_here(state).tobytes():
            raise TranscriptError(
                "this game was not played here from its beginning, so there is no transcript of it: it was "
                "loaded, or its state was changed from outside"
            )
        return cls(sim.game.id, options, seed, tuple(actions), sim.game.replaced)

    # -- replaying --------------------------------------------------------------------------

    def description(self) -> Game:
        """The game, with its data; TranscriptError if none is registered under exactly that id."""
        for name, content in self.data.items():
            if not isinstance(content, (dict, list)):
                raise TranscriptError(
                    f"data file {name!r} is {content!r}; expected its content, a dict or a list"
                )
        try:
            game = find_exactly(self.game, self.data)
        except UnknownGameError as error:
            raise TranscriptError(f"the transcript is for an unknown game. {error}") from None
        except DataError as error:
            raise TranscriptError(f"the transcript's data do not fit {self.game}: {error}") from None
        if game.id != self.game:
            raise TranscriptError(f"the transcript is of {self.game}; installed is {game.id}")
        return game

    def simulators(self, mode: Mode = Mode.COMPILED) -> Iterator[Simulator]:
        """Yield one simulator of the game, before each decision and once more after the last.

        It is the same object each time: copy what you keep.

        Raises:
            TranscriptError: for options that the game lacks and actions that are illegal.
        """
        game = self.description()
        try:
            sim = Simulator(game, 1, self.options, seed=self.seed, mode=mode)
        except (OptionError, ValueError) as error:  # ValueError: the seed
            raise TranscriptError(f"the transcript does not fit {self.game}: {error}") from None
        for number, action in enumerate(self.actions):
            if sim.over[0]:
                raise TranscriptError(f"the game is over after {number} of {len(self.actions)} moves")
            if action not in sim.legal_ids[0, : sim.num_legal[0]].tolist():
                raise TranscriptError(f"move {number} does not replay: action {action} is not legal there")
            yield sim
            sim.step([action])
        yield sim

    def replay(self, mode: Mode = Mode.COMPILED) -> Simulator:
        """A simulator of the game after its last move; raises like `simulators`."""
        for sim in self.simulators(mode):
            last = sim
        return last

    def positions(self, mode: Mode = Mode.COMPILED) -> Iterator[Record]:
        """Yield a copy of the state before each decision and after the last; raises like `simulators`."""
        for sim in self.simulators(mode):
            yield sim.states[0].copy()

    def notation(self, mode: Mode = Mode.COMPILED) -> list[str]:
        """The moves in the game's notation; raises like `simulators`."""
        return self._moves_and_payoffs(mode)[0]

    def payoffs(self, mode: Mode = Mode.COMPILED) -> tuple[float, ...] | None:
        """The payoff of each player; None if the game is not over. Raises like `simulators`."""
        return payoffs(self.replay(mode))

    def behaviour(self, mode: Mode = Mode.COMPILED) -> IntArray:
        """What is counted of each seat's play, (seats, size of `Game.behaviour`); raises like `positions`."""
        game = self.description()
        counts = np.zeros((game.num_players(self.options), game.behaviour.size), np.int64)
        for (before, s), action in zip(pairwise(self.positions(mode)), self.actions, strict=True):
            game.tally(before, action, s, counts)
        return counts

    def _moves_and_payoffs(self, mode: Mode) -> tuple[list[str], tuple[float, ...] | None]:
        moves = []
        for sim, action in zip_longest(self.simulators(mode), self.actions):
            if action is not None:
                moves.append(sim.game.format_action(sim.states[0], action))
        return moves, payoffs(sim)

    # -- files ------------------------------------------------------------------------------

    def to_text(self, mode: Mode = Mode.COMPILED) -> str:
        """The transcript as JSON, with moves in notation and payoffs, for readers and as a check."""
        moves, paid = self._moves_and_payoffs(mode)
        content = {
            "format": FORMAT,
            "polytrix": __version__,
            "game": self.game,
            "options": dict(self.options),
            **({"data": dict(self.data)} if self.data else {}),
            "seed": self.seed,
            "moves": moves,
            "actions": list(self.actions),
            "payoffs": paid,
        }
        numbers = np.generic.item  # of NumPy, which JSON does not know
        lines = (f"  {json.dumps(key)}: {json.dumps(value, default=numbers)}" for key, value in content.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @staticmethod
    def from_text(text: str, mode: Mode = Mode.COMPILED) -> Transcript:
        """Parse what `to_text` wrote, replay it and check its moves and payoffs.

        `actions` or `moves` may be missing, and so may `payoffs`, so that people can write one by hand.

        Raises:
            TranscriptError: for text that is not a transcript, and for moves or payoffs that do not replay.
        """
        content = _parse(text)
        given = Transcript(content["game"], content["options"], content["seed"], (), content.get("data", {}))
        game = given.description()
        try:
            options = game.options.validate(given.options)
        except OptionError as error:
            raise TranscriptError(f"the transcript does not fit {game.id}: {error}") from None
        bare = replace(given, options=options, data=game.replaced)
        written = content.get("moves", [])
        actions = content["actions"] if "actions" in content else _actions_of(bare, written, mode)
        transcript = replace(bare, actions=tuple(actions))
        moves, reached = transcript._moves_and_payoffs(mode)
        if {"actions", "moves"} <= content.keys() and written != moves:
            raise TranscriptError(_first_difference(written, moves))
        if "payoffs" in content and content["payoffs"] != (None if reached is None else list(reached)):
            raise TranscriptError(f"the moves lead to payoffs {reached}; the file says {content['payoffs']}")
        return transcript

    def save(self, path: str | os.PathLike[str], mode: Mode = Mode.COMPILED) -> None:
        """Write `to_text` to a file, which stays as it was if that fails (OSError)."""
        write_text(path, self.to_text(mode))

    @staticmethod
    def load(path: str | os.PathLike[str], mode: Mode = Mode.COMPILED) -> Transcript:
        """Read a file that `save` wrote; raises like `from_text`, naming the file."""
        with text_in(path) as text:
            return Transcript.from_text(text, mode)


@contextmanager
def text_in(path: str | os.PathLike[str]) -> Iterator[str]:
    """The text of a file; a TranscriptError about it names the file."""
    try:
        yield Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise TranscriptError(f"{os.fspath(path)} is not a text file") from None
    except TranscriptError as error:
        raise TranscriptError(f"{os.fspath(path)}: {error}") from None


def payoffs(sim: Simulator, row: int = 0) -> tuple[float, ...] | None:
    """The payoff of each player in one row of a simulator; None if that game is not over."""
    if sim.mover[row] != OVER:
        return None
    return tuple(float(x) for x in sim.reward[row, : sim.num_players[row]])


def play(
    game: Game,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    policies: Sequence[Policy | None] | None = None,
    decisions: int | None = None,
    mode: Mode = Mode.COMPILED,
) -> Transcript:
    """Play one game and return its transcript.

    Args:
        game: a registered game.
        options: values of its options; the others keep their defaults.
        seed: for the game and for the policies' choices.
        policies: one per player; None instead of one (or of all) plays at random.
        decisions: stop after this many decisions; None plays to the end.
        mode: how the rules run.
    """
    sim = Simulator(game, 1, options, seed=seed, mode=mode)
    players = int(sim.num_players[0])
    by_seat = list(policies) if policies is not None else [None] * players
    if len(by_seat) != players:
        raise ValueError(f"{len(by_seat)} policies given; this game of {game.name} has {players} players")
    rng = np.random.default_rng(seed)
    actions: list[int] = []
    while not sim.over[0] and (decisions is None or len(actions) < decisions):
        policy = by_seat[sim.mover[0]]
        chosen = (
            sim.random_actions() if policy is None else policy(sim.observation.copy(), sim.mask.copy(), rng)
        )
        sim.step(chosen)
        actions.append(int(chosen[0]))
    return Transcript(game.id, sim.options, seed, tuple(actions), game.replaced)


def _parse(text: str) -> dict[str, Any]:
    """The fields of a transcript, with their types checked."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise TranscriptError(f"this is not a polytrix game file: it is not JSON ({where})") from None
    except (ValueError, RecursionError):  # too many digits, or too deep
        raise TranscriptError("this is not a polytrix game file: its JSON cannot be read") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise TranscriptError(f'this is not a polytrix game file: it lacks "format": {FORMAT!r}')
    wanted: dict[str, type] = {"game": str, "options": dict, "seed": int}
    optional: dict[str, type] = {"data": dict, "moves": list, "actions": list}
    for name, kind in (wanted | optional).items():
        if name not in content and name in wanted:
            raise TranscriptError(f"the transcript has no {name!r}")
        if name in content and type(content[name]) is not kind:
            raise TranscriptError(f"{name!r} is {content[name]!r}; expected a JSON {kind.__name__}")
    for name, kind in (("moves", str), ("actions", int)):
        for item in content.get(name, []):
            if type(item) is not kind:
                raise TranscriptError(f"{name!r} holds {item!r}; expected a {kind.__name__}")
    try:
        check_seed(content["seed"])
    except ValueError as error:
        raise TranscriptError(str(error)) from None
    return content


def _actions_of(start: Transcript, moves: Sequence[str], mode: Mode) -> list[int]:
    """Parse the moves, in notation, one after the other."""
    game = start.description()
    sim = start.replay(mode)
    actions: list[int] = []
    for number, move in enumerate(moves):
        if sim.over[0]:
            raise TranscriptError(f"the game is over after {number} of {len(moves)} moves")
        try:
            actions.append(game.parse_action(sim.states[0], move))
            sim.step([actions[-1]])
        except (NotationError, IllegalActionError) as error:
            raise TranscriptError(f"move {number} does not replay: {error}") from None
    return actions


def _first_difference(written: Sequence[str], replayed: Sequence[str]) -> str:
    if len(written) != len(replayed):
        return f"the transcript has {len(written)} moves, but {len(replayed)} actions"
    number = next(i for i, pair in enumerate(zip(written, replayed, strict=True)) if pair[0] != pair[1])
    return f"move {number} is written {written[number]!r}, but its action is {replayed[number]!r}"
