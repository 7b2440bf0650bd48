"""Data files: another deck makes another game in every respect, never confused with the shipped one."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.agents import load, resolve, save_network
from polytrix.agents.built_in import HeuristicPolicy
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import forget_programs, programs
from polytrix.core.data import DataFile, Replacement
from polytrix.core.errors import DataError, OptionError, PolicyError, SnapshotError, TranscriptError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import new_records
from polytrix.core.transcript import Transcript, play
from tests.stones import (
    BIG,
    HERE,
    LIGHTS,
    MANY,
    PRIZES,
    SHIPPED_PRIZES,
    SHIPPED_STEPS,
    STEPS,
    STONES,
    build_prizes,
    build_steps,
)

pytestmark = pytest.mark.usefixtures("known_toys")


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    """A file with other steps."""
    path = tmp_path / "my_steps.json"
    path.write_text(json.dumps(BIG))
    return path


def simulator(game: Game, count: int = 1) -> Simulator:
    return Simulator(game, count, {"doubling": False}, seed=1, mode=Mode.PLAIN)


# -- names of shipped files -------------------------------------------------------------------


def test_shipped_files_have_names() -> None:
    assert STONES.data[0].shipped == {"steps": HERE / "steps.json", "big": HERE / "big.json"}
    assert STONES.with_data(steps="steps", prizes="prizes") is STONES
    assert STONES.with_data(steps="big") is STONES.with_data(steps=BIG)
    assert STONES.with_data(steps="big").with_data(steps="steps") is STONES


def test_a_name_is_never_a_file_of_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text is a path only if it ends with .json or has a separator; a `Path` always is one."""
    own = {"steps": [1, 1, 1], "names": ["x", "y", "z"]}
    for name in ("big", "big.json", "mine"):
        (tmp_path / name).write_text(json.dumps(own))
    monkeypatch.chdir(tmp_path)
    assert STONES.with_data(steps="big") is STONES.with_data(steps=BIG)
    for path in ("big.json", "./big", str(tmp_path / "big"), Path("big"), "./mine"):
        assert STONES.with_data(steps=path) is STONES.with_data(steps=own)
    with pytest.raises(DataError, match=r"unknown steps 'mine'.*like \./mine\.$"):
        STONES.with_data(steps="mine")


def test_an_unknown_name_lists_the_shipped_ones() -> None:
    with pytest.raises(
        DataError, match=r"unknown steps 'bigg'\. Shipped: steps, big\..* Did you mean 'big'\?$"
    ):
        STONES.with_data(steps="bigg")
    with pytest.raises(DataError, match=r"unknown prizes 'big'\. Shipped: prizes\."):  # of another kind
        STONES.with_data(prizes="big")


def test_two_shipped_files_cannot_have_one_name() -> None:
    with pytest.raises(ValueError, match="'steps': shipped files need names of their own"):
        DataFile("steps", "", HERE / "steps.json", build_prizes, (HERE / "other" / "steps.json",))


# -- input --------------------------------------------------------------------------------


def test_equal_contents_are_the_same_game(steps: Path) -> None:
    game = STONES.with_data(steps=steps)
    assert game is not STONES and game.id == STONES.id
    assert game.replaced == {"steps": BIG} and game.shipped is STONES
    for given in (str(steps), BIG, {"steps": [3, 3, 3], "names": ["a", "b", "c"]}):
        assert STONES.with_data(steps=given) is game
    assert STONES.with_data(steps={**BIG, "steps": [3, 3, 2]}) is not game


def test_files_are_replaced_one_by_one_or_together() -> None:
    both = STONES.with_data(steps=BIG, prizes=MANY)
    one = STONES.with_data(prizes=MANY)
    assert one.with_data(steps=BIG) is both
    assert both.with_data() is both
    assert both.with_data(steps=SHIPPED_STEPS) is one
    assert one.with_data(prizes=SHIPPED_PRIZES) is STONES


