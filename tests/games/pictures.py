"""Pictures, read back from their SVG."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element


def count(svg: str, name: str) -> int:
    """The number of elements with a class."""
    return len(re.findall(rf'class="(?:[^"]* )?{name}(?: [^"]*)?"', svg))


def named(root: Element, *names: str) -> list[Element]:
    """The elements that have all of these classes."""
    return [e for e in root.iter() if set(names) <= set((e.get("class") or "").split())]


def number(e: Element, attribute: str) -> float:
    """An attribute that is a number."""
    return float(str(e.get(attribute)))
