"""What kind of tool a tool is: the words for it, and what its name tells where nobody says otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, TypeAlias

from plancheck.policy.names import heads, plain_name


class Family(str, Enum):
    """What kind of tool a tool is."""

    READ = "read"
    QUERY = "query"  # reads or writes: the SQL decides
    WRITE = "write"
    DELETE = "delete"
    DESTRUCTIVE = "destructive"  # overwrites or destroys something
    PAY = "pay"
    SEND = "send"
    EXEC = "exec"  # runs commands or code
    SQL = "sql"  # takes SQL, which decides what it does
    HTTP = "http"
    FILE = "file"
    APPROVAL = "approval"  # asks a human, or verifies something
    OTHER = "other"


class Trait(str, Enum):
    """What else may be known of a tool, whatever it does."""

    IRREVERSIBLE = "irreversible"
    PRIVATE = "private"
    """What it gives is not for everybody."""
    UNTRUSTED = "untrusted"
    """What it gives was written by anybody."""


ToolWord: TypeAlias = "Family | Trait"
ToolWords: TypeAlias = "tuple[ToolWord, ...]"
"""What somebody says about a tool."""
WORDS: Mapping[str, ToolWord] = {word.value: word for word in (*Family, *Trait)}
SOURCES = (Trait.PRIVATE, Trait.UNTRUSTED)

CONSEQUENTIAL = frozenset({Family.WRITE, Family.DELETE, Family.DESTRUCTIVE, Family.PAY, Family.SEND})
"""What such a tool has done cannot be taken back by doing nothing."""

_STRICTEST_FIRST = (
    *(Family.READ, Family.PAY, Family.DELETE, Family.DESTRUCTIVE, Family.WRITE, Family.SEND),
    *(Family.QUERY, Family.SQL, Family.EXEC, Family.HTTP, Family.FILE, Family.APPROVAL, Family.OTHER),
)
READ_BY_NAME = ("db.query_ro", "sql.query_ro", "query_ro")
"""Tools that only read, by their names alone; besides, all that end in `_ro`."""
SQL_NAMESPACES = ("db", "sql")
"""What the names of tools begin with that take SQL."""
_VERBS = {
    "delete": Family.DELETE,
    "remove": Family.DELETE,
    "drop": Family.DELETE,
    "purge": Family.DELETE,
    "write": Family.WRITE,
    "send": Family.SEND,
    "pay": Family.PAY,
    "refund": Family.PAY,
    "transfer": Family.PAY,
}


_EXEC = frozenset({"shell", "bash", "powershell", "exec", "eval", "terminal", "subprocess"})
_RUN = frozenset({"run", "execute"})
_CODE = frozenset({"command", "commands", "cmd", "ssh", "code", "script", "python", "javascript", "notebook"})
_HANDLE = frozenset({"read", "write", "open", "append", "edit", "copy", "move", "delete", "remove", "save"})
"""What is done to a file: `read_file`."""
_HTTP = frozenset({"http", "https", "curl", "wget", "webhook"})
_APPROVAL = frozenset({"approval", "approvals", "hitl"})

_WEB = frozenset({"web", "webpage", "webpages", "website", "websites", "browser", "url", "urls", "rss", "internet"})
_MAIL = frozenset({"mail", "mails", "email", "emails", "inbox", "mailbox"})
_READING = frozenset({"read", "fetch", "search", "list", "receive", "received", "unread"})
_GETTING = _READING | {"get", "open", "browse", "visit", "load", "download"}


def tool_words(value: Any) -> ToolWords:
    """What a policy says about a tool: a word, a list of words, or an object with `does`, `irreversible` and `source`.
    Raises ValueError where it is none of these."""
    if isinstance(value, Mapping):
        unknown = [key for key in value if key not in ("does", "irreversible", "source")]
        if unknown or not isinstance(value.get("irreversible", False), bool):
            raise ValueError(f"`does`, `irreversible` and `source` say what a tool is, not {value!r}")
        found = (*tool_words(value.get("does", ())), *_sources(value.get("source", ())))
        return (*found, *((Trait.IRREVERSIBLE,) if value.get("irreversible") else ()))
    words = (value,) if isinstance(value, str) else value
    if not isinstance(words, (list, tuple)) or any(not isinstance(word, str) or word not in WORDS for word in words):
        raise ValueError(f"what a tool does must be one of {', '.join(WORDS)}, not {value!r}")
    return tuple(dict.fromkeys(WORDS[word] for word in words))


def _sources(value: Any) -> ToolWords:
    words = tool_words(value)
    if any(word not in SOURCES for word in words):
        raise ValueError(f"the source that a tool is must be private or untrusted, not {value!r}")
    return words


def families_in(words: Iterable[ToolWord]) -> list[Family]:
    return [word for word in words if isinstance(word, Family)]


def traits_in(words: Iterable[ToolWord]) -> list[Trait]:
    return [word for word in words if isinstance(word, Trait)]


def plain_words(words: ToolWords) -> str | list[str]:
    """What is said about a tool as a policy file has it."""
    return words[0].value if len(words) == 1 else [word.value for word in words]


@lru_cache(maxsize=4096)
def families_by_name(tool: str) -> frozenset[Family]:
    """All that a tool's name tells of what it does, whatever is behind it. Few names tell anything: a wrong guess is
    worse than none."""
    found = {family_by_name(tool)}
    for head in heads(tool):
        name = plain_name(head)
        words = {word for part in name.split(".") for word in part.split("_")}
        if name.partition(".")[0] in SQL_NAMESPACES and "." in name:
            found.add(Family.SQL)
        if words & _EXEC or (words & _RUN and words & _CODE):
            found.add(Family.EXEC)
        if "file" in words and words & _HANDLE:
            found.add(Family.FILE)
        if words & _HTTP:
            found.add(Family.HTTP)
        if words & _APPROVAL:
            found.add(Family.APPROVAL)
    return frozenset(found if len(found) == 1 else found - {Family.OTHER})


@lru_cache(maxsize=4096)
def traits_by_name(tool: str) -> frozenset[Trait]:
    """What a tool's name tells of what it gives: what comes from the web or by mail was written by anybody. A tool that
    does something else is no such source, nor is one that looks something up by an address."""
    found = families_by_name(tool)
    if Family.HTTP in found:
        return frozenset({Trait.UNTRUSTED})
    words = {word for head in heads(tool) for word in plain_name(head).replace(".", "_").split("_")}
    if found != {Family.OTHER} or words & {"by", "address"}:
        return frozenset()
    is_read = bool((words & _WEB and words & _GETTING) or (words & _MAIL and words & _READING))
    return frozenset({Trait.UNTRUSTED}) if is_read else frozenset()


@lru_cache(maxsize=4096)
def strictest_by_name(tool: str) -> Family:
    """The one of these by which most is asked of it."""
    return strictest(families_by_name(tool))


@lru_cache(maxsize=4096)
def family_by_name(tool: str) -> Family:
    """The family that a tool's name tells of, whatever is behind it."""
    return strictest([_by_plain_name(plain_name(head)) for head in heads(tool)] or [Family.OTHER])


def strictest(families: Iterable[Family]) -> Family:
    """The family by which most is asked of a tool: of one that only reads, no SQL that writes."""
    return min(families, key=_STRICTEST_FIRST.index)


def _by_plain_name(name: str) -> Family:
    first, _, rest = name.partition(".")
    last = rest.rpartition(".")[2] if rest else first
    if first in SQL_NAMESPACES and rest:
        return {"query_ro": Family.READ, "query": Family.QUERY, "write": Family.WRITE}.get(rest, _by_verb(last))
    if first == "payments" and rest:
        return Family.PAY
    if first == "notify" and rest:
        return Family.SEND
    found = _by_verb(last)
    return Family.FILE if first == "file" and rest and found is Family.OTHER else found


def _by_verb(name: str) -> Family:
    if name.endswith("_ro"):
        return Family.READ
    return next((_VERBS[word] for word in name.split("_") if word in _VERBS), Family.OTHER)
