"""Names and texts of a plan in Markdown: whatever is in them, they become no link, no picture and no HTML.

CommonMark's own reading, by markdown-it, is the judge. What GitHub and VS Code make links of without any brackets
(`http://…`, `www.…`, addresses) must be broken by a backslash.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from plancheck.analysis.engine import analyze
from plancheck.cli.formats.markdown import markdown
from plancheck.ide.complete import complete
from plancheck.ide.hover import hover
from plancheck.markdown import code, escape, prose
from plancheck.pre import report_of

ATTACKS = [
    "[x](command:workbench.action.terminal.new)",
    "![x](http://evil.example/pixel.png)",
    "<command:workbench.action.terminal.new>",
    "<https://evil.example>",
    "<img src=x onerror=alert(1)>",
    "`[x](command:y)",
    "`[x](command:y)`",
    "``[x](command:y)`",
    "a`b`[x](command:y)`c`",
    "a``b`[x](command:y)``c",
    "\\[x](command:y)",
    "\\`[x](command:y)\\`",
    "a\n\n[x](command:y)\n\n",
    "a\n# [x](command:y)",
    "a\r[x](command:y)",
    "a\u2028[x](command:y)",
    "[x]: command:y\n[x]",
    "**[x](command:y)",
    "|[x](command:y)|",
    "&lt;command:y&gt;",
    "[x][y]",
    "http://evil.example/x",
    "HTTPS://evil.example/x",
    "ftp://evil.example",
    "www.evil.example",
    "WwW.evil.example",
    "somebody@evil.example",
    "x" * 119 + "`[x](command:y)",
]

BARE = re.compile(r"(?i)(?:https?|ftp)://|www\.|[\w.+-]@\w")
COMMONMARK = MarkdownIt("commonmark").enable("table").disable("text_join")


def clicks(text: str) -> Iterator[str]:
    """What could be clicked or loaded in a Markdown text."""
    for token in _tokens(COMMONMARK.parse(text)):
        if token.type in ("link_open", "image", "html_inline", "html_block"):
            yield f"{token.type} {token.attrs} {token.content}"
        elif token.type == "text" and BARE.search(token.content):
            yield f"bare {token.content}"


def _tokens(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _tokens(token.children or [])


def plans(name: str) -> Iterator[str]:
    """Plans of each dialect with a name wherever one can be."""
    read = {"id": name, "producer": 0, "volatile": True}
    yield json.dumps(
        {
            "$schema": name,
            "plancheck-ignore": [name],
            "nodes": [
                {"idx": 0, "agent": name, "kind": name, "reads": [name], "writes": [name, name + "2"], name: name},
                {"idx": 1, "agent": name, "kind": "decision", "reads": [read], "control_preds": [0, name]},
            ],
        }
    )
    yield json.dumps(
        {
            "goal": name,
            "steps": [
                {"id": name, "tool": name, "args": {name: name, "q": "{{" + name + ".result}}"}, "writes": [name]},
                {"id": name, "tool": name, "depends_on": [name], "agent": name, "description": name},
                {"id": name + "2", "tool": name, "depends_on": [name], name: 1},
            ],
        }
    )
    yield json.dumps([{"tool": name, "arguments": {name: name}}, {"name": name, "arguments": {"a": name}}])


def shown(text: str) -> Iterator[str]:
    """All Markdown that is made from a plan."""
    snapshot = analyze(text)
    for offset in range(len(text)):
        found = hover(snapshot, offset)
        if found is not None:
            yield found.markdown
    for offset in (match.end() for match in re.finditer(r'[{,:\["]', text)):
        yield from (item.documentation for item in complete(snapshot, offset))
    yield report_of(snapshot.graph).to_markdown()
    yield from (f"- {markdown(finding.message)}" for finding in snapshot.findings)


@pytest.mark.parametrize("name", ATTACKS, ids=lambda name: repr(name)[:40])
def test_a_name_in_a_plan_becomes_nothing_to_click(name: str) -> None:
    for text in plans(name):
        for made in dict.fromkeys(shown(text)):
            assert list(clicks(made)) == [], made


def test_any_name_becomes_nothing_to_click() -> None:
    random = Random(7)
    pieces = [*"`\\[]()<>!&*_|~#\n x", "[x](command:y)", "<a:b>", "http://x.y", "www.x.y", "``", "\\`"]
    for _ in range(5_000):
        name = "".join(random.choice(pieces) for _ in range(random.randint(1, 12)))
        for made in (
            f"**{escape(name)}** and {code(name)}",
            prose(f"Step `{name}` of {name} uses `x` and `{name}`"),
            f"| {markdown(f'Step `{name}` of {name} uses `x` and `{name}`')} |",
        ):
            assert list(clicks(made)) == [], (name, made)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("orders.read", "orders.read"),
        ("a_b _c_", r"a_b \_c\_"),
        ("http://x.y", r"http\://x.y"),
        ("www.x.y", r"www\.x.y"),
        ("a@b.c", r"a\@b.c"),
        ("call: it", "call: it"),
    ],
)
def test_escapes_are_few(text: str, escaped: str) -> None:
    assert escape(text) == escaped