def test_a_changed_file_is_another_game(steps: Path) -> None:
    before = STONES.with_data(steps=steps)
    steps.write_text(json.dumps({**BIG, "steps": [2, 2, 2]}), encoding="utf-8")
    after = STONES.with_data(steps=steps)
    assert after is not before
    assert after.format_action(None, 0) == "a+2" and before.format_action(None, 0) == "a+3"


def test_windows_editors_may_mark_their_text(steps: Path) -> None:
    steps.write_text(json.dumps(BIG), encoding="utf-8-sig")
    assert STONES.with_data(steps=steps) is STONES.with_data(steps=BIG)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"stebs": BIG}, r"unknown data file 'stebs'. Data files: steps, prizes. Did you mean 'steps'\?"),
        ({"steps": None}, "steps is None; allowed: the path of a JSON file, or what such a file holds"),
        ({"steps": 3}, "steps is 3; allowed"),
        ({"steps": '{"steps": "a/b"}'}, "^steps is JSON text, "),
        (
            {"steps": json.dumps(BIG)},
            "^steps is JSON text, .*; allowed: the path .*, or what such a file holds",
        ),
        ({"steps": {"steps": STEPS}}, "steps holds what JSON cannot"),
        ({"prizes": [float("nan")]}, "prizes holds what JSON cannot"),
        ({"steps": {**BIG, "steps": [1, 7, 1]}}, "^steps: step 1 is 7; allowed: 1, 2 or 3"),
        ({"prizes": {}}, "prizes: expected a JSON list"),
        ({"steps": "no_such_file.json"}, "no_such_file.json: steps cannot be read .No such file"),
        ({"steps": str(HERE)}, "steps cannot be read"),
        ({"steps": "nul\0.json"}, "steps cannot be read"),
    ],
)
def test_what_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        STONES.with_data(**given)


WITH_DATA = [game for game in polytrix.all_games() if game.data]
LONG: tuple[Any, ...] = ("x" * 30_000, ["x"] * 10_000, {str(number): number for number in range(3_000)})


@pytest.mark.parametrize("game", [STONES, *WITH_DATA], ids=lambda game: game.name)
@pytest.mark.parametrize("given", [*LONG, json.dumps(LONG), "/" * 30_000, f"{LONG[0]}.json"])
def test_no_error_is_as_long_as_what_it_refuses(game: Game, given: Any) -> None:
    for file in game.data:
        if (game, given) != (STONES, LONG[1]) or file.name == "steps":  # a list of prizes, which it only counts
            with pytest.raises(DataError) as refused:
                game.with_data(**{file.name: given})
            assert len(str(refused.value)) < 900


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (b'{"steps": [1,\n  2,, 3]}', r"my.json: steps is not JSON: .* in line 2, column 5"),
        (b"", "in line 1, column 1"),
        (b"\xff\xfe\x00", "my.json: steps is not a text file"),
        (b"3", "my.json: steps is 3; allowed"),
        (b"[" * 100_000, "my.json: steps cannot be read"),
        (b'{"steps": [NaN]}', "my.json: steps holds what JSON cannot"),
        (b'{"steps": [4], "names": []}', "my.json: steps: step 0 is 4; allowed: 1, 2 or 3"),
    ],
)
def test_files_that_are_refused(written: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "my.json").write_bytes(written)
    with pytest.raises(DataError, match=message):
        STONES.with_data(steps=tmp_path / "my.json")


def test_a_game_without_data_files_says_so() -> None:
    with pytest.raises(DataError, match=r"unknown data file 'deck'. polytrix/bare-v0 has none."):
        replace(STONES, name="bare", data=()).with_data(deck=[])


def test_options_and_files_are_told_apart(steps: Path) -> None:
    game, options = STONES.configured({"top": 4, "steps": steps})
    assert game is STONES.with_data(steps=BIG)
    assert options == {"top": 4, "doubling": True, "max_decisions": 40}
    assert STONES.configured({})[0] is STONES
    assert game.configured({})[0] is game
    with pytest.raises(
        OptionError, match=r"unknown option 'step'.*Data files: steps, prizes. Did you mean 'steps'"
    ):
        STONES.configured({"step": steps})


# -- effects ------------------------------------------------------------------------------


