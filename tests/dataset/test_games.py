"""Files of games: what is played is kept and found again, and files from strangers are refused in words."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.arena.records import RecordsError
from polytrix.core.transcript import Transcript
from polytrix.dataset import expand, read
from polytrix.dataset.expansion import DECISIONS_AT_ONCE, GAMES_AT_ONCE
from polytrix.dataset.exports import to_numpy
from tests.dataset.making import played
from tests.pages import ROOT

QUATRIX = polytrix.find("quatrix")
SHORT = {"max_decisions": 30}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two deals of two agents, each played twice, in a line after the header."""
    return played(tmp_path_factory.mktemp("games") / "games.jsonl", QUATRIX, ("random", "greedy"), **SHORT)


def test_one_agent_plays_all_seats_and_several_meet(file: Path, tmp_path: Path) -> None:
    alone = read(played(tmp_path / "alone.jsonl", QUATRIX, ("greedy",), 3, **SHORT))
    assert [game.agents for game in alone.games] == [("greedy", "greedy")] * 3
    assert len({game.seed for game in alone.games}) == 3
    met = read(file)
    assert [game.agents for game in met.games] == [("random", "greedy"), ("greedy", "random")] * 2
    assert met.games[0].seed == met.games[1].seed != met.games[2].seed


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("quatrix", {}),
        ("resistor", {}),
        ("pixel_tactics", {}),
        ("estimatrix", {}),
        ("pressure_matrix", {"players": 3}),
    ],
)
def test_decisions_are_those_of_the_transcripts(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    game = polytrix.find(name)
    games = read(played(tmp_path / "games.jsonl", game, ("greedy", "random"), **options, max_decisions=60))
    (part,) = expand(games)
    for index, one in enumerate(games.games):
        sims = Transcript(game.id, games.options, one.seed, tuple(one.actions.tolist())).simulators()
        for row in np.flatnonzero(part.game == index):
            sim = next(sims)
            assert part.seat[row] == sim.mover[0]
            assert np.array_equal(part.observation[row], sim.observation[0])
            assert np.array_equal(part.action_mask[row], sim.mask[0])
            assert part.action[row] == one.actions[sim.states[0].decisions]
        end = next(sims)
        assert end.over[0] and part.truncated[index] == end.truncated[0]
        assert np.array_equal(part.payoffs[index], end.reward[0, : games.players])
        for seat in range(games.players):
            assert np.array_equal(part.final_observation[index, seat], end.view(seat)[0][0])


def test_games_are_expanded_some_at_a_time(tmp_path: Path) -> None:
    games = read(played(tmp_path / "games.jsonl", QUATRIX, ("random",), GAMES_AT_ONCE + 2, **SHORT))
    first, last = expand(games)
    assert len(first.number) == GAMES_AT_ONCE and last.number.tolist() == [GAMES_AT_ONCE, GAMES_AT_ONCE + 1]
    (chosen,) = expand(games, [5, 3])
    assert chosen.number.tolist() == [5, 3] and chosen.action.tolist() == [
        *games.games[5].actions,
        *games.games[3].actions,
    ]
    assert len(first.action) < DECISIONS_AT_ONCE


def test_a_file_may_be_compressed_and_unfinished(file: Path, tmp_path: Path) -> None:
    packed = tmp_path / "games.jsonl.gz"
    packed.write_bytes(gzip.compress(file.read_bytes() + b'{"one":'))
    assert [game.seed for game in read(packed).games] == [game.seed for game in read(file).games]


def test_replaced_data_files_are_part_of_the_file(tmp_path: Path) -> None:
    game = polytrix.find("resistor").with_data(deck="micro")
    games = read(played(tmp_path / "games.jsonl", game, ("random",), max_decisions=20))
    assert games.game is game
    assert len(next(expand(games)).action)


def test_arrays_of_numpy_are_those_of_the_expansion(file: Path, tmp_path: Path) -> None:
    to_numpy(read(file), tmp_path / "arrays")
    (part,) = expand(read(file))
    for name, array in part._asdict().items():
        found = np.load(tmp_path / "arrays" / f"{name}.npy", mmap_mode="r")
        assert found.dtype == array.dtype and np.array_equal(found, array)
    about = json.loads((tmp_path / "arrays" / "games.json").read_text(encoding="utf-8"))
    assert about["agents"][1] == ["greedy", "random"] and about["options"]["max_decisions"] == 30
    with pytest.raises(RecordsError, match="exists"):
        to_numpy(read(file), tmp_path / "arrays")


def test_two_do_not_write_the_same_arrays(file: Path, tmp_path: Path) -> None:
    def again(games: int) -> None:
        with pytest.raises(RecordsError, match=r"arrays is being written by process \d+"):
            to_numpy(read(file), tmp_path / "arrays")

    to_numpy(read(file), tmp_path / "arrays", again)
    assert [each.name for each in tmp_path.iterdir()] == ["arrays"]


# -- files from strangers ---------------------------------------------------------------------


def changed(file: Path, to: Path, line: int, **values: Any) -> Path:
    """A copy in which a line has other values."""
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **values}, separators=(",", ":"))
    to.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return to


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"environment": "polytrix/chess-v0"}, "unknown game"),
        ({"environment": "quatrix"}, "games of quatrix"),
        ({"format": "polytrix arena games 2"}, "expected 'polytrix arena games 1'"),
        ({"environment": 5}, "can be played again"),
        ({"options": {"players": 9}}, "players"),
        ({"options": []}, "options"),
        ({"data": {"deck": "/etc/passwd"}}, "content of the game's data files"),
        ({"data": {"deck": []}}, "deck"),
        ({"data": []}, "can be played again"),
        ({"seed": -1}, "seed"),
        ({"seed": 1 << 40}, "seed"),
        ({"seed": True}, "seed"),
    ],
    ids=str,
)
def test_a_header_with_something_wrong_is_refused(
    values: dict[str, Any], message: str, file: Path, tmp_path: Path
) -> None:
    with pytest.raises(RecordsError, match=message):
        read(changed(file, tmp_path / "games.jsonl", 0, **values))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"moves": []}, "line 2"),
        ({"moves": [[[1], [2]]] * 3}, "moves that are not those of 2 deals, each played 2 times"),
        ({"moves": [[[1]] * 2, [[1], 5]]}, "moves that are not those"),
        ({"moves": [[[1]] * 2] * 2}, "moves that are not 120 integers"),
        ({"moves": 5}, "line 2 is damaged"),
        ({"moves": [[[1]] * 2] * 2, "decisions": 4}, "does not replay|illegal"),
        ({"moves": [[[-1]] * 2] * 2, "decisions": 4}, "moves that the game does not have"),
        ({"moves": [[[1] * 31] * 2] * 2, "decisions": 124}, "moves that the game does not have"),
        ({"moves": [[[10**30]] * 2] * 2, "decisions": 4}, "moves that the game does not have"),
        ({"moves": [[[1.0]] * 2] * 2, "decisions": 4}, "moves that are not 4 integers"),
        ({"moves": [[[]] * 2] * 2, "decisions": 0}, "do not lead to its payoffs"),
        ({"first": 1 << 22}, "without moves|line 2"),
        ({"payoffs": [[[1, -1], [1, -1]], [[1, -1], [1, -1]]]}, "do not lead to its payoffs"),
    ],
    ids=str,
)
def test_a_block_with_something_wrong_is_refused(
    values: dict[str, Any], message: str, file: Path, tmp_path: Path
) -> None:
    with pytest.raises(RecordsError, match=message):
        [*expand(read(changed(file, tmp_path / "games.jsonl", 1, **values)))]


