"""What an editor sends, as plain values."""

from __future__ import annotations

from lsprotocol import types

from plancheck.lsp.documents import TextChange
from plancheck.text import Encoding, Position


def changes(params: types.DidChangeTextDocumentParams) -> list[TextChange]:
    """The content changes as plain values."""
    return [
        TextChange(change.text, _position(change.range.start), _position(change.range.end))
        if isinstance(change, types.TextDocumentContentChangePartial)
        else TextChange(change.text)
        for change in params.content_changes
    ]


def _position(position: types.Position) -> Position:
    return Position(position.line, position.character)


def encoding_of(kind: str | types.PositionEncodingKind | None) -> Encoding:
    return Encoding(kind.value if isinstance(kind, types.PositionEncodingKind) else kind or "utf-16")
