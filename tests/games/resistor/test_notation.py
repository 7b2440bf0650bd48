"""Actions and outcomes of chance as text."""

from __future__ import annotations

from itertools import pairwise

import pytest

from polytrix.core.errors import NotationError
from polytrix.core.state import CHANCE, Record
from polytrix.core.viewers import SPECTATOR
from polytrix.games.resistor import GAME, rules
from polytrix.games.resistor.deck import Seat
from polytrix.games.resistor.notation import action_name, format_chance
from polytrix.games.resistor.state import ACTIONS, Phase
from polytrix.play.known import notation

from .obvious import NAMES
from .positions import Position
from .random_positions import OPTION_SETS, random_game


def test_names_of_actions() -> None:
    assert tuple(action_name(action) for action in range(ACTIONS.size)) == NAMES


@pytest.mark.parametrize(
    "name", ["", "F", "F0", "F4", "F8", "F1+", "Pc", "To3", "S3e2", "S8o1+", "L0", "UK", "12"]
)
def test_text_that_is_no_action(name: str) -> None:
    with pytest.raises(
        NotationError, match=r"names no legal action; (did you mean|legal are F1, F2, F3, D, .*28 in all)"
    ):
        GAME.parse_action(Position("row 42a+ 44a+ 46a+").state, name)


def test_outcomes_of_every_sort_are_called_by_what_they_do() -> None:
    """A name says which card comes, and how it lies; no two outcomes share one."""
    seen = set()
    games = [
        random_game(seed, options) for seed, options in ((0, ()), (6, OPTION_SETS[6]), (11, OPTION_SETS[4]))
    ]
    for s, after in (pair for game in games for pair in pairwise(game) if pair[0].mover == CHANCE):
        names = [format_chance(s, outcome) for outcome in range(rules.chance(s))]
        assert len(set(names)) == len(names)
        card = (int(s.deck) ^ int(after.deck)).bit_length() - 1
        if card in after.card:  # and not discarded at once, in a tie that goes on
            assert as_it_lies(after, card, in_row=s.phase in (Phase.LAY, Phase.TIE)) in names
        with pytest.raises(IndexError):
            format_chance(s, len(names))
        seen.add(int(s.phase))
    assert seen == {Phase.LAY, Phase.DEAL, Phase.TIE, Phase.TAKE, Phase.REDRAW}


def as_it_lies(s: Record, card: int, in_row: bool) -> str:
    """The name of the outcome that laid a card as it lies now."""
    place = s.card.tolist().index(card)
    return f"={card}{'ab'[s.side[place]]}" + ("+-"[s.turned[place]] if in_row else "")


@pytest.mark.parametrize("viewer", [0, SPECTATOR])
def test_moves_of_the_enemy_are_written_and_told_with_the_numbers_of_the_board(viewer: int) -> None:
    position = "row 42a+ 44a+ 20b+; turn B; left FS"
    s = Position(position).state
    for played, seen, told in [
        ("F1", "F3", "flips the card at position 3: "),
        ("S1o2+", "S3e2-", "switches blue's hand card 2 with position 3, arrow down: "),
    ]:
        action, after = GAME.parse_action(s, played), Position(position).play(played).state
        assert notation(GAME, s, action, viewer) == seen
        assert notation(GAME, s, action, Seat.BLUE) == notation(GAME, s, action, None) == played
        assert GAME.tell(s, action, after, viewer)[0].startswith(told)
