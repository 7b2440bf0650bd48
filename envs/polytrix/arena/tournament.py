"""Which games are played, and playing them: block by block, on several threads, resumable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from itertools import combinations, permutations
from queue import SimpleQueue
from threading import Event
from typing import Any

from polytrix.agents import Policy
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game

from .contestants import Contestant
from .play import Block, Games, play_deals
from .records import Records

FIRST_SEED = 1 << 40
"""Arena games have seeds from here on; training draws its own below."""

SEEDS_APART = 1 << 22
"""So many deals can a tournament have before it meets those of the next seed."""

BLOCK = 20
"""Deals that are played and saved together."""

LineUp = tuple[str, str]
"""Names: the first sits in one seat, the second in all others."""


@dataclass(frozen=True)
class Tournament:
    """What is to be played.

    With two players every agent meets every other. With more, every agent sits alone among the seats of
    every other one, both ways. Every deal is played once for each seat of the one agent.

    Args:
        game: the game.
        options: all its options with their values.
        agents: who takes part.
        deals: of each line-up.
        seed: of deals and agents.
        table: name of the agent that has all other seats; nobody else meets. None: all meet all.
        at_most: how many deals line-ups have that are to have fewer; the first ones.

    Raises:
        PolicyError: fewer than two agents, or a table that is none of them.
        ValueError: deals or seed out of range.
    """

    game: Game
    options: Mapping[str, Any]
    agents: Sequence[Contestant]
    deals: int
    seed: int = 0
    table: str | None = None
    at_most: Mapping[LineUp, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.agents) < 2:
            raise PolicyError("an arena needs at least two agents")
        if not 1 <= self.deals <= SEEDS_APART:
            raise ValueError(f"deals is {self.deals}; allowed: 1 to {SEEDS_APART}")
        if not 0 <= self.seed < 1 << 40:
            raise ValueError(f"seed is {self.seed}; allowed: 0 to {(1 << 40) - 1}")
        if self.table is not None and self.table not in self.names:
            raise PolicyError(
                f"the table is {self.table!r}; allowed: one of the agents {', '.join(self.names)}"
            )

    @property
    def names(self) -> list[str]:
        """The agents' names, in the order in which they were given."""
        return [agent.name for agent in self.agents]

    @property
    def players(self) -> int:
        """How many take part in a game."""
        return self.game.num_players(self.options)

    @property
    def line_ups(self) -> list[LineUp]:
        """Who plays whom."""
        if self.table is not None:
            return [(name, self.table) for name in self.names if name != self.table]
        return list((combinations if self.players == 2 else permutations)(self.names, 2))

    @property
    def num_games(self) -> int:
        """Of the whole tournament."""
        return sum(map(self.deals_of, self.line_ups)) * self.players

    def deals_of(self, line_up: LineUp) -> int:
        """How many deals a line-up has."""
        return min(self.deals, self.at_most.get(line_up, self.deals))

    def blocks(self) -> Iterator[Block]:
        """All games in the order in which they are played: every line-up has some before any has more."""
        marks = {agent.name: agent.mark for agent in self.agents}
        for first in range(0, self.deals, BLOCK):
            for one, rest in self.line_ups:
                deals = min(BLOCK, self.deals_of((one, rest)) - first)
                if deals > 0:
                    yield Block(one, rest, marks[one], marks[rest], first, deals)


class _Stopped(Exception):  # noqa: N818  # no error
    """The tournament was stopped while a block was being played."""


def play_all(
    tournament: Tournament,
    records: Records,
    threads: int = 1,
    tick: Callable[[int], None] = lambda finished: None,
) -> None:
    """Play all blocks that the records lack, and add them; an interruption loses unfinished blocks only.

    Args:
        tournament: what to play.
        records: what has been played.
        threads: blocks played at once, each with policies of its own.
        tick: called with numbers of finished games, from any thread.
    """
    todo = [block for block in tournament.blocks() if block not in records]
    stop = Event()

    def checked_tick(finished: int) -> None:
        if stop.is_set():
            raise _Stopped
        tick(finished)

    def play(block: Block, policies: Mapping[str, Policy]) -> Games:
        first_seed = FIRST_SEED + SEEDS_APART * tournament.seed + block.first
        one, rest = policies[block.one], policies[block.rest]
        rng = block.generator(tournament.seed)
        return play_deals(
            tournament.game, tournament.options, one, rest, first_seed, block.deals, rng, checked_tick
        )

    def policies() -> dict[str, Policy]:
        return {agent.name: agent.make() for agent in tournament.agents}

    if threads == 1:
        alone = policies() if todo else {}
        for block in todo:
            records.add(block, play(block, alone))
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
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
