"""What the server says about itself and its requests, and the names that it goes by."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

SOURCE = "plancheck"
FIX_ALL = "source.fixAll.plancheck"

OPTIONS: dict[str, Any] = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(trigger_characters=['"', ":", "[", "{", "."]),
    types.TEXT_DOCUMENT_SIGNATURE_HELP: types.SignatureHelpOptions(
        trigger_characters=["{", ","], retrigger_characters=[":", '"']
    ),
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(
        code_action_kinds=[types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite, FIX_ALL],
        resolve_provider=True,
    ),
    types.TEXT_DOCUMENT_DID_SAVE: types.SaveOptions(include_text=False),
}
"""What is said about a request, beyond that there is an answer to it."""


def diagnostic_options() -> types.DiagnosticOptions:
    return types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=True, identifier=SOURCE)
