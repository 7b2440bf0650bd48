"""Check that no seat is given hidden information."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from polytrix.core.bounds import entries_of
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.random import draw
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER, Record, RecordArray, Seen, bytes_of
from polytrix.core.viewers import SPECTATOR
from polytrix.core.words import listed, moves, seat_text
from polytrix.play.known import events, following, notation, visible_notation

from .faults import first_fault
from .perft import position
from .random_play import play_on

_EVENTS = 4  # so many actions or outcomes of a position at most, spread over all, are compared in logs
_STEPS = 12  # so many chance outcomes between two decisions at most, spread over all
_OTHER_STREAMS = 1 << 62  # offset of the twins' generator keys, far from those of the games


def check_no_leak(
    game: Game,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    games: int = 64,
    decisions: int = 60,
    playouts: int = 3,
    mode: Mode = Mode.COMPILED,
) -> int:
    """Assert that nothing a seat is given depends on information hidden from it.

    Each state of random games gets a twin with another random generator, in which everything hidden
    from the seat is redealt. The seat's observation, mask, list of legal actions, text, words and
    picture must be byte-identical, as must be what spectators see; the twin must satisfy the game's
    invariants and be playable to the end. What `tell` and `secret` let a log say of actions and of chance,
    from the opening on, must not depend on hidden information. Text, words, picture and log are compared in the
    first game, for one seat in turn at each decision.

    Args:
        game: the game.
        options: values for its options.
        seed: seed of the first game.
        games: number of games played side by side.
        decisions: number of decisions checked in each game.
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
    opening = position(game, options, None, 0, mode)
    opening["generator"]["key"] = seed
    _compare_log(game, opening, -1, range(twins.players), f"{game.name}, seed {seed}, opening")
    for number in range(decisions):
        where = f"{game.name}, seed {seed}, step {number}"
        twins.deal(key=_OTHER_STREAMS + number * game.max_players * games)
        twins.compare(where)
        twins.check(where, "redealt")
        differing += twins.count_differing()
        shown = number % twins.players
        twin = twins.sim.states[shown * games]
        _compare_pictures(game, sim.states[0], twin, shown, f"{where}, seat {shown}, row 0")
        if number in playout_at:
            twins.play_out(where)
        before, action = sim.states[:1].copy(), int(play_on(sim)[0])
        if action >= 0:
            _compare_log(game, before, action, [shown], f"{where}, row 0")
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


@cache
def visible_bytes(game: Game, viewer: int) -> npt.NDArray[np.int64]:
    """The places, in a record, of the bytes of all fields that are declared as visible to the seat."""
    return np.array(
        [
            at
            for entry in entries_of(game)
            if entry.seen is Seen.PUBLIC or (entry.seen is Seen.PRIVATE and entry.owner == viewer)
            for at in range(entry.offset, entry.offset + entry.type.itemsize)
        ],
        np.int64,
    )


def _touched_places(game: Game, s: Record) -> str:
    """The places that each legal action touches, and what it puts on the last one."""
    if game.touch is None:
        return ""
    lines = []
    for action in game.legal_ids(s):
        ghost = game.ghost and game.ghost(s, action)
        lines.append(f"{action}: {' '.join(game.touch(s, action))} {ghost and ghost.svg()}")
    return "\n".join(lines)


class _Told(NamedTuple):
    """What a seat sees once an event in a world has happened, and all chance after it, and what it is told."""

    event: int
    world: int
    after: bytes
    seen: tuple[bytes, ...]
    name: tuple[str, ...]
    lines: list[str]


def _told(game: Game, s: Record, world: int, happened: list[int], seat: int) -> _Told:
    after = following(game, s, happened)
    observation = np.zeros(game.observations.size, np.int8)
    game.observe(after[0], seat, observation)
    fields = bytes_of(after)[0, visible_bytes(game, seat)]
    seen = observation.tobytes(), fields.tobytes(), game.text(after[0], seat).encode()
    name = () if game.secret is None else visible_notation(game, [(s, happened[0])], seat)
    lines = [] if game.tell is None else game.tell(s, happened[0], following(game, s, happened[:1])[0], seat)
    return _Told(happened[0], world, after.tobytes(), seen, name, lines)


def _compare_told(game: Game, s: Record, redealt: Record, later: list[int], seat: int, where: str) -> None:
    """Assert that what a seat is told of an event does not depend on information hidden from it.

    If it sees the same after both, the same event in two worlds must be told alike. In one world two events
    must be: either may have happened, unless both lead to one state or the seat chose.
    """
    common = sorted(set(events(game, s)) & set(events(game, redealt)))
    some = common[:: 1 + len(common) // _EVENTS]
    found = [
        _told(game, world, i, [event, *later], seat) for event in some for i, world in enumerate((s, redealt))
    ]
    for one, other in combinations(found, 2):
        if one.seen != other.seen:
            continue
        if one.event == other.event:
            how = "after redeal"
        elif one.world == other.world and one.after != other.after and s.mover != seat:
            how = "of another event that looks the same"
        else:
            continue
        both = [(each.name, each.lines) for each in (one, other)]
        assert both[0] == both[1], (
            f"{where}: what is told of {notation(game, s, one.event, seat)} tells what the seat cannot know: "
            f"{both[0]}, and {both[1]} {how}"
        )


def _compare_log(game: Game, states: RecordArray, action: int, seats: Iterable[int], where: str) -> None:
    """Compare what is told of an action (-1: of none) in a position (1,), and of the chance that follows."""
    if not game.hides or (game.tell is None and game.secret is None):
        return
    happened: list[tuple[RecordArray, int]] = []
    while action >= 0 or states[0].mover == CHANCE:
        event = action if action >= 0 else int(draw(states[0].generator, game.chance(states[0])))
        happened.append((states, event))
        states, action = following(game, states[0], [event]), -1
    for i in range(0, len(happened), 1 + len(happened) // _STEPS):
        before = happened[i][0]
        for seat in seats:
            redealt = before.copy()
            redealt["generator"]["key"] = _OTHER_STREAMS
            game.redeal(redealt[0], seat)
            later = [event for _, event in happened[i + 1 :]]
            _compare_told(game, before[0], redealt[0], later, seat, f"{where}, seat {seat}")


def drawings(game: Game) -> list[Callable[[Record, int | None], Any]]:
    """The ways in which a game draws a position."""
    return [game.draw] if game.draw_narrow is None else [game.draw, game.draw_narrow]


def _compare_pictures(game: Game, s: Record, redealt: Record, seat: int, where: str) -> None:
    pairs = [
        ("text", game.text(s, seat), game.text(redealt, seat)),
        ("text in words", seat_text(game, s, seat), seat_text(game, redealt, seat)),
        *(("picture", draw(s, seat).svg(), draw(redealt, seat).svg()) for draw in drawings(game)),
    ]
    if s.mover == seat:
        pairs.append(("list of moves", listed(moves(game, s)), listed(moves(game, redealt))))
        pairs.append(("list of places", _touched_places(game, s), _touched_places(game, redealt)))
    if game.spectators:  # they know no more than this seat
        pairs += [
            ("text for spectators", game.text(s, SPECTATOR), game.text(redealt, SPECTATOR)),
            *(
                ("picture for spectators", draw(s, SPECTATOR).svg(), draw(redealt, SPECTATOR).svg())
                for draw in drawings(game)
            ),
        ]
    for what, one, other in pairs:
        if one != other:
            at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            start = max(0, at - 30)
            raise AssertionError(
                f"{where}: the {what} tells what the seat cannot know: ...{one[start : at + 30]!r}..., "
                f"and ...{other[start : at + 30]!r}... after redeal"
            )