def test_rules_notation_text_and_layout_follow_the_files() -> None:
    for game, size, action in ((STONES, 1, "one+1"), (STONES.with_data(steps=BIG), 3, "a+3")):
        sim = simulator(game)
        assert game.format_action(sim.states[0], 0) == action
        assert game.parse_action(sim.states[0], action) == 0
        sim.step([0])
        assert sim.states[0].pile == size
    many = STONES.with_data(steps=BIG, prizes=MANY)
    sim = simulator(many)
    sim.step([0])
    assert sim.observation.shape == (1, LIGHTS + 4)
    assert many.observations.view(sim.observation[0])["lights"].tolist() == [1, 1, 1, 0]
    assert many.text(sim.states[0], None).endswith(" of 4")
    assert many.text(sim.states[0], None) in many.draw(sim.states[0], None).svg()
    assert STEPS.tolist() == SHIPPED_STEPS["steps"] and PRIZES.tolist() == SHIPPED_PRIZES


def test_only_functions_that_depend_on_the_file_are_copied_and_each_once() -> None:
    game = STONES.with_data(steps=BIG)
    assert game.observe is STONES.observe and game.setup is STONES.setup and game.text is STONES.text
    used = [function.__globals__["step_size"] for function in (game.apply, game.greedy, game.format_action)]  # type: ignore[union-attr, attr-defined]
    assert used[0] is used[1] is used[2] is not STONES.apply.__globals__["step_size"]  # type: ignore[attr-defined]


def test_a_change_of_the_same_field_by_two_files_is_an_error_of_the_game() -> None:
    def prizes_and(content: Any) -> Replacement:
        return replace(build_steps(content), fields={"observations": STONES.observations})

    clash = replace(STONES, data=(replace(STONES.data[0], build=prizes_and), STONES.data[1]))
    with pytest.raises(TypeError, match="two data files of polytrix/stones-v0 change observations"):
        clash.with_data(steps=BIG, prizes=MANY)


@pytest.mark.parametrize("new", [np.zeros(3, np.int32), np.zeros((3, 1), np.int64), [1, 2, 3]])
def test_a_table_of_another_kind_is_an_error_of_the_game(new: Any) -> None:
    with pytest.raises(TypeError, match="table"):
        Replacement([(STEPS, new)])


def test_names_of_data_files_are_keywords() -> None:
    with pytest.raises(ValueError, match="'my steps': use lower case"):
        DataFile("my steps", "", HERE / "steps.json", build_prizes)


# -- programs -----------------------------------------------------------------------------


def lights(game: Game, mode: Mode) -> list[int]:
    """The lights that a game shows with three stones on the pile."""
    states, rows = new_records(1, game.state), np.zeros(1, np.int64)
    states["pile"] = 3
    observation, mask = np.zeros((1, game.observations.size), np.int8), np.zeros((1, 4), np.int8)
    programs(game, mode).view(states, rows, rows, observation, mask, np.zeros(4, np.int16))
    shown: list[int] = game.observations.view(observation[0])["lights"].tolist()
    return shown


def test_compiled_programs_are_those_of_the_own_tables(empty_cache: Path) -> None:
    """Whatever is in the cache already."""
    games = STONES, STONES.with_data(prizes=MANY), STONES.with_data(prizes=[3, 4]), STONES.with_data(steps=BIG)
    expected = dict(zip(games, ([0, 0], [1, 1, 1, 0], [1, 0], [0, 0]), strict=True))
    kept = []
    for order in (games, games[::-1]):
        forget_programs()
        for game in order:
            assert lights(game, Mode.COMPILED) == lights(game, Mode.PLAIN) == expected[game]
        kept.append({path.name: path.stat().st_mtime_ns for path in empty_cache.iterdir()})
    assert kept[0] == kept[1], "compiled anew"
    assert len([*empty_cache.glob("view-*.program")]) == 3  # observations do not depend on steps


# -- copies, snapshots, transcripts ---------------------------------------------------------


