"""What editors say about themselves. pytest-lsp's newest VS Code is of 2022: this one is of 2025."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from lsprotocol.converters import get_converter

_DYNAMIC = {"dynamicRegistration": True}

MODERN: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"], "staleRequestSupport": {"cancel": True, "retryOnContentModified": []}},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": _DYNAMIC,
        "didChangeWatchedFiles": _DYNAMIC,
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "symbol": {**_DYNAMIC, "tagSupport": {"valueSet": [1]}},
    },
    "textDocument": {
        "synchronization": {**_DYNAMIC, "didSave": True},
        "publishDiagnostics": {
            "relatedInformation": True,
            "versionSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
            "codeDescriptionSupport": True,
            "dataSupport": True,
        },
        "diagnostic": {**_DYNAMIC, "relatedDocumentSupport": False},
        "completion": {
            "completionItem": {"snippetSupport": True, "documentationFormat": ["markdown", "plaintext"]},
            "contextSupport": True,
        },
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "definition": {"linkSupport": True},
        "references": _DYNAMIC,
        "documentHighlight": _DYNAMIC,
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "refactor", "source.fixAll"]}},
            "isPreferredSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
        "codeLens": _DYNAMIC,
        "documentLink": {"tooltipSupport": True},
        "rename": {"prepareSupport": True},
        "foldingRange": {"rangeLimit": 5000},
        "selectionRange": _DYNAMIC,
        "callHierarchy": _DYNAMIC,
        "inlayHint": _DYNAMIC,
    },
}


def modern() -> types.ClientCapabilities:
    return get_converter().structure(MODERN, types.ClientCapabilities)
