"""The documentation site: built without a warning, with all games and all that pages import."""

from __future__ import annotations

import ast
import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import polytrix
from polytrix.core.game import Game
from tests.commands import run, with_sources
from tests.elements import Elements
from tests.pages import ROOT, blocks, name_of, pages, python_of

pytest.importorskip("sphinx", reason="the extra 'docs' is not installed")
sys.path.append(str(ROOT / "docs" / "_ext"))

from game_page import game_page
from polytrix_site import page_at, with_links

from tests.every_game import every_game


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built anew."""
    out = tmp_path_factory.mktemp("site")
    command = ["-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-d", str(out / "doctrees"), "docs", str(out)]
    run(sys.executable, *command, cwd=ROOT, env=with_sources())
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
    found = [attributes for _, attributes in Elements(page.read_text(encoding="utf-8")).found]
    links = {link for each in found for name in ("href", "src") if (link := each.get(name))}
    return links, {anchor for each in found if (anchor := each.get("id"))}


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


def test_the_reference_has_what_pages_import() -> None:
    reference = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("docs/reference/*.md"))
    told = {*re.findall(r"automodule:: (\S+)", reference), "polytrix"}
    told |= {f"polytrix.{game.name}_v{game.version}" for game in polytrix.all_games()}  # on pages of their own
    for page in pages():
        for node in ast.walk(ast.parse(python_of(page))):
            for name in (alias.name for alias in getattr(node, "names", ())):
                module = getattr(node, "module", None)  # of `from module import name`
                meant = {module, f"{module}.{name}"} if module else {name}
                assert not any(str(each).startswith("polytrix") for each in meant) or meant & told, (
                    f"{name_of(page)} imports {name}, which is not in the reference"
                )
