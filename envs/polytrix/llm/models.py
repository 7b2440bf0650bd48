"""Language models that can be asked: an endpoint that speaks the OpenAI protocol, or a Python function."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from polytrix.core.calls import shown
from polytrix.core.errors import MissingExtraError, PolicyError, PolytrixError
from polytrix.core.imports import imported

from .prompts import Message

LLM = "llm:"
FUNCTION = "ask:"
HF = "hf:"
NO_KEY = "none"
"""Sent to servers that want no key."""


class ModelError(PolytrixError, RuntimeError):
    """A model cannot be asked: its server fails or refuses. It is not the model's fault."""


@dataclass(frozen=True)
class Reply:
    """What a model has said, and what it took.

    Attributes:
        text: the answer.
        reasoning: thoughts that the server tells apart from the answer, "" if there are none.
        prompt_tokens, completion_tokens: as the server counts them; 0 if it does not.
        cost: in dollars, as the server or the prices in `Endpoint` say; None if neither does.
        seconds: from the question to the answer, with retries.
        requests: that were sent, 1 and the retries.
    """

    text: str
    reasoning: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    requests: int = 1


class Model(Protocol):
    """Something to ask. Several threads ask at once."""

    name: str

    @property
    def mark(self) -> str:
        """Changes with everything that may change its answers."""
        ...

    def __call__(self, messages: Sequence[Message]) -> Reply:
        """The reply to a chat.

        Raises:
            ModelError: there is none.
        """
        ...


@dataclass
class Endpoint:
    """A model behind an endpoint that speaks the OpenAI protocol (chat completions).

    The key is read from `OPENAI_API_KEY`, the address from `OPENAI_BASE_URL` unless it is given.

    Args:
        name: of the model, as the server knows it.
        base_url: address of the API, such as http://localhost:8000/v1; None: the environment's, or OpenAI's.
        timeout: seconds for a request.
        retries: how often a failed request is repeated, after growing pauses or those that the server asks for.
            Requests fail by time-outs, broken connections, rate limits (429) and errors of the server (5xx).
        requests_per_minute: the most that are sent; 0: no limit.
        price: dollars per million tokens of prompts and of answers, or None.
        settings: further fields of a request, such as `temperature` and `max_completion_tokens`.
    """

    name: str
    base_url: str | None = None
    timeout: float = 120.0
    retries: int = 6
    requests_per_minute: float = 0.0
    price: tuple[float, float] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            from openai import OpenAI
        except ImportError:
            raise MissingExtraError(f"{LLM}{self.name}", "llm") from None
        local = self.base_url is not None or "OPENAI_BASE_URL" in os.environ
        key = os.environ.get("OPENAI_API_KEY") or (NO_KEY if local else None)
        if key is None:
            raise PolicyError(
                f"{LLM}{self.name} needs a key in the environment variable OPENAI_API_KEY, or the address of a "
                "server of your own (--base-url)"
            )
        self._client = OpenAI(
            api_key=key, base_url=self.base_url, timeout=self.timeout, max_retries=self.retries
        )
        self._pace = Pace(self.requests_per_minute)

    @property
    def mark(self) -> str:
        """Model and settings; the address of the server does not count."""
        settings = (f"{key}={value}" for key, value in sorted(self.settings.items()))
        return " ".join([f"{LLM}{self.name}", *settings])

    def __call__(self, messages: Sequence[Message]) -> Reply:
        from openai import OpenAIError

        self._pace.wait()
        began = time.monotonic()
        try:
            chat: Any = self._client.chat.completions.with_raw_response
            raw = chat.create(model=self.name, messages=list(messages), **self.settings)
            completion = raw.parse()
            message = completion.choices[0].message
            if not isinstance(message.content, (str, type(None))):
                raise TypeError(f"its answer is {shown(message.content)}")
        except (OpenAIError, IndexError, AttributeError, TypeError, ValueError) as error:
            raise ModelError(f"{LLM}{self.name} does not answer: {type(error).__name__}: {error}") from error
        usage = completion.usage
        prompt = getattr(usage, "prompt_tokens", None) or 0
        said = getattr(usage, "completion_tokens", None) or 0
        cost = getattr(usage, "cost", None)
        if cost is None and self.price is not None:
            cost = (prompt * self.price[0] + said * self.price[1]) / 1e6
        return Reply(
            text=message.content or "",
            reasoning=getattr(message, "reasoning_content", None) or getattr(message, "reasoning", None) or "",
            prompt_tokens=prompt,
            completion_tokens=said,
            cost=cost,
            seconds=time.monotonic() - began,
            requests=raw.retries_taken + 1,
        )


class Pace:
    """Lets requests of several threads through at an even pace.

    Args:
        per_minute: the most in a minute; 0: no limit.
    """

    def __init__(self, per_minute: float) -> None:
        self._gap = 60 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Wait for one's turn."""
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + self._gap
        time.sleep(turn - now)


@dataclass
class Function:
    """A model that is a Python function, from a prompt to an answer.

    Args:
        name: of the model.
        answer: gets the whole chat as one text, see `as_prompt`. Several threads call it at once.
    """

    name: str
    answer: Callable[[str], str]

    @property
    def mark(self) -> str:
        """The name, since nobody can tell what else its answers depend on."""
        return f"{FUNCTION}{self.name}"

    def __call__(self, messages: Sequence[Message]) -> Reply:
        began = time.monotonic()
        said = self.answer(as_prompt(messages))
        if not isinstance(said, str):
            raise ModelError(f"{self.mark} has returned {shown(said)}; expected an answer, a str")
        return Reply(said, seconds=time.monotonic() - began)


def as_prompt(messages: Sequence[Message]) -> str:
    r"""A chat as one text: the messages, those of the model marked.

    >>> as_prompt([{"role": "user", "content": "1+1?"}, {"role": "assistant", "content": "2"},
    ...            {"role": "user", "content": "2+2?"}])
    '1+1?\n\nYour answer:\n2\n\n2+2?'
    """
    return "\n\n".join(
        f"Your answer:\n{each['content']}" if each["role"] == "assistant" else each["content"]
        for each in messages
    )


def function_at(path: str) -> Function:
    """The model that is the function at `module:name`.

    Raises:
        PolicyError: there is none.
    """
    try:
        found = imported(path)
    except ImportError as error:
        raise PolicyError(
            f"{FUNCTION}{path} cannot be imported ({error}); allowed: {FUNCTION}MODULE:FUNCTION"
        ) from None
    if not callable(found):
        raise PolicyError(f"{FUNCTION}{path} is {shown(found)}; expected a function from a prompt to an answer")
    return Function(path, found)
