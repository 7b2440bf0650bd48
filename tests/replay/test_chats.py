"""Replays show what language models were asked and what they said."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from polytrix.core.errors import TranscriptError
from polytrix.core.transcript import Transcript
from polytrix.llm import MODEL, Episode
from polytrix.llm.games import game_record
from polytrix.llm.models import Reply
from polytrix.replay.chats import KEY, read_told
from polytrix.replay.data import replay_of
from tests.cli.running import refused, run
from tests.llm.scripted import ClumsyModel


def played(forfeits: bool = False) -> dict[str, Any]:
    """A game of a model that is sometimes wrong, or that says nothing legal after some decisions."""
    episode = Episode("resistor", [MODEL, "greedy"], seed=6, attempts=9)
    model, replies = ClumsyModel(0.3, 1), dict[int, list[Reply]]()
    while not episode.over:
        silent = forfeits and len(episode.answered) == 5
        said = "<b>no</b>" if silent else model(episode.messages())
        replies.setdefault(len(episode.session.actions), []).append(Reply(said, reasoning="deep"))
        episode.answer(said)
    return game_record(episode, ["me", "greedy"], replies)


def test_a_replay_has_the_chats_where_they_were() -> None:
    game = played()
    transcript = Transcript.from_text(json.dumps(game))
    found = replay_of(transcript, told=read_told(json.dumps(game), 2))
    assert found.players == ["me", "greedy"] and len(found.chats) == len(found.movers)
    assert found.payoffs == game["payoffs"]
    refusals = 0
    for position, (mover, chat) in enumerate(zip(found.movers, found.chats, strict=True)):
        if mover != 0:
            assert chat is None
        elif chat is not None:
            asked = next(each for each in game[KEY]["asked"] if each["number"] == position)
            assert (chat.seat, chat.question) == (0, asked["question"])
            assert [each.text for each in chat.answers] == [each["text"] for each in asked["answers"]]
            assert [each.error is None for each in chat.answers] == [False] * (len(chat.answers) - 1) + [True]
            assert {each.reasoning for each in chat.answers} == {"deep"}
            refusals += len(chat.answers) - 1
    assert refusals and sum(chat is not None for chat in found.chats) == len(game[KEY]["asked"])
    assert any(each and each["answers"] for each in json.loads(json.dumps(found.to_dict()))["chats"])


def test_the_command_prints_and_writes_them(tmp_path: Path) -> None:
    file, page = tmp_path / "game.json", tmp_path / "game.html"
    file.write_text(json.dumps(played(forfeits=True)))
    shown = run("replay", file).stdout
    assert "me says:\n" in shown and "\n  <b>no</b>\nrefused: the last line is '<b>no</b>'" in shown
    assert "red has forfeited it, with no answer that was a legal move. payoffs: red -1, blue +1" in shown
    run("replay", file, "--html", page)
    assert "<b>no</b>" not in page.read_text()


def test_other_transcripts_tell_nothing() -> None:
    game = {key: value for key, value in played().items() if key not in (KEY, "players")}
    assert read_told(json.dumps(game), 2).chats == () and read_told(json.dumps(game), 2).players == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda game: game.update({KEY: 5}),
        lambda game: game.update(players=["me"]),
        lambda game: game.pop("players"),
        lambda game: game[KEY].pop("asked"),
        lambda game: game[KEY]["asked"][0].update(number=-1),
        lambda game: game[KEY]["asked"][0].update(number=10**9),
        lambda game: game[KEY]["asked"][0].update(number=True),
        lambda game: game[KEY]["asked"][0].update(seat=2),
        lambda game: game[KEY]["asked"][0].update(question=None),
        lambda game: game[KEY]["asked"][0]["answers"].append("F1"),
        lambda game: game[KEY]["asked"][0]["answers"][0].update(text=[]),
        lambda game: game[KEY].update(forfeited=7, rewards=[0, 0]),
        lambda game: game[KEY].update(forfeited=0, rewards="-1"),
        lambda game: game[KEY].update(forfeited=0, rewards=[-1]),
        lambda game: game[KEY].update(forfeited=0, rewards=[-(10**400), 1]),
        lambda game: game[KEY].update(forfeited=0, rewards=[math.nan, 1]),
    ],
)
def test_a_damaged_file_is_refused(change: Any, tmp_path: Path) -> None:
    game = played()
    change(game)
    with pytest.raises(TranscriptError, match="what language models have said is damaged"):
        read_told(json.dumps(game), 2)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game))
    assert "is damaged" in refused("replay", file)
