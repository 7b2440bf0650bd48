"""Reads pages, for tests."""

from __future__ import annotations

from html.parser import HTMLParser


class Elements(HTMLParser):
    """The elements of a page, with their attributes and the text in scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[int, str] = {}
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))
        self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            number = len(self.found) - 1
            self.texts[number] = self.texts.get(number, "") + data

    def of(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        """Attributes and texts of the elements of a kind."""
        return [
            (attributes, self.texts.get(i, ""))
            for i, (name, attributes) in enumerate(self.found)
            if name == tag
        ]
