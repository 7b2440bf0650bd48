"""`polytrix perft`, `polytrix bench` and `polytrix warmup`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import polytrix
from polytrix import bench, testing
from polytrix.core.compile.cache_directory import cache_directory
from tests.cli.running import refused, run

GAME = polytrix.find("quatrix")


def numbers(shown: str) -> list[list[str]]:
    """The cells of a table's rows that begin with a number."""
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in shown.splitlines()]
    return [row for row in rows if row[0].isdecimal()]


def test_perft_shows_the_counts_of_each_depth() -> None:
    rows = numbers(run("perft", "quatrix", "--depth", 3).stdout)
    assert [row[:2] for row in rows] == [["1", "6"], ["2", "36"], ["3", "216"]]
    assert all(float(row[3].replace(",", "")) > 0 for row in rows)


def test_perft_refuses() -> None:
    assert "no seed says" in refused("perft", "quatrix", "--depth", 1, "--decisions", 2)
    assert "--depth" in refused("perft", "quatrix")
    assert "--depth" in refused("perft", "quatrix", "--depth", 0)
    over = ("--seed", 1, "--decisions", 3, "-o", "max_decisions=2")
    assert "is over after 2 random decisions" in refused("perft", "quatrix", "--depth", 1, *over)


def test_bench_writes_a_receipt(tmp_path: Path) -> None:
    file = tmp_path / "receipt.json"
    small = ("--num-envs", 128, "--seconds", 0.05, "--repeats", 2, "--threads", 2)
    shown = run("bench", "quatrix", *small, "--json", file).stdout
    receipt = json.loads(file.read_text())
    assert receipt["format"] == bench.FORMAT
    assert receipt["settings"] == {"num_envs": 128, "seconds": 0.05, "repeats": 2, "threads": 2}
    assert set(receipt["machine"]) == {"cpu", "cores", "usable_cores", "system"}
    assert set(receipt["versions"]) >= {"polytrix", "python", "numpy", "numba"}
    (measured,) = receipt["games"].values()
    assert set(measured["rates"]) == {
        "batch",
        "batch_threads",
        "rules",
        "vector",
        "aec",
        "greedy",
        "search",
        "search_greedy",
    }
    for rate in measured["rates"].values():
        assert len(rate["repeats"]) == 2
        assert 0 < rate["min"] <= rate["median"] <= rate["max"]
        assert rate["per_reference"] > 0
        assert rate["label"] in shown
    assert sum(part["share"] for part in measured["parts"].values()) == pytest.approx(1)
    assert measured["threads_ratio"]["threads"] == 2
    assert measured["start"]["import"]["min"] > 0
    assert measured["start"]["first_step"]["min"] > 0
    assert f"receipt: {file}" in shown


def test_works_count_the_decisions_that_are_made() -> None:
    assert bench.random_play(GAME, 8, 1)() == 8
    assert bench.vector_play(GAME, 8)() == 8
    assert bench.aec_play(GAME)() == 100
    assert bench.bare_rules(GAME, 8)() == 8 * 16
    assert bench.greedy_play(GAME, 8)() >= 8  # those of the opponent as well


@pytest.mark.slow
def test_warmup_compiles_all_that_users_call(empty_cache: Path) -> None:
    """After it, common calls add nothing to the cache."""
    from polytrix.core.compile.programs import forget_programs

    forget_programs()
    try:
        assert str(cache_directory()) in run("warmup", "quatrix").stdout.replace("\n", "")
        made = set(empty_cache.iterdir())
        assert len(made) >= 10
        forget_programs()
        testing.perft(GAME, 2, seed=1, decisions=2)
        for work in (bench.random_play(GAME, 64, 2), bench.vector_play(GAME, 8), bench.greedy_play(GAME, 8)):
            work()
        bench.aec_play(GAME)()
        assert set(empty_cache.iterdir()) == made
    finally:
        forget_programs()
