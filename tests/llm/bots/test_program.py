"""Whatever a program does costs it the game: it crashes, hangs, floods, or leaves children behind."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import numpy as np
import pytest

import polytrix
from polytrix.agents import resolve
from polytrix.core.errors import ClosedError, PolicyError
from polytrix.llm import Episode
from polytrix.llm.bots.process import KEPT, LONGEST, Failed, Process
from polytrix.llm.bots.program import Program, Sitting, split_settings
from polytrix.llm.models import Reply
from polytrix.play.session import Session

from .running import program

Ask = Callable[..., Reply]


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Ask]:
    """Lets a program that answers by some lines of Python take the first decision of a game."""
    made: list[Program] = []

    def answer(choose: str, **more: object) -> Reply:
        made.append(Program(program(tmp_path, choose), **more))  # type: ignore[arg-type]
        return Sitting(made[-1])(episode().messages())

    yield answer
    for each in made:
        each.close()


def episode() -> Episode:
    return Episode("resistor", ["program", "random"], seed=1)


def started(code: str) -> Process:
    """A process by whose clock a thousand seconds pass whenever it is read."""
    steps = count(0, 1000)
    return Process([sys.executable, "-I", "-S", "-c", code], lambda: float(next(steps)))


def test_an_answer_is_a_move_and_perhaps_why(ask: Ask) -> None:
    playing = episode()
    reply = ask('say(move=message["legal"][0]["move"], why="it is the first")')
    assert json.loads(reply.text)["why"] == "it is the first"
    assert playing.answer(reply.text) is None and len(playing.session.actions) > 0


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ('print("F1", flush=True)', "allowed: {"),
        ("say(mvoe=1)", "allowed: {"),
        ("say(move=[1])", "allowed: its notation"),
        ("say(move=True)", "allowed: its notation"),
        ('say(move="xyzzy")', "xyzzy"),
        ("say(move=10**30)", "1000000"),
        ('print("[" * 90_000, flush=True)', "allowed: {"),
        ('sys.stdout.buffer.write(b"\\xff\\n"); sys.stdout.flush()', "allowed: {"),
    ],
)
def test_nonsense_forfeits_at_once(answer: str, told: str, ask: Ask) -> None:
    playing = episode()
    assert told in str(playing.answer(ask(answer).text))
    assert playing.forfeited == 0 and playing.rewards == [-1.0, 1.0]
    assert playing.answered[-1].action is None and len(playing.answered[-1].answers) == 1


def test_a_crash_is_told_with_the_end_of_standard_error(ask: Ask) -> None:
    reply = ask('sys.stderr.write("x" * 100_000 + "\\n"); sys.stderr.flush()\nraise KeyError("lost")')
    assert reply.text == "(the program has ended)"
    assert "KeyError: 'lost'" in reply.reasoning and len(reply.reasoning) <= KEPT
    playing = episode()
    assert "the program has ended" in str(playing.answer(reply.text)) and playing.forfeited == 0


def test_kill_9_is_a_crash(ask: Ask) -> None:
    assert ask("os.kill(os.getpid(), signal.SIGKILL)").text == "(the program has ended)"


def test_who_never_answers_is_ended_with_its_children(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "held")
    process = started(
        f"import os, sys; os.fork(); held = open({str(tmp_path / 'held')!r}, 'w')\n"
        "held.write('x'); held.flush()\n"
        "while True: sys.stdin.read()"
    )
    with (tmp_path / "held").open("rb") as held:
        assert held.read(2) == b"xx"  # both are there
        with pytest.raises(Failed, match="not answered in time"):
            process.ask(10)
        process.end(grace=0)
        assert held.read() == b""  # until nobody has it open


def test_who_writes_to_standard_error_without_end_is_ended() -> None:
    process = started("import sys\nwhile True: sys.stderr.write('x' * 9999)")
    with pytest.raises(Failed, match="not answered in time"):
        process.ask(1_000_000)
    process.end(grace=0)
    assert 0 < len(process.errors()) <= KEPT


def test_a_line_without_end_is_read_no_further(ask: Ask) -> None:
    reply = ask('while True: sys.stdout.write("x" * 9999)')
    assert reply.text == f"(the program has begun a line of more than {LONGEST} bytes)"


def test_who_does_not_read_is_no_trouble(ask: Ask) -> None:
    """More than fits into a pipe waits to be sent, and the answer does not."""
    process = started("print('{}', flush=True)\nwhile True: pass")
    process.tell(["x" * 1_000_000])
    assert process.ask(1e6) == "{}"
    process.end(grace=0)


def test_more_lines_than_questions_are_refused(tmp_path: Path) -> None:
    process = started("print('{}\\n{}', flush=True); input()")
    process.ask(1e6)
    with pytest.raises(Failed, match="more than it was asked for"):
        process.ask(1e6)
    process.end(grace=0)


@pytest.mark.parametrize("hello", ["[]", "{", '{"protocol": 2}', ""])
def test_hello_is_answered_in_our_protocol(hello: str, tmp_path: Path) -> None:
    spoken = Program(f"process:{shlex.join(['echo', hello])}")
    assert "has answered hello with" in Sitting(spoken)(episode().messages()).text
    spoken.close()


# -- the clock ------------------------------------------------------------------------------------------


class Clock:
    """Seconds that pass only when a process has answered: so many as a test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.limits = 0.0, list[float]()
        self.takes = 0.0
        asked = Process.ask

        def ask(process: Process, limit: float) -> str:
            self.limits.append(limit)
            answer = asked(process, limit)
            self.now += self.takes
            return answer

        monkeypatch.setattr(Process, "ask", ask)

    def __call__(self) -> float:
        return self.now


