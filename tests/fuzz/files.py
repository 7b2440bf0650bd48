"""Fuzz files: a reader must refuse a damaged or forged one with a documented error, or make it out whole."""

from __future__ import annotations

import hashlib
import json
import pickle
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from polytrix.agents.checkpoint import DTYPES, MAGIC, read_checkpoint, write_checkpoint
from polytrix.arena.play import Block, Games
from polytrix.arena.records import Records, RecordsError
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import forget_programs
from polytrix.core.data import built
from polytrix.core.errors import CheckpointError, DataError, TranscriptError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.transcript import Transcript, play
from polytrix.testing.random_play import check_random_play

from .damage import STRANGE_NAMES, Payload, damaged, damaged_json, put

Generator = np.random.Generator
Attempt: TypeAlias = Callable[[Generator], str]


def accepted(read: Callable[[], Any], refusal: type[Exception], path: Path | None = None) -> Any:
    """What a reader makes of a file; None if it refuses the file, which it must name.

    Raises:
        AssertionError: any other error, or a refusal that doesn't say which file it is about.
    """
    try:
        return read()
    except refusal as error:
        if path is not None and str(path) not in str(error):
            raise AssertionError(f"an error does not name the file: {error}") from error
        return None
    except BaseException as error:
        raise AssertionError(f"reading raised {error!r:.300}") from error


def bytes_or_values(text: str, rng: Generator, other: str = "") -> bytes:
    """A JSON text whose bytes are damaged, or whose values are."""
    if rng.random() < 0.5:
        return damaged(text.encode(), rng, other.encode())
    return damaged_json(text, rng).encode()


# -- transcripts ------------------------------------------------------------------------------------------

DECISIONS = 6


def transcripts(game: Game, folder: Path) -> Attempt:
    """Each try reads a transcript, which must replay exactly."""
    path = folder / "game.json"
    texts = [play(game, seed=seed, decisions=DECISIONS).to_text() for seed in (1, 2)]
    texts += ["\n".join(line for line in text.splitlines() if '  "actions"' not in line) for text in texts]

    def attempt(rng: Generator) -> str:
        text, other = (texts[i] for i in rng.integers(len(texts), size=2))
        put(path, bytes_or_values(text, rng, other))
        read = accepted(lambda: Transcript.load(path), TranscriptError, path)
        if read is None:
            return "refused"
        assert len(list(read.positions())) == len(read.actions) + 1, "a transcript does not replay"
        assert Transcript.from_text(read.to_text()) == read, "a transcript is written as another one"
        if rng.random() < 0.01:  # plain Python catches overflows
            plain, compiled = (read.replay(mode).states.tobytes() for mode in (Mode.PLAIN, Mode.COMPILED))
            assert plain == compiled, "a transcript replays to another state in plain Python"
        return "taken"

    return attempt


# -- records of an arena ----------------------------------------------------------------------------------

BLOCKS = 6


def records(game: Game, folder: Path) -> Attempt:
    """Each try goes on with a file of records: a refused one stays as it is, no whole line is lost."""
    path = folder / "games.jsonl"
    options = game.options.defaults
    players = game.num_players(options)
    payoffs = np.random.default_rng(0).integers(-1, 2, (BLOCKS + 1, 2, players, players)) / np.float32(3)
    *blocks, last = (Block("one", "rest", "mark", "other mark", 2 * number, 2) for number in range(BLOCKS + 1))

    def opened() -> closing[Records]:
        return closing(Records(game, options, 1, path))

    with opened() as kept:
        for block, paid in zip(blocks, payoffs, strict=False):
            kept.add(block, Games(paid.astype(np.float32), 1, 100))
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)

    def attempt(rng: Generator) -> str:
        data = damaged(whole, rng)
        if rng.random() < 0.5:
            changed = list(lines)
            number = int(rng.integers(len(lines)))
            changed[number] = damaged_json(lines[number].decode(), rng).encode() + b"\n"
            data = b"".join(changed)
        put(path, data)
        opening = accepted(opened, RecordsError, path)
        if opening is None:
            assert path.read_bytes() == data, "a file that was refused was changed"
            return "refused"
        with opening as found:
            left = path.read_bytes()
            assert left == data[: data.rfind(b"\n") + 1] or whole.startswith(left), "whole lines were lost"
            known = {block: found[block] for block in blocks if block in found}
            if last not in found:
                found.add(last, Games(payoffs[-1].astype(np.float32), 1, 100))
        with opened() as found:
            assert last in found, "a block that was added is gone"
            for block, games in known.items():
                assert np.array_equal(found[block].payoffs, games.payoffs), "a block has changed"
        return "taken"

    return attempt


# -- data files of games ----------------------------------------------------------------------------------

PLAYED = 0.02
"""Share of the accepted files that are played, in plain Python, since building a game is slow."""


