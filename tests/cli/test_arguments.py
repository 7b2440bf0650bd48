"""Options of a game as text."""

from __future__ import annotations

import pytest

from polytrix.cli.arguments import read_options
from polytrix.core.errors import OptionError
from tests.toys import SECRET


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], {"top": 6, "doubling": True, "max_decisions": 40}),
        (["top=4", "doubling=off"], {"top": 4, "doubling": False, "max_decisions": 40}),
        (["doubling=TRUE", "max_decisions=7"], {"top": 6, "doubling": True, "max_decisions": 7}),
    ],
)
def test_values_get_the_type_of_their_option(given: list[str], expected: dict[str, object]) -> None:
    assert read_options(SECRET, given) == (SECRET, expected)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (["top"], "option 'top' has no value; write it as NAME=VALUE"),
        (["top=4", "top=6"], "option 'top' is given twice"),
        (["tap=4"], "unknown option 'tap'. Options: top, doubling, max_decisions. Did you mean 'top'?"),
        (["top=5"], "option 'top' is 5; allowed: one of 4, 6"),
        (["top=many"], "option 'top' is 'many'; allowed: one of 4, 6"),
        (["doubling=maybe"], "option 'doubling' is 'maybe'; allowed: True or False"),
        (["max_decisions=0"], "option 'max_decisions' is 0; allowed: a whole number from 1 to 30000"),
        (["max_decisions=1.5"], "option 'max_decisions' is '1.5'; allowed"),
    ],
)
def test_wrong_options_are_refused(given: list[str], complaint: str) -> None:
    with pytest.raises(OptionError) as error:
        read_options(SECRET, given)
    assert str(error.value).startswith(complaint)
