"""Saved networks that are uploaded in the lobby."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import polytrix
from polytrix.core.baselines import baseline_files
from polytrix.web import networks

from .playing import Server

QUATRIX = baseline_files(polytrix.find("quatrix"))["ppo"].read_bytes()


def upload(server: Server, content: bytes, game: str = "quatrix", name: str = "mine.npz") -> Any:
    return server.client.post(
        "/api/networks", params={"game": game, "name": name}, content=content, headers=server.headers
    )


def kept(folder: Path) -> list[Path]:
    return [path for path in (folder / networks.FOLDER).rglob("*") if path.is_file()]


def test_an_uploaded_network_plays(server: Server, tmp_path: Path) -> None:
    answer = upload(server, QUATRIX)
    assert answer.status_code == 201 and Path(answer.json()["agent"]).read_bytes() == QUATRIX
    assert upload(server, QUATRIX, name="again.npz").json() == answer.json()
    assert len(kept(tmp_path)) == 1
    table = server.set_up("quatrix", answer.json()["agent"], "you", seed=1)
    with server.page(table["seats"][1]["token"]) as page:
        assert page.my_turn()
        assert [seat["player"] for seat in page.view["seats"]] == ["mine.npz", "you"]


@pytest.mark.parametrize(
    ("content", "game", "told"),
    [
        (b"", "quatrix", "mine.npz is damaged or not a saved network"),
        (b"PK\x03\x04" + bytes(100), "quatrix", "mine.npz is damaged or not a saved network"),
        (QUATRIX[:-100], "quatrix", "mine.npz is damaged or not a saved network"),
        (QUATRIX, "resistor", "mine.npz plays polytrix/quatrix-v0; this is polytrix/resistor-v0"),
        (QUATRIX, "chess", "chess"),
    ],
)
def test_what_is_no_network_of_the_game_is_refused_and_not_kept(
    server: Server, tmp_path: Path, content: bytes, game: str, told: str
) -> None:
    answer = upload(server, content, game)
    assert answer.status_code == 400 and told in answer.json()["error"]
    assert str(tmp_path) not in answer.json()["error"]
    assert kept(tmp_path) == []


def test_uploads_are_limited(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.web.app.LONGEST_NETWORK", 1000)
    assert upload(server, bytes(1001)).status_code == 413
    monkeypatch.undo()
    monkeypatch.setattr(networks, "MOST_NETWORKS", 1)
    assert upload(server, QUATRIX).status_code == 201
    other = polytrix.find("resistor")
    answer = upload(server, baseline_files(other)["ppo"].read_bytes(), "resistor")
    assert answer.status_code == 400 and "Delete some" in answer.json()["error"]


@pytest.mark.parametrize("name", ["../../evil.npz", "..\\evil.npz", "/etc/passwd", "", ".npz", "a" * 500, "\0"])
def test_names_lead_nowhere_else(server: Server, tmp_path: Path, name: str) -> None:
    file = Path(upload(server, QUATRIX, name=name).json()["agent"])
    assert file.parents[1] == tmp_path / networks.FOLDER
    assert file.suffix == ".npz" and len(file.name) < 50
