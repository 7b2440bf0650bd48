"""Compares random legal Connect Four in PettingZoo, EnvPool, OpenSpiel, Pgx and polytrix.

    pip install -r benchmarks/throughput/peers_requirements.txt
    python benchmarks/throughput/peers.py

Each library plays in its own process (see `peer_players.py`), on one core and on two. The processes take turns,
`--repeats` times, while the others sleep, and are bound to their cores (Linux only). A library that cannot be
imported is left out, with the reason. Writes `peers.json`; `write_figures.py libraries` makes the page's table.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "envs")]
from peer_players import ONE_CORE, PLAYERS  # noqa: E402

from polytrix.bench import machine, spread  # noqa: E402
from polytrix.core.files import write_json  # noqa: E402

FORMAT = "polytrix peers 1"
OURS = "polytrix"
LENGTH = 21.3
"""Mean number of decisions of a random game."""


class Player:
    """The processes of one library on some cores.

    Args:
        name: name of the library.
        cores: numbers of the cores.
        python: interpreter in which the library is installed.
    """

    def __init__(self, name: str, cores: list[int], python: str) -> None:
        shares = [[core] for core in cores] if name in ONE_CORE else [cores]
        self.processes = [
            subprocess.Popen(
                [python, str(HERE / "peer_players.py"), name, ",".join(map(str, share))],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            )
            for share in shares
        ]  # fmt: skip
        self.said = [self.answer(process) for process in self.processes][-1]
        self.rates: list[float] = []
        self.decisions: list[int] = []
        self.games: list[int] = []

    def answer(self, process: subprocess.Popen[str]) -> dict[str, Any]:
        """The next answer of a process, or the reason why there is none."""
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("{"):  # other lines are printed by the library
                found: dict[str, Any] = json.loads(line)
                return found
        return {"missing": f"its process ended with code {process.wait()}"}

    def play(self, seconds: float) -> None:
        """Measure once, in all processes at the same time."""
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write(f"{seconds}\n")
            process.stdin.flush()
        answers = [self.answer(process) for process in self.processes]
        for each in answers:
            if "missing" in each:  # the process has crashed
                self.said = each
                return
        self.rates.append(sum(each["decisions"] / each["seconds"] for each in answers))
        self.decisions.append(sum(each["decisions"] for each in answers))
        self.games.append(sum(each["games"] for each in answers))

    def close(self) -> None:
        for process in self.processes:
            process.communicate()

    def measured(self) -> dict[str, Any]:
        """The rates of all repeats except the first, and the mean length of the games."""
        rates = self.rates[1:]
        length = round(sum(self.decisions[1:]) / max(1, sum(self.games[1:])), 2)
        return {**self.said, **spread(rates), "repeats": rates, "decisions_per_game": length}


def compare(cores: list[int], arguments: argparse.Namespace) -> tuple[dict[str, Any], dict[str, str]]:
    """Measurements of the libraries on these cores, and the reasons why others are missing."""
    players = {}
    for name in PLAYERS:
        tell(f"{len(cores)} core(s): starting {name}")
        players[name] = Player(name, cores, arguments.python)
    for repeat in range(arguments.repeats + 1):  # the first is the warm-up
        for name, player in players.items():
            if "missing" not in player.said:
                tell(f"{len(cores)} core(s): {name}, {repeat} of {arguments.repeats}")
                player.play(arguments.seconds)
    tell("")
    for player in players.values():
        player.close()
    missing = {name: player.said["missing"] for name, player in players.items() if "missing" in player.said}
    return {name: player.measured() for name, player in players.items() if name not in missing}, missing


def tell(what: str) -> None:
    """Show the current state in one line."""
    sys.stderr.write(f"\r{what:<60}")
    sys.stderr.flush()


def against_the_fastest(measured: dict[str, Any]) -> dict[str, Any]:
    """Speed of polytrix relative to the fastest other library: the median of the ratios of single repeats."""
    peers = {name: each for name, each in measured.items() if name != OURS}
    if OURS not in measured or not peers:
        return {}
    fastest = max(peers, key=lambda name: float(peers[name]["median"]))
    pairs = zip(measured[OURS]["repeats"], peers[fastest]["repeats"], strict=True)
    return {"peer": fastest, **spread([ours / theirs for ours, theirs in pairs])}


def parse(given: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds per measurement (default: 3)")
    parser.add_argument("--repeats", type=int, default=7, help="repeats of each measurement (default: 7)")
    parser.add_argument("--python", default=sys.executable, help="interpreter with the libraries")
    parser.add_argument("--out", type=Path, default=HERE / "peers.json", help="the receipt")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> dict[str, Any]:
    """Compare on one core and on two, print and write the result."""
    arguments = parse(given)
    if not hasattr(os, "sched_getaffinity"):
        raise SystemExit("the comparison gives each library the same cores, which only Linux can do")
    usable = sorted(os.sched_getaffinity(0))
    parts: dict[str, Any] = {}
    missing: dict[str, str] = {}
    for cores in [usable[:1], usable[:2]][: len(usable)]:
        measured, absent = compare(cores, arguments)
        missing |= absent
        parts[str(len(cores))] = {
            "libraries": measured,
            "polytrix_against_fastest": against_the_fastest(measured),
        }
    result = {
        "format": FORMAT,
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": machine(),
        "python": platform.python_version(),
        "settings": {"seconds": arguments.seconds, "repeats": arguments.repeats},
        "load_before": os.getloadavg()[0],
        "cores": parts,
        "missing": missing,
    }
    for name, why in missing.items():
        print(f"{name} is left out: {why}")
    for part in parts.values():
        for name, each in part["libraries"].items():
            if abs(each["decisions_per_game"] - LENGTH) > 1:
                print(f"{name} plays something else, or too briefly: a random game has {LENGTH} decisions")
    write_json(arguments.out, result)
    print(f"receipt: {arguments.out}")
    return result


if __name__ == "__main__":
    main()
