"""The wide coding of a seat's knowledge: everything one-hot, 3,161 entries.

`wide` computes it from a state, `widened` from an observation. If both agree, the observation holds all of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from polytrix.core.layout import Block, Layout
from polytrix.core.state import OVER
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.lexicon import COUNT
from polytrix.games.estimatrix.state import Phase

SHAPES: dict[str, tuple[int, ...]] = {
    "seats": (6,), "kvanter": (6,), "negater": (6,), "negater_last": (1,), "phase": (4,), "mover": (6,),
    "banned": (6,), "waited": (1,), "placed": (6,), "own_die": (6,), "hint": (48,), "hint_domain": (6,),
    "hint_faces": (6,), "hint_reading": (6,), "hint_known": (6, 6), "hint_said": (6,), "hint_by": (6,),
    "pairs": (6, 6), "received": (6,), "reading": (48, 6), "said": (48, 6), "agree": (48, 5), "echo": (5, 6),
    "clash": (5, 6), "last_dice": (6, 6), "last_kvanter": (6,), "last_negater": (6,), "opt_advanced": (1,),
    "opt_hints": (3,), "opt_domains": (6,), "opt_wavelengths": (3,), "opt_acquaintance": (2,),
    "opt_rolled": (1,), "turns_left": (1,), "known": (48, 6, 6), "said_by": (48, 6),
}  # fmt: skip
WIDE = Layout(*(Block(name, shape, "as in the shipped coding") for name, shape in SHAPES.items()))


def agreement(own: int, known: int, ban: int) -> int:
    """Of colours from 1 (0: none): 1 if both are equal, -1 if not, 0 if they are no evidence."""
    if 0 in (own, known) or own == ban:
        return 0
    return 1 if own == known else -1


def wide(s: Any, seat: int) -> np.ndarray:
    """The wide coding, from the state."""
    out = np.zeros(WIDE.size, np.int8)
    seen = WIDE.view(out)
    n = int(s.num_players)
    order = [(seat + k) % n for k in range(n)]
    options = GAME.options.read(s.options)
    lexicon = options["hints"] == "lexicon"
    dealt = s.phase != Phase.SETUP
    for k, p in enumerate(order):
        seen["seats"][k] = 1
        for name in ("kvanter", "negater", "mover", "last_kvanter", "last_negater"):
            seen[name][k] = s[name] == p
        seen["placed"][k] = s.die[p] >= 0
        seen["received"][k] = sum(s.pair[p])
        seen["pairs"][k, :n] = s.pair[p][order]
        if s.last_die[p] >= 0:
            seen["last_dice"][k, s.last_die[p]] = 1
    over = s.mover == OVER
    seen["negater_last"][0] = s.turn % 2 == 0
    shown = {Phase.SETUP: 0, Phase.BAN: 0, Phase.ROLL: 0, Phase.HINT: 1, Phase.DIE: 2}
    seen["phase"][3 if over else shown[int(s.phase)]] = 1
    seen["waited"][0] = s.waited
    seen["turns_left"][0] = 0 if over else min(127, int(options["max_turns"]) - s.turn + 1)
    for name, colour in (("banned", s.banned), ("own_die", s.die[seat])):
        if colour >= 0:
            seen[name][colour] = 1
    seen["opt_advanced"][0], seen["opt_rolled"][0] = options["advanced"], options["ban"] == "rolled"
    seen["opt_hints"][["lexicon", "symbols", "none"].index(str(options["hints"]))] = 1
    seen["opt_domains"][:] = [int(options["domains"]) >> d & 1 for d in range(6)]
    if lexicon:
        seen["opt_wavelengths"][int(options["wavelengths"]) - 1] = 1
        seen["opt_acquaintance"][: int(options["acquaintance"])] = 1
    if not dealt:
        return out
    for v in range(48):
        own = s.reading[s.wave[seat, v // 8], v] + 1 if lexicon else 0
        if own:
            seen["reading"][v, own - 1] = 1
        if s.said[v]:
            seen["said"][v, s.said[v] - 1] = 1
            seen["said_by"][v, order.index(s.said_by[v] - 1)] = 1
        for k, p in enumerate(order):
            known = int(s.known[p, v])
            if known:
                seen["known"][v, k, known - 1] = 1
            if k:
                sign = agreement(own, known, int(s.known_ban[v]))
                seen["agree"][v, k - 1] = sign
                seen["echo"][k - 1, v // 8] += (6 - int(COUNT[v, own - 1])) * (sign == 1)
                seen["clash"][k - 1, v // 8] += sign == -1
    if s.hint >= 0:
        show_hint(seen, int(s.hint), lexicon)
    return out


def show_hint(seen: dict[str, np.ndarray], v: int, lexicon: bool) -> None:
    """The blocks about the hint, which repeat entries of its word."""
    seen["hint"][v], seen["hint_domain"][v // 8] = 1, 1
    seen["hint_faces"][:] = COUNT[v] if lexicon else 0
    for name, source in (("hint_reading", "reading"), ("hint_known", "known"), ("hint_said", "said")):
        seen[name][:] = seen[source][v]
    seen["hint_by"][:] = seen["said_by"][v]


def widened(observation: np.ndarray) -> np.ndarray:
    """The wide coding, from an observation."""
    given = GAME.observations.view(observation)
    out = np.zeros(WIDE.size, np.int8)
    seen = WIDE.view(out)
    for name, shape in SHAPES.items():
        if name in given and given[name].shape == shape:
            seen[name][:] = given[name]
    for v in range(48):
        for name in ("reading", "said", "said_by"):
            if given[name][v]:
                seen[name][v, given[name][v] - 1] = 1
        for k in range(6):
            known = given["known"][k, v]
            if known:
                seen["known"][v, k, known - 1] = 1
            if k:
                seen["agree"][v, k - 1] = agreement(given["reading"][v], known, given["known_ban"][v])
    return out
