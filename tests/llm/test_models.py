"""Endpoints and functions as models."""

from __future__ import annotations

import time
from typing import Any

import pytest

from polytrix.llm import MODEL, Episode
from polytrix.llm.models import Endpoint, Function, ModelError, Pace, Reply
from tests.llm.server import serving

CHAT = Episode("resistor", [MODEL, "greedy"], seed=6).messages()


@pytest.mark.parametrize(
    ("message", "usage", "expected"),
    [
        ({"reasoning_content": "hm"}, {}, {"reasoning": "hm", "cost": None}),
        ({"reasoning": "hm"}, {"cost": 0.25}, {"reasoning": "hm", "cost": 0.25}),
        ({"content": None}, {}, {"text": "", "reasoning": ""}),
        ({}, None, {"prompt_tokens": 0, "completion_tokens": 0, "cost": None}),
        ({}, {"prompt_tokens": None}, {"prompt_tokens": 0}),
    ],
)
def test_what_servers_tell(
    message: dict[str, Any], usage: dict[str, Any] | None, expected: dict[str, Any]
) -> None:
    with serving(message=message, usage=usage) as server:
        reply = Endpoint("scripted", server.url)(CHAT)
    assert {name: getattr(reply, name) for name in expected} == expected
    assert reply.requests == 1 and reply.seconds > 0


def test_an_answer_without_choices_is_the_fault_of_the_server() -> None:
    with (
        serving(message={"content": 5}) as server,
        pytest.raises(ModelError, match="llm:scripted does not answer"),
    ):
        Endpoint("scripted", server.url)(CHAT)
    with pytest.raises(ModelError, match="llm:scripted does not answer: APIConnectionError"):
        Endpoint("scripted", "http://127.0.0.1:9/v1", retries=0)(CHAT)


def test_requests_keep_their_pace() -> None:
    pace, began = Pace(600), time.monotonic()
    for _ in range(4):
        pace.wait()
    assert time.monotonic() - began >= 0.3
    began = time.monotonic()
    for _ in range(1000):
        Pace(0).wait()
    assert time.monotonic() - began < 1.0


def test_a_function_gets_one_prompt() -> None:
    prompts = []
    assert Function("mine", lambda prompt: prompts.append(prompt) or "MOVE: D")(CHAT).text == "MOVE: D"  # type: ignore[func-returns-value]
    assert prompts == ["\n\n".join(each["content"] for each in CHAT)]
    with pytest.raises(ModelError, match="ask:mine has returned 5; expected an answer"):
        Function("mine", lambda prompt: 5)(CHAT)  # type: ignore[arg-type,return-value]


def test_marks_change_with_what_changes_answers() -> None:
    marks = {
        Endpoint(name, "http://a", settings=settings).mark
        for name in ("a", "b")
        for settings in ({}, {"temperature": 0.5})
    }
    assert len(marks) == 4 and Endpoint("a", "http://a").mark == Endpoint("a", "http://b", timeout=5).mark
    assert Reply("x").cost is None
