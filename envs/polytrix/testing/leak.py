"""Check that no seat is given hidden information."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, Record
from polytrix.core.words import listed, moves, seat_text

from .invariants import check_invariants

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
    picture must be byte-identical; the twin must satisfy the game's invariants and be playable to
    the end.

    Args:
        game: the game.
        options: values for its options.
        seed: seed of the first game.
        games: number of games played side by side.
        decisions: number of decisions checked in each game.
        pictures: number of games whose text, words and picture are compared as well, for one seat in
            turn at each decision.
        playouts: how often the twins are played to the end.
        mode: how the rules are run.

    Returns:
        The number of twins that differed from their state: 0 if the game hides nothing. For a game
        with hidden information assert that it is positive, or a `redeal` that does nothing would pass.

    Raises:
        AssertionError: with the seat, the position and the difference.
    """
    sim = Simulator(game, games, options, seed=seed, mode=mode)
    twin = Simulator(game, games, options, seed=seed, mode=mode)
    playout_at = {round(decisions * (i + 1) / (playouts + 1)) for i in range(playouts)}
    differing = 0
    for number in range(decisions):
        players = int(sim.num_players[0])
        for seat in range(players):
            where = f"{game.name}, seed {seed}, step {number}, seat {seat}"
            _deal_twin(sim, twin, seat, key=_OTHER_STREAMS + (number * game.max_players + seat) * games)
            _compare_arrays(sim, twin, seat, where)
            for row in range(games):
                check_invariants(game, twin.states[row], f"{where}, row {row}, redealt")
                differing += _differs(sim.states[row], twin.states[row])
                if row < pictures and number % players == seat:
                    _compare_pictures(game, sim.states[row], twin.states[row], seat, where)
            if number in playout_at:
                _play_out(twin, where)
        going_on = np.flatnonzero(~sim.over)
        over = np.flatnonzero(sim.over)
        sim.step(sim.random_actions(going_on), going_on)
        sim.restart(over)
    return differing


def _deal_twin(sim: Simulator, twin: Simulator, seat: int, key: int) -> None:
    """Make `twin` a copy of `sim` with everything hidden from `seat` redealt from other random streams."""
    twin.states[:] = sim.states
    twin.states["generator"]["key"] = np.arange(sim.num_envs, dtype=np.uint64) + np.uint64(key)
    twin.states["generator"]["counter"] = 0
    twin.redeal(seat)


def _compare_arrays(sim: Simulator, twin: Simulator, seat: int, where: str) -> None:
    game = sim.game
    moved = np.flatnonzero(sim.mover != twin.mover)
    assert not len(moved), f"{where}: redeal changed the mover of row {moved[0]}"
    for what, layout, one, other in zip(
        ("observation", "mask"),
        (game.observations, game.actions),
        sim.view(seat),
        twin.view(seat),
        strict=True,
    ):
        if one.tobytes() != other.tobytes():
            row, index = (int(i) for i in np.argwhere(one != other)[0])
            block, place = layout.locate(index)
            raise AssertionError(
                f"{where}, row {row}: the {what} tells what the seat cannot know: {block.name}{list(place)} "
                f"is {one[row, index]}, and {other[row, index]} after redeal"
            )
    for row in np.flatnonzero(sim.mover == seat).tolist():
        own = sim.legal_ids[row, : sim.num_legal[row]].tolist()
        redealt = twin.legal_ids[row, : twin.num_legal[row]].tolist()
        assert own == redealt, f"{where}, row {row}: the legal actions are {own}, and {redealt} after redeal"


def _compare_pictures(game: Game, s: Record, redealt: Record, seat: int, where: str) -> None:
    pairs = [
        ("text", game.text(s, seat), game.text(redealt, seat)),
        ("text in words", seat_text(game, s, seat), seat_text(game, redealt, seat)),
        ("picture", game.draw(s, seat).svg(), game.draw(redealt, seat).svg()),
    ]
    if s.mover == seat:
        pairs.append(("list of moves", listed(moves(game, s)), listed(moves(game, redealt))))
    for what, one, other in pairs:
        if one != other:
            at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            start = max(0, at - 30)
            raise AssertionError(
                f"{where}: the {what} tells what the seat cannot know: ...{one[start : at + 30]!r}..., "
                f"and ...{other[start : at + 30]!r}... after redeal"
            )


def _differs(s: Record, redealt: Record) -> bool:
    """Whether redeal changed anything but the generator."""
    copy = redealt.copy()
    copy.generator = s.generator
    return bool(copy.tobytes() != s.tobytes())


def _play_out(twin: Simulator, where: str) -> None:
    limit = int(twin.states["options"]["max_decisions"].max())
    for _ in range(limit + 1):
        rows = np.flatnonzero(~twin.over)
        if not len(rows):
            break
        twin.step(twin.random_actions(rows), rows)
    for row in range(twin.num_envs):
        check_invariants(twin.game, twin.states[row], f"{where}, row {row}, played out from a redealt state")
        assert twin.mover[row] == OVER, f"{where}, row {row}: the redealt game does not end"
