"""A language model behind an endpoint that speaks the OpenAI protocol (chat completions).

Servers are not trusted: whatever one sends, a request ends in time and in memory, with an answer that can be
kept or with a `ModelError`.
"""

from __future__ import annotations

import json
import math
import os
import random
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from polytrix.core.calls import shown
from polytrix.core.errors import MissingExtraError, PolicyError

from .models import LLM, ModelError, Reply, readable
from .prompts import Message

try:
    import httpx2
except ImportError:
    raise MissingExtraError("polytrix.llm.endpoint", "llm") from None

import anyio
from anyio.from_thread import start_blocking_portal

OPENAI = "https://api.openai.com/v1"
NO_KEY = "none"
"""Sent to servers that want no key."""

LAST_PORT = 65535
LONGEST = 10_000_000
"""Bytes that a response may have, unpacked."""
EXCERPT = 300
"""Characters of a response that an error shows."""
PASSING = {408, 409, 429}
"""Statuses below 500 after which a request is repeated: time-outs, conflicts, rate limits."""
FIRST_PAUSE, LAST_PAUSE, LONGEST_PAUSE = 0.5, 8.0, 120.0
"""Seconds before the first repetition; the most that they grow to; the most that a server may ask for."""


class Failure(Exception):  # noqa: N818  # it becomes a ModelError, or the request is repeated
    """A request has brought no answer; another one may.

    Attributes:
        pause: seconds to wait before, if the server has told.
    """

    def __init__(self, reason: str, pause: float | None = None) -> None:
        super().__init__(reason)
        self.pause = pause


