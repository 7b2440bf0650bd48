"""Who gets in, what pages may load, and how much there may be."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.websockets import WebSocketDisconnect

import polytrix
from polytrix.web import messages
from polytrix.web.limits import Rate
from polytrix.web.settings import new_token
from tests.fuzz.table_server import Server as FuzzServer

from .playing import ORIGIN, SOCKET, Page, Server


def test_secrets_have_128_bits() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100 and min(map(len, tokens)) == 22


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/games", 200),
        ("GET", "/api/tables", 200),
        ("POST", "/api/tables", 400),
        ("POST", "/api/tables/forget", 400),
        ("POST", "/api/networks", 400),
    ],
)
def test_the_lobby_needs_its_key(server: Server, method: str, path: str, status: int) -> None:
    for given, expected in (("", 401), ("Bearer x", 401), (server.headers["Authorization"], status)):
        answer = server.client.request(method, path, headers={**ORIGIN, "Authorization": given})
        assert answer.status_code == expected


@pytest.mark.parametrize("token", ["", "x", "A" * 22])
def test_a_wrong_token_leads_to_no_table(server: Server, token: str) -> None:
    with server.page(token) as page:
        assert "leads nowhere" in page.receive("closed")["text"]


def test_the_first_message_joins(server: Server) -> None:
    for first in ('{"type": "log"}', "{", '{"type": "join"}', '{"type": "join", "token": 7, "seen": -1}'):
        with server.client.websocket_connect(SOCKET, headers=ORIGIN) as socket:
            socket.send_text(first)
            assert socket.receive_json()["type"] == "closed"


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "http://127.0.0.1:9999", "http://["])
def test_other_sites_cannot_connect(server: Server, origin: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin}
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        server.client.websocket_connect(SOCKET, headers=headers),
    ):
        pass
    assert refused.value.code == 1008
    post = {**server.headers, "Origin": origin or ""}
    assert server.client.post("/api/tables", json={}, headers=post).status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "a b", "127.0.0.1;", "["])
def test_other_names_of_this_machine_are_refused(server: Server, host: str) -> None:
    assert server.client.get("/", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("path", ["/", "/table", "/replay", "/static/table.js", "/font.ttf", "/nothing"])
def test_pages_load_from_here_only(server: Server, path: str) -> None:
    headers = server.client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer"


def test_static_files_refer_to_no_other_site() -> None:
    folder = Path(messages.__file__).parent / "static"
    for file in (path for path in folder.rglob("*") if path.is_file()):
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text and "https://" not in text, file.name
        assert "style=" not in text and "onclick=" not in text, file.name


@pytest.mark.parametrize("path", ["/tabel", "/static/nothing.js"])
def test_an_address_that_leads_nowhere_has_a_way_home(server: Server, path: str) -> None:
    answer = server.client.get(path)
    assert answer.status_code == 404 and '<a class="button" href="/">All games</a>' in answer.text


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py"])
def test_only_static_files_are_served(server: Server, path: str) -> None:
    assert server.client.get(path).status_code in (404, 405)


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"options": {"finish_depth": 9}}, "one of 1, 2, 3"),
        ({"options": {"colour": 1}}, "unknown option"),
        ({"options": []}, "objects"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": "1"}, "seed is '1'"),
        ({"pace": 99}, "0 to 10 seconds"),
        ({"seats": []}, "has 2"),
        ({"seats": [{"kind": "you"}, {"kind": "you"}]}, "only one seat"),
        ({"seats": [{"kind": "you"}, {"kind": "king"}]}, "allowed kinds"),
        ({"seats": [{"kind": "you"}, {"kind": "agent", "agent": "gredy"}]}, "Did you mean 'greedy'"),
        ({"seats": [{"kind": "you"}, {"kind": "agent", "agent": "os:system"}]}, "run code"),
        ({"seats": [{"kind": "you"}, {"kind": "agent", "agent": "process:true"}]}, "run code"),
        ({"seats": [{"kind": "you"}, {"kind": "agent", "agent": "mine=process:true"}]}, "run code"),
        ({"seats": [{"kind": "you"}, {"kind": "agent", "agent": "noisy:0,process:true"}]}, "run code"),
        ({"seats": [{"kind": "you"}, {"kind": "agent", "agent": "search:2,network=process:true"}]}, "allowed"),
        ({"seats": [{"kind": "you"}, {"kind": "agent", "agent": "search:x"}]}, "search:x"),
        ({"game": "chess"}, "chess"),
        ({"game": 7}, "names a game"),
    ],
)
def test_forms_are_refused_with_a_reason(server: Server, form: dict[str, object], told: str) -> None:
    usual = {"game": "quatrix", "seats": [{"kind": "you"}, {"kind": "agent", "agent": "greedy"}]}
    answer = server.client.post("/api/tables", json={**usual, **form}, headers=server.headers)
    assert answer.status_code == 400
    assert told in answer.json()["error"]
    assert server.store.count() == 0


HALF_A_PAIR = '{"token": "\\ud800", "game": 0, "id": "\\ud800", "type": "join", "seen": 0}'


@pytest.mark.parametrize("path", ["/api/replay", "/api/thoughts", "/api/tables", "/api/tables/forget"])
def test_text_that_cannot_be_kept_is_refused(server: Server, path: str) -> None:
    for sent in (HALF_A_PAIR.encode(), HALF_A_PAIR.replace("\\ud800", "\ud800").encode(errors="surrogatepass")):
        answer = server.client.post(path, content=sent, headers=server.headers)
        assert answer.status_code == 400 and "not JSON" in answer.json()["error"]


def test_so_it_is_in_messages(server: Server) -> None:
    with server.client.websocket_connect(SOCKET, headers=ORIGIN) as socket:
        socket.send_text(HALF_A_PAIR)
        assert "not JSON" in socket.receive_json()["text"]
    with server.page(server.set_up("quatrix", "you", "greedy")["seats"][0]["token"]) as page:
        page.my_turn()
        page.socket.send_text('{"type": "say", "version": 0, "text": "\\ud800"}')
        while (message := page.socket.receive_json())["type"] != "refused":
            pass
        assert "not JSON" in message["text"]
        page.send("say", text="\U0001f600")  # a whole pair
        while "not JSON" in message["text"] or message["type"] != "refused":
            message = page.socket.receive_json()


@pytest.mark.parametrize("agent", ["a" * 300, "\0", "a/\0", "search:9,network=" + "a" * 300, "\n"])
def test_names_that_no_file_can_have_are_refused(server: Server, agent: str) -> None:
    assert server.try_to_set_up("quatrix", "you", agent).status_code == 400


@pytest.mark.parametrize("path", ["/api/replay", "/api/thoughts"])
def test_without_the_key_little_is_read(server: Server, path: str) -> None:
    sent = b"[" * (messages.LONGEST_MESSAGE + 1)
    assert server.client.post(path, content=sent, headers=ORIGIN).status_code == 401
    assert server.client.post(path, content=sent, headers=server.headers).status_code == 400


def test_a_form_names_no_file_of_the_server(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "deck.json"
    file.write_text("{}", encoding="utf-8")
    answer = server.try_to_set_up("resistor", "you", "greedy", data={"deck": str(file)})
    assert answer.status_code == 400 and "shipped: " in answer.json()["error"]
    answer = server.try_to_set_up("resistor", "you", "greedy", data={"deck": {"cards": 7}})
    assert answer.status_code == 400


def test_long_forms_are_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.web.app.LONGEST_BODY", 1000)
    answer = server.client.post("/api/tables", content=b" " * 1001, headers=server.headers)
    assert answer.status_code == 413


def test_there_is_a_limit_of_tables(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.web.app.MOST_TABLES", 1)
    table = server.set_up("quatrix", "you", "greedy")
    assert server.try_to_set_up("quatrix", "you", "greedy").status_code == 400
    server.client.post("/api/tables/forget", json={"id": table["id"]}, headers=server.headers)
    with server.page(table["seats"][0]["token"]) as page:
        page.receive("closed")
    server.set_up("quatrix", "you", "greedy")


def test_there_is_a_limit_of_pages(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.web.rooms.PAGES_OF_A_LINK", 1)
    token = server.set_up("quatrix", "you", "greedy")["seats"][0]["token"]
    with server.page(token) as first, server.page(token) as second:
        first.receive("view")
        assert "1 pages already" in second.receive("closed")["text"]


def is_shown(server: Server, token: str) -> bool:
    """Whether there is room for a table."""
    with server.page(token) as page:
        return page.socket.receive_json()["type"] != "closed"


def test_tables_that_nobody_looks_at_leave_the_memory(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.web.rooms.MOST_OPEN", 1)
    tokens = [server.set_up("quatrix", "you", "random")["seats"][0]["token"] for _ in range(2)]
    for token in (*tokens, *tokens, tokens[0]):
        while not is_shown(server, token):
            pass  # until the server has noticed that nobody looks at the other table any more
    with server.page(tokens[0]) as first, server.page(tokens[1]) as second:
        first.receive("view")
        assert "Too many tables" in second.receive("closed")["text"]


def received_until_closed(page: Page) -> None:
    while True:
        page.socket.receive_json()


def test_a_page_that_sends_too_much_is_closed(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.web.app.Rate", lambda per_second, burst: Rate(0.001, 3))
    token = server.set_up("quatrix", "you", "greedy")["seats"][0]["token"]
    with server.page(token) as page:
        for _ in range(20):
            page.socket.send_text("{}")
        with pytest.raises(WebSocketDisconnect) as closed:
            received_until_closed(page)
    assert closed.value.code == 4429


def test_a_request_that_breaks_off_is_no_error(tmp_path: Path) -> None:
    server = FuzzServer(polytrix.find("quatrix"), tmp_path)
    asked = (
        f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {server.address}\r\n"
        f"Authorization: Bearer {server.store.key}\r\nContent-Length: 100\r\n\r\n{{"
    )
    assert server.exchange(asked.encode()) == b""
    server.exchange(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")  # a later one, when it is done
    assert server.errors() == []
    server.stop()
