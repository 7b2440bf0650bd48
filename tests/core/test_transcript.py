"""Transcripts: games as their moves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import TranscriptError
from polytrix.core.simulator import Simulator
from polytrix.core.transcript import Transcript, play
from tests.toys import CALL, SECRET

pytestmark = pytest.mark.usefixtures("known_toys")


def written() -> dict[str, Any]:
    played = play(SECRET, seed=5, mode=Mode.PLAIN)
    content = json.loads(played.to_text(Mode.PLAIN))
    assert isinstance(content, dict)
    return content


def read(content: object) -> Transcript:
    return Transcript.from_text(json.dumps(content), Mode.PLAIN)


def test_the_file_says_everything(tmp_path: Path) -> None:
    played = play(SECRET, {"top": 4}, seed=5)
    played.save(tmp_path / "game.json")
    content = json.loads((tmp_path / "game.json").read_text())
    assert content["game"] == "polytrix/secret-v0" and content["seed"] == 5
    assert content["options"] == {"top": 4, "doubling": True, "max_decisions": 40}
    assert len(content["moves"]) == len(content["actions"]) == len(played.actions)
    assert sum(content["payoffs"]) == 0
    assert Transcript.load(tmp_path / "game.json") == played


def test_numbers_of_numpy_are_written() -> None:
    played = play(SECRET, {"top": np.int64(4), "doubling": np.True_}, seed=np.int64(5), mode=Mode.PLAIN)  # type: ignore[arg-type]
    options = {**played.options, "top": np.int64(4), "doubling": np.True_}
    given = Transcript(played.game, options, played.seed, tuple(np.array(played.actions)))
    assert given.to_text(Mode.PLAIN) == played.to_text(Mode.PLAIN)
    assert Transcript.from_text(given.to_text(Mode.PLAIN), Mode.PLAIN) == played


def test_positions_lead_from_the_first_to_the_last() -> None:
    played = play(SECRET, seed=5, mode=Mode.PLAIN)
    states = list(played.positions(Mode.PLAIN))
    assert [int(s.decisions) for s in states] == list(range(len(played.actions) + 1))
    assert states[0].tobytes() == Simulator(SECRET, 1, seed=5, mode=Mode.PLAIN).states[0].tobytes()
    assert states[-1].tobytes() == played.replay(Mode.PLAIN).states[0].tobytes()
    assert played.payoffs(Mode.PLAIN) is not None


def test_an_unfinished_game_has_no_payoffs() -> None:
    played = play(SECRET, seed=5, decisions=1, mode=Mode.PLAIN)
    assert len(played.actions) == 1 and played.payoffs(Mode.PLAIN) is None
    assert '"payoffs": null' in played.to_text(Mode.PLAIN)
    assert Transcript.from_text(played.to_text(Mode.PLAIN), Mode.PLAIN) == played


def test_policies_play_by_seat() -> None:
    def caller(observation: Any, mask: Any, rng: np.random.Generator) -> Any:
        return np.where(mask[:, CALL] == 1, CALL, 0)

    def adder(observation: Any, mask: Any, rng: np.random.Generator) -> Any:
        return rng.integers(0, 3, len(mask))

    played = play(SECRET, {"doubling": False}, 3, [caller, adder], mode=Mode.PLAIN)
    assert played.actions[0] == 0 and played.actions[-1] == CALL
    assert played == play(SECRET, {"doubling": False}, 3, [caller, adder], mode=Mode.PLAIN)
    with pytest.raises(ValueError, match="1 policies given; this game of secret has 2 players"):
        play(SECRET, policies=[caller], mode=Mode.PLAIN)


def test_notation_alone_is_enough() -> None:
    content = written()
    bare = {key: content[key] for key in ("format", "game", "options", "seed", "moves")}
    assert read(bare) == read(content)
    assert read(bare | {"options": {}}) == read(content)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "polytrix transcript 9"}, "not a polytrix game file: it lacks"),
        ({"game": "polytrix/secre-v0"}, "unknown game 'polytrix/secre-v0'"),
        ({"game": "polytrix/secret-v7"}, "unknown game"),
        ({"game": "secret"}, "is of secret; installed is polytrix/secret-v0"),
        ({"options": {"top": 5}}, "option 'top' is 5"),
        ({"options": {"bottom": 1}}, "unknown option 'bottom'"),
        ({"options": []}, "'options' is .*expected a JSON dict"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**63}, "seed is"),
        ({"seed": 5.0}, "'seed' is 5.0; expected a JSON int"),
        ({"seed": 12}, r"lead to payoffs \(-1.0, 1.0\); the file says \[1.0, -1.0\]"),
        ({"actions": [0, 7]}, "move 1 does not replay: action 7 is not legal there"),
        ({"actions": [0, 10**30]}, "move 1 does not replay"),
        ({"actions": [0, True]}, "'actions' holds True"),
        ({"actions": "0"}, "'actions' is '0'"),
        ({"actions": [0]}, r"has 4 moves, but 1 actions"),
        ({"actions": [2, 1, 1, 3, 0]}, "is over after 4 of 5 moves"),
        ({"moves": ["+3", "+2", "+3", "call"]}, r"move 2 is written '\+3', but its action is '\+2'"),
        ({"moves": [1]}, "'moves' holds 1"),
        ({"payoffs": [0.5, -0.5]}, r"lead to payoffs \(.*; the file says \[0.5, -0.5\]"),
        ({"payoffs": None}, "the file says None"),
    ],
)
def test_content_that_does_not_fit_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(TranscriptError, match=message):
        read(written() | change)


@pytest.mark.parametrize("moves", [["+3", "jump"], ["+3", "+2", "+2", "call", "+1"], ["call"]])
def test_moves_that_do_not_fit_are_refused(moves: list[str]) -> None:
    content = written() | {"moves": moves}
    del content["actions"]
    with pytest.raises(TranscriptError, match=r"move .* does not replay|is over after"):
        read(content)


@pytest.mark.parametrize("missing", ["format", "game", "options", "seed"])
def test_a_missing_field_is_named(missing: str) -> None:
    content = written()
    del content[missing]
    with pytest.raises(TranscriptError, match=missing):
        read(content)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "moves: +1", "[" * 100_000])
def test_what_is_no_transcript_is_refused(text: str) -> None:
    with pytest.raises(TranscriptError, match="not a polytrix game file"):
        Transcript.from_text(text, Mode.PLAIN)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(TranscriptError, match=r"game\.json is not a text file"):
        Transcript.load(path)
    text = play(SECRET, seed=5, mode=Mode.PLAIN).to_text(Mode.PLAIN)
    path.write_text(text[: len(text) // 2])
    with pytest.raises(TranscriptError, match=r"game\.json: this is not a polytrix game file"):
        Transcript.load(path)
