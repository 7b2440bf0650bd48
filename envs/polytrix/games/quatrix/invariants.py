"""What must hold in every state of every game."""

from __future__ import annotations

from polytrix.core.state import OVER, Record

from .state import COUNT, LAST_ROW, MOVE, PIECES, PLACE, pips_home


def check(s: Record) -> None:
    """Raise AssertionError if the state breaks a rule that no play can break."""
    waiting = int(s.turn_seat) if s.phase == PLACE else -1  # whoever popped a ring
    for seat in range(2):
        rings = int(COUNT[s.ring[seat]].sum())
        discs = int(COUNT[s.disc[seat]].sum())
        assert rings == PIECES - (waiting == 1 - seat), f"QX-04: seat {seat} has {rings} rings"
        assert discs == PIECES, f"QX-04: seat {seat} has {discs} discs"
        assert s.ring[seat, LAST_ROW] == s.disc[seat, LAST_ROW] == 0, "QX-12: on the enemy start track"
        for row in range(LAST_ROW + 1):
            for own, seen in ((s.ring, s.enemy_ring), (s.disc, s.enemy_disc)):
                turned = int(f"{int(own[1 - seat, LAST_ROW - row]):07b}"[::-1], 2)
                assert seen[seat, row] == turned, f"row {row}: seat {seat} sees other pieces than there are"
            units = s.ring[seat, row] | s.disc[seat, row]
            enemies = s.enemy_ring[seat, row] | s.enemy_disc[seat, row]
            assert units & enemies == 0, f"QX-05: two colours on a square of row {row}"
        if s.winner == seat:
            assert pips_home(s, seat) == PIECES, "QX-80: the winner's pips are not home"
        else:
            assert pips_home(s, seat) < PIECES, "QX-80: seven pips are home and nobody has won"
    assert (s.mover == OVER) == (s.winner >= 0 or bool(s.truncated)), "the game ends by a win or its limit"
    if s.phase == MOVE and s.mover >= 0:
        assert s.mover == s.turn_seat and 1 <= s.dice[1] <= s.dice[0] <= 6 and s.used.sum() < 2, "dice"
