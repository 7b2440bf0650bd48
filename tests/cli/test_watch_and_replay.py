"""`polytrix replay` shows what `polytrix watch` has saved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from polytrix.cli import watch
from polytrix.play.session import Session
from tests.cli.running import refused, run

WATCH = ("watch", "quatrix", "--delay", 0, "--seed", 3)


def test_replay_shows_the_game_that_was_watched(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    watched = run(*WATCH, "random", "random", "-o", "max_decisions=12", "--save", file).stdout
    assert "red is random, blue is random" in watched
    replayed = run("replay", file).stdout
    moves = re.findall(r"^\d+\. .*", watched, re.MULTILINE)
    assert len(moves) == 12
    assert moves == re.findall(r"^\d+\. .*", replayed, re.MULTILINE)
    assert "payoffs: red +0, blue +0 (cut off after 12 decisions)" in replayed
    assert "verified: 12 decisions replay as recorded" in replayed


def test_an_interrupt_keeps_the_game_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = Session.choose

    def interrupted(session: Session, policy: watch.Policy) -> int:
        if len(session.actions) == 3:
            raise KeyboardInterrupt
        return choose(session, policy)

    monkeypatch.setattr(Session, "choose", interrupted)
    file = tmp_path / "game.json"
    shown = run(*WATCH, "random", "--save", file).stdout
    assert "stopped" in shown
    replayed = run("replay", file).stdout
    assert "is to move" in replayed
    assert "verified: 3 decisions" in replayed


def test_a_game_that_is_written_is_not_printed_too(tmp_path: Path) -> None:
    file, page = tmp_path / "game.json", tmp_path / "game.html"
    run(*WATCH, "random", "-o", "max_decisions=6", "--save", file)
    shown = run("replay", file, "--hint", "greedy", "--html", page).stdout
    assert shown.splitlines() == [
        "",
        "payoffs: red +0, blue +0 (cut off after 6 decisions)",
        "verified: 6 decisions replay as recorded",
        f"written: {page}",
    ]


def test_agents_that_do_not_fit() -> None:
    assert "3 agents are given; this game of quatrix has 2 seats" in refused(
        *WATCH, "random", "random", "random"
    )
    assert "policy 'nobody' is neither" in refused(*WATCH, "random", "nobody")
    assert "--delay" in refused("watch", "quatrix", "--delay", -1)


def test_agents_are_repeated_around_the_table() -> None:
    three = ("watch", "pressure_matrix", "--delay", 0, "-o", "players=3", "-o", "max_decisions=2")
    shown = run(*three, "random", "noisy:0.3,greedy").stdout
    assert "blue is random, orange is noisy:0.3,greedy, purple is random" in " ".join(shown.split())


def test_files_that_are_no_transcripts(tmp_path: Path) -> None:
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG\xff\xfe")
    assert refused("replay", file) == f"error: {file} is not a text file"
    file.write_text("{}")
    assert refused("replay", file).startswith(f"error: {file}: ")
    assert "this is not a polytrix game file: it lacks" in refused("replay", file)
    file.write_text("a letter")
    assert refused("replay", file).endswith(
        "this is not a polytrix game file: it is not JSON (line 1, column 1)"
    )
    assert "does not exist" in refused("replay", tmp_path / "nothing.json")
