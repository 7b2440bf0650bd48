"""What players touch: it is drawn for the mover, it is what the notation says, and few actions share it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

import polytrix
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import Record
from polytrix.drawing import Picture
from polytrix.games import estimatrix, pixel_tactics, pressure_matrix, quatrix, resistor
from polytrix.games.pixel_tactics.reading import SEAT_NAMES, recruit_row
from polytrix.games.pixel_tactics.state import ROW_NAMES, Decision, Source
from polytrix.testing import check_touch, option_combinations
from polytrix.testing.touch import check_places
from tests.every_game import every_game
from tests.games.estimatrix.random_positions import VARIETY, random_states
from tests.games.pictures import count
from tests.games.pixel_tactics.positions import EFFECTS, placed
from tests.games.pixel_tactics.random_positions import random_positions as pixel_tactics_positions
from tests.games.pressure_matrix.random_positions import positions as pressure_matrix_positions
from tests.games.quatrix.random_positions import decisions
from tests.games.resistor.random_positions import random_positions as resistor_positions
from tests.toys import SECRET

MOST = {"estimatrix": 1, "pixel_tactics": 25, "pressure_matrix": 1, "quatrix": 2, "resistor": 2}
"""So many actions touch the same places at most: the cards of a deck, otherwise 2."""


def rare(game: Game) -> Iterator[Record]:
    """Positions that random play rarely reaches."""
    if game.name == "quatrix":
        yield from decisions(np.random.default_rng(1), 150).states
    elif game.name == "resistor":
        yield from resistor_positions()[::3]
    elif game.name == "estimatrix":
        for options in VARIETY:
            yield from (sim.states[0] for sim in random_states(options, 25, seed=3))
    elif game.name == "pressure_matrix":
        for players in (2, 3, 4, 5):
            yield from pressure_matrix_positions(players, 150, seed=players)
    else:
        yield from (placed(text).s for text in pixel_tactics_positions(5, 60))


@every_game
def test_in_random_play_with_every_option(game: Game) -> None:
    combinations = option_combinations(game)
    some = combinations[:: max(1, len(combinations) // 4)]
    found = max(check_touch(game, options, decisions=60, seed=i) for i, options in enumerate(some))
    assert 0 < found <= MOST[game.name]


@every_game
def test_in_rare_positions(game: Game) -> None:
    found = [check_places(game, s) for s in rare(game) if s.mover >= 0]
    assert len(found) > 50 and max(found) <= MOST[game.name]


@every_game
def test_places_change_no_pixel_and_are_never_marked_as_changed(game: Game) -> None:
    s = next(s for s in rare(game) if s.mover >= 0)
    picture = game.draw(s, int(s.mover))
    assert isinstance(picture, Picture)
    without = [re.sub('<rect data-place="[^>]*/>', "", shape) for shape in picture.shapes]
    bare = replace(picture, shapes=tuple(shape for shape in without if shape))
    assert not bare.places and len(picture.places) > 10
    assert not count(picture.svg(), "choice"), "only the table outlines what can be touched"
    assert picture.png() == bare.png()
    empty = replace(picture, shapes=())
    assert '"changed"><rect data-place' not in picture.compared(empty).svg()


# -- each game ------------------------------------------------------------------------------------


def touched(game: Game, states: Iterator[Record]) -> Iterator[tuple[Record, str, tuple[str, ...]]]:
    """The legal actions of positions, in notation, with what they touch."""
    for s in states:
        if s.mover >= 0:
            for action in game.legal_ids(s):
                yield s, game.format_action(s, action), game.touch(s, action)


def test_quatrix_the_squares_in_the_notation() -> None:
    kinds = set()
    for _, name, places in touched(quatrix.GAME, rare(quatrix.GAME)):
        kinds.add(name[0])
        assert places == tuple(re.findall("[a-g][0-9]+", name))
    assert kinds >= set("RDP@")


def resistor_places(s: Record, name: str) -> tuple[str, ...]:
    colours = ("red", "blue") if s.mover == 0 else ("blue", "red")

    def row(position: str) -> str:
        return f"row-{position if s.mover == 0 else int(s.length) + 1 - int(position)}"

    def hand(owner: str, slot: str) -> str:
        return f"{colours['oe'.index(owner)]}-hand-{slot}"

    simple = {"D": ("deck",), "T-": ("drawn-card",), "U": (f"row-{int(s.flipped) + 1}",), "K": ()}
    simple |= {"Pa": ("discard-a",), "Pb": ("discard-b",)}
    if name in simple:
        return simple[name]
    if name[0] == "S":
        return hand(name[2], name[3]), row(name[1])
    if name[0] == "T":
        return (hand(name[1], name[2]),)
    return ("lock", row(name[1])) if name[0] == "L" else (row(name[1]),)


def test_resistor_positions_of_both_seats_are_one_place() -> None:
    kinds = set()
    for s, name, places in touched(resistor.GAME, iter(resistor_positions())):
        kinds |= {name[0], int(s.mover)}
        assert places == resistor_places(s, name), name
    assert kinds >= {0, 1, *"FDTSLRUKP"}


def test_estimatrix_words_and_colours() -> None:
    kinds = set()
    for _, name, places in touched(estimatrix.GAME, rare(estimatrix.GAME)):
        kind, _, rest = name.partition(" ")
        kinds.add(kind)
        assert places == {"hint": (rest,), "wait": (), "roll": ()}.get(kind, (f"colour-{rest}",))
    assert kinds == {"ban", "roll", "hint", "set", "wait"}


def test_pressure_matrix_the_place_in_the_notation() -> None:
    kinds = set()
    colours = pressure_matrix.GAME.seats
    for s, name, places in touched(pressure_matrix.GAME, rare(pressure_matrix.GAME)):
        kind, _, rest = name.partition(" ")
        kinds.add(kind)
        if re.fullmatch(r"[a-e][1-5](\.[ns][ew])?", rest):
            assert places == (rest,)
        elif rest.startswith("+"):
            colour = colours[(int(s.mover) + int(rest)) % int(s.num_players)]
            assert places == (f"runner-{colour}" if kind == "runner" else colour,)
        elif kind == "node":
            square = int(s.runner[s.mover])
            assert places == (f"{'abcde'[square % 5]}{square // 5 + 1}.{rest}",)
        elif rest == "hand":
            assert places == (colours[s.mover],)
        elif kind == "start":
            assert re.fullmatch("[a-e][1-5]", places[0])
        else:
            assert places == () and kind in ("roll", "freeze", "pass", "recall", "bid")
    assert kinds >= {"roll", "bid", "start", "move", "node", "use", "give", "steal", "flip", "discard"}


def pixel_tactics_places(s: Record, name: str) -> tuple[str, ...]:
    own, foe = SEAT_NAMES[s.mover], SEAT_NAMES[1 - s.mover]
    kind, *rest = name.split()
    if kind == "recruit":
        return f"{own}-hand-{rest[0]}", f"{own}-{ROW_NAMES[recruit_row(s)]}{rest[1]}"
    if kind == "move":
        return f"{own}-{rest[0]}", f"{own}-{ROW_NAMES[s.wave]}{rest[1]}"
    if kind == "card":
        hand = {Source.HAND: own, Source.FOE_HAND: foe}.get(s.offer)
        return (f"{hand}-hand-{rest[0]}" if hand else f"{own}-deck",)
    if kind in ("pass", "amount"):
        return ()
    if kind == "row":
        return (f"{own if rest[0] == 'own' else foe}-row-{rest[1]}",)
    places = {"draw": f"{own}-deck", "order": f"{own}-hand-", "column": "column-", "foe": f"{foe}-"}
    return (places.get(kind, f"{own}-") + "".join(rest),)


def test_pixel_tactics_cards_and_slots() -> None:
    def states() -> Iterator[Record]:
        yield from rare(pixel_tactics.GAME)
        for _, _, (first, *_) in EFFECTS:
            yield placed(first).s
        sim = Simulator(pixel_tactics.GAME, 64, seed=5)
        for _ in range(40):
            sim.step(sim.random_actions())
            yield from sim.states[sim.states["decision"] > Decision.TURN]

    kinds = set()
    for s, name, places in touched(pixel_tactics.GAME, states()):
        kinds.add(name.split()[0])
        assert places == pixel_tactics_places(s, name), name
    assert kinds >= {"pass", "draw", "recruit", "melee", "ranged", "power", "order", "clear", "move"}
    assert kinds >= {"own", "foe", "card", "amount", "column", "row"}


def test_pixel_tactics_only_cards_of_the_deck_share_a_place_by_the_dozen() -> None:
    game = pixel_tactics.GAME
    for s in rare(game):
        if s.mover >= 0 and (s.decision != Decision.CARD or s.offer in (Source.HAND, Source.FOE_HAND)):
            assert check_places(game, s) <= 3


# -- what the check notices -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("places", "error"),
    [(("b9",), r"touches \['b9'\]"), (("a1", "a1"), "each once"), (("twice",), "drawn twice")],
)
def test_the_check_notices(places: tuple[str, ...], error: str, register: Callable[[Game], Game]) -> None:
    def draw(s: Record, seat: int | None) -> Picture:
        names = ("a1", "twice", "twice") if "twice" in places else ("a1",)
        return Picture(10, 10, tuple(polytrix.drawing.place(name, 0, 0, 5, 5) for name in names))

    wrong = register(replace(SECRET, name="wrongly_touched", touch=lambda s, action: places, draw=draw))
    with pytest.raises(AssertionError, match=error):
        check_touch(wrong, decisions=3, mode=Mode.PLAIN)
