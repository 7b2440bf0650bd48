"""The data of a replay: what its viewers see, what agents think, and nothing that a seat may not know."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.agents import resolve
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import PolicyError, PolytrixError, TranscriptError
from polytrix.core.game import Game
from polytrix.core.transcript import Transcript, play
from polytrix.play.opponents import agent
from polytrix.play.session import Session, session_of
from polytrix.play.thoughts import MOST_MOVES, Mind, Opinion, Thought, Weighed, json_number, opinion
from polytrix.replay.data import Replay, replay_of
from tests.every_game import every_game

HIDING = [game for game in polytrix.all_games() if game.hides]
SEARCH = "search:30"


def recorded(game: Game, decisions: int = 10, **options: Any) -> Transcript:
    """A game of random play."""
    return play(game, options, seed=5, decisions=decisions, mode=Mode.PLAIN)


def thoughts_of(found: Replay, agent: int = 0) -> list[Thought]:
    """What an agent thinks at the decisions that were made."""
    return [thought for thought in found.agents[agent].thoughts[:-1] if thought is not None]


@every_game
def test_every_view_has_its_boards_and_texts(game: Game) -> None:
    transcript = recorded(game)
    found = replay_of(transcript)
    positions = list(transcript.positions(Mode.PLAIN))
    assert [view.seat for view in found.views] == [None, *range(len(found.seats))]
    for view in found.views:
        for s, board, text in zip(positions, view.boards, view.texts, strict=True):
            svg = "".join(found.pieces[piece] for piece in found.boards[board])
            assert svg == game.draw(s, view.seat).svg()
            lines = [found.pieces[piece] for piece in found.texts[text]]
            shown = game.text(s, view.seat).splitlines()
            notes = game.notes(s, view.seat) if game.notes and view.seat is not None else []
            assert lines == [*shown, *notes]
    assert [entry.move for entry in found.views[0].moves] == transcript.notation(Mode.PLAIN)
    assert found.movers == [int(s.mover) for s in positions]
    assert len(found.pieces) == len(set(found.pieces))
    json.dumps(found.to_dict(), allow_nan=False)


# -- what agents think ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["resistor", "pressure_matrix"])
@pytest.mark.parametrize("spec", [SEARCH, "ppo", "expert", "greedy"])
def test_thoughts_are_what_the_agent_considers(name: str, spec: str) -> None:
    transcript = recorded(polytrix.find(name), decisions=6)
    found = replay_of(transcript, [agent(spec, transcript.description())])
    session, policy = session_of(replace(transcript, actions=())), resolve(spec, transcript.description())
    for action, thought in zip(transcript.actions, thoughts_of(found), strict=True):
        held = opinion(session, policy)
        assert thought.seat == held.seat and tuple(thought.names) == tuple(held.names)
        for move, weighed in zip(thought.moves, held.first(MOST_MOVES, action), strict=True):
            assert move.notation == weighed.move.notation and move.played == (weighed.move.id == action)
            assert [*move.numbers] == [json_number(number) for number in weighed.numbers.values()]
        session.play(action)


def test_expected_payoffs_by_seat() -> None:
    game = polytrix.find("estimatrix")
    transcript = recorded(game, decisions=5)
    found = replay_of(transcript, [resolve("expert", game)])
    network = resolve("expert", game)
    for sim, thought in zip(transcript.simulators(Mode.PLAIN), thoughts_of(found), strict=False):
        payoffs = network.payoffs(sim.observation)[0]  # type: ignore[union-attr]
        for k in range(len(found.seats)):
            seat = (thought.seat + k) % len(found.seats)
            assert thought.expected[seat] == pytest.approx(float(payoffs[k]), abs=1e-4)
    two = replay_of(
        recorded(polytrix.find("resistor"), decisions=3), [resolve(SEARCH, polytrix.find("resistor"))]
    )
    for thought in thoughts_of(two):
        assert thought.expected[0] is not None and thought.expected[0] == -thought.expected[1]  # type: ignore[operator]
    four = recorded(polytrix.find("pressure_matrix"), decisions=3, players=4)
    for thought in thoughts_of(replay_of(four, [resolve(SEARCH, four.description())])):
        assert [number is not None for number in thought.expected] == [
            seat == thought.seat for seat in range(4)
        ]


def made(session: Session, expected: float, *likes: float) -> Opinion:
    """An opinion of the seat to move about its legal moves: how much each is liked."""
    moves = session.moves()
    likes = (*likes, *[0.0] * (len(moves) - len(likes)))
    weighed = [Weighed(move, {"probability": like}) for move, like in zip(moves, likes, strict=True)]
    seat = int(session.state.mover)
    both = tuple(expected if other == seat else -expected for other in range(2))
    return Opinion(
        seat, both, ("probability",), tuple(sorted(weighed, key=lambda m: -m.numbers["probability"]))
    )


def test_where_an_agent_disagrees_and_changes_its_mind() -> None:
    game = polytrix.find("pressure_matrix")
    session = Session(game, game.options.defaults, 3)
    mind = Mind(agent("greedy", game), limit=1.0)
    first = session.legal()
    assert len(first) > 3
    thought = mind.compare(session, made(session, 0.1, 0.2, 0.8), first[0])
    assert thought.differs and thought.jump is None and thought.liked == "" and not thought.equal
    wanted = thought.moves[0].notation
    assert not mind.compare(session, made(session, 0.1, 0.5, 0.5), first[1]).differs  # as good as the best
    mind.compare(session, made(session, 0.1, 0.2, 0.8), first[0])
    legal = [game.format_action(session.state, action) for action in session.legal()]
    assert wanted in legal
    thought = mind.compare(session, made(session, 0.34, 0.0, 0.1, 0.9), first[2])
    assert thought.liked == wanted and thought.jump is None and not thought.differs
    thought = mind.compare(session, made(session, -0.2, 0.0, 0.1, 0.9), None)
    assert thought.jump == pytest.approx(-0.54) and thought.liked == "" and not thought.differs
    assert mind.compare(session, made(session, 0.34), None).equal


# -- what a seat may not know ------------------------------------------------------------------------


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_a_seats_replay_lacks_the_seed_and_the_thoughts_of_others(game: Game) -> None:
    transcript = recorded(game, decisions=12)
    found = replay_of(transcript, [resolve("ppo", game)], seat=1)
    assert found.seed is None and [view.seat for view in found.views] == [1]
    asked = [thought is not None for thought in found.agents[0].thoughts]
    assert asked == [mover == 1 for mover in found.movers]


def test_a_seat_may_be_a_number_of_numpy() -> None:
    transcript = recorded(polytrix.find("quatrix"), decisions=2)
    (view,) = replay_of(transcript, seat=np.int8(1)).views
    assert view.seat == 1 and type(view.seat) is int


# -- bad calls --------------------------------------------------------------------------------------


def test_bad_calls() -> None:
    transcript = recorded(polytrix.find("quatrix"), decisions=2)
    for seat in (2, -1, True, "red"):
        with pytest.raises(PolytrixError, match="allowed: 0 to 1, or None for all"):
            replay_of(transcript, seat=seat)  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match="does not tell its reasons"):
        replay_of(transcript, [lambda observation, mask, rng: mask.argmax(axis=1)])
    with pytest.raises(TranscriptError, match="unknown game"):
        replay_of(replace(transcript, game="polytrix/nothing-v0"))
    with pytest.raises(PolytrixError, match="illegal"):
        replay_of(replace(transcript, actions=(10**6,)))


@pytest.mark.parametrize("seat", [None, 0])
def test_how_the_seats_have_played_is_told_at_the_end_only(seat: int | None) -> None:
    whole = play(polytrix.find("resistor"), seed=3)
    for transcript, is_over in ((whole, True), (replace(whole, actions=whole.actions[:-1]), False)):
        found = replay_of(transcript, seat=seat)
        for view in found.views:
            texts = ["\n".join(found.pieces[piece] for piece in found.texts[number]) for number in view.texts]
            told = ["How they have played:" in text for text in texts]
            assert told == [False] * (len(texts) - 1) + [is_over]
        assert ("the enemy's DEFCON level at the end" in "\n".join(found.pieces)) is is_over
