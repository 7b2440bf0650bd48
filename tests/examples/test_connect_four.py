"""The worked example is one folder: copied anywhere, it is seen by everything, with nothing else changed."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tests.commands import run
from tests.examples.conftest import Command
from tests.pages import ROOT

APIS = """
import json, sys
import gymnasium, numpy as np, pettingzoo, polytrix
from polytrix.api.aec import AECGame

game = polytrix.find("connect_four")
assert "examples" not in sys.modules["connect_four"].__file__
one = gymnasium.make("polytrix/connect_four-v0", opponent="greedy")
seen, info = one.reset(seed=1)
many = gymnasium.make_vec("polytrix/connect_four-v0", num_envs=3)
aec = pettingzoo.make("aec", "polytrix/connect_four-v0") if hasattr(pettingzoo, "register") else AECGame(game)
aec.reset(seed=1)
for action in (0, 1, 0, 1, 0, 1, 0):
    aec.step(action)
print(json.dumps({
    "id": game.id,
    "one": [list(np.shape(seen)), info["action_mask"].tolist()],
    "many": list(np.shape(many.reset(seed=1)[0])),
    "rewards": aec.rewards,
}))
"""


def test_it_is_registered_with_all_apis(python: Command) -> None:
    found = json.loads(python("-c", APIS).stdout)
    assert found == {
        "id": "polytrix/connect_four-v0",
        "one": [[84], [1] * 7],
        "many": [3, 84],
        "rewards": {"player_0": 1, "player_1": -1},
    }


def test_a_process_that_imports_it_needs_nothing_else(folder: Path) -> None:
    code = "import connect_four, gymnasium; print(connect_four.GAME.id in gymnasium.registry)"
    environment = {name: value for name, value in os.environ.items() if name != "POLYTRIX_GAMES"}
    environment["PYTHONPATH"] = os.pathsep.join([str(folder.parent), str(ROOT / "envs")])
    assert run(sys.executable, "-c", code, env=environment).stdout == "True\n"


def test_the_command_line_sees_it(python: Command) -> None:
    described = python("-m", "polytrix.cli", "describe", "connect_four").stdout
    assert "own stones; row 0 is the lowest" in described and "## Payoffs" in described
    moves = ("play", "connect_four", "--opponent", "random", "--seed", 5, "-o", "max_decisions=4")
    shown = python("-m", "polytrix.cli", *moves, typed="1\n" * 4).stdout
    assert "payoffs: red +0, yellow +0 (cut off after 4 decisions)" in shown


PAGE = """
import sys
sys.path.append("docs/_ext")
import polytrix
from game_page import game_page, picture
from polytrix_site import made_pages

page = made_pages()["games/connect_four.md"]()
assert page == game_page(polytrix.find("connect_four"), {}) and "games/connect_four.svg" in made_pages()
code = page.split("```python\\n")[1].split("```")[0]
exec(code)
print(page)
"""


def test_the_site_has_a_page_for_it(python: Command) -> None:
    page = python("-c", PAGE, cwd=ROOT).stdout
    assert page.startswith("# Connect Four") and "own stones; row 0 is the lowest" in page
    assert "You are red (seat 0)" in page and "AECGame(polytrix.find(" in page


def test_the_shared_tests_of_pages_take_it_in(python: Command) -> None:
    shared = ("tests/shared/test_pages.py", "-k", "connect_four", "-p", "no:cacheprovider")
    assert "5 passed" in python("-m", "pytest", *shared, "-o", "addopts=", cwd=ROOT).stdout
