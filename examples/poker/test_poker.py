"""Kuhn and Leduc poker against OpenSpiel's, whose rules are those of the pages: `pytest examples/poker`."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from polytrix import Game, Simulator
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import IllegalActionError, NotationError
from polytrix.core.state import CHANCE
from polytrix.core.viewers import SPECTATOR
from polytrix.testing import check_all

from .kuhn import GAME as KUHN
from .leduc import GAME as LEDUC
from .state import Act

BOTH = pytest.mark.parametrize("game", [KUHN, LEDUC], ids=lambda game: game.name)


def played(game: Game, events: str, **options: int) -> Any:
    """The state after cards (`Js`) and actions (`call`), separated by spaces; the cards are stacked."""
    sim = Simulator(game, seed=0, options=options, mode=Mode.PLAIN)
    s = sim.states[0]
    game.setup(s)
    for event in events.split():
        if s.mover == CHANCE:
            names = [game.format_chance(s, outcome).split()[-1] for outcome in range(game.chance(s))]
            game.apply(s, names.index(event))
        else:
            game.apply(s, game.parse_action(s, event))
    return s


# -- rules ----------------------------------------------------------------------------------------


@BOTH
def test_po_09_a_game_that_is_cut_off_pays_nothing(game: Game) -> None:
    sim = Simulator(game, seed=0, options={"max_decisions": 1}, mode=Mode.PLAIN)
    sim.step(np.array([Act.RAISE]))
    assert sim.truncated[0] and sim.reward[0].tolist() == [0, 0]


def test_illegal_actions_and_texts_are_refused() -> None:
    sim = Simulator(KUHN, seed=0, mode=Mode.PLAIN)
    with pytest.raises(IllegalActionError):
        sim.step(np.array([Act.FOLD]))
    with pytest.raises(NotationError, match="'allin' names no legal action; did you mean 'call'"):
        KUHN.parse_action(sim.states[0], "allin")


# -- what is known --------------------------------------------------------------------------------


def test_the_other_card_is_seen_after_a_showdown_only() -> None:
    for events, shown in (("K Q call call", "second  Q"), ("K Q raise fold", "second  ?")):
        assert shown in KUHN.text(played(KUHN, events), 0)
        assert "second  Q" in KUHN.text(played(KUHN, events), 1)
    hidden = KUHN.text(played(KUHN, "K Q call"), SPECTATOR)
    assert "K" not in hidden and "Q" not in hidden


def test_a_card_that_is_dealt_is_told_to_its_seat() -> None:
    assert KUHN.secret is not None
    assert [KUHN.secret(played(KUHN, ""), 0, seat) for seat in (0, 1)] == [False, True]
    assert [KUHN.secret(played(KUHN, "K"), 0, seat) for seat in (0, 1)] == [True, False]
    assert not any(KUHN.secret(played(KUHN, "K Q call"), Act.CALL, seat) for seat in (0, 1))


# -- the same games as OpenSpiel's ----------------------------------------------------------------

SIZES = {"kuhn_poker": (58, 12), "leduc_poker": (9457, 936)}
"""Histories and information sets."""


@BOTH
@pytest.mark.skipif(sys.version_info < (3, 11), reason="OpenSpiel needs Python 3.11")
def test_the_tree_is_that_of_openspiel(game: Game) -> None:
    """Every node has the same mover, branches and payoffs, and information sets hold the same nodes.

    Cards and actions are numbered in the same order in both; in Kuhn poker OpenSpiel has one number for a call
    and a bet, and one for a check and a fold.
    """
    pyspiel = pytest.importorskip("pyspiel")
    openspiel = pytest.importorskip("polytrix.api.openspiel")
    openspiel.register_game(game)
    nodes = 0
    theirs_of: dict[str, str] = {}
    observed = set()
    waiting = [
        tuple(pyspiel.load_game(f"{prefix}{game.name}").new_initial_state() for prefix in ("polytrix_", ""))
    ]
    while waiting:
        ours, theirs = waiting.pop()
        nodes += 1
        assert ours.current_player() == theirs.current_player()
        if ours.is_terminal():
            assert ours.returns() == theirs.returns()
            continue
        if ours.is_chance_node():
            assert [p for _, p in ours.chance_outcomes()] == pytest.approx(
                [p for _, p in theirs.chance_outcomes()]
            )
        else:
            name = ours.information_state_string()
            assert (
                theirs_of.setdefault(name, theirs.information_state_string())
                == theirs.information_state_string()
            )
            observed.add((ours.current_player(), tuple(ours.observation_tensor())))
        pairs = zip(ours.legal_actions(), theirs.legal_actions(), strict=True)
        waiting += [(ours.child(our), theirs.child(their)) for our, their in pairs]
    assert len(theirs_of) == len(set(theirs_of.values())) == len(observed)  # observations have perfect recall
    assert (nodes, len(theirs_of)) == SIZES[game.name]


# -- what every game must pass --------------------------------------------------------------------


@BOTH
def test_every_check_of_the_package(game: Game) -> None:
    check_all(game)
