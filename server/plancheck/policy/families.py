"""What kind of tool a tool is: by its name, where nobody says otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import lru_cache

from plancheck.policy.names import heads, plain_name


class Family(str, Enum):
    """What kind of tool a tool is."""

    READ = "read"
    QUERY = "query"  # reads or writes: the SQL decides
    WRITE = "write"
    DELETE = "delete"
    PAY = "pay"
    SEND = "send"
    FILE = "file"
    OTHER = "other"


CONSEQUENTIAL = frozenset({Family.WRITE, Family.DELETE, Family.PAY, Family.SEND})
"""What such a tool has done cannot be taken back by doing nothing."""

_STRICTEST_FIRST = (
    *(Family.READ, Family.PAY, Family.DELETE, Family.WRITE, Family.SEND),
    *(Family.QUERY, Family.FILE, Family.OTHER),
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
