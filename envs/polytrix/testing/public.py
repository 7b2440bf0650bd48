"""Check that observations show all public information."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from polytrix.core.bounds import check_numbers, entries_of
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import SnapshotError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.snapshot import Copies
from polytrix.core.state import CHANCE, OVER, Entry, Seen, bytes_of

from .faults import first_fault
from .random_play import play_on

_TRIES = 4  # changes to each game at each step


def check_public(
    game: Game,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    games: int = 8,
    decisions: int = 60,
    mode: Mode = Mode.COMPILED,
) -> dict[str, int]:
    """Assert that states with different values of a field visible to a seat have different observations.

    The counterpart of `check_no_leak`. The state's fields declare what is public, see `core/state.py`.
    The check compares all positions of random games, all positions one decision away from them, and
    copies of them with one public number changed, if the changed state is playable.

    Args:
        game: the game.
        options: values for its options.
        seed: seed of the first game.
        games: number of games played side by side.
        decisions: number of decisions checked in each game.
        mode: how the rules are run.

    Returns:
        How often each public field was changed in a copy. It is 0 for fields that cannot change alone
        because others are redundant with them; these are compared between positions of games only.

    Raises:
        AssertionError: with the position, the seat, and the field that it does not see.
    """
    look = _Look(game, options, games, seed, mode)
    for number in range(decisions):
        where = f"{game.name}, {dict(options or {})}, seed {seed}, step {number}"
        look.compare(look.sim, np.arange(games), where)
        look.compare_next(number % games, where)
        look.change(where)
        play_on(look.sim)
    return {name: look.changed[name] for name in look.names}


class _Look:
    """The games, and the observations met in them so far."""

    def __init__(
        self, game: Game, options: Mapping[str, Any] | None, games: int, seed: int, mode: Mode
    ) -> None:
        self.game, self.mode = game, mode
        self.sim = Simulator(game, games, options, seed=seed, mode=mode)
        self.next = Simulator(game, game.max_legal, options, seed=seed, mode=mode)
        self.twin = Simulator(game, 1, options, seed=seed, mode=mode)
        self.rng = np.random.default_rng(seed)
        self.public = [entry for entry in entries_of(game) if entry.seen is not Seen.IN_PART]
        self.names = list(dict.fromkeys(entry.field for entry in self.public))
        self.changed: Counter[str] = Counter()
        self.seats = range(int(self.sim.num_players[0]))
        self.places = [self.places_of(seat) for seat in self.seats]
        self.met: dict[tuple[int, bytes], npt.NDArray[Any]] = {}

    def seen_by(self, seat: int) -> list[Entry]:
        """The entries that the seat sees in full."""
        return [entry for entry in self.public if entry.seen is Seen.PUBLIC or entry.owner == seat]

    def places_of(self, seat: int) -> npt.NDArray[np.int64]:
        """The byte offsets, within a state, of the entries that the seat sees in full."""
        return np.concatenate(
            [entry.offset + np.arange(entry.type.itemsize) for entry in self.seen_by(seat)] or [np.arange(0)]
        )

    def compare(self, sim: Simulator, rows: npt.NDArray[Any], where: str) -> None:
        """Assert that positions with equal observations have equal public numbers."""
        states = sim.states[rows]
        for seat in self.seats:
            numbers = bytes_of(states)[:, self.places[seat]]
            for row, observation in enumerate(sim.view(seat, rows)[0]):
                before = self.met.setdefault((seat, observation.tobytes()), numbers[row])
                if not np.array_equal(before, numbers[row]):
                    raise AssertionError(f"{where}: {self.difference(seat, before, states[[row]])}")

    def difference(self, seat: int, before: npt.NDArray[Any], state: npt.NDArray[Any]) -> str:
        """Describe the first number of a state (1,) that differs from the bytes met before."""
        other = state.copy()
        bytes_of(other)[0, self.places[seat]] = before
        for entry in self.seen_by(seat):
            was, now = int(entry.of(other)[0]), int(entry.of(state)[0])
            if was != now:
                return _unseen(seat, entry, was, now)
        raise AssertionError("they are the same")

    def compare_next(self, row: int, where: str) -> None:
        """Compare the positions after each legal action of a game."""
        count = int(self.sim.num_legal[row])
        if not count:
            return
        rows = np.arange(count)
        one = self.sim.copies([row])
        self.next.put(Copies(one.states.repeat(count), one.generators.repeat(count)), rows)
        self.next.step(self.sim.legal_ids[row, :count].astype(np.int64), rows)
        self.compare(self.next, rows, f"{where}, one decision later")

    def change(self, where: str) -> None:
        """Change one public number in copies of the games; every seat that sees it must see the change.

        Truncated games are left out: they keep what was pending, and nobody decides in them any more.
        """
        for row in np.flatnonzero(~self.sim.truncated).tolist() * _TRIES:
            entry = self.public[self.rng.integers(len(self.public))]
            self.twin.put(self.sim.copies([row]))
            column = entry.of(self.twin.states)
            before = int(column[0])
            column[0] = self.other_value(entry, before)
            try:
                check_numbers(self.game, self.twin.states)
            except SnapshotError:
                continue
            if first_fault(self.game, self.twin.states, self.mode):
                continue
            self.changed[entry.field] += int(column[0] != before)
            seats = range(int(self.sim.num_players[row])) if entry.seen is Seen.PUBLIC else [entry.owner]
            for seat in seats if column[0] != before else []:
                one, other = self.sim.view(seat, [row])[0], self.twin.view(seat)[0]
                unseen = _unseen(seat, entry, before, int(column[0]))
                assert one.tobytes() != other.tobytes(), f"{where}, row {row}: {unseen}"

    def other_value(self, entry: Entry, value: int) -> int:
        """A neighbour of the value, the value with one bit flipped, another game's value, or a random one."""
        kind = self.rng.integers(4)
        if kind == 0:
            other = value + int(self.rng.choice([-1, 1]))
        elif kind == 1:
            other = value ^ 1 << int(self.rng.integers(max(1, entry.high.bit_length())))
        elif kind == 2:
            other = int(entry.of(self.sim.states)[self.rng.integers(self.sim.num_envs)])
        else:
            other = int(self.rng.integers(entry.low, entry.high, endpoint=True, dtype=entry.type))
        return min(max(other, entry.low), entry.high)


def _unseen(seat: int, entry: Entry, one: int, other: int) -> str:
    """Say that a seat does not see which of two values a public number has."""
    names = {OVER: "OVER", CHANCE: "CHANCE"} if entry.field == "mover" else {}
    values = [f"{value} ({names[value]})" if value in names else f"{value}" for value in (one, other)]
    return f"seat {seat} sees the same whether {entry.name} is {' or '.join(values)}"
