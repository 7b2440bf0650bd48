"""A process is waited for in bounded time, read in bounded memory, and ended with its children."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import Event

import pytest

from polytrix.core.errors import ForfeitError, PolicyError
from polytrix.programs.process import KEPT, LONGEST, Process


def started(code: str) -> Process:
    return Process([sys.executable, "-I", "-S", "-c", f"import os, sys\n{code}"], Event())


def test_who_never_answers_is_ended_with_its_children(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "held")
    process = started(
        f"os.fork(); held = open({str(tmp_path / 'held')!r}, 'w')\n"
        "held.write('x'); held.flush()\n"
        "while True: sys.stdin.read()"
    )
    with (tmp_path / "held").open("rb") as held:
        assert held.read(2) == b"xx"  # both are there
        with pytest.raises(ForfeitError, match="not answered in time"):
            process.ask({}, 0.1)
        process.end(grace=0)
        assert held.read() == b""  # until nobody has it open


def test_who_writes_to_standard_error_without_end_is_ended() -> None:
    process = started(
        "input(); sys.stderr.write('x\\n'); print({}, flush=True)\nwhile True: sys.stderr.write('x' * 9999)"
    )
    process.ask({}, 1000)
    with pytest.raises(ForfeitError, match="not answered in time"):
        process.ask({}, 0.1)
    process.end(grace=0)
    assert 0 < len(process.complaints()) <= KEPT


@pytest.mark.parametrize(("length", "read"), [(LONGEST, True), (LONGEST + 1, False)])
def test_the_length_of_a_line_is_bounded(length: int, read: bool) -> None:
    process = started(f"""input(); print('{{"x":"' + 'x' * {length - 8} + '"}}', flush=True); input()""")
    if read:
        assert len(process.ask({}, 1000)["x"]) == length - 8
    else:
        with pytest.raises(ForfeitError, match="more than 100000 bytes"):
            process.ask({}, 1000)
    process.end(grace=0)


def test_who_does_not_read_is_no_trouble() -> None:
    process = started("os.read(0, 1); print('{}', flush=True)\nwhile True: pass")
    assert process.ask({"long": "x" * 1_000_000}, 1000) == {}  # more than fits into a pipe
    process.tell({"long": "x" * 1_000_000})
    process.end(grace=0)


def test_who_closes_its_input_and_standard_error_may_go_on() -> None:
    process = started("os.read(0, 1); os.close(0); os.close(2); print('{}', flush=True)\nwhile True: pass")
    assert process.ask({"long": "x" * 1_000_000}, 1000) == {}
    process.end(grace=0)


def test_a_message_that_is_longer_than_a_pipe_arrives() -> None:
    process = started("""print('{"read":%d}' % len(sys.stdin.readline()), flush=True)""")
    assert process.ask({"long": "x" * 1_000_000}, 1000) == {"read": 1_000_000 + len('{"long":""}\n')}
    process.end(grace=0)


def test_more_lines_than_questions_are_refused() -> None:
    process = started("input(); print('{}\\n{}', flush=True); input()")
    process.ask({}, 1000)
    with pytest.raises(ForfeitError, match="more than it was asked for"):
        process.ask({}, 1000)
    process.end(grace=0)


def test_what_cannot_be_started_is_told(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_text("#!/no/such/interpreter")
    file.chmod(0o700)
    with pytest.raises(PolicyError, match="bot cannot be started: "):
        Process([str(file)], Event())


def test_what_is_said_after_an_answer_is_not_the_next_answer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "later")
    later = f"open({str(tmp_path / 'later')!r}"
    process = started(
        f"input(); print('{{}}', flush=True); {later}).close()\n"
        f"print('{{}}', flush=True); {later}, 'w').close(); input()"
    )
    assert process.ask({}, 1000) == {}
    (tmp_path / "later").open("w").close()
    (tmp_path / "later").open().close()  # then the second line has been written
    with pytest.raises(ForfeitError, match="more than it was asked for"):
        process.ask({}, 1000)
    process.end(grace=0)
