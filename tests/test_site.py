"""The documentation site: it is built without a warning, and leaves out no game and nothing that is public."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import polytrix
from polytrix.core.game import Game
from tests.libraries import LIBRARIES
from tests.modules import modules
from tests.pages import ROOT, blocks

pytest.importorskip("sphinx", reason="the extra 'docs' is not installed")
sys.path.append(str(ROOT / "docs" / "_ext"))

from game_page import game_page
from polytrix_site import page_at, with_links

INTERNAL = {
    "polytrix.api.openspiel.game": "the names of `polytrix.api.openspiel`",
    "polytrix.api.rllib.learner": "the learner of `polytrix.api.rllib.batch`",
    "polytrix.api.rllib.env": "the names of `polytrix.api.rllib`",
    "polytrix.api.sb3.network": "names of `polytrix.api.sb3`",
    "polytrix.api.sb3.vec_env": "names of `polytrix.api.sb3`",
    "polytrix.core.version": "`polytrix.__version__`",
    "polytrix.core.imports": "objects that users name as `module:name`",
    "polytrix.llm.kept": "the answers of a game that goes on",
    "polytrix.llm.conversation": "the chats of `polytrix.llm.Episode`",
    "polytrix.api.openspiel.rules": "the rules behind the states of OpenSpiel",
    "polytrix.api.openspiel.text": "what OpenSpiel writes for a state, read without running it",
    "polytrix.learning.advantages": "advantages of linked decisions, of training",
    "polytrix.learning.sparse": "layers for sparse inputs, of training",
    "polytrix.learning.passes": "compiled choices and gradients, of training",
    "polytrix.learning.ppo_loss": "the loss, of training",
    "polytrix.learning.workers": "threads of training",
    "polytrix.api.shared.rendering": "`render` of all APIs",
    "polytrix.api.shared.seating": "what `SeatRule` means",
    "polytrix.bench": "the command `polytrix bench`",
    "polytrix.core.compile.cache_directory": "where compiled programs are",
    "polytrix.core.compile.cached": "compiled functions of arrays, of training",
    "polytrix.core.arrays": "arrays from files of strangers",
    "polytrix.core.lock": "which process works on a file or in a folder",
    "polytrix.core.terminal": "foreign text for terminals",
    "polytrix.core.bits": "sets as bits of integers, for rules",
    "polytrix.core.calls": "checks of what a simulator is given",
    "polytrix.core.drivers": "the compiled loops",
    "polytrix.core.entrance": "what keeps a second call out of a simulator",
    "polytrix.core.inspection": "what the checks read of a state",
    "polytrix.core.files": "files that appear whole or not at all",
    "polytrix.core.random_play": "the compiled loop of random play, for checks",
    "polytrix.core.policy": "`polytrix.agents.Policy`",
    "polytrix.core.bounds": "what `load` asks of numbers",
    "polytrix.core.loaded": "how games from `load` are played",
    "polytrix.core.compile.constants": "groups of constants in compiled rules",
    "polytrix.core.compile.program_cache": "files of compiled programs",
    "polytrix.core.compile.programs": "the programs of a game",
    "polytrix.core.compile.progress": "what is told while programs compile",
    "polytrix.core.compile.whole_program": "how Numba puts a program together",
    "polytrix.core.recorded": "`transcript` of environments",
    "polytrix.core.records": "states as plain Python reads them",
    "polytrix.core.search.tree": "the compiled part of all searches",
    "polytrix.core.search.playouts": "that of `SearchPolicy`",
    "polytrix.core.search.guided": "that of `GuidedSearchPolicy`",
    "polytrix.core.search.hashing": "the names of positions in trees",
    "polytrix.core.search.inference": "its networks",
    "polytrix.core.search.teaching": "the compiled part of `training/shared/self_play.py`",
    "polytrix.core.trust": "whether programs trust their states",
    "polytrix.core.invariants": "the invariants of a game, see 'Adding a game'",
    "polytrix.core.snapshot": "`save` and `load` of all APIs",
    "polytrix.core.compile.substitution": "the copying behind `Game.with_data`",
}
"""Modules that are not in the reference, with what they are for."""

ELSEWHERE = ("polytrix.cli", "polytrix.games", "polytrix.play", "polytrix.training", "polytrix.web")
"""Packages that are not for import: commands and pages explain themselves, games have pages."""

WITH_A_LIBRARY = tuple(f"polytrix.{module}" for library in LIBRARIES for module in library.modules)
"""Modules that can be imported only where that is installed."""

every_game = pytest.mark.parametrize("game", polytrix.all_games(), ids=lambda game: game.name)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built anew."""
    out = tmp_path_factory.mktemp("site")
    command = ["-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-d", str(out / "doctrees"), "docs", str(out)]
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "envs")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.slow
def test_the_site_has_a_page_for_every_game(site: Path) -> None:
    first = (site / "index.html").read_text(encoding="utf-8")
    for game in polytrix.all_games():
        page = (site / "games" / f"{game.name}.html").read_text(encoding="utf-8")
        assert game.id in page and f"_images/{game.name}.svg" in page
        assert f'href="games/{game.name}.html"' in first and f"_images/{game.name}.svg" in first


