"""Kuhn and Leduc poker against their pages, and against OpenSpiel's: `pytest examples/poker`."""

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
from .words import card_name

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


def payoffs(s: Any) -> list[float]:
    """What both seats get."""
    out = np.zeros(2, np.float32)
    KUHN.payoff(s, out)
    return out.tolist()


def names(game: Game, s: Any) -> list[str]:
    """The legal actions by name."""
    ids = np.zeros(3, np.int16)
    return [game.format_action(s, int(action)) for action in ids[: game.legal(s, ids)]]


# -- rules ----------------------------------------------------------------------------------------


def test_po_01_each_seat_pays_one() -> None:
    assert played(KUHN, "").paid.tolist() == played(LEDUC, "").paid.tolist() == [1, 1]


def test_po_02_cards_come_from_one_deck() -> None:
    kuhn, leduc = played(KUHN, "Q"), played(LEDUC, "Qh Js call call")
    assert [card_name(kuhn, card) for card in (0, 1, 2)] == ["J", "Q", "K"]
    assert KUHN.chance(kuhn) == 2 and LEDUC.chance(leduc) == 4
    assert [LEDUC.format_chance(leduc, i) for i in range(4)] == [
        "public Jh", "public Qs", "public Ks", "public Kh"
    ]  # fmt: skip


def test_po_03_nobody_folds_for_free() -> None:
    assert names(KUHN, played(KUHN, "J Q")) == ["call", "raise"]
    assert names(KUHN, played(KUHN, "J Q raise")) == ["fold", "call"]


@pytest.mark.parametrize(
    ("game", "events", "paid"),
    [
        (KUHN, "J Q raise", [2, 1]),
        (LEDUC, "Js Qs raise", [3, 1]),
        (LEDUC, "Js Qs raise raise", [3, 5]),
        (LEDUC, "Js Qs call call Ks raise raise", [5, 9]),
        (LEDUC, "Js Qs raise raise call Ks raise raise call", [13, 13]),
    ],
)
def test_po_05_raises_add_to_what_the_other_has_paid(game: Game, events: str, paid: list[int]) -> None:
    assert played(game, events).paid.tolist() == paid


@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=lambda game: game.name)
def test_po_05_raises_are_limited(game: Game) -> None:
    first = "J Q" if game is KUHN else "Js Qs"
    most = 1 if game is KUHN else 2
    assert names(game, played(game, f"{first} {'raise ' * most}")) == ["fold", "call"]
    with pytest.raises(NotationError, match="raise"):
        played(game, f"{first} {'raise ' * (most + 1)}")


def test_po_06_the_first_seat_begins_every_round() -> None:
    assert played(LEDUC, "Js Qs call").mover == 1
    assert played(LEDUC, "Js Qs call call").mover == CHANCE
    assert played(LEDUC, "Js Qs raise call Ks").mover == 0


@pytest.mark.parametrize(
    ("game", "events", "first"),
    [
        (KUHN, "K Q call call", 1),
        (KUHN, "Q K raise call", -2),
        (LEDUC, "Js Kh raise call Jh call call", 3),
        (LEDUC, "Qs Kh raise call Jh call call", -3),
        (LEDUC, "Qs Qh raise call Ks raise call", 0),
    ],
    ids=["high card", "after a bet", "a pair", "no pair", "a tie"],
)
def test_po_07_and_08_the_better_hand_wins_what_the_other_paid(game: Game, events: str, first: int) -> None:
    assert payoffs(played(game, events)) == [first, -first]


def test_po_03_and_08_who_folds_loses_what_it_has_paid() -> None:
    assert payoffs(played(LEDUC, "Kh Js raise raise fold")) == [-3, 3]


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
