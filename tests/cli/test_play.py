"""`polytrix play`, with the player's input piped in."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

import polytrix
from polytrix.cli import commands, play, screen
from polytrix.cli.commands import COMMANDS
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.transcript import Transcript
from tests.cli.running import refused, run
from tests.every_game import every_game

GAME = polytrix.find("quatrix")
SEED = 5  # blue begins
SHORT = ("play", "quatrix", "--opponent", "random", "--seed", SEED, "-o", "max_decisions=8")


def read(file: Path) -> Transcript:
    return Transcript.from_text(file.read_text(encoding="utf-8"), Mode.PLAIN)


def test_a_game_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    shown = run(*SHORT, "--save", file, typed="1\n" * 8).stdout
    assert "You are red; blue is random." in shown
    assert "payoffs: red +0, blue +0 (cut off after 8 decisions)" in shown
    assert f"saved 8 decisions: {file}" in shown
    transcript = read(file)
    assert (transcript.game, transcript.seed, len(transcript.actions)) == (GAME.id, SEED, 8)
    sim = Simulator(GAME, 1, transcript.options, seed=SEED, mode=Mode.PLAIN)
    for action in transcript.actions:
        assert f"{GAME.seats[sim.mover[0]]}: {GAME.format_action(sim.states[0], action)}" in shown
        if sim.mover[0] == 0:
            assert action == sim.legal_ids[0, 0]  # move 1 of the list
            assert GAME.text(sim.states[0], 0) in shown
        sim.step([action])


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("0", "there is no move 0; type 1 to "),
        ("999", "there is no move 999; type 1 to "),
        ("hello", "'hello' names no legal action"),
        ("!847 ", "'!847' names no legal action"),
        ("²", "'²' names no legal action"),
    ],
)
def test_a_wrong_answer_asks_again(answer: str, complaint: str) -> None:
    shown = run(*SHORT, typed=f"{answer}\n\nquit\n").stdout
    assert complaint in shown
    assert shown.count("red> ") == 3


@pytest.mark.parametrize("end", ["quit\n", ""])
def test_quitting_keeps_the_game_so_far(end: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    shown = run(*SHORT, "--save", file, typed="1\n" + end).stdout
    assert "stopped" in shown
    assert "payoffs" not in shown
    transcript = read(file)
    assert 0 < len(transcript.actions) < 8
    assert transcript.payoffs(Mode.PLAIN) is None


def test_an_interrupt_keeps_the_game_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["1", "1"])

    def ask(question: str, completions: list[str]) -> str:
        for answer in answers:
            return answer
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "terminal", lambda: ask)
    file = tmp_path / "game.json"
    assert "stopped" in run(*SHORT, "--save", file).stdout
    own = read(file)
    assert len(own.actions) >= 2


@pytest.mark.parametrize("end", ["quit\n", ""])
def test_a_game_is_not_lost_without_a_word(end: str) -> None:
    assert run(*SHORT, typed=end).stdout.endswith("\nstopped\n")
    assert "to keep a game, type save FILE or start with --save FILE" in run(*SHORT, typed="1\n" + end).stdout


def test_a_game_can_be_saved_while_it_is_played(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    shown = run(*SHORT, typed=f"1\nsave\nsave {tmp_path}\nsave {file}\nquit\n").stdout
    assert "type save and the name of a file" in shown and "Is a directory" in shown
    assert f"saved {len(read(file).actions)} decisions: {file}" in shown


def test_a_game_with_take_backs_says_so_and_replays(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    shown = run(*SHORT, "--save", file, typed="1\nundo\n" + "1\n" * 8).stdout
    assert "Dice and cards to come stay the same" in " ".join(shown.split())
    assert re.search(r"decisions taken back: [1-9]", shown)
    assert len(read(file).actions) == 8
    assert "verified: 8 decisions" in run("replay", file).stdout


def test_completions_are_the_legal_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[list[str]] = []

    def ask(question: str, completions: list[str]) -> str:
        offered.append(completions)
        raise EOFError

    monkeypatch.setattr(play, "terminal", lambda: ask)
    shown = run(*SHORT).stdout
    count = len(offered[0]) - len(COMMANDS)
    assert offered[0][count:] == list(COMMANDS)
    assert count > 0
    assert all(move in shown for move in offered[0][:count])


def test_what_is_refused(tmp_path: Path) -> None:
    assert "unknown game 'chess'" in refused("play", "chess")
    assert "seat is 2; this game of quatrix has seats 0 to 1" in refused("play", "quatrix", "--seat", 2)
    assert "policy 'nobody' is neither" in refused("play", "quatrix", "--opponent", "nobody")
    assert "option 'scoring' is 'all'" in refused(
        "play", "quatrix", "-o", "scoring=all", "--opponent", "random"
    )
    assert "--seed" in refused("play", "quatrix", "--seed", -1)
    assert "does not exist" in refused("play", "quatrix", "--save", tmp_path / "no" / "game.json")
    assert "is a directory" in refused("play", "quatrix", "--save", tmp_path)


def test_a_terminal_asks_with_completion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        ask = commands.terminal()
        keys.send_text("Rd1-d4\n")
        assert ask("red> ", ["Rd1-d4", "quit"]) == "Rd1-d4"
        keys.send_text("\x04")  # Ctrl-D
        with pytest.raises(EOFError):
            ask("red> ", [])


# -- on a small screen ----------------------------------------------------------------------------


def screen_of(monkeypatch: pytest.MonkeyPatch, width: int, height: int) -> None:
    """Let the terminal have this size."""
    for console in (screen.out, screen.err):
        monkeypatch.setattr(console, "_width", width)
        monkeypatch.setattr(console, "_height", height)


@pytest.mark.parametrize("height", [24, 60])
def test_what_happened_is_never_above_the_screen(monkeypatch: pytest.MonkeyPatch, height: int) -> None:
    screen_of(monkeypatch, 80, height)
    play_it = ("play", "pressure_matrix", "--opponent", "greedy", "--seed", 4)
    first, second, *_ = run(*play_it, typed="bid 0\nquit\n").stdout.split("blue> ")
    assert "help for all" in last_lines(first, height)
    assert "orange: bid 1" in last_lines(second, height)
    assert ("\norange: bid 1; orange: start ne\n  1 start nw" in second) == (height == 24)
    assert "turn 0, level green" in last_lines(second, height)


@every_game
def test_boards_break_between_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: Game) -> None:
    screen_of(monkeypatch, 60, 24)
    file = tmp_path / "game.json"
    watched = ("watch", game.name, "random", "--delay", 0, "--seed", 3, "-o", "max_decisions=30")
    for shown in (run(*watched, "--save", file).stdout, run("replay", file).stdout):
        lines = [line for line in shown.splitlines() if not line.startswith((game.id, "payoffs:", "saved"))]
        assert max(map(len, lines)) <= 60


def last_lines(text: str, height: int) -> str:
    """What is on the screen, above the prompt."""
    return "\n".join(text.splitlines()[-(height - 1) :])
