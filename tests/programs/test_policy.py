"""A program plays where policies are named; whatever it does wrong costs it the game, and no more."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.agents import resolve
from polytrix.arena import contestants
from polytrix.core.errors import ClosedError, ForfeitError, PolicyError
from polytrix.llm import Episode
from polytrix.play.session import Session
from polytrix.programs import ProgramPolicy
from polytrix.programs.policy import Seat, command_in
from polytrix.programs.process import KEPT, LONGEST

from .running import Pipe, program, told

GAME = polytrix.find("resistor")


def begun(seed: int = 1) -> Session:
    return Session(GAME, GAME.options.defaults, seed)


def refused(folder: Path, choose: str) -> dict[str, Any]:
    """What the file of a game has of the first answer of a program, which forfeits with it."""
    policy = ProgramPolicy(GAME, program(folder, choose, ",seconds=1000"))
    with pytest.raises(ForfeitError):
        policy.choose_in(begun())
    (asked,) = policy.finish()
    (answer,) = asked["answers"]
    assert asked["action"] is None and asked["seat"] == 0
    return dict(answer)


def test_it_plays_where_policies_are_named(tmp_path: Path) -> None:
    session, policy = begun(3), resolve(program(tmp_path, "first(message)"), GAME)
    other = resolve("random", GAME)
    while not session.over:
        session.play(session.choose(policy if session.state.mover == 1 else other))
    begun().choose(policy)  # the next game begins when all of this one has been read
    messages = told(tmp_path)
    assert [each["type"] for each in messages[:4]] == ["hello", "observe", "choose", "observe"]
    assert messages[0]["seat"] == 1 and messages[0]["seats"] == [*session.seats]
    (end,) = (number for number, each in enumerate(messages) if each["type"] == "over")
    decisions = [entry["seat"] for each in messages[:end] for entry in each.get("log", [])]
    assert decisions == [session.decision(number).seat for number in range(len(session.actions))]
    assert messages[end] == {"type": "over", "payoffs": session.payoff(), "forfeited": None}


def test_batches_have_no_log_to_tell(tmp_path: Path) -> None:
    env = polytrix.Simulator(GAME, 1, seed=1)
    policy = resolve(program(tmp_path, "first(message)"), GAME)
    with pytest.raises(PolicyError, match="plays in polytrix arena"):
        policy(env.observation, env.mask, np.random.default_rng(0))


def test_why_is_kept_with_standard_error(tmp_path: Path) -> None:
    policy = ProgramPolicy(
        GAME,
        program(tmp_path, 'print("hm", file=sys.stderr)\nsay(move=message["legal"][0]["id"], why="\\ud800!")'),
    )
    action = policy.choose_in(begun())
    (asked,) = policy.finish()
    assert asked["action"] == action and asked["answers"][0]["reasoning"] == "?!\nhm"
    assert asked["answers"][0]["text"] == str(action) and asked["answers"][0]["error"] is None
    assert "F1" in asked["question"]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ('print("F1", flush=True)', "the answer is 'F1'; allowed: a JSON object"),
        ("say(mvoe=1)", "the move is None; allowed: its notation"),
        ("say(move=[1])", "allowed: its notation"),
        ("say(move=True)", "allowed: its notation"),
        ('say(move="xyzzy")', "xyzzy"),
        ("say(move=10**30)", "1000000"),
        ('print("[" * 90_000, flush=True)', "allowed: a JSON object"),
        ('sys.stdout.buffer.write(b"\\xff\\n"); sys.stdout.flush()', "allowed: a JSON object"),
        ('while True: sys.stdout.write("x" * 9999)', f"more than {LONGEST} bytes"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "the program has ended"),
    ],
)
def test_nonsense_forfeits_at_once(answer: str, error: str, tmp_path: Path) -> None:
    assert error in refused(tmp_path, answer)["error"]


def test_a_crash_is_told_with_the_end_of_standard_error(tmp_path: Path) -> None:
    crash = 'sys.stderr.write("x" * 100_000 + "\\n"); sys.stderr.flush()\nraise KeyError("lost")'
    answer = refused(tmp_path, crash)
    assert answer["error"] == "the program has ended"
    assert "KeyError: 'lost'" in answer["reasoning"] and len(answer["reasoning"]) <= KEPT
    with pytest.raises(ForfeitError, match=r"bot.py.* forfeits the game: the program has ended(?s:.*)lost"):
        begun().choose(resolve(program(tmp_path, crash), GAME))


@pytest.mark.parametrize("hello", ["[]", "{", '{"protocol": 2}', ""])
def test_hello_is_answered_in_our_protocol(hello: str) -> None:
    command = shlex.join(["sh", "-c", f"read line; echo '{hello}'"])
    with pytest.raises(ForfeitError, match=r"allowed: a JSON object|speaks protocol 2; allowed: 1"):
        ProgramPolicy(GAME, f"process:{command}").choose_in(begun())


def test_a_forfeit_ends_the_game_for_all(tmp_path: Path) -> None:
    mute, other = program(tmp_path, "say()", name="mute.py"), resolve(program(tmp_path, "first(message)"), GAME)
    episode = Episode("resistor", [other, mute], seed=1)
    assert episode.over and episode.forfeited == 1 and episode.rewards == [1.0, -1.0]
    assert [each["action"] is None for each in episode.said if each["seat"] == 1] == [True]
    begun().choose(other)  # the next game begins when all of this one has been read
    ended = [each for each in told(tmp_path) if each["type"] == "over"]
    assert ended == [{"type": "over", "payoffs": [1.0, -1.0], "forfeited": 1}]


# -- processes ------------------------------------------------------------------------------------------


def test_a_process_plays_one_game_after_another(tmp_path: Path) -> None:
    policy = ProgramPolicy(GAME, program(tmp_path, 'say(move=message["legal"][0]["move"], why=os.getpid())'))

    def pids(session: Session) -> list[str]:
        """The process in each seat, as the program plays with itself."""
        while len({session.decision(number).seat for number in range(len(session.actions))}) < 2:
            session.play(session.choose(policy))
        return [each["answers"][0]["reasoning"] for each in policy.finish()]

    first, second = pids(begun(1)), pids(begun(2))
    assert len({*first}) == 2 and {*first} == {*second}


def test_a_game_begins_anew_when_decisions_were_taken_back(tmp_path: Path) -> None:
    session, policy = Session(GAME, GAME.options.defaults, 3, viewer=0), resolve("random", GAME)
    other = resolve(program(tmp_path, "say(move=message['legal'][0]['id'])"), GAME)

    def play_on(decisions: int) -> None:
        while len(session.actions) < decisions:
            session.play(session.choose(policy if session.state.mover == 0 else other))

    play_on(9)
    before = list(session.actions)
    session.undo()
    play_on(9)
    assert session.actions == before
    assert [each["type"] for each in told(tmp_path)].count("hello") == 2


def test_what_is_stopped_waits_for_no_program(tmp_path: Path) -> None:
    policy = ProgramPolicy(GAME, program(tmp_path, "while True: pass", ",seconds=100000"))
    policy.stop.set()
    with pytest.raises(ClosedError):
        policy.choose_in(begun())


def test_nothing_is_left_of_a_policy_that_is_not_used_any_more(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "held")
    policy = ProgramPolicy(
        GAME, program(tmp_path, f"held = open({str(tmp_path / 'held')!r}, 'w')\nos.fork() and first(message)")
    )
    with open(os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK), "rb") as held:
        policy.choose_in(begun())
        os.set_blocking(held.fileno(), True)
        del policy
        assert held.read() == b""  # until nobody has it open, the child neither


# -- messages -------------------------------------------------------------------------------------------


def test_the_bank_pays_for_moves_that_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    now, limits = [0.0], []

    class Thinking(Pipe):
        takes = 0.0

        def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
            limits.append(seconds)
            now[0] += self.takes
            return super().ask(message, seconds)

    monkeypatch.setattr("polytrix.programs.policy.monotonic", lambda: now[0])
    session, pipe = begun(), Thinking()
    seat = Seat(pipe, session, 0, {"seconds": 2.0, "bank": 10.0})
    for pipe.takes in (1.0, 5.0, 9.0, 0.5):
        seat.ask(session.moves())
    clocks = [message["clock"] for message in map(json.loads, pipe.lines) if "clock" in message]
    assert [clock["bank"] for clock in clocks] == [10, 10, 10, 7, 0]
    assert limits == [60, 12, 12, 9, 2] and {clock["seconds"] for clock in clocks} == {2}


@pytest.mark.parametrize("wanted", [False, True])
def test_arrays_come_if_they_are_wanted(wanted: bool, tmp_path: Path) -> None:
    spec = program(tmp_path, "first(message)")
    file = tmp_path / "bot.py"
    file.write_text(file.read_text().replace("wanted = {}", f"wanted = {{'observation': {wanted}}}"))
    session = begun()
    session.choose(resolve(spec, GAME))
    observe = told(tmp_path)[1]
    assert observe.get("observation") == (session.observe().tolist() if wanted else None)


def test_in_the_arena_a_program_is_known_by_its_command() -> None:
    for spec in ("process:cat --weights=1,file=2", "mine=process:cat --weights=1,file=2"):
        (agent,) = contestants(GAME, [spec])
        assert agent.mark == "process:cat --weights=1,file=2"


def test_settings_stand_behind_a_command_that_may_have_commas() -> None:
    usual = {"seconds": 10.0, "bank": 60.0}
    assert command_in("process:cat -x 1,2 --bank=3") == (["cat", "-x", "1,2", "--bank=3"], usual)
    assert command_in("process:cat 'a b',bank=0,seconds=.5") == (["cat", "a b"], {"seconds": 0.5, "bank": 0.0})
    for wrong in ("seconds=-1", "bank=", "bank=x", "seconds=inf", "seconds=nan", "bank=3 -x"):
        with pytest.raises(PolicyError, match="allowed: a number of seconds"):
            ProgramPolicy(GAME, f"process:true,{wrong}")
    for wrong in ("process:", "process:no-such-program", "process:'", "process:,bank=2"):
        with pytest.raises(PolicyError, match=r"there is no program|cannot be read"):
            ProgramPolicy(GAME, wrong)
