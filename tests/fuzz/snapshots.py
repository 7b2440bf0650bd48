"""Fuzz snapshots with forged content and a correct digest, and saved batches of a learner's games."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from polytrix.agents import GuidedSearchPolicy, HeuristicPolicy, SearchPolicy, ask_rows
from polytrix.api import words
from polytrix.api.shared.learner import LearnerBatch
from polytrix.api.shared.opponents import Pool
from polytrix.api.shared.rendering import Renderer
from polytrix.core import snapshot
from polytrix.core.bounds import entries_of
from polytrix.core.errors import PolicyError, SnapshotError
from polytrix.core.game import Game
from polytrix.core.loaded import refusing
from polytrix.core.simulator import Simulator
from polytrix.core.state import Entry, RecordArray
from polytrix.testing.variants import option_combinations
from tests.networks import some_network

from .damage import damaged_json, long_directory, other_array

_POSITIONS = 400
_ASK = 2  # one of the ways
_WAYS = range(16)
_BATCHES = 16  # one in this many tries is a saved batch
BOMBS = 0.02
"""Share of the saved batches that are made to take much memory or time."""


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try loads a forged snapshot of a game beside another game, looks at it, and plays it on."""
    heuristics = [HeuristicPolicy(game, name) for name in game.built_in_policies if name != "random"]
    return played_on(game, heuristics, _WAYS)


