"""Figures on pages are those of their receipts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import polytrix
from polytrix.training.figures import pictures
from polytrix.training.shared.receipts import rounded
from polytrix.training.shared.reports import card
from polytrix.training.write_figures import FIGURES, with_figures
from tests.pages import ROOT, pages


@pytest.mark.parametrize("name", FIGURES)
def test_a_page_has_the_figures_of_its_receipt(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "save", lambda figure, file: drawn.append(file))
    drawn: list[Path] = []
    page, figures = FIGURES[name]
    text = (ROOT / page).read_text(encoding="utf-8")
    assert with_figures(text, name, figures(ROOT)) == text, f"python training/write_figures.py {name}"
    assert all(file.is_file() for file in drawn)


def test_all_figures_on_pages_are_known() -> None:
    marks = {
        (page.relative_to(ROOT).as_posix(), name)
        for page in pages()
        for name in re.findall(r"<!-- figures: (\S+) -->", page.read_text(encoding="utf-8"))
    }
    assert marks == {(page, name) for name, (page, _) in FIGURES.items()}


@pytest.mark.parametrize("network", polytrix.baselines(), ids=lambda network: network.path.parent.name)
def test_a_card_has_the_figures_of_its_record(network: polytrix.Baseline) -> None:
    record = json.loads(network.path.with_name("result.json").read_text(encoding="utf-8"))
    assert card(record, network.name) == network.card


def test_figures_replace_those_of_their_name_only() -> None:
    page = "".join(f"{n}\n<!-- figures: {n} -->\nold {n}\n<!-- end of figures -->\n" for n in "ab")
    assert with_figures(page, "a", "new\n") == page.replace("old a", "new")
    with pytest.raises(ValueError, match="no <!-- figures: c -->"):
        with_figures(page, "c", "new\n")


def test_whole_numbers_stay_whole() -> None:
    assert rounded({"games": 123456789, "rate": (0.123456789,)}) == {"games": 123456789, "rate": [0.12346]}
