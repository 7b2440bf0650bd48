"""Plays the games of a tournament in blocks, on several threads; can be stopped and continued."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from itertools import combinations, permutations
from queue import SimpleQueue
from threading import Event
from typing import Any

from polytrix.agents import Policy
from polytrix.core.errors import OptionError, PolicyError
from polytrix.core.game import Game

from .contestants import Contestant
from .play import Block, Games, play_tables
from .records import Records

FIRST_SEED = 1 << 40
"""First seed of arena games; the seeds of training games are lower."""

SEEDS_APART = 1 << 22
"""Maximum number of deals: the distance between the first deals of tournaments with consecutive seeds."""

BLOCK = 20
"""Number of deals that are played and saved together."""

LineUp = tuple[str, str]
"""Names of two agents: the first plays one seat, the second all others."""


def first_seed(seed: int, block: Block) -> int:
    """The seed of a block's first deal, in a tournament with this seed; those of the others follow."""
    return FIRST_SEED + SEEDS_APART * seed + block.first


@dataclass(frozen=True)
class Tournament:
    """The settings of a tournament.

    With two players, all agents meet each other. With more, each agent plays one seat among each other agent.
    Every deal is played once with the one agent in each seat. A single agent plays all seats.

    Args:
        game: the game.
        options: values of all its options.
        agents: the agents.
        deals: number of deals of each line-up.
        seed: random seed of deals and agents.
        tables: names of agents each of which plays all other seats in some games; the others sit there, and do
            not meet each other. (): all agents meet each other.
        at_most: number of deals of line-ups that play fewer deals: the first ones.
        behaviour: whether to count how the agents play, in figures of the game.
        keep_moves: whether to keep the moves; then there may be a single agent.

    Raises:
        PolicyError: there are too few agents, or a table is none of them.
        OptionError: deals or seed are out of range.
    """

    game: Game
    options: Mapping[str, Any]
    agents: Sequence[Contestant]
    deals: int
    seed: int = 0
    tables: Sequence[str] = ()
    at_most: Mapping[LineUp, int] = field(default_factory=dict)
    behaviour: bool = False
    keep_moves: bool = False

    def __post_init__(self) -> None:
        if len(self.agents) < 2 and not (self.agents and self.keep_moves):
            raise PolicyError("an arena needs at least two agents")
        if not 1 <= self.deals <= SEEDS_APART:
            raise OptionError(f"deals is {self.deals}; allowed: 1 to {SEEDS_APART}")
        if not 0 <= self.seed < 1 << 40:
            raise OptionError(f"seed is {self.seed}; allowed: 0 to {(1 << 40) - 1}")
        for table in self.tables:
            if table not in self.names:
                raise PolicyError(f"the table is {table!r}; allowed: one of the agents {', '.join(self.names)}")

    @property
    def names(self) -> list[str]:
        """The agents' names, in the order in which they were given."""
        return [agent.name for agent in self.agents]

    @property
    def players(self) -> int:
        """Number of players in a game."""
        return self.game.num_players(self.options)

    @property
    def line_ups(self) -> list[LineUp]:
        """All line-ups."""
        if self.tables:
            alone = [name for name in self.names if name not in self.tables]
            return [(name, table) for table in self.tables for name in alone]
        if len(self.agents) == 1:
            return [(self.names[0], self.names[0])]
        return list((combinations if self.players == 2 else permutations)(self.names, 2))

    @property
    def num_games(self) -> int:
        """Number of games of the tournament."""
        return sum(map(self.games_of, self.blocks()))

    def games_of(self, block: Block) -> int:
        """Number of games of a block."""
        return block.deals * len(block.seating(self.players))

    def deals_of(self, line_up: LineUp) -> int:
        """Number of deals of a line-up."""
        return min(self.deals, self.at_most.get(line_up, self.deals))

    def blocks(self) -> Iterator[Block]:
        """All games, in the order in which they are played: one block of every line-up at a time."""
        marks = {agent.name: agent.mark for agent in self.agents}
        for first in range(0, self.deals, BLOCK):
            for one, rest in self.line_ups:
                deals = min(BLOCK, self.deals_of((one, rest)) - first)
                if deals > 0:
                    yield Block(one, rest, marks[one], marks[rest], first, deals)


class _Stopped(Exception):  # noqa: N818  # no error
    """The tournament was stopped during a block."""


def play_all(
    tournament: Tournament,
    records: Records,
    threads: int = 1,
    tick: Callable[[int], None] = lambda finished: None,
    blocks: Iterable[Block] | None = None,
    enough: Callable[[], bool] = lambda: False,
    begin: Callable[[Block], Future[Games]] | None = None,
) -> None:
    """Play the blocks that are not in the records, and add them. An interruption loses unfinished blocks only.

    Args:
        tournament: the tournament.
        records: finished blocks.
        threads: number of blocks played in parallel, each with its own policies.
        tick: called with numbers of finished games, from any thread.
        blocks: of the tournament; None for all.
        enough: called after each finished block; True ends it all.
        begin: begins to play a block somewhere else, in place of the threads; then all are played.
    """
    todo = [block for block in (tournament.blocks() if blocks is None else blocks) if block not in records]
    needed = {name for block in todo for name in (block.one, block.rest)}
    stop = Event()

    def checked_tick(finished: int) -> None:
        if stop.is_set():
            raise _Stopped
        tick(finished)

    def play(block: Block, policies: Mapping[str, Policy]) -> Games:
        one, rest = policies[block.one], policies[block.rest]
        first, rng = first_seed(tournament.seed, block), block.generator(tournament.seed)
        return play_tables(
            tournament.game, tournament.options, (one, rest), block.seating(tournament.players), first,
            block.deals, rng, checked_tick, tournament.behaviour, tournament.keep_moves,
        )  # fmt: skip

    def policies() -> dict[str, Policy]:
        return {agent.name: agent.make() for agent in tournament.agents if agent.name in needed}

    if begin is not None:
        elsewhere = {begin(block): block for block in todo}
        for done in as_completed(elsewhere):
            records.add(elsewhere[done], done.result())
            tick(tournament.games_of(elsewhere[done]))
        return

    if threads == 1:
        alone = policies() if todo else {}
        for block in todo:
            records.add(block, play(block, alone))
            if enough():
                break
        return

    free: SimpleQueue[dict[str, Policy]] = SimpleQueue()
    for _ in range(threads):
        free.put(policies())

    def borrow(block: Block) -> Games:
        borrowed = free.get()
        try:
            return play(block, borrowed)
        finally:
            free.put(borrowed)

    with ThreadPoolExecutor(threads) as pool:
        running = {pool.submit(borrow, block): block for block in todo}
        try:
            for done in as_completed(running):
                records.add(running[done], done.result())
                if enough():
                    break
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