def test_the_bank_pays_for_moves_that_take_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    timed = Program(program(tmp_path, 'say(**message["clock"])', ",seconds=2,bank=10"), clock)
    sitting = Sitting(timed)
    clock.takes = 0.0
    told = []
    for takes in (1.0, 5.0, 9.0, 0.5):
        clock.takes = takes
        told.append(json.loads(sitting(episode().messages()).text))
    assert told == [{"seconds": 2, "bank": bank} for bank in (10, 10, 7, 0)]
    assert clock.limits[1:] == [12, 12, 9, 2]
    timed.close()


def test_settings_stand_behind_a_command_that_may_have_commas() -> None:
    usual = {"seconds": 10.0, "bank": 60.0}
    assert split_settings("process:./bot -x 1,2 --bank=3") == ("./bot -x 1,2 --bank=3", usual)
    assert split_settings("process:./bot a,bank=0,seconds=.5") == ("./bot a", {"seconds": 0.5, "bank": 0.0})
    for wrong in (
        "process:true,seconds=0",
        "process:true,bank=-1",
        "process:true,bank=x",
        "process:true,seconds=inf",
    ):
        with pytest.raises(PolicyError, match="allowed: a number of seconds"):
            Program(wrong)
    for wrong in ("process:", "process:no-such-program", "process:'", "process:,bank=2"):
        with pytest.raises(PolicyError, match=r"there is no program|cannot be read"):
            Program(wrong)


# -- one process after another --------------------------------------------------------------------------


def test_a_process_plays_one_game_after_another(tmp_path: Path) -> None:
    several = Program(program(tmp_path, "say(move=os.getpid())"))
    first, second = Sitting(several), Sitting(several)
    pids = [first(episode().messages()).text, second(episode().messages()).text]
    first.leave()
    pids.append(Sitting(several)(episode().messages()).text)
    assert pids[0] == pids[2] != pids[1]
    several.close()


def test_after_close_games_that_go_on_are_told_so(tmp_path: Path) -> None:
    ended = Program(program(tmp_path, "first(message)"))
    sitting = Sitting(ended)
    sitting(episode().messages())
    ended.close()
    with pytest.raises(ClosedError):
        sitting(episode().messages())
    sitting.leave()
    with pytest.raises(ClosedError):
        Sitting(ended)(episode().messages())


def test_arrays_come_if_they_are_wanted(tmp_path: Path) -> None:
    for wanted in (False, True):
        spec = program(tmp_path, "say(move=len(seen.get('observation', [])))", name=f"bot{wanted}.py")
        file = tmp_path / f"bot{wanted}.py"
        text = file.read_text().replace("wanted = {}", f"wanted = {{'observation': {wanted}}}")
        file.write_text(text)
        asked = Program(spec)
        size = polytrix.find("resistor").observations.size if wanted else 0
        assert json.loads(Sitting(asked)(episode().messages()).text) == {"move": size}
        asked.close()


# -- as a policy ----------------------------------------------------------------------------------------


def test_a_program_plays_where_policies_are_named(tmp_path: Path) -> None:
    game = polytrix.find("resistor")
    session = Session(game, game.options.defaults, 3)
    policy, other = resolve(program(tmp_path, "first(message)"), game), resolve("random", game)
    while not session.over:
        session.play(session.choose(policy if session.state.mover == 1 else other))
    policy.finish(session)  # type: ignore[attr-defined]
    assert all(
        session.actions[number] == session.decision(number).action for number in range(len(session.actions))
    )
    policy._program.close()  # type: ignore[attr-defined]


def test_batches_have_no_log_to_tell(tmp_path: Path) -> None:
    game = polytrix.find("resistor")
    env = polytrix.Simulator(game, 1, seed=1)
    policy = resolve(program(tmp_path, "first(message)"), game)
    with pytest.raises(PolicyError, match="plays in polytrix arena"):
        policy(env.observation, env.mask, np.random.default_rng(0))


def test_undo_begins_the_game_anew(tmp_path: Path) -> None:
    game = polytrix.find("resistor")
    session = Session(game, game.options.defaults, 3, viewer=0)
    policy = resolve(program(tmp_path, "say(move=message['legal'][0]['id'])"), game)
    seats = resolve("random", game)

    def play_on(decisions: int) -> None:
        while len(session.actions) < decisions:
            session.play(session.choose(seats if session.state.mover == 0 else policy))

    play_on(9)
    before = list(session.actions)
    session.undo()
    play_on(9)
    assert session.actions == before


def test_a_failure_is_an_error_with_the_last_words(tmp_path: Path) -> None:
    game = polytrix.find("resistor")
    policy = resolve(program(tmp_path, "raise KeyError('lost')"), game)
    with pytest.raises(PolicyError, match=r"forfeits the game: .*has ended.*(?s:.*)lost"):
        Session(game, game.options.defaults, 3).choose(policy)
