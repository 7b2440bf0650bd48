"""Games are kept: what was confirmed is there after the process has been killed."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

import polytrix
from polytrix.core.errors import PolytrixError
from polytrix.web.settings import PERSON, Chair, Settings, new_token
from polytrix.web.store import Store, data_folder
from polytrix.web.table import Table

from .playing import serving


def test_a_new_game_and_resignations_are_kept(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        token = server.set_up("quatrix", "you", "greedy", seed=3)["seats"][0]["token"]
        with server.page(token) as page:
            page.my_turn()
            page.send("resign")
            page.receive("view")
    with serving(tmp_path) as server, server.page(token) as page:
        page.receive("view")
        assert page.view["over"]
        page.send("begin")
        page.receive("view")
        assert page.view["round"] == 1
    with serving(tmp_path) as server, server.page(token) as page:
        page.receive("view")
        assert page.view["round"] == 1 and not page.view["over"]


def test_data_of_ones_own_are_kept(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = server.set_up("resistor", "you", "greedy", data={"deck": "micro"}, options={"max_decisions": 3})
        token = table["seats"][0]["token"]
        with server.page(token) as page:
            page.receive("view")
            board = page.view["board"]
    with serving(tmp_path) as server, server.page(token) as page:
        assert page.receive("view")["board"] == board


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    store = Store(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(store.key) >= 22  # 128 bits
    store.close()


def test_one_server_at_a_time(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    with pytest.raises(PolytrixError, match="already running"):
        Store(tmp_path / "tables.sqlite")
    store.close()
    again = Store(tmp_path / "tables.sqlite")
    assert again.key == store.key
    again.close()


def test_nothing_changes_at_a_table_that_has_just_been_deleted(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    table = Table.new(settings(), 1, store)
    store.forget(table.id)
    changes = [lambda: table.move(table.mover, table.session.legal()[0]), lambda: table.resign(0)]
    for change in changes:
        with pytest.raises(PolytrixError, match="this table has been deleted"):
            change()
    assert not table.session.actions and not table.resigned and table.version == 0
    store.close()


OTHER = "create table other (id integer primary key)"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database with a few games, on several pages."""
    path = tmp_path_factory.mktemp("kept") / "tables.sqlite"
    store = Store(path)
    for seed in range(6):
        table = Table.new(settings(), seed, store)
        for _ in range(20):
            table.move(0 if table.mover == 0 else 1, table.session.legal()[0])
    store.close()
    return path.read_bytes()


def settings() -> Settings:
    game = polytrix.find("quatrix")
    chairs = (Chair(PERSON, token=new_token()), Chair(PERSON, token=new_token()))
    return Settings(game.id, game.options.defaults, chairs, new_token())


def refused_or_works(folder: Path, content: bytes, **beside: bytes) -> bool:
    """Whether a database is refused when it is opened; if not, everything in it must work."""
    path = folder / "tables.sqlite"
    for file in folder.glob("tables.sqlite*"):
        file.unlink()
    path.write_bytes(content)
    for suffix, other in beside.items():
        (folder / f"tables.sqlite-{suffix}").write_bytes(other)
    try:
        store = Store(path)
    except PolytrixError:
        return True
    rows = store.newest(10)
    assert len(rows) == store.count() == 6
    for table_id, found, _ in rows:
        table = Table(store.load(table_id), store)
        for seat, chair in enumerate(found.chairs):
            assert store.find(chair.token) == (table_id, seat)
        if not table.over:
            table.move(table.mover, table.session.legal()[0])
        store.forget(table_id)
    store.close()
    return False


def flipped(content: bytes, place: int, bit: int) -> bytes:
    """With another bit at one place."""
    return content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :]


PAGE = 4096


def test_a_whole_database_works(kept: bytes, tmp_path: Path) -> None:
    assert not refused_or_works(tmp_path, kept)