def data(game: Game, folder: Path) -> Attempt:
    """Each try replaces a data file of a game; one without data files is given one anyway."""
    files = {file.name: file for file in game.data}
    texts = {name: json.dumps(json.loads(file.source.read_text("utf-8"))) for name, file in files.items()}
    names = list(files) or ["deck"]
    path = folder / "data.json"

    def attempt(rng: Generator) -> str:
        if rng.random() < 0.05:
            assert game.with_data(**{name: file.source for name, file in files.items()}) is game
            return "shipped"
        name = names[rng.integers(len(names))]
        put(path, bytes_or_values(texts.get(name, "[]"), rng))
        given: Any = path
        if rng.random() < 0.3:  # pass the content instead of the path
            try:
                given = json.loads(path.read_bytes())
            except (ValueError, RecursionError):
                given = path
        builds = name not in files or rng.random() < PLAYED
        read = (lambda: game.with_data(**{name: given})) if builds else (lambda: files[name].text(given))
        made = accepted(read, DataError)
        built.cache_clear()
        if made is None:
            return "refused"
        if made is game or not isinstance(made, Game):
            return "taken"
        try:
            check_random_play(made, None, 20, Mode.PLAIN, games=1, seed=int(rng.integers(1 << 40)))
        except Exception as error:
            raise AssertionError(f"a data file for {name!r} cannot be played: {error!r}") from error
        finally:
            forget_programs()
        return "played"

    return attempt


# -- checkpoints of training ------------------------------------------------------------------------------

BOMBS = 0.001
"""Share of the forged files that hold millions of empty lists."""

PLAIN = (type(None), bool, int, float, str, bytes, np.ndarray, np.generic)


def checkpoints(game: Game, folder: Path) -> Attempt:
    """Each try reads a checkpoint: damage is detected, and forged content never runs code."""
    path = folder / "checkpoint"
    payload = Payload(folder / "run")
    write_checkpoint(path, state(game))
    whole = path.read_bytes()
    pickled = pickle.dumps(payload)

    def attempt(rng: Generator) -> str:
        by_accident = rng.random() < 0.5
        place = path if rng.random() < 0.99 else folder / STRANGE_NAMES[rng.integers(len(STRANGE_NAMES))]
        if by_accident:
            content = damaged(whole, rng, pickled)
        elif rng.random() < BOMBS:
            content = checksummed(b'{"map":[["a",[' + b"[]," * 5_000_000 + b"0]]]}\n")
        else:
            content = pickled if rng.random() < 0.04 else forged_bytes(whole, rng, pickled)
        put(path, content)
        read = accepted(lambda: read_checkpoint(place), CheckpointError, path if place == path else None)
        payload.check()
        if read is None:
            assert place != path or content != whole, "a whole checkpoint was refused"
            return "refused"
        assert not by_accident or content == whole, "a damaged checkpoint was read"
        check_plain(read)
        if rng.random() < 0.1:
            write_checkpoint(path, read)
            first = path.read_bytes()
            write_checkpoint(path, read_checkpoint(path))
            assert path.read_bytes() == first, "a state is read back as another one"
        return "taken"

    return attempt


def forged_bytes(whole: bytes, rng: Generator, other: bytes = b"") -> bytes:
    """A checkpoint with forged content and a correct checksum; now and then with other bytes as content."""
    body = whole[len(MAGIC) + 65 :]
    line, _, arrays = body.partition(b"\n")
    way = int(rng.integers(4))
    if way == 0:
        body = damaged(body, rng)
    elif way == 1:
        body = damaged_json(line.decode(), rng).encode() + b"\n" + arrays
    elif way == 2:
        body = line + b"\n" + damaged(arrays, rng)
    else:
        body = other
    return checksummed(body)


def checksummed(body: bytes) -> bytes:
    """A checkpoint with this content."""
    return MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def state(game: Game) -> dict[str, Any]:
    """A small state with all parts of a real checkpoint; tensors only if PyTorch is loaded."""
    rng = np.random.default_rng(1)
    arrays: dict[str, Any] = {name: rng.integers(0, 2, (2, 3)).astype(dtype) for name, dtype in DTYPES.items()}
    torch = sys.modules.get("torch")
    if torch is not None:
        arrays |= {"weight": torch.ones(3, 4), "generator": torch.zeros(16, dtype=torch.uint8)}
    options = dict(game.options.defaults)
    return {
        "settings": {"game": game.name, "layers": (8, 8), "gamma": 0.99, "options": options},
        "progress": {"steps": 1000, "seconds": 1.5, "curve": [{"steps": 10.0, "random": float("nan")}]},
        "networks": {-1: arrays, 3: {"empty": np.zeros((0, 4), np.float32), "one": np.float64(2.5)}},
        "environment": Simulator(game, 2, seed=1).save(),
        "rng": rng.bit_generator.state,
        "nothing": [None, True, float("-inf"), "text", b"\0\xff", ()],
    }


def check_plain(value: Any) -> None:
    """Assert that a value consists of plain data only."""
    if isinstance(value, dict):
        assert type(value) is dict and all(type(key) in (str, int) for key in value)
        for item in value.values():
            check_plain(item)
    elif isinstance(value, (list, tuple)):
        assert type(value) in (list, tuple)
        for item in value:
            check_plain(item)
    else:
        tensor = type(value).__module__ == "torch" and type(value).__name__ == "Tensor"
        assert tensor or isinstance(value, PLAIN), f"{type(value)} came out of a checkpoint"
        assert not isinstance(value, np.ndarray) or value.dtype.name in DTYPES
