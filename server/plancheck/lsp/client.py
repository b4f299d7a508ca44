"""What the connected editor can do, of all that it told, as far as it changes what we send."""

from __future__ import annotations

from lsprotocol import types
from pygls.capabilities import get_capability

from plancheck.lsp.convert.findings import Parts
from plancheck.tuples import NamedTuple


class Client(NamedTuple):
    pulls: bool = False
    """It asks for diagnostics; one that does not gets them published."""
    diagnostic_parts: Parts = Parts(related=False, description=False, data=False)
    refreshes_diagnostics: bool = False
    refreshes_hints: bool = False
    refreshes_lenses: bool = False
    configuration: bool = False
    """It answers `workspace/configuration`."""
    registers_configuration: bool = False
    registers_watchers: bool = False
    progress: bool = False
    snippets: bool = False
    nested_symbols: bool = False
    label_offsets: bool = False
    """It finds a parameter in the label of a signature by its offsets."""
    definition_links: bool = False
    action_literals: bool = False
    resolves_edits: bool = False
    """It asks for an action's edits when the action is chosen."""
    versioned_edits: bool = False
    applies_edits: bool = False
    shows_documents: bool = False
    selects_served: bool = False
    """It wants to know which files the configuration makes plans and policies."""


def client_of(capabilities: types.ClientCapabilities) -> Client:
    def has(name: str) -> bool:
        return bool(get_capability(capabilities, name, False))

    def shows(name: str) -> bool:
        """Whether it makes use of a part of a diagnostic, however it gets them."""
        return has(f"text_document.publish_diagnostics.{name}") or has(f"text_document.diagnostic.{name}")

    return Client(
        pulls=get_capability(capabilities, "text_document.diagnostic") is not None,
        diagnostic_parts=Parts(shows("related_information"), shows("code_description_support"), shows("data_support")),
        refreshes_diagnostics=has("workspace.diagnostics.refresh_support"),
        refreshes_hints=has("workspace.inlay_hint.refresh_support"),
        refreshes_lenses=has("workspace.code_lens.refresh_support"),
        configuration=has("workspace.configuration"),
        registers_configuration=has("workspace.did_change_configuration.dynamic_registration"),
        registers_watchers=has("workspace.did_change_watched_files.dynamic_registration"),
        progress=has("window.work_done_progress"),
        snippets=has("text_document.completion.completion_item.snippet_support"),
        nested_symbols=has("text_document.document_symbol.hierarchical_document_symbol_support"),
        label_offsets=has(
            "text_document.signature_help.signature_information.parameter_information.label_offset_support"
        ),
        definition_links=has("text_document.definition.link_support"),
        action_literals=get_capability(capabilities, "text_document.code_action.code_action_literal_support")
        is not None,
        resolves_edits="edit"
        in (get_capability(capabilities, "text_document.code_action.resolve_support.properties", ()) or ()),
        versioned_edits=has("workspace.workspace_edit.document_changes"),
        applies_edits=has("workspace.apply_edit"),
        shows_documents=has("window.show_document.support"),
        selects_served=_experimental(capabilities, "plancheckServed"),
    )


def _experimental(capabilities: types.ClientCapabilities, name: str) -> bool:
    """Whether the editor announces a capability that only we know."""
    given = capabilities.experimental
    return isinstance(given, dict) and given.get(name) is True
