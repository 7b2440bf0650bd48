"""Options: how values are validated and stored."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.core.errors import OptionError
from polytrix.core.options import Choice, Flag, Integer, Options

OPTIONS = Options(
    Choice("depth", (1, 2, 3), 2, "rows"),
    Choice("style", ("calm", "wild"), "wild", "text"),
    Integer("players", 2, 5, 3, "how many"),
    Flag("open", False, "hands are open"),
    max_decisions=50,
)


def test_defaults() -> None:
    expected = {"depth": 2, "style": "wild", "players": 3, "open": False, "max_decisions": 50}
    assert OPTIONS.validate({}) == OPTIONS.defaults == expected


@pytest.mark.parametrize(
    "given",
    [
        {"depth": 3},
        {"depth": np.int64(3)},
        {"style": "calm"},
        {"players": np.int8(5)},
        {"open": True},
        {"open": np.bool_(True)},
        {"max_decisions": 30_000},
    ],
)
def test_allowed_values_survive_the_record(given: dict[str, Any]) -> None:
    values = OPTIONS.validate(given)
    record = np.zeros(3, OPTIONS.dtype)
    OPTIONS.write(record, values)
    for row in record:
        assert OPTIONS.read(row) == OPTIONS.defaults | given
    assert all(type(value) in (int, str, bool) for value in values.values())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"depth": 4}, r"option 'depth' is 4; allowed: one of 1, 2, 3"),
        ({"depth": True}, r"option 'depth' is True"),
        ({"depth": "2"}, r"option 'depth' is '2'"),
        ({"depth": None}, r"option 'depth' is None"),
        ({"depth": [2]}, r"option 'depth' is \[2\]"),
        ({"style": "tame"}, r"option 'style' is 'tame'; allowed: one of 'calm', 'wild'"),
        ({"style": 1}, r"option 'style' is 1"),
        ({"players": 1}, r"option 'players' is 1; allowed: a whole number from 2 to 5"),
        ({"players": 6}, r"option 'players' is 6"),
        ({"players": 3.0}, r"option 'players' is 3.0"),
        ({"players": True}, r"option 'players' is True"),
        ({"players": "3"}, r"option 'players' is '3'"),
        ({"open": 1}, r"option 'open' is 1; allowed: True or False"),
        ({"max_decisions": 0}, r"a whole number from 1 to 30000"),
        ({"max_decisions": 30_001}, r"a whole number from 1 to 30000"),
        ({"stile": "calm"}, r"unknown option 'stile'.*Options: depth, style,.*Did you mean 'style'\?"),
        ({"zzz": 1}, r"unknown option 'zzz'. Options: [^?]*$"),
    ],
)
def test_other_values_are_refused_with_what_is_allowed(given: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        OPTIONS.validate(given)
