"""Positions and moves in words, for every registered game."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import Record
from polytrix.core.words import listed, moves, parse_move, seat_text
from polytrix.testing import option_combinations
from tests.every_game import every_game

RARE = {"first"}
"""Kinds that random play does not reach within seconds."""


def positions(game: Game, decisions: int) -> Iterator[Record]:
    """Decisions in random games with several option combinations."""
    combinations = option_combinations(game)
    some = combinations[:: max(1, len(combinations) // 6)]
    sim = Simulator(game, len(some), some, seed=11)
    for _ in range(decisions):
        yield from (sim.states[row] for row in np.flatnonzero(~sim.over))
        sim.step(sim.random_actions(np.flatnonzero(~sim.over)), np.flatnonzero(~sim.over))
        sim.restart(np.flatnonzero(sim.over))


@every_game
def test_every_legal_action_goes_through_notation_and_number(game: Game) -> None:
    seen: set[int] = set()
    for s in positions(game, 12):
        legal = moves(game, s)
        assert [parse_move(game, s, f" `{move.notation}` ", legal) for move in legal] == [
            move.id for move in legal
        ]
        assert [parse_move(game, s, f" `{move.id}`\n", legal) for move in legal] == [move.id for move in legal]
        seen |= {move.id for move in legal}
    assert len(seen) > 20


@every_game
def test_words_tell_the_moves_of_a_position_apart(game: Game) -> None:
    for s in positions(game, 40):
        legal = moves(game, s)
        words = [move.words for move in legal]
        assert all(words) and len(set(words)) == len(words), listed(legal)
        assert not any("\n" in line for line in words)


@every_game
def test_every_kind_of_action_has_words_of_its_own(game: Game) -> None:
    """Not the layout's default with bare numbers. A kind is a block with several actions."""
    kind_of = np.concatenate([np.full(block.size, number) for number, block in enumerate(game.actions)])
    combinations = option_combinations(game)
    sim = Simulator(game, 256, [combinations[i % len(combinations)] for i in range(256)], seed=3)
    missing = {number for number, block in enumerate(game.actions) if block.size > 1}
    for _ in range(600):
        for row in np.flatnonzero(sim.mask[:, np.isin(kind_of, list(missing))].any(axis=1)):
            for move in moves(game, sim.states[row]):
                block = game.actions.locate(move.id)[0]
                assert not move.words.startswith(f"{block.meaning} ["), move
                missing.discard(int(kind_of[move.id]))
        if not missing:
            break
        sim.step(sim.random_actions())
        sim.restart(np.flatnonzero(sim.over))
    assert {game.actions.blocks[number].name for number in missing} <= RARE


@every_game
def test_the_text_has_the_game_s_own_and_says_who_reads_it(game: Game) -> None:
    for s in positions(game, 20):
        for seat in range(int(s.num_players)):
            text = seat_text(game, s, seat)
            assert game.text(s, seat) in text and game.legend in text
            assert text.startswith(f"{game.title}. You are {game.seats[seat]} (seat {seat}), the others: ")
            assert ("You are to move." in text) == (s.mover == seat)
            assert f"max_decisions={s.options.max_decisions}" in text
