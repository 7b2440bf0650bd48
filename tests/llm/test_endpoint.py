"""Endpoints: what servers tell, and that no server can make a request endless, huge or unreadable."""

from __future__ import annotations

import asyncio
import json
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytrix.core.errors import PolicyError
from polytrix.llm import MODEL, Episode
from polytrix.llm import endpoint as module
from polytrix.llm.endpoint import LONGEST, Endpoint, Failure
from polytrix.llm.models import ModelError
from tests.fuzz.commands import ESCAPES, check_visible
from tests.llm.server import running, serving

CHAT = Episode("resistor", [MODEL, "greedy"], seed=6).messages()
GOOD = {"choices": [{"message": {"role": "assistant", "content": "MOVE: D"}}]}


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.0)


def send(handler: BaseHTTPRequestHandler, content: bytes, status: int = 200, **headers: str) -> None:
    """A whole response."""
    handler.send_response(status)
    for name, value in {"Content_Length": str(len(content)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)


@contextmanager
def responding(*responses: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[tuple[str, list[str]]]:
    """The address of a server, and the paths that it was asked for; it repeats the last response."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            asked.append(self.path)
            try:
                responses[min(len(asked), len(responses)) - 1](self)
            except OSError:  # the client has gone
                self.close_connection = True

    with running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as server:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", asked


def good(handler: BaseHTTPRequestHandler) -> None:
    send(handler, json.dumps(GOOD).encode())


@pytest.mark.parametrize(
    ("message", "usage", "expected"),
    [
        ({"reasoning_content": "hm"}, {}, {"reasoning": "hm", "cost": None}),
        ({"reasoning": "hm"}, {"cost": 0.25}, {"reasoning": "hm", "cost": 0.25}),
        ({"content": None}, {}, {"text": "", "reasoning": ""}),
        ({}, None, {"prompt_tokens": 0, "completion_tokens": 0, "cost": None}),
        ({}, {"prompt_tokens": None}, {"prompt_tokens": 0}),
        ({}, {"prompt_tokens_details": {"cached_tokens": 3}}, {"cached_tokens": 3}),
        ({}, {"prompt_tokens_details": None}, {"cached_tokens": 0, "cut": False}),
    ],
)
def test_what_servers_tell(
    message: dict[str, Any], usage: dict[str, Any] | None, expected: dict[str, Any]
) -> None:
    with serving(message=message, usage=usage) as server:
        reply = Endpoint("scripted", server.url)(CHAT)
    assert {name: getattr(reply, name) for name in expected} == expected
    assert reply.requests == 1 and reply.seconds > 0


@pytest.mark.parametrize(("cached_price", "dollars"), [(None, 104e-6), (0.5, 74e-6)])
def test_tokens_from_the_cache_have_a_price_of_their_own(cached_price: float | None, dollars: float) -> None:
    used = {"prompt_tokens": 40, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 20}}
    with serving(usage=used) as server:
        reply = Endpoint("m", server.url, price=(2, 8), cached_price=cached_price)(CHAT)
    assert reply.cost == pytest.approx(dollars)


def test_an_answer_without_choices_is_the_fault_of_the_server() -> None:
    with (
        serving(message={"content": 5}) as server,
        pytest.raises(ModelError, match="llm:scripted does not answer"),
    ):
        Endpoint("scripted", server.url, retries=0)(CHAT)
    with pytest.raises(ModelError, match="llm:scripted does not answer: ConnectError"):
        Endpoint("scripted", "http://127.0.0.1:9/v1", retries=0)(CHAT)


BAD = {
    "no JSON": b"<html>",
    "no chat completion": b'{"id": "x"}',
    "nested": b"[" * 200_000 + b"]" * 200_000,
    "no choices": {"choices": []},
    "choices are null": {"choices": None},
    "an error that says 200": {"error": {"message": "overloaded"}, "choices": None},
    "an error beside choices": {"error": {"message": "overloaded"}, **GOOD},
    "an error in the choice": {"choices": [{**GOOD["choices"][0], "error": {"code": 502}}]},
    "no message": {"choices": [{}]},
    "content is a list": {"choices": [{"message": {"content": ["MOVE: D"]}}]},
    "usage is text": {**GOOD, "usage": "much"},
    "a count is negative": {**GOOD, "usage": {"completion_tokens": -5}},
    "a count is NaN": {**GOOD, "usage": {"prompt_tokens": float("nan")}},
    "the cost is infinite": json.dumps({**GOOD, "usage": {"cost": 5}}).replace("5", "1e999").encode(),
}


@pytest.mark.parametrize("case", BAD)
def test_a_response_that_is_no_chat_completion_is_asked_for_again(case: str) -> None:
    content = BAD[case]
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    with responding(lambda handler: send(handler, raw), good) as (url, asked):
        reply = Endpoint("m", url)(CHAT)
    assert (reply.text, reply.requests, len(asked)) == ("MOVE: D", 2, 2)
    with (
        responding(lambda handler: send(handler, raw)) as (url, _),
        pytest.raises(
            ModelError, match=r"^llm:m does not answer: its response is not a chat completion \(.+\): "
        ) as told,
    ):
        Endpoint("m", url, retries=0)(CHAT)
    assert len(str(told.value)) < 600


PRICED = Endpoint("m", "http://a", price=(2, 8))
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda parts: st.lists(parts, max_size=2) | st.dictionaries(st.text(max_size=3), parts, max_size=2),
    max_leaves=4,
)
WHOLE = {
    "choices": [{"finish_reason": "stop", "message": {"content": "MOVE: D", "reasoning": "hm"}}],
    "usage": {
        "prompt_tokens": 1,
        "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 1},
        "cost": 0.1,
    },
}


@st.composite
def completions(draw: Any, value: Any = WHOLE) -> Any:
    """A chat completion in which one value, or what holds it, is any other."""
    if not isinstance(value, (dict, list)) or draw(st.integers(0, 3)) == 0:
        return draw(ANY_JSON)
    key = draw(st.sampled_from(list(value) if isinstance(value, dict) else range(len(value))))
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[key] = draw(completions(value[key]))
    return changed


@given(completions().map(json.dumps).map(str.encode) | st.binary())
def test_any_response_gives_figures_that_can_be_or_is_asked_for_again(content: bytes) -> None:
    try:
        reply = PRICED._reply(content)
    except Failure:
        return
    assert isinstance(reply.text, str) and isinstance(reply.reasoning, str)
    figures = (reply.prompt_tokens, reply.cached_tokens, reply.completion_tokens, reply.cost)
    assert all(0 <= figure < float("inf") for figure in figures)


@pytest.mark.parametrize("escape", ESCAPES, ids=repr)
def test_what_a_server_says_cannot_command_the_terminal(escape: str) -> None:
    content = json.dumps({"error": {"message": escape}}, ensure_ascii=False).encode(errors="surrogatepass")
    with responding(lambda handler: send(handler, content, 401)) as (url, _), pytest.raises(ModelError) as told:
        Endpoint("m", url)(CHAT)
    check_visible(str(told.value))


@pytest.mark.parametrize(("status", "requests"), [(400, 1), (401, 1), (404, 1), (408, 3), (429, 3), (503, 3)])
def test_errors_that_may_pass_are_repeated(status: int, requests: int) -> None:
    def failing(handler: BaseHTTPRequestHandler) -> None:
        send(handler, b'{"error": "planted"}', status)

    with responding(failing) as (url, asked), pytest.raises(ModelError, match=rf"{status} [A-Z].*: .*planted"):
        Endpoint("m", url, retries=2)(CHAT)
    assert len(asked) == requests


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_prompts_are_not_sent_on_to_another_address(status: int) -> None:
    def elsewhere(handler: BaseHTTPRequestHandler) -> None:
        send(handler, b"", status, Location="/stolen")

    with responding(elsewhere, good) as (url, asked):
        with pytest.raises(ModelError, match="it redirects to '/stolen', and prompts are sent to the given"):
            Endpoint("m", url)(CHAT)
        assert asked == ["/v1/chat/completions"]


def drip(handler: BaseHTTPRequestHandler) -> None:
    """The headers, then a byte every now and then, for as long as the client stays."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    drop(handler)


def drop(handler: BaseHTTPRequestHandler) -> None:
    """A byte every now and then, for as long as the client stays."""
    while True:
        handler.wfile.write(b"H")
        time.sleep(0.1)


@pytest.mark.parametrize("dripping", [drip, drop], ids=["body", "headers"])
def test_an_answer_that_drips_ends_with_the_time(dripping: Callable[[BaseHTTPRequestHandler], None]) -> None:
    told = pytest.raises(ModelError, match=r"its response was not there after 0\.5 seconds")
    with responding(dripping) as (url, _), told:
        Endpoint("m", url, timeout=0.5, retries=0)(CHAT)


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_huge_answer_is_refused_before_it_is_there(packed: bool, status: int) -> None:
    pack, blanks = zlib.compressobj(9, zlib.DEFLATED, 31), b" " * LONGEST
    headers = {"Content_Encoding": "gzip"} if packed else {}
    content = b"".join([*(pack.compress(blanks) for _ in range(20)), pack.flush()]) if packed else blanks * 20
    with responding(lambda handler: send(handler, content, status, **headers)) as (url, _):
        endpoint = Endpoint("m", url, retries=0)
        tracemalloc.start()
        try:
            with pytest.raises(ModelError, match="its response has more than 10,000,000 bytes"):
                endpoint(CHAT)
            assert tracemalloc.get_traced_memory()[1] < 5 * LONGEST  # of 20
        finally:
            tracemalloc.stop()


def test_repeated_requests_keep_the_pace() -> None:
    with responding(lambda handler: send(handler, b"", 500)) as (url, asked):
        endpoint, began = Endpoint("m", url, retries=4, requests_per_minute=600), time.monotonic()
        with pytest.raises(ModelError):
            endpoint(CHAT)
    assert len(asked) == 5 and time.monotonic() - began >= 0.4


def test_the_server_says_how_long_to_wait() -> None:
    def busy(handler: BaseHTTPRequestHandler) -> None:
        send(handler, b"", 429, Retry_After="0.4")

    began = time.monotonic()
    with responding(busy, good) as (url, _):
        assert Endpoint("m", url)(CHAT).requests == 2
    assert time.monotonic() - began >= 0.4


def test_a_key_that_no_header_can_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "schl\u00fcssel")
    with pytest.raises(PolicyError, match=r"OPENAI_API_KEY has characters that no header can hold"):
        Endpoint("m")


def test_a_program_with_an_event_loop_can_ask() -> None:
    async def ask(url: str) -> str:
        return Endpoint("m", url)(CHAT).text

    with responding(good) as (url, _):
        assert asyncio.run(ask(url)) == "MOVE: D"


def test_marks_change_with_what_changes_answers() -> None:
    marks = {
        Endpoint(name, "http://a", settings=settings).mark
        for name in ("a", "b")
        for settings in ({}, {"temperature": 0.5})
    }
    assert len(marks) == 4 and Endpoint("a", "http://a").mark == Endpoint("a", "http://b", timeout=5).mark


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"timeout": float("nan")}, "timeout is nan; allowed: finite numbers from 0 on"),
        ({"retries": -1}, "retries is -1"),
        ({"requests_per_minute": float("inf")}, "requests_per_minute is inf"),
        ({"price": (1, float("nan"))}, r"price is \(1, nan\)"),
        ({"cached_price": -1}, "cached_price is -1"),
        ({"cached_price": 1.0}, "there is no price"),
        ({"settings": {"temperature": float("nan")}}, "settings are .*; allowed: JSON"),
        ({"base_url": "localhost:8000/v1"}, "the address is 'localhost:8000/v1'; allowed: one such as http://"),
        ({"base_url": "http://[::1/v1"}, "the address is"),
        ({"base_url": "http://localhost:99999/v1"}, "the address is"),
    ],
    ids=str,
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(PolicyError, match=problem):
        Endpoint("m", **{"base_url": "http://localhost:8000/v1", **arguments})


def test_a_key_from_a_file_may_end_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abc\n")
    with serving() as server:
        Endpoint("x", server.url)(Episode("resistor", [MODEL, "greedy"], seed=6).messages())
        assert server.keys == {"Bearer sk-abc"}
