"""Texts that only show where a value belongs: what templates have, and what nobody filled in."""

from __future__ import annotations

from plancheck.lazy_regex import regex
from plancheck.plan.carried import folded_key
from plancheck.policy.names import plain_name

LONGEST = 120
"""No longer text is a stand-in as a whole."""
SIGNS = ("<", "[", "your", "todo", "tbd", "fixme", "replace", "change", "xxx", "insert", "placeholder", "put_", "put-")
"""One of these is in every such text."""
_WORDS = r"[\w .,:/'-]{0,80}"
_STAND_IN = regex(
    rf"""(?ix)
    [<\[] \s? (?:insert|your|enter|fill|replace|put|add) [\s_-] {_WORDS} [>\]]
    | [<\[] \s? (?:todo|tbd|placeholder|redacted|changeme|replace_?me) \s? [>\]]
    | your [_-] \w{{1,40}} (?:[_-]\w{{1,40}}){{0,6}}
    | (?:insert|put|enter|add|paste) [_-] (?:your[_-])? {_WORDS} [_-] here
    | (?:replace|change|fill) [_-]? (?:me|this) (?:[_-] \w{{1,40}})?
    | replace [_-] with [_-] {_WORDS}
    | placeholder [_-] \w{{1,40}}
    """
)
_WORK_LEFT = regex(r"(?i)(?:todo|tbd|fixme|xxx+)(?:[:!.?]|\s?[-:]\s.{0,60})?")
_CREDENTIAL = regex(r"(?i)(?:bearer|basic|token|apikey|key)\s+")
_NAMES_OF_LISTS = frozenset(
    {
        *("status", "state", "column", "list", "listname", "label", "labels", "title", "name", "subject", "category"),
        *("section", "tag", "tags", "query", "q", "pattern", "regex", "search", "searchterm", "term", "keyword"),
        *("keywords", "filter", "grep", "stage", "lane", "board", "folder", "bucket", "marker", "project", "find"),
        *("type", "kind", "needle", "to", "from"),
    }
)
"""Under these, `TODO` is the name of a list of tasks, or what is looked for."""


_ABOUT_LISTS = frozenset(
    {*("todo", "todos", "task", "tasks", "ticket", "issue", "board", "kanban", "search", "find", "grep", "replace")}
)


def _is_about_lists(tool: str) -> bool:
    """Whether a tool is about lists of tasks, or looks for something: `TODO` is a word like any other to it."""
    return not _ABOUT_LISTS.isdisjoint(plain_name(tool).replace(".", "_").split("_"))


def is_stand_in_value(text: str, key: str, tool: str) -> bool:
    """Whether a text is nothing but the sign that a value belongs there: the value of an argument of a tool."""
    if len(text) > LONGEST:
        return False
    value = text.strip().strip("\"'`")
    lower = value.lower()
    if not any(sign in lower for sign in SIGNS):
        return False
    if (scheme := _CREDENTIAL.match(value)) is not None:
        value = value[scheme.end() :]
    if _STAND_IN.fullmatch(value) is not None:
        return not _may_be_meant(value)
    if _WORK_LEFT.fullmatch(value) is None:
        return False
    return folded_key(key) not in _NAMES_OF_LISTS and not _is_about_lists(tool)


def _may_be_meant(value: str) -> bool:
    """Whether a text could be a name: `your-account` is the last part of an address, and
    `<your-list/>` a tag."""
    return value.endswith("/>") or ("_" not in value and value.startswith("your-") and value.islower())