def test_a_file_in_which_no_game_has_been_finished_is_refused(file: Path, tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text(file.read_text(encoding="utf-8").splitlines()[0] + "\n", "utf-8")
    with pytest.raises(RecordsError, match="has no finished games"):
        read(tmp_path / "games.jsonl")


def test_games_that_go_on_after_their_end_are_refused(tmp_path: Path) -> None:
    file = played(tmp_path / "whole.jsonl", polytrix.find("resistor").with_data(deck="micro"), ("random",), 1)
    ((moves,),) = json.loads(file.read_text(encoding="utf-8").splitlines()[1])["moves"]
    more = {"moves": [[[*moves, 0]]], "decisions": len(moves) + 1}
    with pytest.raises(RecordsError, match=f"decision {len(moves)}"):
        [*expand(read(changed(file, tmp_path / "games.jsonl", 1, **more)))]


@pytest.mark.parametrize(
    "content", [b"", b"5\n", b"[]\n", b"\x1f\x8b", b"{" * 99999 + b"\n", b"\xff\n"], ids=repr
)
@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_what_is_no_file_of_games_is_refused(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(RecordsError, match=r"games\.jsonl"):
        read(tmp_path / name)


def test_a_file_that_grows_too_large_is_refused(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polytrix.dataset.games.MOST_BYTES", 1 << 20)
    (tmp_path / "zeros.gz").write_bytes(gzip.compress(bytes(2 << 20)))
    with pytest.raises(RecordsError, match="larger than 1,048,576 bytes"):
        read(tmp_path / "zeros.gz")


# -- the released games -----------------------------------------------------------------------


@pytest.mark.parametrize("file", sorted((ROOT / "datasets").glob("*.gz")), ids=lambda file: file.name)
def test_released_games_replay_and_are_those_of_the_card(file: Path) -> None:
    games = read(file)
    decisions = sum(len(part.action) for part in expand(games))
    card = (ROOT / "datasets" / "README.md").read_text(encoding="utf-8")
    (agent,) = {agent for game in games.games for agent in game.agents}
    assert (
        f"`{file.name}`]({file.name}) | `{agent}` | {len(games.games):,} | {decisions:,} | {games.game.id} |"
        in card
    )
    assert len({game.seed for game in games.games}) == len(games.games)
    assert file.stat().st_size < 1 << 20