def test_a_registered_game_with_other_data_is_not_taken_for_the_shipped_one(
    register: Callable[[Game], Game],
) -> None:
    changed, both = STONES.with_data(steps=BIG), STONES.with_data(steps=BIG, prizes=MANY)
    as_bytes = {game: pickle.dumps(game) for game in (STONES, changed, both)}
    register(changed)
    assert all(pickle.loads(data) is game for game, data in as_bytes.items())


def test_a_snapshot_of_other_data_is_refused() -> None:
    big, small = STONES.with_data(steps=BIG), STONES.with_data(steps={**BIG, "steps": [1, 1, 1]})
    data = simulator(big).save()
    simulator(big).load(data)
    with pytest.raises(SnapshotError, match=r"data files of its own, .'steps': .*with the shipped data files"):
        simulator(STONES).load(data)
    with pytest.raises(SnapshotError, match="Load it into a game with the same data files"):
        simulator(small).load(data)
    with pytest.raises(SnapshotError, match="was played with the shipped data files; this is"):
        simulator(big).load(simulator(STONES).save())


def test_a_transcript_replays_with_its_data() -> None:
    game = STONES.with_data(steps=BIG, prizes=MANY)
    played = play(game, seed=3, mode=Mode.PLAIN)
    assert played.description() is game
    written = played.to_text(Mode.PLAIN)
    content = json.loads(written)
    assert content["data"] == {"steps": BIG, "prizes": MANY} and "a+3" in content["moves"]
    assert Transcript.from_text(written, Mode.PLAIN) == played
    del content["actions"]
    assert Transcript.from_text(json.dumps(content), Mode.PLAIN) == played
    content["data"]["prizes"] = SHIPPED_PRIZES
    assert Transcript.from_text(json.dumps(content), Mode.PLAIN).data == {"steps": BIG}
    del content["data"]
    with pytest.raises(TranscriptError, match="move 0 does not replay"):
        Transcript.from_text(json.dumps(content), Mode.PLAIN)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "'data' is .*; expected a JSON dict"),
        ({"deck": []}, "data do not fit polytrix/stones-v0: unknown data file 'deck'"),
        ({"steps": {**BIG, "steps": [9]}}, "data do not fit polytrix/stones-v0: steps: step 0 is 9"),
        ({"steps": str(HERE / "steps.json")}, "expected its content, a dict or a list"),  # no file is opened
    ],
)
def test_data_that_a_transcript_cannot_have(data: Any, message: str) -> None:
    content = json.loads(play(STONES, seed=3, mode=Mode.PLAIN).to_text(Mode.PLAIN))
    with pytest.raises(TranscriptError, match=message):
        Transcript.from_text(json.dumps({**content, "data": data}), Mode.PLAIN)


# -- policies -----------------------------------------------------------------------------


def network(game: Game) -> list[tuple[Any, Any]]:
    return [(np.zeros((game.observations.size, 4), np.float32), np.zeros(4, np.float32))]


def test_networks_play_with_other_data_where_they_fit(tmp_path: Path) -> None:
    big, many = STONES.with_data(steps=BIG), STONES.with_data(prizes=MANY)
    save_network(tmp_path / "net.npz", STONES, network(STONES))
    assert load(tmp_path / "net.npz", big).game is big
    with pytest.raises(PolicyError, match=r"or for other data files: 17 observations .*now 19 and 4"):
        load(tmp_path / "net.npz", many)
    save_network(tmp_path / "many.npz", many, network(many))
    assert load(tmp_path / "many.npz", many).game is many
    with pytest.raises(PolicyError, match="or for other data files: 19 observations"):
        load(tmp_path / "many.npz")
    assert resolve(load(tmp_path / "net.npz"), big).name == "net"  # type: ignore[attr-defined]
    with pytest.raises(PolicyError, match="'net' plays polytrix/stones-v0 with other data files"):
        resolve(load(tmp_path / "net.npz"), many)


def test_a_heuristic_knows_its_data() -> None:
    big = STONES.with_data(steps=BIG)
    assert resolve(HeuristicPolicy(big), big).game is big  # type: ignore[attr-defined]
    with pytest.raises(PolicyError, match="'greedy' plays polytrix/stones-v0 with other data files"):
        resolve(HeuristicPolicy(STONES), big)
