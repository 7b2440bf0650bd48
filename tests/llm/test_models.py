"""What models reply, and functions as models."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from polytrix.llm import MODEL, Episode
from polytrix.llm.conversation import assistant
from polytrix.llm.models import Function, ModelError, Reply

CHAT = Episode("resistor", [MODEL, "greedy"], seed=6).messages()


def test_a_function_gets_one_prompt() -> None:
    prompts = []
    assert Function("mine", lambda prompt: prompts.append(prompt) or "MOVE: D")(CHAT).text == "MOVE: D"  # type: ignore[func-returns-value]
    assert prompts == ["\n\n".join(each["content"] for each in CHAT)]
    with pytest.raises(ModelError, match="ask:mine has returned 5; expected an answer"):
        Function("mine", lambda prompt: 5)(CHAT)  # type: ignore[arg-type,return-value]


def test_a_reply_can_always_be_kept() -> None:
    reply = Reply("bad \ud800 \udc00answer \ud83d\ude00", reasoning="\udfff")
    assert (reply.text, reply.reasoning) == ("bad \ufffd \ufffdanswer \U0001f600", "\ufffd")
    assert Reply(**json.loads(json.dumps(asdict(reply), ensure_ascii=False).encode())) == reply


@pytest.mark.parametrize(
    "field",
    [
        {"text": None},
        {"reasoning": {"a": 1}},
        {"cut": "length"},
        {"prompt_tokens": -1},
        {"cached_tokens": 1.5},
        {"completion_tokens": 10**400},
        {"completion_tokens": True},
        {"requests": "1"},
        {"cost": "free"},
        {"cost": float("nan")},
        {"cost": float("inf")},
        {"seconds": -0.1},
        {"seconds": None},
    ],
    ids=str,
)
def test_nonsense_is_no_reply(field: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=f"{next(iter(field))} is .*; allowed: "):
        Reply(**{"text": "MOVE: D"} | field)


def test_what_is_readable_stays_the_object_that_it_is() -> None:
    """An answer may be a kind of `str` that knows more, such as the reasoning before it."""

    class Said(str):
        pass

    said = Said("MOVE: F1")
    assert assistant(said)["content"] is said
    assert assistant("MOVE: \ud800")["content"] == "MOVE: \ufffd"
