"""An answer names a move: in the form that is asked for, or in another dress. Nothing is guessed."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polytrix
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import NotationError
from polytrix.core.simulator import Simulator
from polytrix.core.words import Move, moves, parse_move
from polytrix.llm import MODEL, Episode, Prompts
from polytrix.llm.answers import AROUND, DRESS, GRAMMAR, AnswerError, final_move, named_move, names_of
from polytrix.llm.games import figures_of, game_record
from polytrix.llm.models import Reply
from tests.every_game import GAMES
from tests.fuzz.commands import ESCAPES, check_visible
from tests.pages import ROOT

LEGAL = [
    Move(0, "F1", "flip the card at position 1"),
    Move(1, "F2", "flip the card at position 2"),
    Move(7, "D", "draw a card"),
    Move(20, "S1e1-", "put a card into the row"),
    Move(30, "move a2", "move the runner"),
]


def named(answer: str) -> str:
    """The notation of the move that an answer names among the legal ones."""

    def parse(text: str) -> int:
        for move in LEGAL:
            if text in {str(move.id), move.notation}:
                return move.id
        raise NotationError(f"{text!r} is illegal here")

    action = named_move(answer, names_of(LEGAL), parse)
    return next(move.notation for move in LEGAL if move.id == action)


# -- the form that is asked for ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        "MOVE: S1e1-",
        "Best is F1, or is it?\nMOVE: F1\nNo.\nMOVE: S1e1-\n\n",
        "move:S1e1-",
        "  **MOVE: `S1e1-`**  ",
        "**MOVE:** S1e1-.",
        "- MOVE: 'S1e1-'",
        '> Move : "S1e1-"',
        "<think>MOVE: F1\nhm</think>\r\nMOVE: S1e1-\r\n",
        "<think>a</think>b<thinking>c</thinking>\nMOVE: S1e1-",
        "MOVE: F1\nhm, the prompt has opened these thoughts</think>MOVE: S1e1-",
    ],
)
def test_the_last_line_names_the_move(answer: str) -> None:
    assert final_move(answer) == named(answer) == "S1e1-"


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("", "the answer is empty"),
        (" \n\t\n", "the answer is empty"),
        ("<think>MOVE: F1</think>", "the answer is empty"),
        ("I move: F1", "last line is 'I move: F1'; it must be `MOVE: move`"),
        ("MOVE:", "last line"),
        ("MOVE: **", "last line"),
        ("<think>MOVE: F1", "ends inside your thoughts"),
        ("</think>\n<THINK>\nMOVE: F1", "ends inside your thoughts"),
        ("I would not play F1", "last line is 'I would not play F1'"),
        ("F1 or F2", "last line"),
        ("F1?", "last line"),
        ("F1 - too risky", "last line"),
        ("That leaves 2 moves:\n7", "last line is '7'"),
        ("F9", "last line is 'F9'"),
        ("The moves that I weigh:\n- F1", "last line is '- F1'"),
        ("The moves that I weigh:\n1. F1", "last line is '1. F1'"),
        ("F1\nF2", "last line is 'F2'"),
        ("0 F1 flip the card at position 1\n1 F2 flip the card at position 2", "last line"),
        ("F1\nThat is my move.", "last line is 'That is my move.'"),
        ("My next MOVE: F1 would be foolish", "last line"),
        ("\\boxed{}", "last line"),
    ],
)
def test_what_names_no_move_is_refused_with_the_reason(answer: str, problem: str) -> None:
    for read in (final_move, named):
        with pytest.raises(AnswerError, match=re.escape(problem)):
            read(answer)


@pytest.mark.parametrize("answer", ["F1", "MOVE: F1\nThat is my move.", "```\nMOVE: F1\n```", "MOVE： F1"])
def test_strictly_only_the_last_line_counts(answer: str) -> None:
    with pytest.raises(AnswerError, match="it must be `MOVE: move` and nothing else"):
        final_move(answer)
    assert named(answer) == "F1"


# -- other forms ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        # the list's own line
        ("0 F1", "F1"),
        ("   0  F1  flip the card at position 1", "F1"),
        ("MOVE: 0 F1", "F1"),
        ("MOVE: 0  F1  flip the card at position 1", "F1"),
        ("**0 F1**", "F1"),
        ("MOVE: 30 move a2", "move a2"),
        # a number, as the whole answer
        ("7", "D"),
        ("[7]", "D"),
        # explanations
        ("MOVE: F1 - flip the card at position 1", "F1"),
        ("MOVE: `F1` – it wires red from end to end", "F1"),
        ("MOVE: S1e1- (safe)", "S1e1-"),
        ("MOVE: move a2 - towards the centre", "move a2"),
        ("MOVE: 0 - I flip F1", "F1"),
        ("MOVE: F1\nThis wires red from end to end.", "F1"),
        ("MOVE: F2\nNo.\nMOVE: F1\nThis is better than F2.", "F1"),
        # wrappers
        ("```\nMOVE: F1\n```", "F1"),
        ("```text\nF1\n```", "F1"),
        ("`F1`", "F1"),
        ("**F1**.", "F1"),
        (r"\boxed{F1}", "F1"),
        (r"The result is $\boxed{\text{F1}}$.", "F1"),
        ("**Final answer**\n\\[ \\boxed{MOVE: F1} \\]", "F1"),
        (r"MOVE: \boxed{F1}", "F1"),
        ("$F1$", "F1"),
        (r"\(F1\)", "F1"),
        ("<answer>F1</answer>", "F1"),
        ("I flip.\n<answer>\n  move a2\n</answer>", "move a2"),
        ("<Answer>MOVE: F1</Answer>\nSo be it.", "F1"),
        ('{"move": "F1"}', "F1"),
        ('```json\n{\n  "move": "F1"\n}\n```', "F1"),
        ('{"move": 7}', "D"),
        ("MOVE: [F1]", "F1"),
        ("[MOVE: F1]", "F1"),
        ("MOVE: <F1>", "F1"),
        ("1. MOVE: F1", "F1"),
        ("### MOVE: F1", "F1"),
        ("MOVE: F1<|im_end|>", "F1"),
        ("thoughts<|end|><|start|>assistant<|channel|>final<|message|>MOVE: F1<|return|>", "F1"),
        ("MOVE: F1</s>", "F1"),
        # typography
        ("MOVE: “F1”", "F1"),
        ("MOVE: «F1»", "F1"),
        ("MOVE： F1", "F1"),
        ("MOVE:\u00a0F1\u200b", "F1"),
        ("ＭＯＶＥ：Ｆ１", "F1"),
        ("MOVE: S1e1−", "S1e1-"),
        ("MOVE: S1e1–", "S1e1-"),
    ],
)
def test_a_move_counts_in_another_dress(answer: str, move: str) -> None:
    assert named(answer) == move
    if answer not in ("7", "[7]"):
        assert named(f"Either F1 or D.\nI would not play F2.\n\n{answer}\n\n") == move


@pytest.mark.parametrize(
    "answer",
    [
        "MOVE: F1 - or F2",
        "MOVE: F1 (or D)",
        "MOVE: F1 - better than `move a2`",
        "MOVE: 0 - F2",
        r"\boxed{F1} or \boxed{F2}",
        "<answer>F1</answer> <answer>MOVE: F2</answer>",
    ],
)
def test_a_line_that_names_two_moves_is_refused(answer: str) -> None:
    for before in ("", "MOVE: F1\n"):
        with pytest.raises(AnswerError, match="names several moves; it must name one"):
            named(before + answer)


@pytest.mark.parametrize(
    "move", ["F1 or F2", "F1, F2", "0 F2", "F1 MOVE: F2", "F9", "F1 would be bad", "20 F1"]
)
def test_what_follows_the_mark_must_be_a_legal_move(move: str) -> None:
    """The move before it does not count in its place."""
    with pytest.raises(NotationError, match=f"'{move}' is illegal"):
        named(f"MOVE: F1\nMOVE: {move}")


def test_a_line_that_says_what_it_is_counts_before_one_that_does_not() -> None:
    assert named("MOVE: F1\nF2") == named("<answer>F1</answer>\n\n1 F2") == "F1"


def test_a_move_said_twice_is_one_move() -> None:
    assert (
        named(r"MOVE: F1 - F1 it is") == named(r"\boxed{F1}, that is, \boxed{0}") == named("F1\nhm\nF1") == "F1"
    )


# -- time -------------------------------------------------------------------------------------------------

PIECES = (
    "<think>", "<think", "</think>", "<think></think>", "<|", "<|a", "<answer>", "<answer>F1", "</answer>",
    "\\boxed{", "\\boxed{F1}", "\\text{", "*", "* ", "`", "-", " - ", "1. ", "(", "[", "{", "$", '"', " ", "\n",
    "MOVE", "MOVE:", "MOVE *", "MOVE: 0\n", "MOVE: F9\n", "F1 ", "F1\n", "F1 - ", "0 F1\n", "- F1\n", "0",
    "ab ", "\u00a0", "−", "\u0315\u0300", "\ufdfa",
)  # fmt: skip
"""What long answers are made of."""
NAMES = (
    "0", "a", "A", "a ", "a b ", "a1", "a1 ", "Ra1-", ".", "R ", " ", "-", "+", "*", "move ", "1/1 ", "1,",
    "!1",
)  # fmt: skip
"""What long names of moves are made of."""


def seconds(call: Callable[[str], object], said: str) -> float:
    """CPU time of a call that may refuse what was said; the better of two."""

    def once() -> float:
        begun = time.thread_time()
        with suppress(AnswerError, NotationError):
            call(said)
        return time.thread_time() - begun

    return min(once(), once())


def assert_linear(call: Callable[[str], object], piece: str, before: str = "") -> None:
    """Thirty times as much takes some thirty times as long, not 900 times."""
    short, long = (before + piece * (length // len(piece)) for length in (1_000, 30_000))
    assert seconds(call, long) < 300 * max(seconds(call, short), 1e-4), (before, piece)


@pytest.mark.parametrize("before", ["", "MOVE: ", "MOVE: F1 - ", "<answer>", "\\boxed{"])
def test_reading_takes_linear_time(before: str) -> None:
    for piece in PIECES:
        assert_linear(final_move, piece, before)
        assert_linear(named, piece, before)


@pytest.mark.parametrize("game", GAMES)
def test_looking_up_a_move_takes_linear_time(game: str) -> None:
    players = 3 if game == "estimatrix" else 2
    prompts = Prompts(rules=False, notation=False)
    options = {"players": players} if game == "estimatrix" else {}
    episode = Episode(game, [MODEL] * players, options=options, seed=6, attempts=10**9, prompts=prompts)
    for piece in NAMES:
        assert_linear(episode.answer, piece, "MOVE: ")


# -- all games --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_no_notation_is_damaged(name: str) -> None:
    """No move begins or ends with what is stripped, and every name of a move stands for it alone."""
    game = polytrix.find(name)
    sim = Simulator(game, 1, seed=3, mode=Mode.PLAIN)
    for _ in range(60):
        if sim.over[0]:
            sim.restart()
        legal = moves(game, sim.states[0])
        names = names_of(legal)
        assert len(names) == 6 * len(legal)

        def parse(text: str, legal: list[Move] = legal) -> int:
            return parse_move(game, sim.states[0], text, legal)

        for move in legal:
            assert move.notation == move.notation.strip(AROUND) == move.notation.strip(DRESS)
            assert final_move(f"MOVE: {move.notation}") == move.notation
        for move in legal[:: len(legal) // 10 + 1]:
            listed = str(move).replace("-", "−")
            for answer in (
                move.notation,
                f"MOVE: {move.id}",
                f"MOVE: {listed}",
                listed,
                f"MOVE: {move.notation} (ok)",
                f"MOVE: `{listed}`.",
            ):
                assert named_move(answer, names, parse) == move.id
        sim.step(sim.random_actions())


@pytest.mark.parametrize("strict", [False, True])
def test_strict_games_take_the_form_that_is_asked_for_alone(strict: bool) -> None:
    episode = Episode("resistor", [MODEL, "greedy"], seed=6, prompts=Prompts(strict=strict), attempts=9)
    listed = next(line for line in episode.messages()[-1]["content"].splitlines() if line.startswith("   7"))
    answers = [f"I would not play {listed.split()[1]}.", listed, f"MOVE: {listed.split()[1]}"]
    errors = [episode.answer(answer) for answer in answers[: 3 if strict else 2]]
    assert [error is None for error in errors] == [False, not strict, True][: len(errors)]
    assert episode.answered[0].action == 7 and episode.answered[0].loose == (not strict)
    assert episode.answered[0].malformed == (2 if strict else 1)


def test_the_page_has_the_grammar() -> None:
    assert f"```text\n{GRAMMAR}\n```" in (ROOT / "docs" / "text.md").read_text(encoding="utf-8")


def test_the_report_counts_moves_in_another_form() -> None:
    episode = Episode("resistor", [MODEL, "greedy"], seed=6, attempts=3)
    replies = []
    for answer in ("I draw.", "D", "no idea", "no", "MOVE: 500 - or not"):
        number = len(episode.session.actions)
        episode.answer(answer)
        replies.append((number, Reply(answer)))
    game = game_record(episode, ["m", "g"], {n: [r for at, r in replies if at == n] for n, _ in replies})
    figures = figures_of("m", [game])
    counted = [figures[name] for name in ("decisions", "answers", "malformed", "illegal", "loose")]
    assert counted == [2, 5, 3, 1, 1]


# -- any answer -------------------------------------------------------------------------------------------

SAID = (*PIECES, "<thinking>", "```json", '{"move": "', "：", "１", "٣", "İ", "9" * 500, "-1", "1e5", *ESCAPES)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(SAID) | st.text(max_size=20), st.sampled_from((1, 2, 2000)))))
def test_any_answer_is_taken_or_refused_in_a_sentence(parts: list[tuple[str, int]]) -> None:
    episode = Episode("resistor", [MODEL, "greedy"], seed=6, failure="random")
    error = episode.answer("".join(piece * times for piece, times in parts)[-100_000:])
    json.dumps(episode.messages(), ensure_ascii=False).encode()  # as it is sent
    if error is not None:
        assert len(error) < 2000
        check_visible(error)
