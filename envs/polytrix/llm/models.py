"""Language models that can be asked, what they reply, and Python functions as models."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from polytrix.core.calls import shown
from polytrix.core.errors import PolicyError, PolytrixError
from polytrix.core.imports import imported

from .prompts import Message

LLM = "llm:"
FUNCTION = "ask:"
HF = "hf:"
MOST = 1e15
"""No count, price or time of an answer is above this."""


class ModelError(PolytrixError, RuntimeError):
    """A model cannot be asked: its server fails or refuses. It is not the model's fault."""


@dataclass(frozen=True)
class Reply:
    """What a model has said, and what it took. It can always be written to a file and read again.

    Attributes:
        text: the answer. Here and in `reasoning`, halves of surrogate pairs, which no file can hold, become
            U+FFFD.
        reasoning: thoughts that the server tells apart from the answer, "" if there are none.
        cut: whether the limit of tokens has cut the answer off.
        prompt_tokens, completion_tokens: as the server counts them; 0 if it does not.
        cached_tokens: those of the prompt that the server has read from its cache.
        cost: in dollars, as the server or the prices in `Endpoint` say; None if neither does.
        seconds: from the question to the answer, with retries.
        requests: that were sent, 1 and the retries.

    Raises:
        TypeError, ValueError: a text is no `str`; a count or an amount is negative, absurd, or no number.
    """

    text: str
    reasoning: str = ""
    cut: bool = False
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    requests: int = 1

    def __post_init__(self) -> None:
        for name in ("text", "reasoning"):
            given = getattr(self, name)
            if not isinstance(given, str):
                raise TypeError(f"{name} is {shown(given)}; allowed: a str")
            object.__setattr__(self, name, readable(given))
        if not isinstance(self.cut, bool):
            raise TypeError(f"cut is {shown(self.cut)}; allowed: True or False")
        for name in ("prompt_tokens", "cached_tokens", "completion_tokens", "requests"):
            _check_amount(name, getattr(self, name), int)
        _check_amount("seconds", self.seconds, (int, float))
        if self.cost is not None:
            _check_amount("cost", self.cost, (int, float))


def readable(text: str) -> str:
    r"""A text without halves of surrogate pairs, which no file, page or server can be sent.

    >>> readable("F\ud800 1") == "F\ufffd 1"
    True
    """
    repaired = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text if repaired == text else repaired  # the same object: a subclass of `str` stays one


def _check_amount(name: str, given: object, kind: type[int] | tuple[type[int], type[float]]) -> None:
    if not isinstance(given, kind) or isinstance(given, bool):
        raise TypeError(f"{name} is {shown(given)}; allowed: a number")
    if not 0 <= given <= MOST:
        raise ValueError(f"{name} is {shown(given)}; allowed: 0 to {MOST:g}")


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
        ) from error
    if not callable(found):
        raise PolicyError(f"{FUNCTION}{path} is {shown(found)}; expected a function from a prompt to an answer")
    return Function(path, found)
