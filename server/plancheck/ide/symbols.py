"""The plan as a tree of names, and as a list of names to search."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from plancheck.analysis.snapshot import Snapshot
from plancheck.text import Span


class SymbolKind(Enum):
    PLAN = "plan"
    DECISION = "decision"
    TOOL_CALL = "tool_call"
    STEP = "step"
    READ = "read"
    WRITE = "write"
    RESOURCE = "resource"


class Symbol(NamedTuple):
    name: str
    detail: str
    kind: SymbolKind
    span: Span
    selection: Span
    children: tuple[Symbol, ...] = ()


class FlatSymbol(NamedTuple):
    name: str
    kind: SymbolKind
    container: str
    span: Span


def document_symbols(snapshot: Snapshot) -> list[Symbol]:
    return []


def workspace_symbols(snapshot: Snapshot, query: str) -> list[FlatSymbol]:
    return []
