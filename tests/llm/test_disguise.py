"""Games in disguise: nothing is lost, nothing of the game's own is left, and everybody gets the same names."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from time import thread_time

import pytest

import polytrix
from polytrix.api.words import rules_of
from polytrix.core.game import Game
from polytrix.core.vocabulary import WORD, Vocabulary
from polytrix.core.words import listed, moves, parse_move, seat_text
from polytrix.llm.disguise import Disguise
from polytrix.llm.prompts import log_line
from polytrix.play.log import Log
from tests.llm.texts import GAMES, sessions, texts_of

SEEDS = (0, 1, 2**62)
COMMON = frozenset(Path(__file__).with_name("common_words.txt").read_text().split())
"""The words that no disguise hides. If a test finds another one, either it is a term of the game and belongs in
its `vocabulary.py`, or any game might use it and it belongs in the file."""

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@cache
def texts(game: Game) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts_of(game, count=4, decisions=40, every=9)))


# -- nothing is lost ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@every_game
def test_every_text_comes_back(game: Game, seed: int) -> None:
    disguise = Disguise(game, seed)
    assert len(texts(game)) > 100
    for text in texts(game):
        assert disguise.reveal(disguise.hide(text)) == text


@every_game
def test_any_mixture_of_names_stand_ins_and_codes_comes_back(game: Game) -> None:
    disguise, rng = Disguise(game, 3), random.Random(3)
    pieces = [
        *disguise.names,
        *disguise.names.values(),
        *"abcdefgirvxoABFLMQRTVXK",
        "a1",
        "Rb4",
        "r0*",
        "Y5G1",
        "MATRIX",
    ]
    pieces += [move.notation for session in sessions(game, 1, 3) for move in moves(game, session.state)]
    for _ in range(3000):
        text = "".join(
            rng.choice(pieces) + rng.choice(("", " ", " ", "  ", ", ", "-", ".", "_", "`", " 7/9 ", "\n"))
            for _ in range(12)
        )
        assert disguise.reveal(disguise.hide(text)) == text


@pytest.mark.parametrize("seed", SEEDS)
@every_game
def test_every_legal_move_comes_back_and_reads_as_in_the_list(game: Game, seed: int) -> None:
    disguise = Disguise(game, seed)
    for session in sessions(game, 6, 45):
        s = session.position(len(session.actions) * 4 // 5)
        legal = moves(game, s)
        hidden = [disguise.hide(move.notation) for move in legal]
        assert len(set(hidden)) == len(legal)
        assert [parse_move(game, s, disguise.reveal(move), legal) for move in hidden] == [
            move.id for move in legal
        ]
        lines = disguise.hide(listed(legal)).splitlines()
        assert [line[6:].split("  ")[0] for line in lines] == hidden


@every_game
def test_a_move_reads_the_same_in_the_log(game: Game) -> None:
    disguise = Disguise(game, 6)
    for session in sessions(game, 3, 45):
        for entry in Log(session).entries(0, 0):
            _, _, line = disguise.hide(log_line(game, entry, 0)).partition(": ")
            assert line.startswith(disguise.hide(entry.move))


@every_game
def test_every_action_has_a_name_of_its_own(game: Game) -> None:
    disguise = Disguise(game, 4)
    for session in sessions(game, 1, 8):
        names = [game.format_action(session.state, action) for action in range(game.actions.size)]
        assert len({disguise.hide(name) for name in names}) == len(names)
        assert [disguise.reveal(disguise.hide(name)) for name in names] == names


# -- nothing is left ------------------------------------------------------------------------------


@every_game
def test_a_vocabulary_is_complete(game: Game) -> None:
    disguise = Disguise(game, 1)
    unmarked = (re.sub("![a-z]+", "", text) for text in texts(game))  # `!fm`: fresh and moved
    left = {word for text in unmarked for word in disguise.kept_words(text) - COMMON}
    assert not left, f"add to the vocabulary of {game.name}, or to common_words.txt: {sorted(left)}"


@pytest.mark.parametrize("seed", SEEDS)
@every_game
def test_no_term_of_the_game_is_left(game: Game, seed: int) -> None:
    disguise = Disguise(game, seed)
    for text in texts(game):
        assert not disguise.names.keys() & set(re.findall(WORD, disguise.hide(text)))
        assert game.name not in disguise.hide(text)


@every_game
def test_no_letter_of_a_code_is_left(game: Game) -> None:
    """In positions, moves and logs: single letters, but for articles and the marks behind `!`."""
    assert game.vocabulary is not None
    disguise, letters = Disguise(game, 1), "".join(game.vocabulary().letters.values())
    single = re.compile(rf"(?<![A-Za-z'!])(?:(?<=column )|(?![aA] [A-Za-z0-9`]))[{letters}](?![A-Za-z'])")
    for text in texts(game)[2:]:
        if "is no action" not in text and "is action" not in text:  # which quote anything
            assert single.findall(disguise.hide(text)) == [], text


@pytest.mark.parametrize(
    ("game", "text", "letters"),
    [
        ("resistor", "hands o (own) and e (enemy)", "oe"),
        ("resistor", "=17a+, =3b", "ab"),
        ("resistor", "with side a or side b toward it", "ab"),
        ("pressure_matrix", "   a         b         c", "abc"),
        ("estimatrix", "banana Y5G1", "YG"),
    ],
)
def test_no_letter_of_a_rare_code_is_left(game: str, text: str, letters: str) -> None:
    hidden = Disguise(game, 1).hide(text)
    assert not re.findall(rf"(?<![A-Za-z])[{letters}](?![A-Za-z])", hidden)


@every_game
def test_an_article_is_no_letter_of_a_code(game: Game) -> None:
    """Prose that a disguise would misread is written in another way."""
    disguise = Disguise(game, 1)
    for text in (game.legend, re.sub("(?s)```.*?```|side [ab]\\b", "", rules_of(game))):
        articles = re.findall(r"\b[Aa]\s+[a-z*`]{2}", text)
        hidden = re.findall(r"\b[Aa]\s+[a-z*`]{2}", disguise.hide(text))
        assert len(hidden) == len(articles)


@every_game
def test_numbers_and_layout_stay(game: Game) -> None:
    disguise = Disguise(game, 1)
    for text in texts(game):
        hidden = disguise.hide(text)
        assert re.sub("[A-Za-z]+", "", hidden) == re.sub("[A-Za-z]+", "", text)


def test_the_words_that_stay_are_words_in_order() -> None:
    lines = Path(__file__).with_name("common_words.txt").read_text().splitlines()
    assert lines == sorted(set(lines)) and all(re.fullmatch("[a-z]{2,}", line) for line in lines)


# -- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@every_game
def test_two_words_never_become_one(game: Game, seed: int) -> None:
    names = Disguise(game, seed).names
    stand_ins = {name.lower() for name in names.values()}
    assert len(set(names.values())) == len(names)
    assert not stand_ins & COMMON
    for other in GAMES:
        assert not stand_ins & {word.lower() for word in Disguise(other, 0).names}


@every_game
def test_names_are_written_like_the_words(game: Game) -> None:
    for word, name in Disguise(game, 5).names.items():
        assert (word.islower(), word.istitle(), word.isupper()) == (
            name.islower(),
            name.istitle(),
            name.isupper(),
        )


def test_names_are_inflected_like_the_words() -> None:
    disguise = Disguise("quatrix", 5)
    pop = disguise.hide("pop")
    assert disguise.hide("pops popped popping, Pops POPPED") == (
        f"{pop}s {pop}ed {pop}ing, {pop.capitalize()}s {pop.upper()}ED"
    )


def test_letters_of_the_board_begin_the_names_of_what_they_stand_for() -> None:
    for seed in range(20):
        hidden = Disguise("quatrix", seed).hide("r d p: ring, disc, pip. R D P: RING, DISC, PIP.")
        lower, words, upper, capitals = (part.replace(",", "").split() for part in re.split("[:.]", hidden)[:4])
        assert [word[0] for word in words] == lower and [word[0] for word in capitals] == upper


def test_the_same_seed_gives_the_same_names_in_every_process() -> None:
    code = (
        "from polytrix.llm.disguise import Disguise as D; print(*[sorted(D(g, 7).names.items()) for g in {}])"
    )
    games = [game.name for game in GAMES]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code.format(games)],
            env={**os.environ, "PYTHONHASHSEED": number},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for number in ("1", "2")
    }
    assert outputs == {f"{' '.join(str(sorted(Disguise(name, 7).names.items())) for name in games)}\n"}


def test_the_names_of_a_seed_never_change() -> None:
    """If they did, results on a disguised game could not be compared. Python's version makes no difference."""
    assert Disguise("quatrix", 1).hide("Rd1-d4 the ring of the pip") == "Wz1-z4 the wavzen of the mazgek"


