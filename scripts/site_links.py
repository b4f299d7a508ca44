"""Links that work on a code host, turned into links that work in the documentation's site."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from plancheck.analysis.rules import RULES

ROOT = Path(__file__).resolve().parent.parent
DOCS = "docs/"
_LINK = re.compile(r"(?<=\]\()([^)#\s]*)(#[^)\s]*)?(?=\))")
_FENCED = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)


def top_pages() -> list[str]:
    """The pages at the top of the repository, as paths in it."""
    return sorted(path.name for path in ROOT.glob("*.md"))


def page_of(path: str) -> str:
    """Where the site has a page of the repository, as a path in docs/."""
    if path.startswith(DOCS):
        return path.removeprefix(DOCS)
    return "index.md" if path == "README.md" else path.lower()


def rule_page(name: str) -> str:
    return f"rules/{name}.md"


def for_site(text: str, page: str, repository: str) -> str:
    """The text of a page of the site, with each link to the repository leading to a page of the site or to the host."""
    origin = next((path for path in top_pages() if page_of(path) == page), DOCS + page)

    def replaced(link: re.Match[str]) -> str:
        target, anchor = link[1], link[2] or ""
        if ":" in target:
            return link[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), target)) if target else origin
        return _on_site(path, anchor, posixpath.dirname(page)) or _on_host(path, repository) + anchor

    pieces = _FENCED.split(text)
    return "".join(piece if piece.startswith("```") else _LINK.sub(replaced, piece) for piece in pieces)


def _on_site(path: str, anchor: str, folder: str) -> str | None:
    """The link from a folder of the site; None for what the site does not have."""
    if not path.startswith(DOCS) and path not in top_pages():
        return None
    there = page_of(path)
    if there == "rules.md" and anchor.removeprefix("#") in RULES:
        there, anchor = rule_page(anchor.removeprefix("#")), ""
    return posixpath.relpath(there, folder or ".") + anchor


def _on_host(path: str, repository: str) -> str:
    kind = "tree" if (ROOT / path).is_dir() else "blob"
    return f"{repository}/{kind}/main/{path}"
