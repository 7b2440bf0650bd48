"""Check that no seat is given hidden information."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.game import Game
from polytrix.core.notation import ids_of
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, Record, bytes_of, new_records
from polytrix.core.viewers import SPECTATOR
from polytrix.core.words import listed, moves, seat_text

from .faults import first_fault
from .random_play import play_on

_ACTIONS_TOLD = 4  # so many legal actions of a position at most, spread over all
_OTHER_STREAMS = 1 << 62  # offset of the twins' generator keys, far from those of the games


def check_no_leak(
    game: Game,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    games: int = 6,
    decisions: int = 50,
    pictures: int = 1,
    playouts: int = 3,
    mode: Mode = Mode.COMPILED,
) -> int:
    """Assert that nothing a seat is given depends on information hidden from it.

    Each state of random games gets a twin with another random generator, in which everything hidden
    from the seat is redealt. The seat's observation, mask, list of legal actions, text, words and
    picture must be byte-identical, as must be what spectators see, and what is told of actions that lead
    to the same text; the twin must satisfy the game's invariants and be playable to the end.

    Args:
        game: the game.
        options: values for its options.
        seed: seed of the first game.
        games: number of games played side by side.
        decisions: number of decisions checked in each game.
        pictures: number of games, at most `games`, whose text, words and picture are compared as well, for
            one seat in turn at each decision.
        playouts: how often the twins are played to the end.
        mode: how the rules are run.

    Returns:
        The number of twins that differed from their state: 0 if the game hides nothing. For a game
        with hidden information assert that it is positive, or a `redeal` that does nothing would pass.

    Raises:
        AssertionError: with the seat, the position and the difference.
    """
    sim = Simulator(game, games, options, seed=seed, mode=mode)
    twins = _Twins(sim)
    playout_at = {round(decisions * (i + 1) / (playouts + 1)) for i in range(playouts)}
    differing = 0
    for number in range(decisions):
        where = f"{game.name}, seed {seed}, step {number}"
        twins.deal(key=_OTHER_STREAMS + number * game.max_players * games)
        twins.compare(where)
        twins.check(where, "redealt")
        differing += twins.count_differing()
        shown = number % twins.players
        for row in range(pictures):
            twin = twins.sim.states[shown * games + row]
            at = f"{where}, seat {shown}, row {row}"
            _compare_pictures(game, sim.states[row], twin, shown, at)
            _compare_told(game, sim.states[row], twin, shown, at)
        if number in playout_at:
            twins.play_out(where)
        play_on(sim)
    return differing


class _Twins:
    """For each seat a twin of every game: the twin of game g for seat s is in row s * games + g."""

    def __init__(self, original: Simulator) -> None:
        self.game, self.original, self.games = original.game, original, original.num_envs
        self.players = int(original.num_players[0])
        self.seats = np.arange(self.players).repeat(self.games)
        self.sim = Simulator(self.game, len(self.seats), original.options, mode=original.mode)

    def deal(self, key: int) -> None:
        """Copy the games and redeal in each copy, from another random stream, what is hidden from its seat."""
        self.sim.states[:] = np.tile(self.original.states, self.players)
        self.sim.states["generator"]["key"] = np.arange(len(self.seats), dtype=np.uint64) + np.uint64(key)
        self.sim.states["generator"]["counter"] = 0
        self.sim.redeal(self.seats)

    def place(self, row: int) -> str:
        """Names the seat and the game of a row."""
        return f"seat {row // self.games}, row {row % self.games}"

    def compare(self, where: str) -> None:
        """Assert that movers, observations, masks and lists of legal actions are those of the games."""
        game, original = self.game, self.original
        mover, count = np.tile(original.mover, self.players), np.tile(original.num_legal, self.players)
        for row in np.flatnonzero(mover != self.sim.mover).tolist():
            raise AssertionError(f"{where}, {self.place(row)}: redeal changed the mover")
        views = [original.view(seat) for seat in range(self.players)]
        for what, layout, one, other in zip(
            ("observation", "mask"),
            (game.observations, game.actions),
            (np.concatenate(arrays) for arrays in zip(*views, strict=True)),
            self.sim.view(self.seats),
            strict=True,
        ):
            if one.tobytes() != other.tobytes():
                row, index = (int(i) for i in np.argwhere(one != other)[0])
                block, place = layout.locate(index)
                raise AssertionError(
                    f"{where}, {self.place(row)}: the {what} tells what the seat cannot know: "
                    f"{block.name}{list(place)} is {one[row, index]}, and {other[row, index]} after redeal"
                )
        for row in np.flatnonzero(mover == self.seats).tolist():
            own = original.legal_ids[row % self.games, : count[row]].tolist()
            redealt = self.sim.legal_ids[row, : self.sim.num_legal[row]].tolist()
            assert own == redealt, (
                f"{where}, {self.place(row)}: the legal actions are {own}, and {redealt} after redeal"
            )

    def check(self, where: str, how: str) -> None:
        """Assert that invariants hold, and that legal actions and observations keep their contracts."""
        if found := first_fault(self.game, self.sim.states, self.sim.mode):
            row, fault = found
            raise AssertionError(f"{where}, {self.place(row)}, {how}: {fault}")

    def count_differing(self) -> int:
        """The number of twins in which redeal changed anything but the generator."""
        redealt = self.sim.states.copy()
        redealt["generator"] = np.tile(self.original.states["generator"], self.players)
        same = bytes_of(redealt) == np.tile(bytes_of(self.original.states), (self.players, 1))
        return int(np.count_nonzero(~same.all(axis=1)))

    def play_out(self, where: str) -> None:
        """Assert that the twins can be played to the end."""
        limit = int(self.sim.states["options"]["max_decisions"].max())
        for _ in range(limit + 1):
            rows = np.flatnonzero(~self.sim.over)
            if not len(rows):
                break
            self.sim.step(self.sim.random_actions(rows), rows)
        self.check(where, "played out from a redealt state")
        for row in np.flatnonzero(self.sim.mover != OVER).tolist():
            raise AssertionError(f"{where}, {self.place(row)}: the redealt game does not end")


def _touched(game: Game, s: Record) -> str:
    """The places that each legal action touches."""
    if game.touch is None:
        return ""
    legal = ids_of(game.legal, s, game.max_legal)
    return "\n".join(f"{action}: {' '.join(game.touch(s, action))}" for action in legal)


def _told(game: Game, s: Record, action: int, seat: int) -> tuple[str, list[str]]:
    """The seat's text after a legal action, and what the seat is told of it."""
    states = new_records(1, game.state)
    states[0] = s
    programs(game, Mode.PLAIN).advance(states, np.array([action]))
    tell = game.tell
    return game.text(states[0], seat), [] if tell is None else tell(s, action, states[0], seat)