@pytest.mark.slow
def test_links_into_the_repository_lead_to_pages_or_downloads(site: Path) -> None:
    training = (site / "training.html").read_text(encoding="utf-8")
    assert re.search(r'href="_downloads/\w+/fast_ppo.py"', training)
    assert 'href="training.html"' in (site / "sb3.html").read_text(encoding="utf-8")
    assert 'href="../sb3.html"' in (site / "record" / "benchmarks.html").read_text(encoding="utf-8")
    assert (site / "_images" / "exploitability.png").is_file()


@pytest.mark.slow
def test_links_within_the_site_lead_to_what_they_name(site: Path) -> None:
    """Every file that is linked exists, and every anchor is on its page: also on those of source code."""
    read = {page: links_and_anchors(page) for page in site.rglob("*.html")}
    assert sum(len(links) for links, _ in read.values()) > 5000
    dead = []
    for page, (links, _) in read.items():
        for link in links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            there = Path(os.path.normpath(page.parent / unquote(parts.path))) if parts.path else page
            known = read[there][1] if there in read else set()
            if not there.exists() or (parts.fragment and unquote(parts.fragment) not in known):
                dead.append(f"{page.relative_to(site)}: {link}")
    assert not dead


def links_and_anchors(page: Path) -> tuple[set[str], set[str]]:
    """What a page links or shows, and the anchors on it."""
    links: set[str] = set()
    anchors: set[str] = {""}

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            links.update(value for name, value in attributes if name in ("href", "src") and value)
            anchors.update(value for name, value in attributes if name == "id" and value)

    Reader().feed(page.read_text(encoding="utf-8"))
    return links, anchors


@pytest.mark.slow
def test_the_notebook_is_a_page_with_its_pictures(site: Path) -> None:
    page = (site / "record" / "first_steps.html").read_text(encoding="utf-8")
    assert len(re.findall(r'src="\.\./_images/first_steps_\w+\.png"', page)) == 7
    assert re.search(r'href="\.\./_downloads/\w+/first_steps\.ipynb"', page)
    assert 'href="../quick_start.html"' in page and "<td" in page
    assert 'href="record/first_steps.html"' in (site / "quick_start.html").read_text(encoding="utf-8")


def test_links_are_turned_outside_of_code_only() -> None:
    code = "\n```text\n[z](../README.md)\n```\n"
    text = f"[`x`](../training/sb3_ppo.py) [y](../benchmarks/leaderboard){code}[z](../README.md#a)"
    assert with_links("arena", text) == f"[`x`](../training/sb3_ppo.py) y{code}[z](/index.md#a)"
    links = "[a](../docs/sb3.md) [b](throughput/peers.py) ![c](studies/exploitability.png)"
    folder = "../../benchmarks"
    assert with_links("record/benchmarks", links) == (
        f"[a](/sb3.md) [b]({folder}/throughput/peers.py) ![c]({folder}/studies/exploitability.png)"
    )
    assert page_at(ROOT / "examples" / "connect_four") == "record/connect_four"


@every_game
def test_a_games_page_is_its_readme_with_more(game: Game, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(game_page(game, {"/record/card.md": "card"}), encoding="utf-8")
    text = page.read_text(encoding="utf-8")
    readme = (ROOT / "envs" / "polytrix" / "games" / game.name / "README.md").read_text(encoding="utf-8")
    for line in readme.splitlines():
        assert line in text
    for policy in game.built_in_policies:
        assert f"`{policy}`" in text
    assert all(invariant in text for invariant in game.invariants)
    assert "[card](/record/card.md)" in text
    names: dict[str, object] = {}
    (code,) = [block for block in blocks(page) if "gym.make_vec" in block.content]
    exec(code.content, names)
    assert names["aec"].options == game.options.defaults  # type: ignore[attr-defined]


def test_the_reference_has_every_public_module() -> None:
    reference = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("docs/reference/*.md"))
    documented = set(re.findall(r"automodule:: (\S+)", reference))
    public = {name for name in modules() if name.startswith("polytrix.")}
    importable = {name for name in documented if not name.startswith(WITH_A_LIBRARY)}
    exporting = {name for name in importable if hasattr(import_module(name), "__all__")}
    on_pages_of_games = {f"polytrix.{game.name}_v{game.version}" for game in polytrix.all_games()}
    missing = {
        name
        for name in public - documented - on_pages_of_games - set(INTERNAL)
        if not name.startswith(ELSEWHERE) and name.rpartition(".")[0] not in exporting - {"polytrix"}
    }
    assert missing == {
        "polytrix.api",
        "polytrix.api.shared",
        "polytrix.core",
        "polytrix.core.compile",
        "polytrix.core.search",
        "polytrix.learning",
    }  # nothing but these packages' docstrings
    assert documented | set(INTERNAL) <= public | {"polytrix"}
