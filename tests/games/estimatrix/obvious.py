"""A slow and obvious model of the game: a list of turns, from which everything else is computed.

It shares nothing with the game's rules but the faces of the words and the names of observation blocks.
`obvious_position` also reads the fields of a state.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from polytrix.core.state import OVER
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.lexicon import FACE
from polytrix.games.estimatrix.state import Phase

ACTIONS = (
    [("ban", c) for c in range(6)] + [("roll", 0)] + [("hint", v) for v in range(48)]
    + [("set", c) for c in range(6)] + [("wait", 0)]
)  # fmt: skip
NOBODY = -1


@dataclass
class Turn:
    """Roles and decisions of a turn."""

    kvanter: int
    negater: int
    second: bool
    ban: int | None = None
    rolling: bool = False
    hint: int | None = None
    waited: bool = False
    dice: dict[int, int] = field(default_factory=dict)


class Table:
    """A game after its set-up.

    Args:
        options: all options by name.
        negater: the first Negater.
        reading: colour by (seat, word); None without a lexicon.
    """

    def __init__(
        self, options: dict[str, Any], negater: int, reading: dict[tuple[int, int], int] | None
    ) -> None:
        self.options = options
        self.n = int(options["players"])
        self.reading = reading
        self.past: list[Turn] = []
        self.latest: dict[int | None, Turn] = {}
        self.pairs: set[frozenset[int]] = set()
        self.decisions = 0
        self.over = self.cut = False
        self.turn = self.next_turn((negater + 1) % self.n, negater, False)

    def next_turn(self, kvanter: int, negater: int, second: bool) -> Turn:
        return Turn(kvanter, negater, second, rolling=self.options["ban"] == "rolled")

    # -- what may be done --

    @property
    def stage(self) -> str:
        if self.turn.ban is None:
            return "BAN"
        return "HINT" if self.turn.hint is None and self.options["hints"] != "none" else "DIE"

    @property
    def mover(self) -> int | None:
        """None while the die rolls, and once the game is over."""
        t = self.turn
        if self.over or t.rolling:
            return None
        if self.stage != "DIE" or (not t.waited and t.kvanter not in t.dice):
            return t.kvanter
        return next(seat for seat in [*self.around(t.kvanter)[1:], t.kvanter] if seat not in t.dice)

    def around(self, seat: int) -> list[int]:
        """All seats, clockwise from one."""
        return [(seat + k) % self.n for k in range(self.n)]

    def legal(self) -> list[int]:
        if self.mover is None:
            return []
        return [number for number, (name, x) in enumerate(ACTIONS) if self.allows(name, x)]

    def allows(self, name: str, x: int) -> bool:
        t = self.turn
        if self.stage == "BAN":
            return name in ("ban", "roll")
        if self.stage == "HINT":
            return name == "hint" and int(self.options["domains"]) & 2 ** (x // 8) > 0
        return (name == "set" and x != t.ban) or (name == "wait" and self.mover == t.kvanter and not t.waited)

    # -- doing it --

    def play(self, action: int) -> None:
        name, x = ACTIONS[action]
        t = self.turn
        self.decisions += 1
        if name == "ban":
            t.ban = x
        elif name == "roll":
            t.rolling = True
        elif name == "hint":
            t.hint = x
        elif name == "wait":
            t.waited = True
        else:
            assert self.mover is not None
            t.dice[self.mover] = x
            if len(t.dice) == self.n:
                self.end_turn()
        self.stop_at_limit()

    def rolled(self, colour: int) -> None:
        self.turn.rolling = False
        self.turn.ban = colour
        self.stop_at_limit()

    def stop_at_limit(self) -> None:
        if self.mover is not None and self.decisions == self.options["max_decisions"]:
            self.over = self.cut = True

    def end_turn(self) -> None:
        t = self.turn
        hitting = {seat for seat, die in t.dice.items() if die == t.dice[t.kvanter]} - {t.kvanter}
        if t.negater not in hitting:
            touched = {frozenset({t.kvanter, seat}) for seat in hitting}
            self.pairs = self.pairs ^ touched if self.options["advanced"] else self.pairs | touched
        self.past.append(t)
        self.latest[t.hint] = t
        if any(len(self.partners(seat)) == self.n - 1 for seat in range(self.n)):
            self.over = True
        elif len(self.past) == self.options["max_turns"]:
            self.over = self.cut = True
        else:
            negater = (t.negater - 1) % self.n if t.second else t.negater
            kvanter = next(seat for seat in self.around((t.kvanter + 1) % self.n) if seat != negater)
            self.turn = self.next_turn(kvanter, negater, not t.second)

    def partners(self, seat: int) -> set[int]:
        """Whose letters the seat holds."""
        return {other for pair in self.pairs if seat in pair for other in pair - {seat}}

    def payoffs(self) -> list[Fraction]:
        counts = [len(self.partners(seat)) for seat in range(self.n)]
        best = [seat for seat in range(self.n) if counts[seat] == (max(counts) if self.cut else self.n - 1)]
        if len(best) == self.n:
            return [Fraction(0)] * self.n
        return [
            Fraction(1, len(best)) if p in best else Fraction(-1, self.n - len(best)) for p in range(self.n)
        ]

    # -- what is known --

    def introduced(self, word: int) -> bool:
        return self.reading is not None and word % 8 >= 8 - self.options["acquaintance"]

    def known(self, seat: int, word: int) -> int | None:
        if self.introduced(word):
            assert self.reading is not None
            return self.reading[seat, word]
        use = self.latest.get(word)
        return use.dice[seat] if use else None

    def banned_then(self, word: int) -> int | None:
        use = self.latest.get(word)
        return use.ban if use and not self.introduced(word) else None

    def evidence(self, seat: int, other: int, domain: int) -> tuple[int, int]:
        """Echo and clash."""
        echo = clash = 0
        for word in range(8 * domain, 8 * domain + 8):
            known = self.known(other, word)
            if self.reading is None or known is None:
                continue
            own = self.reading[seat, word]
            if own == self.banned_then(word):
                continue
            if known == own:
                echo += sum(face != own for face in FACE[word])
            else:
                clash += 1
        return echo, clash

    def exchange(self, seat: int) -> int:
        """What happens if the seat hits: 1 exchange, -1 return, 0 nothing."""
        if seat in (self.turn.kvanter, self.turn.negater):
            return 0
        if frozenset({self.turn.kvanter, seat}) not in self.pairs:
            return 1
        return -1 if self.options["advanced"] else 0

    def observation(self, seat: int) -> np.ndarray:
        """The seat's observation."""
        out = np.zeros(GAME.observations.size, np.int8)
        seen = GAME.observations.view(out)
        self.show_options(seen)
        self.show_seats(seen, seat)
        self.show_words(seen, seat)
        self.show_hint(seen, seat)
        if self.reading is not None:
            self.show_evidence(seen, seat)
        return out

    def show_options(self, seen: dict[str, np.ndarray]) -> None:
        options = self.options
        seen["opt_advanced"][:] = options["advanced"]
        seen["opt_rolled"][:] = options["ban"] == "rolled"
        seen["opt_hints"][["lexicon", "symbols", "none"].index(options["hints"])] = 1
        seen["opt_domains"][:] = [int(bit) for bit in f"{options['domains']:06b}"[::-1]]
        if self.reading is not None:
            seen["opt_wavelengths"][options["wavelengths"] - 1] = 1
            seen["opt_acquaintance"][:] = [options["acquaintance"] > 0, options["acquaintance"] > 1]
        seen["clock"][:] = int(127 * self.decisions / options["max_decisions"])
        if not self.over:
            seen["turns_left"][:] = min(127, options["max_turns"] - len(self.past))
        seen["phase"][3 if self.over else ["BAN", "HINT", "DIE"].index(self.stage)] = 1

    def show_seats(self, seen: dict[str, np.ndarray], seat: int) -> None:
        t, order = self.turn, self.around(seat)
        seen["negater_last"][:], seen["waited"][:] = t.second, t.waited
        if t.ban is not None:
            seen["banned"][t.ban] = 1
        if seat in t.dice:
            seen["own_die"][t.dice[seat]] = 1
        for k, p in enumerate(order):
            seen["seats"][k] = 1
            seen["kvanter"][k], seen["negater"][k], seen["mover"][k] = (
                p == t.kvanter,
                p == t.negater,
                p == self.mover,
            )
            seen["placed"][k] = p in t.dice
            seen["received"][k] = len(self.partners(p))
            seen["near"][k] = len(self.partners(p)) == self.n - 2
            seen["exchange"][k] = self.exchange(p)
            seen["pairs"][k, : self.n] = [other in self.partners(p) for other in order]
            if self.past:
                last = self.past[-1]
                seen["last_dice"][k, last.dice[p]] = 1
                seen["last_kvanter"][k], seen["last_negater"][k] = p == last.kvanter, p == last.negater

    def show_words(self, seen: dict[str, np.ndarray], seat: int) -> None:
        t, order = self.turn, self.around(seat)
        for word in range(48):
            use = self.latest.get(word)
            if use:
                seen["said"][word] = 1 + use.dice[use.kvanter]
                seen["said_by"][word] = 1 + order.index(use.kvanter)
            ban = self.banned_then(word)
            seen["known_ban"][word] = 0 if ban is None else 1 + ban
            for k, p in enumerate(order):
                known = self.known(p, word)
                seen["known"][k, word] = 0 if known is None else 1 + known
            if self.reading is None:
                continue
            own = self.reading[seat, word]
            seen["reading"][word] = 1 + own
            if seat == self.mover and self.stage != "DIE" and own != t.ban:
                public = self.introduced(word) or (use and use.dice[use.kvanter] == own)
                seen["share"][word] = 6 if public else Counter(FACE[word].tolist())[own]

    def show_hint(self, seen: dict[str, np.ndarray], seat: int) -> None:
        word = self.turn.hint
        if word is None:
            return
        seen["hint"][word], seen["hint_domain"][word // 8] = 1, 1
        kvanter = self.around(seat).index(self.turn.kvanter)
        eye = np.eye(7, dtype=np.int8)[:, 1:]
        seen["hint_known"][:] = eye[seen["known"][:, word]]
        seen["hint_kvanter"][:] = eye[seen["known"][kvanter, word]]
        seen["hint_said"][:] = eye[seen["said"][word]]
        seen["hint_by"][:] = eye[seen["said_by"][word]]
        if seen["said_by"][word] == 1 + kvanter:
            seen["hint_again"][:] = eye[seen["said"][word]]
        if self.reading is not None:
            seen["hint_faces"][:] = [FACE[word].tolist().count(colour) for colour in range(6)]
            seen["hint_reading"][self.reading[seat, word]] = 1

    def show_evidence(self, seen: dict[str, np.ndarray], seat: int) -> None:
        t = self.turn
        for domain in range(6):
            signs = {p: self.evidence(seat, p, domain) for p in self.around(seat)[1:]} | {seat: (0, 0)}
            for k, p in enumerate(self.around(seat)[1:]):
                seen["echo"][k, domain], seen["clash"][k, domain] = signs[p]
            if t.hint is not None and t.hint // 8 == domain:
                for i, p in enumerate((t.kvanter, t.negater)):
                    seen["hint_echo"][i], seen["hint_clash"][i] = signs[p]
            if seat == t.kvanter:
                seen["negater_echo"][domain], seen["negater_clash"][domain] = signs[t.negater]
                partners = [signs[p] for p in range(self.n) if self.exchange(p) == 1]
                seen["partner_echo"][domain] = min(127, sum(echo for echo, _ in partners))
                seen["partner_clash"][domain] = sum(clash for _, clash in partners)


def obvious_table(s: Any) -> Table:
    """The model of a state that has just been set up."""
    options = GAME.options.read(s.options)
    reading = None
    if options["hints"] == "lexicon":
        players = range(s.num_players)
        reading = {(p, v): int(s.reading[s.wave[p, v // 8], v]) for p in players for v in range(48)}
    return Table(options, int(s.negater), reading)


def obvious_position(s: Any) -> Table:
    """The model of any state after the set-up, with a history that explains what the players know."""
    table = obvious_table(s)
    seats = range(table.n)
    table.decisions, table.over, table.cut = int(s.decisions), s.mover == OVER, bool(s.truncated)
    table.pairs = {frozenset(pair) for pair in np.argwhere(s.pair).tolist()}
    for word in np.flatnonzero(s.said).tolist():
        kvanter = int(s.said_by[word]) - 1
        dice = {seat: int(s.known[seat, word]) - 1 for seat in seats} | {kvanter: int(s.said[word]) - 1}
        table.latest[word] = Turn(kvanter, NOBODY, False, ban=int(s.known_ban[word]) - 1, dice=dice)
    dice = {seat: int(s.last_die[seat]) for seat in seats}
    last = Turn(int(s.last_kvanter), int(s.last_negater), False, dice=dice)
    table.past = [last] * (int(s.turn) - (s.phase != Phase.FINISHED))
    table.turn = Turn(
        kvanter=int(s.kvanter),
        negater=int(s.negater),
        second=s.turn % 2 == 0,
        ban=int(s.banned) if s.banned >= 0 else None,
        rolling=s.phase == Phase.ROLL,
        hint=int(s.hint) if s.hint >= 0 else None,
        waited=bool(s.waited),
        dice={seat: int(s.die[seat]) for seat in seats if s.die[seat] >= 0},
    )
    return table
