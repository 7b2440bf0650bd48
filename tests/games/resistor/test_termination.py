"""Every game ends within its bounds: RS-40."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER, new_records
from polytrix.games.resistor import GAME
from polytrix.games.resistor.state import deck_size

from .obvious_row import shipped_content
from .play import PHASES, RESISTORS, built
from .side_by_side import FLAGS, OPTION_SETS

clause = pytest.mark.clause

BASE, ANY = 201, 800


@clause("RS-39", "RS-40")
@pytest.mark.parametrize("longest", [False, True], ids=["at random", "avoiding the ends"])
def test_bounds_in_play(longest: bool) -> None:
    """All option sets side by side; who wants long games undoes, recycles and locks whenever possible."""
    options = OPTION_SETS * 8
    simulator = Simulator(GAME, len(options), seed=5)
    for s, values in zip(simulator.states, options, strict=True):
        GAME.options.write(s.options, GAME.options.validate(values))
    simulator.refresh()
    longer = ("comeback_circuits", "recycling_subsystems", "lock_down")
    base = np.array([not any(values[name] for name in longer) for values in options])
    for decision in range(ANY):
        running = np.flatnonzero(~simulator.over)
        if not len(running):
            break
        assert (simulator.states["length"][running] > 1).all()
        assert (simulator.states["decisions"][running] == decision).all()
        actions = simulator.random_actions(running)
        simulator.step(lengthened(simulator, running, actions) if longest else actions, running)
    assert simulator.terminated.all()
    decisions = simulator.states["decisions"]
    assert decisions.max() < ANY
    assert decisions[base].max() <= BASE
    assert decisions.mean() > 60


def lengthened(simulator: Simulator, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Instead of these actions those that make a game longer, where there are any."""
    better = actions.copy()
    for i, b in enumerate(rows):
        mask = simulator.mask[b]
        for action in (85, 8, 14):  # U, Pa, T-
            if mask[action]:
                better[i] = action
    return better


@clause("RS-40")
def test_a_base_turn_has_five_decisions_but_for_resistors_and_takes_a_card() -> None:
    simulator = Simulator(GAME, 64, seed=9)
    states = simulator.states
    turns = [(-1, 40, 0)] * 64  # whose turn, cards in the deck at its start, decisions in it
    for _ in range(150):
        for b, s in enumerate(states):
            seat, deck, decisions = turns[b]
            if s.turn != seat and s.mover != OVER:
                assert deck_size(s) < deck
                seat, deck, decisions = int(s.turn), deck_size(s), 0
            turns[b] = (seat, deck, decisions + (PHASES[s.phase] != "RESOLVE"))
            assert decisions <= 5
        simulator.step(simulator.random_actions())
        for b in np.flatnonzero(simulator.over):
            turns[b] = (-1, 40, 0)
        simulator.restart(np.flatnonzero(simulator.over))


# -- chains -----------------------------------------------------------------------------------------


def played_out(board: Any, rng: np.random.Generator, limit: int = ANY) -> int:
    """Play at random to the end; return how many Resistors have gone at most with one event."""
    s, ids, longest = board.state, np.zeros(GAME.max_legal, np.int16), 0
    for _ in range(limit):
        if s.mover == OVER:
            return longest
        before = s.length
        is_chance = s.mover == CHANCE
        choices = np.arange(GAME.chance(s)) if is_chance else ids[: GAME.legal(s, ids)]
        GAME.apply(s, int(rng.choice(choices)))
        assert 1 <= s.length <= before or PHASES[s.phase] in ("LAY", "DEAL")
        longest = max(longest, before - s.length)
    raise AssertionError("the game does not end")


@clause("RS-32", "RS-39", "RS-40")
def test_one_flip_may_bring_down_the_whole_row() -> None:
    """Three repairs on the way; each resolution turns up the next diamond, six in all."""
    board = built("6b- 10b+ 3b- 2b+ 7b- 12b+ 11b+", left="F").play("F4", "16a 17a 18a 19a 20a 21a")
    assert (board.row, board.result) == ("11a-", "draw short")
    assert int(board.state.decisions) == 1


@clause("RS-32", "RS-36", "RS-40")
def test_rows_of_resistors_only() -> None:
    """Any sides up, any options: chains and choices end, with six Resistors gone at most."""
    rng = np.random.default_rng(8)
    resistors = sorted(RESISTORS)
    chains = []
    for number in range(400):
        cards = rng.permutation(resistors)[:11].tolist()
        row = " ".join(f"{card}b{'+-'[rng.integers(2)]}" for card in cards[:7])
        hands = [" ".join(f"{card}{'ab'[rng.integers(2)]}" for card in cards[i : i + 2]) for i in (7, 9)]
        options = dict(zip(FLAGS, [bool(number >> bit & 1) for bit in range(5)], strict=True))
        rest = [card for card in resistors if card not in cards]
        deck = " ".join(map(str, rest[: 1 + number % 6]))
        board = built(row, red=hands[0], blue=hands[1], deck=deck, levels=(1 + number % 4, 1), **options)
        chains.append(played_out(board, rng))
    assert max(chains) >= 3
    assert sum(chain >= 2 for chain in chains) > 20


@clause("RS-40")
def test_a_deck_of_resistors_only() -> None:
    """Fifty of them: the opening lies on their harmless sides, and the games end."""
    content = shipped_content()
    diamonds = [name for name, tokens in content["faces"].items() if "*" in tokens]
    others = [name for name, tokens in content["faces"].items() if "*" not in tokens]
    content["cards"] = [[diamonds[i % len(diamonds)], others[i % len(others)]] for i in range(50)]
    game = GAME.with_data(deck=content)
    rng = np.random.default_rng(4)
    ids = np.zeros(game.max_legal, np.int16)
    for values in product((False, True), repeat=2):
        states = new_records(1, game.state)
        s = states[0]
        game.options.write(s.options, game.options.validate(dict(zip(FLAGS[3:], values, strict=True))))
        game.setup(s)
        decisions = 0
        while s.mover != OVER:
            is_chance = s.mover == CHANCE
            decisions += not is_chance
            choices = np.arange(game.chance(s)) if is_chance else ids[: game.legal(s, ids)]
            game.apply(s, int(rng.choice(choices)))
        assert decisions < ANY
        assert 1 <= s.length <= 7


def test_the_default_limit_lies_above_the_bound() -> None:
    assert GAME.options.defaults["max_decisions"] > ANY