@every_game
def test_other_seeds_give_other_names(game: Game) -> None:
    hidden = {Disguise(game, seed).hide(rules_of(game)) for seed in range(10)}
    assert len(hidden) == 10


def test_cards_and_words_of_a_file_of_ones_own_are_renamed() -> None:
    labels = [f"w{chr(97 + number // 26)}{chr(97 + number % 26)}t-song" for number in range(48)]
    game = polytrix.find("estimatrix").with_data(lexicon={"labels": labels})
    disguise = Disguise(game, 1)
    for session in sessions(game, 1, 10):
        text = seat_text(game, session.state, 0)
        assert "song" in text and "song" not in disguise.hide(text)
        assert disguise.reveal(disguise.hide(text)) == text


# -- errors, speed --------------------------------------------------------------------------------


def test_a_game_without_a_vocabulary_is_refused() -> None:
    game = replace(polytrix.find("quatrix"), vocabulary=None)
    with pytest.raises(ValueError, match=r"quatrix has no vocabulary.*declare `vocabulary` in its `Game`"):
        Disguise(game, 1)


def test_more_letters_than_can_be_renamed_are_refused() -> None:
    vocabulary = Vocabulary(words=(), letters={"column": "abcdefghijklmnop"})
    game = replace(polytrix.find("quatrix"), vocabulary=lambda: vocabulary)
    with pytest.raises(ValueError, match="the vocabulary has 16 letters, abcdefghijklmnop: too many"):
        Disguise(game, 1)


@pytest.mark.parametrize("seed", [-1, 1.5, True, "1", None])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(ValueError, match=r"seed is .*; allowed: a whole number"):
        Disguise("quatrix", seed)  # type: ignore[arg-type]


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(KeyError, match="quatrix"):
        Disguise("quatrics", 1)


@every_game
def test_a_prompt_is_hidden_within_milliseconds(game: Game) -> None:
    disguise = Disguise(game, 1)
    prompt = rules_of(game) + max(texts(game)[1:], key=len)

    def seconds() -> float:
        start = thread_time()
        disguise.hide(prompt)
        return thread_time() - start

    assert min(seconds() for _ in range(10)) < 0.05  # of CPU time
