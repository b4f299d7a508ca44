"""lsprotocol objects are built in `convert` alone, and pygls' documents are used nowhere."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

LSP = Path(__file__).parents[2] / "server" / "plancheck" / "lsp"
FILES = sorted(path for path in LSP.rglob("*.py") if path.parent.name != "convert")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LSP)))
def test_protocol_objects_are_built_in_convert_only(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            assert not (isinstance(owner, ast.Name) and owner.id == "types"), f"{path.name}:{node.lineno}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LSP)))
def test_the_documents_of_pygls_are_not_used(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "get_text_document" not in text
    assert "pygls.workspace" not in text
