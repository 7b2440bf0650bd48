"""A table: the game that is played there, and who may do what. Changes are kept before they are made."""

from __future__ import annotations

from dataclasses import replace

from polytrix.core.calls import fresh_seed, seed_or_fresh
from polytrix.core.errors import NotationError, PolytrixError
from polytrix.core.transcript import Transcript
from polytrix.play.lessons import Lesson, action_of, lesson_of, steps_made
from polytrix.play.log import Log
from polytrix.play.moves import read_move, why_not
from polytrix.play.session import session_of

from .settings import AGENT, Chair, Settings, new_token
from .store import Kept, Store


class RefusedError(PolytrixError):
    """What somebody asks for is not possible now. Nothing has changed."""


class Table:
    """A table with its game.

    One thread at a time may call.

    Args:
        kept: the table as it is kept.
        store: keeps the changes.

    Attributes:
        id, settings, store: see `Kept`.
        session: the present game; it sees everything.
        version: counts the changes.
        round: counts the games, from 0.
        resigned: the seats that gave up.
        log: what viewers are told about decisions.

    Raises:
        TranscriptError: the game is not installed any more, or its rules have changed.
    """

    def __init__(self, kept: Kept, store: Store) -> None:
        self.id, self.settings, self.store = kept.id, kept.settings, store
        self.version = kept.version
        self._begin(kept)

    def _begin(self, kept: Kept) -> None:
        settings = self.settings
        transcript = Transcript(settings.game, settings.options, kept.seed, kept.actions, settings.data)
        self.round = kept.round
        self.resigned = kept.resigned
        self.session = session_of(transcript)
        for _ in self.session.replay(kept.actions):
            pass
        self.session.taken_back = kept.taken_back
        self.log = Log(self.session)

    @staticmethod
    def new(settings: Settings, seed: int | None, store: Store) -> Table:
        """Set up a table and keep it."""
        kept = Kept(new_token(), settings, 0, 0, seed_or_fresh(seed))
        table = Table(kept, store)
        store.add(kept)
        return table

    # -- questions --------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.session.over or (bool(self.resigned) and len(self.settings.chairs) <= 2)

    @property
    def mover(self) -> int:
        """The seat to move, or -1 if the game is over."""
        return -1 if self.over else int(self.session.state.mover)

    def chair(self, seat: int) -> Chair:
        """Who plays a seat now: an agent plays on for one that gave up."""
        if seat not in self.resigned:
            return self.settings.chairs[seat]
        return Chair(AGENT, "greedy" if self.session.game.greedy is not None else "random")

    @property
    def agent_to_move(self) -> str | None:
        """What the agent to move is called; None if a person is to move, or nobody."""
        if self.mover < 0:
            return None
        chair = self.chair(self.mover)
        return chair.agent if chair.kind == AGENT else None

    @property
    def lesson(self) -> tuple[Lesson, int] | None:
        """The guided game and the steps made; None if there is none, or a move was another one."""
        lesson = lesson_of(self.session.game) if self.settings.guided and self.round == 0 else None
        made = None if lesson is None else steps_made(lesson, self.session)
        return None if lesson is None or made is None else (lesson, made)

    def guided_action(self) -> int | None:
        """The next action of a guided game, whoever is to move; None where nothing is said about it."""
        match self.lesson:
            case lesson, made if made < len(lesson.steps) and not self.over:
                return action_of(lesson.steps[made], self.session)
        return None

    def may_move(self, seat: int) -> bool:
        """Whether a viewer is a person whose turn it is."""
        return seat >= 0 and self.mover == seat and self.chair(seat).kind != AGENT

    def may_take_back(self, seat: int) -> bool:
        """Whether a seat may take back its last decision: it has made one, and nobody else is at the table.

        Once the game is over the seed and all that was hidden are known, so it stays over.
        """
        people = [other for other, chair in enumerate(self.settings.chairs) if chair.kind != AGENT]
        alone = people == [seat] and seat not in self.resigned
        return alone and not self.over and self.session.last_of(seat) is not None

    def may_resign(self, seat: int) -> bool:
        """Whether a seat may give up."""
        return seat >= 0 and not self.over and self.chair(seat).kind != AGENT

    def may_begin(self, seat: int) -> bool:
        """Whether a viewer may begin the next game: one who plays, or who watches agents alone."""
        return self.over and (seat >= 0 or not self.settings.has_people)

    # -- changes ----------------------------------------------------------------------------

    def read(self, seat: int, text: str) -> int:
        """The legal action of a seat that a text names, in notation or by number.

        Raises:
            RefusedError: another seat is to move, or it is not a legal move.
        """
        self._check_turn(seat)
        moves = self.session.moves()
        try:
            return read_move(self.session.game, self.session.state, moves, text)
        except NotationError as error:
            raise RefusedError(why_not(error, moves, text)) from None

    def move(self, seat: int, action: int) -> None:
        """Make a decision.

        Raises:
            RefusedError: another seat is to move, or the action is illegal.
        """
        self._check_turn(seat)
        if action not in self.session.legal():
            raise RefusedError("This move is not legal here. Choose one from the list of moves.")
        self.decide(action)

    def decide(self, action: int) -> None:
        """Make the decision of whoever is to move; the action is legal."""
        self.store.add_move(self._to_keep(), len(self.session.actions), action)
        self.session.play(action)
        self.version += 1

    def take_back(self, seat: int) -> None:
        """Take back a seat's last decision and what followed."""
        number = self.session.last_of(seat)
        if number is None or not self.may_take_back(seat):
            raise RefusedError(
                "Nothing can be taken back: you have made no move yet, the game is over, "
                "or other people are at this table."
            )
        taken_back = self.session.taken_back + len(self.session.actions) - number
        self.store.take_back(self._to_keep(), number, taken_back)
        self.session.back_to(number)
        self.log.forget(number)
        self.version += 1

    def resign(self, seat: int) -> None:
        """Give up: the game of two is over, in a larger one an agent plays on."""
        if not self.may_resign(seat):
            raise RefusedError("You cannot resign: the game is over, or you do not play.")
        resigned = (*self.resigned, seat)
        self.store.resign(self._to_keep(), resigned)
        self.resigned = resigned
        self.version += 1

    def begin_next(self, seat: int) -> None:
        """Begin the next game with the same players."""
        if not self.may_begin(seat):
            raise RefusedError("The next game can be begun by its players once this one is over.")
        seed = fresh_seed()
        kept = self._to_keep()
        self.store.begin(kept, seed)
        self.version += 1
        self._begin(replace(kept, round=kept.round + 1, seed=seed))

    def _check_turn(self, seat: int) -> None:
        if self.over:
            raise RefusedError("The game is over. Begin a new one.")
        if seat < 0:
            raise RefusedError("You are watching: this link has no seat at the table.")
        if not self.may_move(seat):
            raise RefusedError(f"It is not your turn: {self.session.seat_name()} is to move.")

    def _to_keep(self) -> Kept:
        """The table without its decisions."""
        return Kept(self.id, self.settings, self.version, self.round, self.session.seed)
