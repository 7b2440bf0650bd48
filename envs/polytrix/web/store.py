"""Keeps tables in a file of SQLite: what has been confirmed survives the end of the process at any moment."""

from __future__ import annotations

import os
import sqlite3
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from polytrix.core.errors import PolytrixError
from polytrix.core.files import make_private, user_folder
from polytrix.core.viewers import SPECTATOR

from .settings import Settings, new_token

VARIABLE = "POLYTRIX_DATA"
"""Environment variable with the folder in which games are kept."""

SUMS = {
    "facts": "checksum(name, value)",
    "tables": "checksum(id, settings, version, round, used)",
    "tokens": "checksum(token, id, viewer)",
    "rounds": "checksum(id, round, seed, taken_back, resigned)",
    "moves": "checksum(id, round, number, action)",
}
"""What the column `sum` of each table holds, so that a damaged row is found when the file is opened."""

SCHEMA = """
create table facts (
    name text primary key, value text not null, sum integer generated always as ({facts}) stored
);
create table tables (
    id text primary key, settings text not null, version integer not null, round integer not null,
    used real not null, sum integer generated always as ({tables}) stored
);
create table tokens (
    token text primary key, id text not null references tables on delete cascade, viewer integer not null,
    sum integer generated always as ({tokens}) stored
);
create table rounds (
    id text not null references tables on delete cascade, round integer not null, seed integer not null,
    taken_back integer not null default 0, resigned text not null default '',
    sum integer generated always as ({rounds}) stored, primary key (id, round)
);
create table moves (
    id text not null references tables on delete cascade, round integer not null, number integer not null,
    action integer not null, sum integer generated always as ({moves}) stored, primary key (id, round, number)
) without rowid;
""".format(**SUMS)


@dataclass(frozen=True)
class Kept:
    """A table as it is kept.

    Attributes:
        id: of the table; no secret.
        settings: what does not change.
        version: counts the changes.
        round: counts the games at this table, from 0.
        seed: of this game.
        actions: its decisions.
        taken_back: how many decisions were taken back.
        resigned: the seats that gave up.
    """

    id: str
    settings: Settings
    version: int
    round: int
    seed: int
    actions: tuple[int, ...] = ()
    taken_back: int = 0
    resigned: tuple[int, ...] = ()


class Store:
    """Tables, their secrets, and the decisions made at them.

    Each change is one transaction, on disk when the call returns. Any thread may call.

    Args:
        path: the file, created if missing, for its owner alone.

    Raises:
        PolytrixError: another process uses the file, it is damaged, of another version, or no database.
    """

    def __init__(self, path: Path) -> None:
        self.folder = path.parent
        self._lock = Lock()
        path.touch(mode=0o600)
        try:
            self._database = _open(path)
            self.key = self._fact("key", new_token())
            """The secret of the lobby."""
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter: a message with damaged text
            if "locked" in str(error):
                raise PolytrixError(
                    f"{path} is in use: `polytrix table` is already running. Go to its page, or stop it first"
                ) from None
            raise PolytrixError(
                f"{path} cannot be used: {error}. If it is damaged, move it away to begin a new one"
            ) from None
        if os.name == "posix":
            path.chmod(0o600)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    # -- changes ----------------------------------------------------------------------------

    def add(self, table: Kept) -> None:
        """Keep a new table."""
        viewers = {chair.token: seat for seat, chair in enumerate(table.settings.chairs) if chair.token}
        viewers[table.settings.watch] = SPECTATOR
        with self._change() as run:
            run.execute(
                "insert into tables values (?, ?, ?, ?, ?)",
                (table.id, table.settings.to_text(), table.version, table.round, time.time()),
            )
            run.executemany(
                "insert into tokens values (?, ?, ?)",
                [(token, table.id, viewer) for token, viewer in viewers.items()],
            )
            run.execute("insert into rounds (id, round, seed) values (?, ?, ?)", _game(table) + (table.seed,))

    def add_move(self, table: Kept, number: int, action: int) -> None:
        """Keep decision `number` of the present game."""
        with self._change_of(table) as run:
            run.execute("insert into moves values (?, ?, ?, ?)", (*_game(table), number, action))

    def take_back(self, table: Kept, number: int, taken_back: int) -> None:
        """Forget the decisions from `number` on."""
        with self._change_of(table) as run:
            run.execute("delete from moves where id = ? and round = ? and number >= ?", (*_game(table), number))
            run.execute(
                "update rounds set taken_back = ? where id = ? and round = ?", (taken_back, *_game(table))
            )

    def resign(self, table: Kept, resigned: Sequence[int]) -> None:
        """Keep which seats have given up."""
        seats = " ".join(map(str, resigned))
        with self._change_of(table) as run:
            run.execute("update rounds set resigned = ? where id = ? and round = ?", (seats, *_game(table)))

    def begin(self, table: Kept, seed: int) -> None:
        """Begin the next game at a table."""
        with self._change_of(table) as run:
            run.execute("update tables set round = round + 1 where id = ?", (table.id,))
            run.execute(
                "insert into rounds (id, round, seed) values (?, ?, ?)", (table.id, table.round + 1, seed)
            )

    def forget(self, table_id: str) -> None:
        """Delete a table with all its games."""
        with self._change() as run:
            run.execute("delete from tables where id = ?", (table_id,))

    # -- questions --------------------------------------------------------------------------

    def find(self, token: str) -> tuple[str, int] | None:
        """The id of a token's table, and its viewer; None if there is none."""
        with self._lock:
            found = self._database.execute("select id, viewer from tokens where token = ?", (token,)).fetchone()
        return None if found is None else (found[0], found[1])

    def load(self, table_id: str, game: int | None = None) -> Kept:
        """A table with its present game, or with an earlier one; KeyError if there is none."""
        with self._lock:
            run = self._database
            found = run.execute(
                "select settings, version, rounds.round, seed, taken_back, resigned "
                "from tables join rounds using (id) where id = ? and rounds.round = coalesce(?, tables.round)",
                (table_id, game),
            ).fetchone()
            if found is None:
                raise KeyError(table_id)
            settings, version, number, seed, taken_back, resigned = found
            moves = run.execute(
                "select action from moves where id = ? and round = ? order by number", (table_id, number)
            ).fetchall()
        return Kept(
            table_id,
            Settings.from_text(settings),
            version,
            number,
            seed,
            tuple(action for (action,) in moves),
            taken_back,
            tuple(int(seat) for seat in resigned.split()),
        )

    def count(self) -> int:
        """The number of tables."""
        with self._lock:
            return int(self._database.execute("select count(*) from tables").fetchone()[0])

    def newest(self, most: int) -> list[tuple[str, Settings, int]]:
        """The tables used last: id, settings, version."""
        with self._lock:
            rows = self._database.execute(
                "select id, settings, version from tables order by used desc, rowid desc limit ?", (most,)
            ).fetchall()
        return [(table_id, Settings.from_text(text), version) for table_id, text, version in rows]

    # -- inside -----------------------------------------------------------------------------

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """A transaction; PolytrixError if the file cannot be written."""
        with self._lock:
            try:
                self._database.execute("begin immediate")
                yield self._database
                self._database.execute("commit")
            except BaseException as error:
                # SQLite may have rolled back itself, for example on a full disk.
                if self._database.in_transaction:
                    self._database.execute("rollback")
                if isinstance(error, sqlite3.OperationalError):
                    raise PolytrixError(f"Nothing has changed: the table cannot be kept ({error}).") from None
                raise

    @contextmanager
    def _change_of(self, table: Kept) -> Iterator[sqlite3.Connection]:
        """A transaction that gives a table its next version; PolytrixError if the table has been deleted."""
        with self._change() as run:
            now = "update tables set version = version + 1, used = ? where id = ?"
            if not run.execute(now, (time.time(), table.id)).rowcount:
                raise PolytrixError("Nothing has changed: this table has been deleted.")
            yield run

    def _fact(self, name: str, first: str) -> str:
        """A fact about the file, which is `first` in a new one."""
        self._database.execute("insert or ignore into facts values (?, ?)", (name, first))
        found: str = self._database.execute("select value from facts where name = ?", (name,)).fetchone()[0]
        return found