def searches(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try asks a search about a forged position of a game, and plays it on."""
    guided = GuidedSearchPolicy(game, some_network(game, (8,)), simulations=6)
    searching = SearchPolicy(game, simulations=6), guided
    return played_on(game, searching)


def played_on(
    game: Game, policies: Sequence[Any], ways: Sequence[int] = (_ASK,)
) -> Callable[[np.random.Generator], str]:
    """Each try changes some numbers or bytes of a position of a random game, and recomputes the digest.

    What is done with an accepted one succeeds, or is refused and changes nothing; the other game goes on.

    Args:
        game: the game.
        policies: one of them is asked for a move.
        ways: one of them is what is done before that, see `use`.
    """
    real = positions(game, _POSITIONS).view(np.ndarray)
    table = [entry for entry in entries_of(game) if entry.low < entry.high]
    sim = Simulator(game, 2, seed=0)  # row 0 is for forged games
    again = Simulator(game, 3, seed=1)
    sim.load(sim.save([1]), [0])
    for way in ways:  # what compiles, takes its time now
        for policy in policies:
            use(sim, again, policy, way, 0)
    sim.step(sim.random_actions())
    batch = LearnerBatch(Simulator(game, 2, seed=0), Pool(game, ["random"]), seed=0)
    saved_batch = batch.save()

    def attempt(rng: np.random.Generator) -> str:
        if rng.integers(_BATCHES) == 0:
            return try_batch(batch, forged_batch(saved_batch, rng))
        original = real[rng.integers(len(real), size=1)]
        states = forged(original, real, table, rng)
        data = snapshot.dump(game, snapshot.Copies(states, sim.copies([0]).generators))
        if rng.integers(16) == 0:
            data = lengthened(data, rng)
        elif states.tobytes() == original.tobytes():
            return "unchanged"
        if refuses(sim, lambda: sim.load(data, [0])):
            return "refused"
        way, policy = ways[int(rng.integers(len(ways)))], policies[int(rng.integers(len(policies)))]
        seat = int(rng.integers(sim.num_players[0]))
        found_out = refuses(sim, lambda: use(sim, again, policy, way, seat))
        sim.policy[0] = rng.choice(list(game.built_in_policies.values()))  # so that a step ends the game
        rows = np.flatnonzero(~sim.over)
        if refuses(sim, lambda: sim.step(sim.legal_ids[rows, 0].astype(np.int64), rows)):
            found_out = True
            if not sim.over[1]:
                sim.step(sim.random_actions([1]), [1])
        else:
            assert sim.over[0], "the game does not end"
        sim.restart(np.flatnonzero(sim.over | [True, False]))
        return "refused while playing" if found_out else "played on"

    return attempt


def refuses(sim: Simulator, call: Callable[[], Any]) -> bool:
    """Whether a call raises SnapshotError; then it must have changed nothing."""
    arrays = (sim.states, sim._generators, *sim._outputs)
    before = [array.tobytes() for array in arrays]
    try:
        call()
    except SnapshotError:
        assert [array.tobytes() for array in arrays] == before, "a refused call has changed something"
        return True
    return False


def use(sim: Simulator, again: Simulator, policy: Any, way: int, seat: int) -> None:
    """Do with the game in row 0, without a move, one of the things that can be done.

    Args:
        sim: a simulator of two games.
        again: one of three, which gets copies.
        policy: asked for a move.
        way: what to do, of `_WAYS`; nothing for most numbers.
        seat: who looks.
    """
    if way == 0:
        sim.view(seat, [0])
        sim.global_state()
        sim.potential()
        sim.hidden_actions(seat, [0])
    elif way == 1:
        again.put(pickle.loads(pickle.dumps(sim.copies([0, 1]))), [2, 0])
        again.fork(2, [0, 1], 7)
        again.redeal(seat, [1])
        if not again.over[1]:
            again.step(again.random_actions([1]), [1])
    elif way == _ASK and not sim.over[0]:
        ask_rows(policy, sim, [0], np.random.default_rng(0))
    elif way == 3 and not sim.over[0] and isinstance(policy, HeuristicPolicy):
        policy.reasons(sim.observation[:1], sim.mask[:1])
    elif way == 4:
        words.text_of(sim, seat, row=0)
        words.legal_moves(sim, row=0)
        Renderer(sim.game, "ansi").render(sim.states[0], None)
    elif way == 5:
        with refusing(sim.states[0]):
            sim.game.draw(sim.states[0], seat)


def positions(game: Game, count: int) -> RecordArray:
    """Positions of random games with all option combinations; some games are over."""
    combinations = option_combinations(game)
    rows = [combinations[i % len(combinations)] for i in range(count)]
    sim = Simulator(game, count, rows, seed=1)
    rng = np.random.default_rng(1)
    length = rng.geometric(0.01, count)
    for number in range(int(length.max())):
        playing = np.flatnonzero((length > number) & ~sim.over)
        sim.step(sim.random_actions(playing), playing)
    return sim.states


def forged(
    original: RecordArray, real: RecordArray, table: list[Entry], rng: np.random.Generator
) -> RecordArray:
    """A copy of a state with some values changed."""
    states = original.copy()
    raw = states.view(np.uint8).reshape(-1)
    way = rng.integers(4)
    for _ in range(int(rng.geometric(0.4))):
        entry = table[rng.integers(len(table))]
        number = entry.of(states)
        if way == 0:  # any bit
            raw[rng.integers(len(raw))] ^= np.uint8(1 << rng.integers(8))
        elif way == 1:  # any valid value of the field
            number[0] = rng.integers(entry.low, entry.high, endpoint=True, dtype=entry.type)
        elif way == 2:  # at its bounds, or just beyond
            limits = np.iinfo(entry.type)
            value = int(rng.choice([entry.low, entry.high])) + int(rng.integers(-1, 2))
            number[0] = min(max(value, int(limits.min)), int(limits.max))
        else:  # its value in another game
            number[0] = rng.choice(entry.of(real))
    return states


def lengthened(data: bytes, rng: np.random.Generator) -> bytes:
    """A wrong count in the header or a wrong length of the body, with a correct digest."""
    magic, header, body = data.split(b"\n", 2)
    content = json.loads(header)
    count: Any = [0, 2, -1, 10**30, True, 1.0, "1", None, 1][rng.integers(9)]
    body = [body, body[:-1], body + b"\0", body * 2, b""][rng.integers(5)]
    content |= {"count": count, "sha256": hashlib.sha256(body).hexdigest()}
    return b"\n".join((magic, json.dumps(content).encode(), body))


def forged_batch(data: bytes, rng: np.random.Generator) -> bytes:
    """A saved batch with one array changed."""
    with np.load(io.BytesIO(data)) as arrays:
        content: dict[str, npt.NDArray[Any]] = dict(arrays)
    name = list(content)[rng.integers(len(content))]
    array = content[name]
    bomb = rng.random() < BOMBS
    if bomb and rng.random() < 0.5:
        return long_directory(700_000)
    if bomb:
        content[name] = np.zeros(50_000_000)  # 400 MB, in a file of 400 kB
    elif name == "header":
        content[name] = np.array(damaged_json(str(array), rng).rstrip("\0"))
    elif rng.random() < 0.9:
        content[name] = other_array(array, rng)
    else:
        del content[name]
    buffer = io.BytesIO()
    save = np.savez_compressed if bomb else np.savez
    save(buffer, **content)  # type: ignore[arg-type]  # no clash with savez's own keyword
    return buffer.getvalue()


def try_batch(batch: LearnerBatch, data: bytes) -> str:
    """Load a batch, and step it if it is accepted."""
    before = batch.save()
    try:
        batch.load(data)
    except (SnapshotError, PolicyError):
        assert batch.save() == before, "a refused batch has changed something"
        return "batch refused"
    try:
        for _ in range(3):
            batch.restart(np.flatnonzero(batch.over))
            batch.step(batch.simulator.legal_ids[:, 0].astype(np.int64))
    except SnapshotError:
        batch.load(before)
        return "batch refused while playing"
    batch.load(before)
    return "batch played"
