"""The page of a replay loads nothing, and nothing in a game can run in it."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import polytrix
from polytrix.agents import resolve
from polytrix.core.compile.compiler import Mode
from polytrix.core.transcript import Transcript, play
from polytrix.replay.data import Replay, replay_of
from polytrix.replay.page import ENTRY, STATIC, bundle, page
from tests.cli.running import run
from tests.elements import Elements

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'`${alert(3)}<!--"


@pytest.fixture(scope="module")
def transcript() -> Transcript:
    return play(polytrix.find("resistor"), seed=5, decisions=8, mode=Mode.PLAIN)


@pytest.fixture(scope="module")
def found(transcript: Transcript) -> Replay:
    return replay_of(transcript, [resolve("expert", transcript.description())])


def content_of(text: str) -> Any:
    """The replay in a page."""
    ((_, packed),) = [each for each in Elements(text).of("script") if each[0].get("id") == "replay"]
    return json.loads(zlib.decompress(b64decode(packed)))


def test_the_page_holds_the_replay(found: Replay) -> None:
    assert content_of(page(found)) == json.loads(json.dumps(found.to_dict()))


def test_it_loads_nothing(found: Replay) -> None:
    text = page(found)
    without_names = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|//[a-z]+\.", without_names)
    assert not re.search(r"url\((?!\"data:)|@import|\bimport\b|\bfetch\(|WebSocket|XMLHttpRequest", text)
    elements = Elements(text)
    assert not {"link", "iframe", "img", "object", "embed", "base", "form"} & {tag for tag, _ in elements.found}
    for tag, attributes in elements.found:
        assert not {"src", "href", "srcset", "style"} & attributes.keys(), tag
        assert not [name for name in attributes if name.startswith("on")], tag


def test_only_its_own_script_and_style_may_run(found: Replay) -> None:
    elements = Elements(page(found))
    (policy,) = [
        a["content"] for a, _ in elements.of("meta") if a.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None and "default-src 'none'" in policy and "unsafe" not in policy
    (script,) = [text for attributes, text in elements.of("script") if attributes.get("type") == "module"]
    ((_, style),) = elements.of("style")
    for kind, text in (("script", script), ("style", style)):
        mark = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{mark}'" in policy


def test_hostile_text_is_text(found: Replay) -> None:
    evil = replace(
        found,
        title=EVIL,
        legend=EVIL,
        result=EVIL,
        seats=[EVIL, "blue"],
        players=[EVIL, EVIL],
        options={EVIL: EVIL},
        pieces=[EVIL, *found.pieces[1:]],
        views=[replace(found.views[0], opening=[EVIL])],
        agents=[replace(found.agents[0], name=EVIL)],
    )
    plain, hostile = Elements(page(found)), Elements(page(evil))
    assert [tag for tag, _ in hostile.found] == [tag for tag, _ in plain.found]
    assert [text for _, text in hostile.of("title")] == [EVIL]
    assert page(evil).count("<script") == 2 and "onerror=alert" not in page(evil).replace(
        "&lt;img src=x onerror", ""
    )
    assert content_of(page(evil))["options"] == {EVIL: EVIL}


def test_the_script_is_made_of_all_modules_of_the_viewer() -> None:
    script = bundle(ENTRY)
    assert not re.search(r"^\s*(import|export)\b", script, re.MULTILINE)
    modules = sorted(STATIC.glob("replay/*.js"))
    assert len(modules) >= 9
    for module in [*modules, STATIC / "dom.js", STATIC / "log.js", STATIC / "theme.js"]:
        first = module.read_text(encoding="utf-8").splitlines()[0]
        assert script.count(first) == 1, module.name
    made = re.findall(r"^const (module\d+) =", script, re.MULTILINE)
    for name in made:  # made before it is used
        assert script.index(f"const {name} =") == script.index(name) or script.index(name) > 0
    assert len(made) == len(set(made)) == script.count("})();\n")


@pytest.mark.parametrize("name", ["quatrix", "resistor", "estimatrix", "pixel_tactics"])
def test_a_recorded_game_is_a_small_page(name: str, tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    told = run("replay", f"docs/master_games/{name}.json", "--html", out).stdout
    assert f"written: {out}" in told
    assert out.stat().st_size < 150_000


def test_two_agents_side_by_side(transcript: Transcript, tmp_path: Path) -> None:
    file, out, table = tmp_path / "game.json", tmp_path / "game.html", tmp_path / "game.md"
    transcript.save(file)
    run("replay", file, "--hint", "expert", "--hint", "greedy", "--html", out, "--markdown", table)
    content = content_of(out.read_text(encoding="utf-8"))
    both = replay_of(transcript, [resolve(spec, transcript.description()) for spec in ("expert", "greedy")])
    assert content == json.loads(json.dumps(both.to_dict()))
    heading = next(line for line in table.read_text(encoding="utf-8").splitlines() if line.startswith("|"))
    assert "expert expects" in heading and "greedy expects" in heading
