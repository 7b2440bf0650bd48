"""Check that snapshots and transcripts restore a game exactly."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from polytrix.core import catalogue
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import SnapshotError, TranscriptError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import Field
from polytrix.core.transcript import Transcript, payoffs, play

from .random_play import play_on

_BEFORE, _IN_A_TRANSCRIPT = 20, 60  # decisions before games are saved, and again after it; of a transcript


def check_snapshots(
    game: Game,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    mode: Mode = Mode.COMPILED,
) -> None:
    """Assert that saved, copied and pickled games continue identically, and that invalid bytes are refused.

    Args:
        game: the game. Pickles and deep copies are checked if it is registered.
        options: values for its options.
        seed: seed of the first of two games.
        mode: how the rules are run.
    """
    sim = Simulator(game, 2, options, seed=seed, mode=mode)
    for _ in range(_BEFORE):
        play_on(sim)
    data = sim.save()
    loaded = Simulator(game, 2, seed=seed + 100, mode=mode)  # the loaded states replace the default options
    loaded.load(data)
    copies = {"loaded": loaded}
    if game in catalogue.all_games():
        copies["pickled"] = pickle.loads(pickle.dumps(sim))
        copies["deep-copied"] = copy.deepcopy(sim)
    for name, other in copies.items():
        assert other == sim and hash(other) == hash(sim), f"{game.name}: the {name} games differ"
        _same_outputs(sim, other, f"{game.name}, {name}")
        assert other.save() == data, f"{game.name}: saved again, the {name} games give different bytes"
    for each in (sim, *copies.values()):
        for _ in range(_BEFORE):
            play_on(each)
    for name, other in copies.items():
        _same_outputs(sim, other, f"{game.name}, {name} and played on")
        assert other == sim, f"{game.name}: the {name} games continue differently"
    before = sim.states.tobytes()
    for reason, bad in _refusable(game, data, options, seed, mode):
        try:
            sim.load(bad)
        except SnapshotError:
            pass
        else:
            raise AssertionError(f"{game.name}: a snapshot {reason} was loaded")
        assert sim.states.tobytes() == before, f"{game.name}: a refused snapshot {reason} changed the states"


def check_replay(
    game: Game,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    mode: Mode = Mode.COMPILED,
) -> None:
    """Assert that a transcript read back from text, with ids or only notation, replays to the same bytes.

    Args:
        game: a registered game.
        options: values for its options.
        seed: seed of the game.
        mode: how the rules are run.
    """
    played = play(game, options, seed, decisions=_IN_A_TRANSCRIPT, mode=mode)
    sim = Simulator(game, 1, options, seed=seed, mode=mode)
    for action in played.actions:
        sim.step([action])
    text = played.to_text(mode)
    by_notation = "\n".join(line for line in text.splitlines() if not line.startswith('  "actions"'))
    for name, written in (("transcript", text), ("transcript in notation alone", by_notation)):
        try:
            read = Transcript.from_text(written, mode)
        except TranscriptError as error:
            raise AssertionError(f"{game.name}: the {name} cannot be read back: {error}") from error
        end = read.replay(mode)
        assert read == played, f"{game.name}: the {name} is read back differently"
        assert end.states.tobytes() == sim.states.tobytes(), f"{game.name}: the {name} ends in another state"
        assert payoffs(end) == payoffs(sim), f"{game.name}: the {name} replays to different payoffs"


def _same_outputs(sim: Simulator, other: Simulator, where: str) -> None:
    for name in ("observation", "mask", "num_legal", "mover", "reward", "over", "truncated"):
        assert np.array_equal(getattr(sim, name), getattr(other, name)), f"{where}: {name} differs"


def _refusable(
    game: Game, data: bytes, options: Mapping[str, Any] | None, seed: int, mode: Mode
) -> Iterator[tuple[str, bytes]]:
    """Bytes that are not a snapshot of two games of `game`, with the reason."""
    for place in (0, 10, data.index(b"{") + 1, data.index(b"}") - 1, data.index(b"}") + 2, -1):
        at = place % len(data)
        yield f"with byte {at} changed", data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
    for length in (0, 5, data.index(b"}"), data.index(b"}") + 2, len(data) - 1):
        yield f"cut off after {length} bytes", data[:length]
    yield "with an extra byte", data + b"\0"
    one = Simulator(game, 1, options, seed=seed, mode=mode)
    yield "of only one game", one.save()
    for reason, other in {
        "of another game": replace(game, name=game.name + "_other"),
        "of another version": replace(game, version=game.version + 1),
        "of another record": replace(game, fields=(*game.fields, Field("another_field", np.int8))),
    }.items():
        yield reason, Simulator(other, 2, seed=seed, mode=Mode.PLAIN).save()
