"""What viewers are sent: for each message a function of what the viewer may know, and of nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from polytrix.agents import RandomPolicy
from polytrix.agents.policy import Policy, name_of
from polytrix.agents.resolve import names_of
from polytrix.core.game import Game
from polytrix.core.state import Record
from polytrix.core.viewers import SPECTATOR
from polytrix.play.log import drawing_of
from polytrix.play.session import Session
from polytrix.play.thoughts import HINTED, format_number, meanings, opinion

from .table import Table

Message = dict[str, Any]

SEARCH = "search:200"
"""The search that people at a table may ask for hints."""

NEWEST = 60
"""So many decisions are in the log that a page gets first; it can ask for all."""


def view(table: Table, seat: int, known: int = -1) -> Message:
    """Everything that a page shows.

    Args:
        table: the table.
        seat: whose page it is; SPECTATOR for a link without a seat.
        known: how many decisions the page has; -1 for a page that has nothing.
    """
    session = table.session
    told = None if sees_all(table, seat) else seat
    viewer, dark = session.game.eyes(told), not session.game.shows(told)
    decisions = len(session.actions)
    first = max(0, decisions - NEWEST) if known < 0 else min(known, decisions)
    return {
        "type": "view",
        "version": table.version,
        "round": table.round,
        "title": session.game.title,
        "game": session.game.id,
        "legend": session.game.legend,
        "seat": seat,
        "seats": seats(table, seat),
        "mover": table.mover,
        "status": status(table, seat),
        "by_touch": session.game.touch is not None,
        "board": None if dark else board(table, seat, viewer),
        "narrow": None if dark or not session.game.draw_narrow else board(table, seat, viewer, narrow=True),
        "text": "" if dark else session.game.text(session.state, viewer),
        "notes": session.notes(viewer),
        "moves": moves(table, seat),
        "lesson": lesson(table, seat),
        "clauses": clauses(table, seat),
        "advisers": advisers(session.game),
        "opening": list(table.log.opening(told)),
        "log": {
            "first": first,
            "count": decisions,
            "since": since(session, seat),
            "entries": [asdict(entry) for entry in table.log.entries(told, first)],
            "touched": [
                list(places) for places in table.log.touched_places(told, decisions if known < 0 else first)
            ],
        },
        "over": table.over,
        "seed": str(session.seed) if table.over else None,
        "taken_back": session.taken_back,
        "may": {
            "move": table.may_move(seat),
            "take_back": table.may_take_back(seat),
            "resign": table.may_resign(seat),
            "begin": table.may_begin(seat),
        },
    }


def sees_all(table: Table, seat: int) -> bool:
    """Whether a viewer sees everything: a spectator once the game is over, or where only agents play."""
    return seat == SPECTATOR and (table.over or not table.settings.has_people)


def seats(table: Table, seat: int) -> list[Message]:
    """Who sits where, and the payoffs once the game is over."""
    session = table.session
    payoffs: Sequence[float | None] = session.payoff() if session.over else [None] * len(session.seats)
    return [
        {
            "name": name,
            "player": "you" if other == seat else table.chair(other).player,
            "resigned": other in table.resigned,
            "payoff": payoff,
        }
        for other, (name, payoff) in enumerate(zip(session.seats, payoffs, strict=True))
    ]


def status(table: Table, seat: int) -> str:
    """What the viewer is to do, who is to move, or how the game ended."""
    session = table.session
    if session.over:
        return session.result(seat)
    if table.over:
        winners = [name for other, name in enumerate(session.seats) if other not in table.resigned]
        return f"{session.seats[table.resigned[0]]} has resigned: {' and '.join(winners)} wins."
    if table.may_move(seat):
        return "Your move." if session.game.task is None else f"Your move: {session.game.task(session.state)}."
    return f"{session.seat_name()} ({table.chair(table.mover).player}) is to move."


def board(table: Table, seat: int, viewer: int | None, *, narrow: bool = False) -> str:
    """The position as SVG, what has changed since the viewer's last move in groups of class `changed`."""
    session = table.session
    picture = drawing_of(session.game, session.state, viewer, narrow=narrow)
    if not session.actions:
        return picture.svg()
    before = drawing_of(session.game, session.position(since(session, seat)), viewer, narrow=narrow)
    return picture.compared(before).svg()


def since(session: Session, seat: int) -> int:
    """The number of the first decision that is news for a seat: the one after its last.

    If there is none after it, its last one. Spectators have no moves: for them, the last one of all.
    """
    own, newest = session.last_of(seat), len(session.actions) - 1
    if seat == SPECTATOR or own == newest:
        return max(0, newest)
    return 0 if own is None else own + 1


def moves(table: Table, seat: int) -> list[Message]:
    """The legal moves of the seat to move, for that seat."""
    session = table.session
    if not table.may_move(seat):
        return []
    game = session.game
    return [
        {
            "action": move.id,
            "notation": move.notation,
            "meaning": move.words,
            "touch": None if game.touch is None else list(game.touch(session.state, move.id)),
            "ghost": ghost(game, session.state, move.id),
        }
        for move in session.moves()
    ]


def ghost(game: Game, s: Record, action: int) -> str | None:
    """What a legal action puts on the board, as SVG, if its mover knows it."""
    drawn = None if game.ghost is None else game.ghost(s, action)
    return None if drawn is None else drawn.svg()


def lesson(table: Table, seat: int) -> Message | None:
    """What a guided game says about the learner's next move."""
    if not table.may_move(seat) or (found := table.lesson) is None:
        return None
    guide, made = found
    told = [step.told for step in guide.steps if step.told]
    number = sum(bool(step.told) for step in guide.steps[:made])
    text = told[number] if number < len(told) else guide.end
    return {"number": number + 1, "count": len(told), "text": text, "action": table.guided_action()}


@cache
def advisers(game: Game) -> tuple[str, ...]:
    """The agents that may be asked for hints."""
    return tuple(name for name in (*names_of(game), SEARCH) if name != RandomPolicy.name)


def clauses(table: Table, seat: int) -> list[str]:
    """The clauses of the rules that matter for the kinds of legal moves of the seat to move, for that seat."""
    if not table.may_move(seat):
        return []
    game = table.session.game
    blocks = dict.fromkeys(game.actions.locate(action)[0].name for action in table.session.legal())
    found = dict.fromkeys(clause for block in blocks for clause in game.clauses.get(block, ()))
    return list(found)


def whole_log(table: Table, seat: int) -> Message:
    """All decisions."""
    viewer = None if sees_all(table, seat) else seat
    entries = [asdict(entry) for entry in table.log.entries(viewer, 0)]
    return {"type": "log", "version": table.version, "first": 0, "entries": entries}


def hint(session: Session, policy: Policy) -> Message:
    """What an agent would do in place of the seat to move, for that seat; it knows no more than the seat.

    Raises:
        PolicyError: the policy does not tell its reasons.
    """
    held = opinion(session, policy)
    return {
        "type": "hint",
        "agent": name_of(policy),
        "equal": held.likes_all_equally,
        "count": len(held.moves),
        "names": list(held.reasons),
        "meanings": meanings(held.reasons),
        "moves": [
            {
                "action": move.id,
                "notation": move.notation,
                "meaning": move.words,
                "numbers": [format_number(name, numbers[name]) for name in held.reasons],
            }
            for move, numbers in held.moves[:HINTED]
        ],
    }