def _compare_told(game: Game, s: Record, redealt: Record, seat: int, where: str) -> None:
    """Assert that actions that lead to the same text are told in the same words."""
    if game.tell is None or s.mover < 0:
        return
    common = set(ids_of(game.legal, s, game.max_legal)) & set(ids_of(game.legal, redealt, game.max_legal))
    for action in sorted(common)[:: 1 + len(common) // _ACTIONS_TOLD]:
        (text, one), (other_text, other) = (_told(game, world, action, seat) for world in (s, redealt))
        if text == other_text and one != other:
            raise AssertionError(
                f"{where}: what is told of {game.format_action(s, action)} tells what the seat cannot know: "
                f"{one}, and {other} after redeal"
            )


def _compare_pictures(game: Game, s: Record, redealt: Record, seat: int, where: str) -> None:
    pairs = [
        ("text", game.text(s, seat), game.text(redealt, seat)),
        ("text in words", seat_text(game, s, seat), seat_text(game, redealt, seat)),
        ("picture", game.draw(s, seat).svg(), game.draw(redealt, seat).svg()),
    ]
    if s.mover == seat:
        pairs.append(("list of moves", listed(moves(game, s)), listed(moves(game, redealt))))
        pairs.append(("list of places", _touched(game, s), _touched(game, redealt)))
    if game.spectators:  # they know no more than this seat
        pairs += [
            ("text for spectators", game.text(s, SPECTATOR), game.text(redealt, SPECTATOR)),
            ("picture for spectators", game.draw(s, SPECTATOR).svg(), game.draw(redealt, SPECTATOR).svg()),
        ]
    for what, one, other in pairs:
        if one != other:
            at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            start = max(0, at - 30)
            raise AssertionError(
                f"{where}: the {what} tells what the seat cannot know: ...{one[start : at + 30]!r}..., "
                f"and ...{other[start : at + 30]!r}... after redeal"
            )