@dataclass
class Endpoint:
    """A model behind an endpoint that speaks the OpenAI protocol (chat completions).

    The key is read from `OPENAI_API_KEY`, the address from `OPENAI_BASE_URL` unless it is given. Prompts are
    sent to this address only: redirects are refused.

    Args:
        name: of the model, as the server knows it.
        base_url: address of the API, such as http://localhost:8000/v1; None: the environment's, or OpenAI's.
        timeout: seconds for a request, up to the last byte of its answer.
        retries: how often a failed request is repeated, after growing pauses or those that the server asks for.
            Requests fail by time-outs, broken connections, rate limits (429), errors of the server (5xx, or
            in a response that says 200), and responses that are no chat completions.
        requests_per_minute: the most that are sent, repeated ones included; 0: no limit.
        price: dollars per million tokens of prompts and of answers, or None.
        cached_price: dollars per million tokens of prompts that the server has read from its cache; None: as
            other tokens of prompts.
        settings: further fields of a request, such as `temperature` and `max_completion_tokens`.

    Raises:
        PolicyError: there is no key, or an argument has no meaning.
    """

    name: str
    base_url: str | None = None
    timeout: float = 120.0
    retries: int = 6
    requests_per_minute: float = 0.0
    price: tuple[float, float] | None = None
    cached_price: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._check()
        given = self.base_url or os.environ.get("OPENAI_BASE_URL")
        self._url = completions_url(given or OPENAI)
        key = os.environ.get("OPENAI_API_KEY", "").strip() or (NO_KEY if given else None)
        if key is None:
            raise PolicyError(
                f"{LLM}{self.name} needs a key in the environment variable OPENAI_API_KEY, or the address of a "
                "server of your own (--base-url)"
            )
        if not (key.isascii() and key.isprintable()):
            raise PolicyError("OPENAI_API_KEY has characters that no header can hold; allowed: printable ASCII")
        self._headers = {"Authorization": f"Bearer {key}"}
        self._tls = httpx2.create_ssl_context()
        self._pace = Pace(self.requests_per_minute)

    @property
    def mark(self) -> str:
        """Model and settings; the address of the server does not count."""
        settings = (f"{key}={value}" for key, value in sorted(self.settings.items()))
        return " ".join([f"{LLM}{self.name}", *settings])

    def __call__(self, messages: Sequence[Message]) -> Reply:
        body = {"model": self.name, "messages": list(messages), **self.settings}
        began = 0.0
        for repeated in range(self.retries + 1):
            self._pace.wait()
            began = began or time.monotonic()
            try:
                with start_blocking_portal() as portal:  # a thread, so that a caller may have a loop of its own
                    reply = self._reply(portal.call(self._response, body))
                return replace(reply, seconds=time.monotonic() - began, requests=repeated + 1)
            except Failure as failure:
                if repeated == self.retries:
                    self._refuse(str(failure))
                growing = min(FIRST_PAUSE * 2.0**repeated, LAST_PAUSE) * random.uniform(0.75, 1)
                time.sleep(growing if failure.pause is None else failure.pause)
        raise AssertionError("the last failure is raised")

    async def _response(self, body: Mapping[str, Any]) -> bytes:
        """The body of the response to a request."""
        content = bytearray()
        try:
            with anyio.fail_after(self.timeout):
                async with (
                    httpx2.AsyncClient(verify=self._tls, timeout=None) as client,
                    client.stream("POST", self._url, headers=self._headers, json=body) as response,
                ):
                    async for part in response.aiter_bytes():  # unpacked, at most a megabyte at a time
                        content += part
                        if len(content) > LONGEST:
                            raise Failure(f"its response has more than {LONGEST:,} bytes")
        except TimeoutError:
            raise Failure(f"its response was not there after {self.timeout:g} seconds") from None
        except httpx2.HTTPError as error:
            raise Failure(f"{type(error).__name__}: {error}") from None
        whole = bytes(content)
        self._check_status(response, whole)
        return whole

    def _check_status(self, response: httpx2.Response, content: bytes) -> None:
        status = response.status_code
        if response.is_success:
            return
        if response.is_redirect:
            self._refuse(
                f"it redirects to {shown(response.headers.get('location'))}, and prompts are sent to the given "
                "address only; if you trust the other one, give that (--base-url)"
            )
        reason = f"{status} {httpx2.codes.get_reason_phrase(status)}: {excerpt(content)}"
        if status in PASSING or status >= 500:
            raise Failure(reason, pause_of(response.headers.get("retry-after")))
        self._refuse(reason)

    def _reply(self, content: bytes) -> Reply:
        """The reply in a response.

        Raises:
            Failure: there is none.
        """
        try:
            completion = json.loads(content, parse_constant=refuse_constant)
            choice = completion["choices"][0]
            if completion.get("error") or choice.get("error"):
                raise ValueError("an error")
            message, usage = choice["message"], completion.get("usage") or {}
            reply = Reply(
                text=message.get("content") or "",
                reasoning=message.get("reasoning_content") or message.get("reasoning") or "",
                cut=choice.get("finish_reason") == "length",
                prompt_tokens=usage.get("prompt_tokens") or 0,
                cached_tokens=(usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0,
                completion_tokens=usage.get("completion_tokens") or 0,
                cost=usage.get("cost"),
            )
            return reply if reply.cost is not None else replace(reply, cost=self._cost(reply))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise Failure(
                f"its response is not a chat completion ({error!s:.100}): {excerpt(content)}"
            ) from None

    def _cost(self, reply: Reply) -> float | None:
        """In dollars, by the prices, if there are some."""
        if self.price is None:
            return None
        told, said = self.price
        cached = min(reply.cached_tokens, reply.prompt_tokens)
        from_cache = told if self.cached_price is None else self.cached_price
        fresh = reply.prompt_tokens - cached
        return (fresh * told + cached * from_cache + reply.completion_tokens * said) / 1e6

    def _refuse(self, reason: str) -> NoReturn:
        raise ModelError(readable(f"{LLM}{self.name} does not answer: {reason}"))

    def _check(self) -> None:
        for name in ("timeout", "retries", "requests_per_minute", "price", "cached_price"):
            given = getattr(self, name)
            numbers = given if isinstance(given, tuple) else (given or 0,)
            if not all(0 <= number < math.inf for number in numbers):
                raise PolicyError(f"{name} is {shown(given)}; allowed: finite numbers from 0 on")
        if self.cached_price is not None and self.price is None:
            raise PolicyError(f"cached_price is {self.cached_price}, but there is no price; give both or none")
        try:
            json.dumps(dict(self.settings), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise PolicyError(f"settings are {shown(self.settings)}; allowed: JSON ({error})") from None


def completions_url(base: str) -> httpx2.URL:
    """Where chat completions are, below the address of an API.

    Raises:
        PolicyError: it is no address of the web.

    >>> str(completions_url("http://localhost:8000/v1/"))
    'http://localhost:8000/v1/chat/completions'
    """
    try:
        url = httpx2.URL(base)
    except httpx2.InvalidURL:
        url = httpx2.URL()
    if url.scheme not in ("http", "https") or not url.host or (url.port or 0) > LAST_PORT:
        raise PolicyError(f"the address is {shown(base)}; allowed: one such as http://localhost:8000/v1")
    return url.copy_with(path=url.path.rstrip("/") + "/chat/completions")


def pause_of(header: str | None) -> float | None:
    """The seconds that a server asks for by `Retry-After`; None if it names none.

    >>> pause_of("2.5"), pause_of("soon"), pause_of(None), pause_of("-1"), pause_of("1e9")
    (2.5, None, None, 0.0, 120.0)
    """
    try:
        seconds = float(header or "nan")
    except ValueError:
        return None
    return None if math.isnan(seconds) else min(max(seconds, 0.0), LONGEST_PAUSE)


def excerpt(content: bytes) -> str:
    """The beginning of a response in one line, for an error."""
    return " ".join(content[: 4 * EXCERPT].decode("utf-8", "replace").split())[:EXCERPT]


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and infinity, which Python reads though they are no JSON."""
    raise ValueError(f"{name} is not a number")


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
