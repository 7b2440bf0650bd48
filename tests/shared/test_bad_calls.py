"""Bad calls of every API are refused as documented and change nothing.

`tests/integrations` covers RLlib and Tianshou.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from polytrix.core.game import Game
from tests.commands import run
from tests.every_game import every_game
from tests.shared.bad_calls import all_refused, only_while_open
from tests.shared.batch_targets import SimulatorTarget, SingleTarget, VectorTarget
from tests.shared.library_targets import OpenSpielTarget, SB3Target
from tests.shared.targets import AECTarget, SessionTarget, Target

TARGETS = [SimulatorTarget, AECTarget, SingleTarget, VectorTarget, SessionTarget, SB3Target]
if sys.version_info >= (3, 11):  # OpenSpiel needs that
    TARGETS.append(OpenSpielTarget)

every_api = pytest.mark.parametrize("kind", TARGETS, ids=lambda kind: kind.name)


@every_game
@every_api
def test_bad_calls_are_refused_and_change_nothing(kind: type[Target], game: Game) -> None:
    assert all_refused(kind, game) > 50


@every_game
@every_api
def test_a_step_before_reset_and_after_close(kind: type[Target], game: Game) -> None:
    only_while_open(kind, game)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="OpenSpiel needs Python 3.11")
def test_a_pickle_in_a_state_of_openspiel_is_not_run(tmp_path: Path) -> None:
    """`deserialize_state` reads only the history."""
    planted = tmp_path / "planted"
    code = f"""
import base64, pickle, pyspiel, polytrix.api.openspiel
from polytrix.core.errors import SnapshotError
class Payload:
    def __reduce__(self):
        return open, ({str(planted)!r}, "w")
game = pyspiel.load_game("polytrix_quatrix")
text = game.new_initial_state().serialize()
forged = text[: text.index("__dict__=") + 9] + base64.b64encode(pickle.dumps({{"a": Payload()}})).decode()
try:
    game.deserialize_state(forged)
except SnapshotError:
    print("refused")
"""
    assert run(sys.executable, "-c", code).stdout == "refused\n" and not planted.exists()
