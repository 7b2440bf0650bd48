"""One command rates programs in three languages, and one of them is killed in the middle."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from polytrix.agents.resolve import PROCESS
from polytrix.core.transcript import Transcript
from tests.cli.running import refused, run
from tests.pages import ROOT

from .running import program

PROGRAMS = ROOT / "examples" / "programs"
FEW = ("-o", "max_decisions=30", "--deals", "1")

KILLED = """\
import os, pathlib, runpy, signal, sys
died = pathlib.Path(sys.argv[1])
def lines(stdin):
    for number, line in enumerate(stdin):
        if number == 12 and not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield line
sys.stdin = lines(sys.stdin)
runpy.run_path(sys.argv[2])
"""
"""Runs a program, and once, in the middle of a game, does to it what `kill -9` does."""


def needs(tool: str) -> str:
    found = shutil.which(tool)
    if found is None:
        pytest.skip(f"needs {tool}")
    return found


def specs(folder: Path) -> dict[str, str]:
    """The programs of the examples, by name."""
    compiled = folder / "random"
    subprocess.run([needs("cc"), "-O2", "-o", str(compiled), str(PROGRAMS / "random.c")], check=True)
    commands = {
        "python": [sys.executable, "-I", str(PROGRAMS / "first.py")],
        "javascript": [needs("node"), str(PROGRAMS / "last.js")],
        "c": [str(compiled)],
    }
    return {name: f"{name}={PROCESS}{shlex.join(command)},seconds=1000" for name, command in commands.items()}


def test_programs_in_three_languages_are_rated_and_one_is_killed(tmp_path: Path) -> None:
    killed = tmp_path / "killed.py"
    killed.write_text(KILLED)
    agents = specs(tmp_path)
    command = shlex.join(
        [sys.executable, "-I", str(killed), str(tmp_path / "died"), str(PROGRAMS / "first.py")]
    )
    agents["python"] = f"python={PROCESS}{command},seconds=1000"
    out = tmp_path / "result.json"
    shown = run(
        "arena", "resistor", "random", *agents.values(), *FEW, "--json", out, "--concurrency", "1"
    ).stdout
    assert (tmp_path / "died").exists()

    result = json.loads(out.read_text())
    assert {each["name"] for each in result["agents"]} == {"random", *agents}
    figures = result["language_models"]["models"]
    assert {name: each["forfeits"] for name, each in figures.items()} == {"python": 1, "javascript": 0, "c": 0}
    assert {each["games"] for each in figures.values()} == {6} and "games forfeited" in shown

    games = [json.loads(file.read_text()) for file in (tmp_path / "result.games").iterdir()]
    assert len(games) == 12
    (lost,) = (game for game in games if game["language_models"]["forfeited"] is not None)
    told = lost["language_models"]
    assert lost["players"][told["forfeited"]] == "python" and told["rewards"][told["forfeited"]] == -1
    last = told["asked"][-1]["answers"][-1]
    assert last["error"] == "the program has ended"
    first = next(each for each in told["asked"] if lost["players"][each["seat"]] == "python")
    why, complaint = first["answers"][0]["reasoning"].splitlines()
    assert why.startswith("the first of") and complaint.startswith("I play resistor in seat")
    for game in games:
        Transcript.from_text(json.dumps(game)).replay()


def test_the_same_command_goes_on_and_asks_nobody_twice(tmp_path: Path) -> None:
    out, asked = tmp_path / "result.json", tmp_path / "asked"
    spec = program(tmp_path, f"open({str(asked)!r}, 'a').write('x')\nfirst(message)", ",seconds=1000")
    run("arena", "resistor", "random", spec, "--deals", "2", "--json", out)
    before = asked.stat().st_size
    run("arena", "resistor", "random", spec, "--deals", "2", "--json", out)
    assert asked.stat().st_size == before > 0
    assert json.loads(out.read_text())["language_models"]["models"][spec]["decisions"] == before


def test_games_of_another_seed_are_not_taken_for_those_of_this_one(tmp_path: Path) -> None:
    spec = program(tmp_path, "first(message)", f" {'long ' * 50},seconds=1000")
    command = ("arena", "resistor", "random", spec, *FEW, "--json", tmp_path / "result.json")
    run(*command)
    (tmp_path / "result.games.jsonl").unlink()
    assert "has a game with another seed or other options; delete it" in refused(*command, "--seed", 2)


def test_ctrl_c_leaves_no_orphans(tmp_path: Path) -> None:
    fifo = tmp_path / "held"
    os.mkfifo(fifo)
    held = f"held = open({str(fifo)!r}, 'w'); held.write('x'); held.flush()\nwhile True: sys.stdin.read()"
    spec = program(tmp_path, held, ",seconds=10000")
    command = [sys.executable, "-m", "polytrix.cli", "arena", "resistor", "random", spec, "--concurrency", "1"]
    arena = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True, cwd=tmp_path)
    with fifo.open("rb") as end:
        assert end.read(1) == b"x"  # it thinks, for hours
        arena.send_signal(signal.SIGINT)
        assert end.read() == b""  # until nobody has it open
    assert b"stopped" in arena.communicate()[1] and arena.returncode == 130


def test_watch_shows_programs_in_both_seats(tmp_path: Path) -> None:
    spec = program(tmp_path, "first(message)", ",seconds=1000")
    shown = run("watch", "resistor", "--delay", "0", "--seed", "1", spec).stdout
    assert shown.splitlines()[-1].startswith("payoffs: ")
    shown = run("watch", "resistor", "--delay", "0", program(tmp_path, "pass\nbreak"), code=2).stderr
    assert "forfeits the game" in shown


def test_batches_are_refused(tmp_path: Path) -> None:
    told = refused("arena", "resistor", program(tmp_path, "first(message)"), "random", "--sprt", 0, 9)
    assert "plays in polytrix arena (without --sprt)" in told


def test_no_model_is_asked_twice_after_a_failure_in_a_game_with_a_program(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(
        "from pathlib import Path\n"
        "asked = Path(__file__).with_name('asked')\n"
        "def model(prompt):\n"
        "    with asked.open('a') as file:\n"
        "        file.write('x')\n"
        "    if asked.stat().st_size == 5:\n"
        "        return None\n"
        "    return 'MOVE: ' + prompt.rpartition('meaning')[2].split()[0]\n"
    )
    agents = (
        f"model=ask:{tmp_path / 'model.py'}:model",
        f"mine={program(tmp_path, 'first(message)')},seconds=1000",
    )
    command = ("arena", "resistor", *agents, *FEW, "--json", tmp_path / "result.json", "--concurrency", 1)
    assert "has returned None" in refused(*command)
    run(*command)
    figures = json.loads((tmp_path / "result.json").read_text())["language_models"]["models"]
    assert figures["model"]["answers"] == (tmp_path / "asked").stat().st_size - 1
    assert figures["mine"]["games"] == 2 and figures["mine"]["forfeits"] == 0
