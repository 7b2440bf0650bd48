"""The obvious model of an observation: slow, and block by block."""

from __future__ import annotations

import numpy as np

from polytrix.core.state import OVER, Record
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.aspects import CONTROLS
from polytrix.games.pressure_matrix.effects import CODES
from polytrix.games.pressure_matrix.matrix import MATRIX
from polytrix.games.pressure_matrix.state import Phase, blackouts
from polytrix.games.pressure_matrix.text import marker_on
from polytrix.games.pressure_matrix.tiles import FACE_AMOUNT, FACE_CODE, node_text
from tests.games.fields import Fields

ASPECTS = ("gain", "rivals", "hand", "teleport", "flip", "invert", "pressure", "special", "kind")
KINDS = ["", "SWAP", "DISCARD_RIVAL", *CODES[CODES.index("MOVE") :]]


def effect_shown(s: Record, seat: int, square: int, code: str, x: int) -> list[int]:
    """The nine numbers of a free node."""
    n = s.num_players
    mine = int(s.credits[seat])
    others = [int(s.credits[p]) for p in range(n) if p != seat]
    own = rivals = 0
    if code in ("WIN", "DISCARD_WIN"):
        own = x
    elif code == "WIN_LEVEL":
        own = s.level + 1
    elif code == "WIN_BLACK":
        own = blackouts(s, square).bit_count() + 1
    elif code in ("PAY", "PAY_RECLAIM"):
        own = -min(x, mine)
    elif code == "GIVE":
        own, rivals = -min(x, mine), min(x, mine)
    elif code == "GIVE_EACH":
        own, rivals = -min(x * (n - 1), mine), min(x * (n - 1), mine)
    elif code == "STEAL":
        own, rivals = min(x, max(others)), -min(x, max(others))
    elif code == "STEAL_EACH":
        own = sum(min(x, credits) for credits in others)
        rivals = -own
    elif code == "LEADER_PAYS":
        if mine > max(others):
            own = -min(x, mine)
        elif max(others) > mine:
            rivals = -min(x, max(others))
    return [
        own,
        rivals,
        {"RECLAIM": 1, "PAY_RECLAIM": 1, "DISCARD": -1, "DISCARD_WIN": -1}.get(code, 0),
        int(code == "TELEPORT"),
        {"FLIP": 1, "FLIP_THIS": -1}.get(code, 0),
        {"INVERT": 1, "INVERT_THIS": -1}.get(code, 0),
        x if code == "PRESSURE" else 0,
        int(code in CODES[CODES.index("MOVE") :]),
        KINDS.index(code) if code in KINDS else 0,
    ]


def observation_of(
    s: Record, seat: int, codes: np.ndarray = FACE_CODE, amounts: np.ndarray = FACE_AMOUNT
) -> np.ndarray:
    """The observation of a seat, block by block; with other tiles, their codes and amounts [face, place]."""
    s = Fields(s)
    out = np.zeros(GAME.observations.size, np.int8)
    seen = GAME.observations.view(out)
    n = s.num_players
    order = [(seat + k) % n for k in range(n)]
    revealed = all(s.bid[p] >= 0 for p in range(n))
    best_credits = max(int(s.credits[p]) for p in range(n))
    for k, p in enumerate(order):
        seen["exists"][k] = 1
        seen["credits"][k] = min(127, int(s.credits[p]))
        seen["purse"][k] = min(31, int(s.credits[p]))
        seen["lead"][k] = np.clip(int(s.credits[seat]) - int(s.credits[p]), -15, 15)
        seen["hand"][k], seen["discarded"][k] = s.hand[p], s.discarded[p]
        seen["bid"][k] = s.bid[p] + 1 if revealed or p == seat else 0
        for name in ("first", "active", "mover", "thief", "victim", "teleported"):
            seen[name][k] = s[name] == p
        seen["declared"][k], seen["left"][k] = s.declared[p], s.left[p]
        seen["tied"][k] = s.phase == Phase.PAYER and s.mover != OVER and s.credits[p] == best_credits
        if s.runner[p] >= 0:
            seen["runner"][k, s.runner[p]] = 1
    phase = Phase.OVER if s.mover == OVER else s.phase
    seen["phase"][phase] = 1
    seen["level"][s.level] = 1
    if s.forced >= 0:
        seen["forced"][s.forced] = 1
    seen["adjust"][0] = s.adjust
    if s.rolled == 3:
        for place, pips in enumerate(sorted(s.dice.tolist())):
            seen["dice"][place, pips - 1] = 1
    seen["movement"][0] = max(0, s.movement)
    if s.code:
        seen["effect"][s.code - 1], seen["amount"][0] = 1, s.amount
    if s.node_square >= 0:
        seen["square"][s.node_square], seen["node"][s.node_place] = 1, 1
    seen["filled"][0], seen["again"][0], seen["won"][0], seen["stake"][0] = s.filled, s.again, s.won, s.stake
    if s.window:
        seen["window"][s.window - 1] = 1
    for square in range(25):
        if not int(MATRIX[n]) >> square & 1:
            continue
        black = blackouts(s, square)
        seen["open"][square] = black != 15 and square not in s.runner[:n]
        face = int(s.up[square])
        seen["face"][square], seen["reverse"][square] = face + 1, s.reverse[square] + 1
        gains = []
        for place in range(4):
            code, amount = CODES[codes[face, place]], int(amounts[face, place])
            seen["black"][square, place] = black >> place & 1
            owner = marker_on(s, 4 * square + place)
            if owner >= 0:
                k = order.index(owner)
                seen["matrix"][k] += 1
                name = code if code in CONTROLS else node_text(CODES.index(code), amount)
                seen["held"][k, CONTROLS.index(name)] += 1
                if k == 0:
                    seen["own_marker"][square, place] = 1
                else:
                    seen["rival_marker"][square, place] = k
            if not black >> place & 1:
                numbers = effect_shown(s, seat, square, code, amount)
                shown = [max(-13, min(number, 13)) for number in numbers]
                for aspect, number in zip(ASPECTS, shown, strict=True):
                    seen[f"node_{aspect}"][square, place] = number
                gains.append(shown[0])
                if square == s.runner[seat]:
                    for aspect, number in zip(ASPECTS[:-1], shown, strict=False):
                        seen[f"here_{aspect}"][place] = number
                    if shown[-1] > 0:
                        seen["here_kind"][place, shown[-1] - 1] = 1
        if gains:
            seen["best"][square] = max(gains)
    seen["reverse_drawn"][0], seen["by_margin"][0] = s.options.reverse, s.options.payoff
    seen["clock"][0] = 127 * s.decisions // s.options.max_decisions
    return out
