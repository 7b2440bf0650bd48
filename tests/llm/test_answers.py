"""The last line of an answer names the move, in whatever dress it comes."""

from __future__ import annotations

import pytest

import polytrix
from polytrix.core.compile.compiler import Mode
from polytrix.core.simulator import Simulator
from polytrix.core.words import moves
from polytrix.llm.answers import AROUND, GRAMMAR, AnswerError, final_move
from tests.pages import ROOT


@pytest.mark.parametrize(
    "answer",
    [
        "MOVE: S3e2-",
        "Best is F1, or is it?\nMOVE: F1\nNo.\nMOVE: S3e2-\n\n",
        "move:S3e2-",
        "  **MOVE: `S3e2-`**  ",
        "**MOVE:** S3e2-.",
        "- MOVE: 'S3e2-'",
        '> Move : "S3e2-"',
        "<think>MOVE: F1\nhm</think>\r\nMOVE: S3e2-\r\n",
        "<think>a</think>b<thinking>c</thinking>\nMOVE: S3e2-",
    ],
)
def test_the_last_line_names_the_move(answer: str) -> None:
    assert final_move(answer) == "S3e2-"


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("", "the answer is empty"),
        (" \n\t\n", "the answer is empty"),
        ("<think>MOVE: F1</think>", "the answer is empty"),
        ("F1", "last line is 'F1'; it must be `MOVE: move`"),
        ("MOVE: F1\nThat is my move.", "last line is 'That is my move.'"),
        ("I move: F1", "last line"),
        ("MOVE:", "last line"),
        ("MOVE: **", "last line"),
        ("<think>MOVE: F1", "ends inside your thoughts"),
        ("</think>\n<THINK>\nMOVE: F1", "ends inside your thoughts"),
    ],
)
def test_other_answers_are_refused_with_the_reason(answer: str, problem: str) -> None:
    with pytest.raises(AnswerError, match=problem.replace("(", r"\(")):
        final_move(answer)


def test_a_long_answer_is_read_quickly() -> None:
    assert final_move("<think>" + "a < b " * 100_000 + "</think>\n" + "* " * 50_000 + "\nMOVE: F1") == "F1"
    with pytest.raises(AnswerError):
        final_move("<think>" * 20_000)


@pytest.mark.parametrize("name", ["quatrix", "resistor", "pressure_matrix", "estimatrix", "pixel_tactics"])
def test_no_notation_is_damaged(name: str) -> None:
    """No move begins or ends with what is stripped from answers."""
    game = polytrix.find(name)
    sim = Simulator(game, 1, seed=3, mode=Mode.PLAIN)
    for _ in range(60):
        for move in moves(game, sim.states[0]):
            assert move.notation == move.notation.strip(AROUND)
            assert final_move(f"MOVE: {move.notation}") == move.notation
        sim.step(sim.random_actions())


def test_the_page_has_the_grammar() -> None:
    assert f"```text\n{GRAMMAR}\n```" in (ROOT / "docs" / "text.md").read_text(encoding="utf-8")