def damages(kept: bytes) -> dict[str, list[bytes]]:
    """Databases that are no longer whole."""
    lengths = (1, 99, 100, PAGE - 1, PAGE, PAGE + 1, len(kept) // 2, len(kept) - PAGE, len(kept) - 1)
    schema, texts = kept.index(b"CREATE TABLE moves"), (b'"kind": "person"', b"polytrix/quatrix", b'"chairs"')
    assert schema < PAGE
    bits = {
        "the name": range(0, len(b"SQLite format 3\0"), 7),
        "the schema": random.Random(1).sample(range(schema, PAGE), 40),
        "rows": [kept.index(text) + 3 for text in texts],
    }
    return {
        "an empty page": [kept[:at] + bytes(PAGE) + kept[at + PAGE :] for at in range(0, len(kept), PAGE)],
        "cut": [kept[:length] for length in lengths],
        **{what: [flipped(kept, at, at % 8) for at in places] for what, places in bits.items()},
    }


@pytest.mark.parametrize("what", ["an empty page", "cut", "the name", "the schema", "rows"])
def test_damage_is_found(kept: bytes, tmp_path: Path, what: str) -> None:
    for content in damages(kept)[what]:
        assert refused_or_works(tmp_path, content)


def test_another_bit_of_the_header_does_no_harm(kept: bytes, tmp_path: Path) -> None:
    for place in range(16, 100, 7):
        refused_or_works(tmp_path, flipped(kept, place, place % 8))


@pytest.mark.parametrize(
    "change",
    [
        "update moves set action = 3 where number = 0",
        "update moves set number = 77 where number = 0",
        "update rounds set seed = seed + 1",
        "update tables set round = 5",
        "update tables set settings = '{}'",
        "update tokens set viewer = 0",
        "update facts set value = ''",
    ],
)
def test_a_value_that_has_changed_is_found(kept: bytes, tmp_path: Path, change: str) -> None:
    """As if its bits were others: the sum stays that of the old value."""
    path = tmp_path / "tables.sqlite"
    path.write_bytes(kept)
    with closing(sqlite3.connect(path)) as database:
        database.create_function("checksum", -1, lambda *values: 1, deterministic=True)
        database.execute(change)
        database.commit()
        database.execute("pragma journal_mode = delete")
    assert refused_or_works(tmp_path, path.read_bytes())


@pytest.mark.parametrize("kind", ["wal", "journal"])
def test_a_wrong_journal_is_found_or_does_no_harm(kept: bytes, tmp_path: Path, kind: str) -> None:
    rng = random.Random(1)
    for length in (0, 31, 32, 512, 5000, 30_000):
        refused_or_works(tmp_path, kept, **{kind: rng.randbytes(length)})
    other = tmp_path / "other"
    with closing(sqlite3.connect(other)) as database:
        database.execute("pragma journal_mode = wal")
        database.execute(OTHER)
        found = Path(f"{other}-wal").read_bytes()
    assert refused_or_works(tmp_path, kept, wal=found)


def test_another_database_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute(OTHER)
    before = path.read_bytes()
    with pytest.raises(PolytrixError, match="not those of this version"):
        Store(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    for times in (1, 1000):
        (tmp_path / "tables.sqlite").write_bytes(b"no database" * times)
        with pytest.raises(PolytrixError, match="move it away"):
            Store(tmp_path / "tables.sqlite")
    assert (tmp_path / "tables.sqlite").read_bytes() == b"no database" * 1000


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").mkdir()
    with pytest.raises(PolytrixError, match="cannot be used"):
        Store(tmp_path / "tables.sqlite")


def test_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYTRIX_DATA", str(tmp_path / "own"))
    assert data_folder() == tmp_path / "own"
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "own").stat().st_mode) == 0o700
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("POLYTRIX_DATA", str(tmp_path / "file"))
    with pytest.raises(PolytrixError, match="POLYTRIX_DATA"):
        data_folder()