def _open(path: Path) -> sqlite3.Connection:
    """The database in a file, with the schema if it is empty, for this process alone.

    Raises:
        sqlite3.Error: the file is in use, cannot be written, is damaged, or is another database.
    """
    opened = sqlite3.connect(path, timeout=1, check_same_thread=False, isolation_level=None)
    try:
        opened.create_function("checksum", -1, _checksum, deterministic=True)
        opened.execute("pragma trusted_schema = on")
        opened.execute("pragma locking_mode = exclusive")
        _schema(opened)  # what a killed process has not finished is undone first
        if path.stat().st_size:
            _check(opened)
        else:
            opened.executescript(f"begin; {SCHEMA} commit")
        opened.execute("pragma journal_mode = wal")
        opened.execute("pragma synchronous = full")
        opened.execute("pragma foreign_keys = on")
    except BaseException:
        opened.close()
        raise
    return opened


def _check(opened: sqlite3.Connection) -> None:
    """Raise sqlite3.DatabaseError if a database is damaged, or is another one."""
    (found,) = opened.execute("pragma integrity_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(found)
    with closing(sqlite3.connect(":memory:")) as new:
        new.create_function("checksum", -1, _checksum, deterministic=True)
        new.executescript(SCHEMA)
        if _schema(opened) != _schema(new):
            raise sqlite3.DatabaseError("its tables are not those of this version")
    for table, sum_of_row in SUMS.items():
        if opened.execute(f"select 1 from {table} where sum is not {sum_of_row}").fetchone():
            raise sqlite3.DatabaseError(f"a row of {table} has changed")


def _schema(database: sqlite3.Connection) -> list[tuple[str, ...]]:
    return database.execute("select type, name, tbl_name, sql from sqlite_master order by name").fetchall()


def _checksum(*values: object) -> int:
    return zlib.crc32(repr(values).encode())


def _game(table: Kept) -> tuple[str, int]:
    return table.id, table.round


def data_folder() -> Path:
    """`$POLYTRIX_DATA`, else `polytrix` in the user's data directory; created if missing, for its owner alone.

    Raises:
        PolytrixError: it cannot be created.
    """
    chosen = os.environ.get(VARIABLE)
    folder = Path(chosen).absolute() if chosen else user_folder("data")
    if folder is None:
        raise PolytrixError(f"there is no home directory to keep games in; set {VARIABLE} to a folder")
    make_private(folder)
    if not folder.is_dir():
        raise PolytrixError(
            f"games cannot be kept in {folder}, which cannot be created; set {VARIABLE} to another folder"
        )
    return folder
