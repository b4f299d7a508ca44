"""Every request that the server answers, and by which function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types

from plancheck.lsp.requests import checking, diagnosing, editing, navigation, own, reading

HANDLERS: dict[str, Callable[..., Any]] = {
    types.TEXT_DOCUMENT_HOVER: reading.hover,
    types.TEXT_DOCUMENT_SIGNATURE_HELP: reading.signature_help,
    types.TEXT_DOCUMENT_INLAY_HINT: reading.inlay_hint,
    types.TEXT_DOCUMENT_CODE_LENS: reading.code_lens,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: reading.document_symbol,
    types.WORKSPACE_SYMBOL: reading.workspace_symbol,
    types.TEXT_DOCUMENT_FOLDING_RANGE: reading.folding_range,
    types.TEXT_DOCUMENT_SELECTION_RANGE: reading.selection_range,
    types.TEXT_DOCUMENT_DOCUMENT_LINK: reading.document_link,
    types.TEXT_DOCUMENT_DEFINITION: navigation.definition,
    types.TEXT_DOCUMENT_REFERENCES: navigation.references,
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: navigation.document_highlight,
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: navigation.prepare_call_hierarchy,
    types.CALL_HIERARCHY_INCOMING_CALLS: navigation.incoming_calls,
    types.CALL_HIERARCHY_OUTGOING_CALLS: navigation.outgoing_calls,
    types.TEXT_DOCUMENT_COMPLETION: editing.completion,
    types.TEXT_DOCUMENT_PREPARE_RENAME: editing.prepare_rename,
    types.TEXT_DOCUMENT_RENAME: editing.rename,
    types.TEXT_DOCUMENT_CODE_ACTION: editing.code_action,
    types.CODE_ACTION_RESOLVE: editing.resolve_code_action,
    types.WORKSPACE_EXECUTE_COMMAND: own.execute_command,
    "plancheck/followers": own.followers,
    "plancheck/graph": own.graph,
    "plancheck/report": own.report,
    "plancheck/starters": own.starters,
    "plancheck/checkWorkspace": checking.check_workspace,
    "plancheck/doctor": diagnosing.doctor,
}
