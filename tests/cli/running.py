"""Runs a command in this process."""

from __future__ import annotations

from typing import Any

from typer.testing import CliRunner

from polytrix.cli.app import app

_runner = CliRunner()


def run(*arguments: object, typed: str | None = None, code: int = 0) -> Any:
    """The result of a command that must end with an exit code; `typed` is its standard input."""
    result = _runner.invoke(app, [str(a) for a in arguments], input=typed)
    assert result.exit_code == code, result.output or repr(result.exception)
    return result


def refused(*arguments: object) -> str:
    """The short error message of a command that must fail with exit code 2."""
    result = _runner.invoke(app, [str(a) for a in arguments])
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return " ".join(result.stderr.replace("│", " ").split())
