"""What a player can type in `polytrix play` besides moves."""

from __future__ import annotations

import re

import pytest

import polytrix
from polytrix.agents import RandomPolicy
from polytrix.cli.commands import COMMANDS, command_in
from polytrix.core.compile.compiler import Mode
from polytrix.core.simulator import Simulator
from polytrix.play.moves import matching
from polytrix.play.session import Session
from tests.cli.running import run
from tests.every_game import GAMES


def played(game: str, *typed: str, opponent: object = "random", seed: int = 3) -> str:
    """What `polytrix play` prints; the player stops after the last line typed."""
    lines = "".join(f"{line}\n" for line in (*typed, "quit"))
    return str(run("play", game, "--opponent", opponent, "--seed", seed, typed=lines).stdout)


def session(game: str = "quatrix", seed: int = 3, viewer: int = 0) -> Session:
    found = polytrix.find(game)
    return Session(found, found.options.defaults, seed, viewer=viewer)


# -- one numbering --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_list_has_the_number_that_plays_the_move(game: str) -> None:
    shown = played(game, "?", "??")
    listed, explained = re.split(r"^\w+> ", shown, flags=re.MULTILINE)[1:3]
    at = session(game)
    while at.state.mover != at.viewer:
        at.play(at.choose(RandomPolicy(at.game)))
    for number, move in enumerate(at.moves(), start=1):
        assert re.search(rf"(?<!\S){number} +{re.escape(move.notation)}(?!\S)", listed)
        assert re.search(rf"^ *{number}  {re.escape(move.notation)}  ", explained, re.MULTILINE)


def test_moves_that_match() -> None:
    moves = session("pressure_matrix").moves()
    for text in ("BID 3", "3"):
        assert [number for number, _ in matching(moves, text)] == [4]
    assert "no legal move contains 'roll'" in played("pressure_matrix", "? roll")


# -- help, legend, rules, notes -------------------------------------------------------------------


def test_commands_and_what_follows() -> None:
    assert command_in("Hint greedy") == (COMMANDS["hint"], "greedy")
    assert command_in("??bid 1") == (COMMANDS["??"], "bid 1")
    assert command_in("roll") is None


def test_no_move_has_the_name_of_a_command() -> None:
    for game in polytrix.all_games():
        sim = Simulator(game, 1, seed=0, mode=Mode.PLAIN)
        for _ in range(20):
            names = [game.format_action(sim.states[0], int(i)) for i in sim.legal_ids[0, : sim.num_legal[0]]]
            assert not set(names) & set(COMMANDS)
            sim.step(sim.random_actions())


def test_a_move_that_begins_like_a_command_is_a_move() -> None:
    shown = played("estimatrix", "1", "hint  apple", opponent="greedy")
    assert "M: hint apple" in shown
    shown = played("estimatrix", "1", "hint appel", "hint gredy", "hint greedy", opponent="greedy")
    assert "did you mean 'hint apple'?" in shown
    assert "greedy would play" in shown or "greedy likes all" in shown


@pytest.mark.parametrize("game", GAMES)
def test_the_legend_comes_at_the_start_and_again(game: str) -> None:
    shown = " ".join(played(game, "legend").split())
    legend = " ".join(polytrix.find(game).legend.split())
    assert legend
    assert shown.count(f"How to read the board: {legend}") == 2


@pytest.mark.parametrize("game", GAMES)
def test_the_board_comes_again(game: str) -> None:
    first, again = re.split(r"^\w+> ", played(game, "board"), flags=re.MULTILINE)[:2]
    assert first.endswith(again)
    assert len(again.splitlines()) > 10


@pytest.mark.parametrize("game", GAMES)
def test_rules_by_chapters(game: str) -> None:
    shown = played(game, "rules", "rules payoffs", "rules 3", "rules nothing")
    prompts = re.split(r"^\w+> ", shown, flags=re.MULTILINE)
    assert re.search(r"^ +\d+ Payoffs", prompts[1], re.MULTILINE)
    assert "Payoffs" in prompts[2] and "##" not in prompts[2]
    assert "clause" in prompts[3] and "|" not in prompts[3]
    assert "there is no chapter 'nothing'" in prompts[4]


def test_what_is_wrong_with_a_move_is_told() -> None:
    shown = " ".join(played("quatrix", "Rd1-d4").split())
    assert "that is 3 squares, and the dice left show 6 and 4" in shown
    assert "Legal moves begin with 'Rd1-d', but none goes on with '4'." in shown


def test_unknown_input_suggests_a_command() -> None:
    assert "Did you mean 'undo'?" in played("quatrix", "udno")
    assert "Did you mean 'rules'?" in played("quatrix", "ruels 3")


# -- undo -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_undo_goes_back_to_the_own_last_decision(game: str) -> None:
    at = session(game)
    policy = RandomPolicy(at.game)
    before, count = b"", 0
    for _ in range(12):
        if at.over:
            break
        if at.state.mover == at.viewer:
            before, count = at.state.tobytes(), len(at.actions)
        at.play(at.choose(policy))
    made = len(at.actions)
    assert at.undo() == made - count
    assert at.state.tobytes() == before
    assert len(at.actions) == count
    assert at.taken_back == made - count


# -- hints ----------------------------------------------------------------------------------------


def test_a_hint_changes_nothing() -> None:
    with_hint, without = played("quatrix", "1", "hint", "1", "1"), played("quatrix", "1", "1", "1")
    assert with_hint.split("red> ")[-1] == without.split("red> ")[-1]
    assert with_hint.split("red> ")[-2] == without.split("red> ")[-2]
