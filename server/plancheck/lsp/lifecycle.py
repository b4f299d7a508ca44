"""Connecting, documents coming and going, settings and files changing."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from plancheck.lsp.convert import incoming, messages
from plancheck.lsp.identity import key_of, uri_of
from plancheck.lsp.settings import SECTION, ClientSettings, parse_client_settings

if TYPE_CHECKING:
    from plancheck.lsp.server import Server

logger = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds to wait for an editor that was asked for its settings."""


def initialize(ls: Server, params: types.InitializeParams) -> None:
    """The hook in which pygls lets handlers be added before it tells the client what there is."""
    ls.connect(params)
    session = ls.session
    session.encoding = incoming.encoding_of(ls.workspace.position_encoding)
    ls.protocol.trace = params.trace or types.TraceValue.Off
    folders = [folder.uri for folder in params.workspace_folders or ()]
    root = params.root_uri or (uri_of(os.path.abspath(params.root_path)) if params.root_path else None)
    for uri in folders or ([root] if root else []):
        session.add_folder(uri)
    session.options = params.initialization_options
    loop = asyncio.get_running_loop()
    loop.call_later(PATIENCE, session.configured.set)


def initialized(ls: Server, _: types.InitializedParams) -> None:
    """Nothing of the analysis is imported before this: an editor waits for the answer to its first request."""
    ls.trace(f"plancheck {ls.version} serves {len(ls.session.folders)} folder(s)")
    ls.session.folders.set_client(_parsed(ls.session.options))
    ls.rego_policies.use_settings()
    ls.background.run("settings", lambda: _settle(ls))


async def _settle(ls: Server) -> None:
    if ls.client.configuration:
        await fetch_settings(ls)
    ls.session.configured.set()
    ls.follow_configuration()
    if ls.client.registers_configuration:
        await _register(ls, messages.configuration_registration(SECTION))
    ls.scanner.start()


async def _register(ls: Server, params: types.RegistrationParams) -> None:
    try:
        await ls.client_register_capability_async(params)
    except JsonRpcException as error:
        logger.warning("The editor refused to register %s: %s", params.registrations[0].method, error)


async def fetch_settings(ls: Server) -> None:
    """Ask the editor for its settings, for each folder and for what lies outside of all."""
    folders = list(ls.session.folders)
    request = messages.configuration_request(SECTION, [None, *(folder.uri for folder in folders)])
    try:
        answer = await asyncio.wait_for(ls.workspace_configuration_async(request), PATIENCE)
    except (JsonRpcException, asyncio.TimeoutError) as error:
        logger.warning("The editor did not send its settings (%s): defaults apply.", type(error).__name__)
        return
    if not isinstance(answer, list | tuple) or len(answer) != len(folders) + 1:
        logger.warning("The editor's answer about its settings cannot be read: defaults apply.")
        return
    own = [(folder, _parsed(value)) for folder, value in zip(folders, answer[1:], strict=True)]
    ls.session.folders.set_client(_parsed(answer[0]), own)
    refresh(ls)


def _parsed(value: object) -> ClientSettings:
    settings, problems = parse_client_settings(value)
    for problem in problems:
        logger.warning("%s", problem)
    return settings


def refresh(ls: Server) -> None:
    """Settings or configuration files changed: everything that was shown is to be shown anew."""
    ls.session.reconfigure()
    ls.rego_policies.use_settings()
    ls.plan_files.changed()
    if not ls.session.configured.is_set():
        return
    ls.follow_configuration()
    ls.refresh_diagnostics()
    if ls.client.refreshes_hints:
        ls.workspace_inlay_hint_refresh(None)
    if ls.client.refreshes_lenses:
        ls.workspace_code_lens_refresh(None)
    if not ls.client.pulls:
        for document in ls.session.documents:
            ls.publisher.changed(document)
        ls.scanner.start()


# ---- documents


def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    opened = params.text_document
    document = ls.session.open(opened.uri, opened.version, opened.text)
    if ls.session.is_rule_source(opened.uri):
        ls.policy_files.changed_soon(lambda: refresh(ls))
    if not ls.client.pulls:
        ls.scanner.opened(document)
        ls.publisher.changed(document)


def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    uri, version = params.text_document.uri, params.text_document.version
    document = ls.session.documents.change(uri, version, incoming.changes(params))
    if document is None:
        logger.warning("An edit of version %s was left out: %s is not open, or already newer.", version, uri)
        return
    if not document.is_plan and ls.session.is_rule_source(uri):  # whether it is one takes a while to say
        ls.policy_files.changed_soon(lambda: refresh(ls))
    if ls.client.pulls:
        ls.protocol.supersede(uri)
    else:
        ls.publisher.changed(document)


def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    is_rule_source = ls.session.is_rule_source(uri)
    document = ls.session.documents.close(uri)
    if document is not None and is_rule_source:  # what was typed and not saved is in force no more
        ls.policy_files.changed_soon(lambda: refresh(ls))
    if document is not None and not ls.client.pulls:
        ls.publisher.closed(document)
        ls.scanner.closed(document)


def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    """An editor that cannot watch files still tells when it saved a configuration."""
    if ls.session.is_configuration(params.text_document.uri) or ls.session.is_rule_source(params.text_document.uri):
        refresh(ls)


# ---- folders, files and settings


async def did_change_folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    for folder in params.event.removed:
        ls.session.folders.remove(folder.uri)
    for folder in params.event.added:
        ls.session.add_folder(folder.uri)
    if ls.client.configuration:
        await fetch_settings(ls)
    else:
        refresh(ls)


def did_change_watched_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    session = ls.session
    if any(session.is_configuration(change.uri) or session.is_policy(change.uri) for change in params.changes):
        refresh(ls)
        return
    if any(ls.session.is_catalogue(change.uri) for change in params.changes):
        ls.policy_files.changed_soon(lambda: refresh(ls))
        return
    ls.plan_files.changed()
    if not ls.client.pulls:
        ls.scanner.start()
    elif any(ls.session.documents.by_key(key_of(change.uri)) is None for change in params.changes):
        ls.refresh_diagnostics()


async def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """The editor's settings changed. Those that answer questions about them are asked; the others sent them along."""
    if ls.client.configuration:
        await fetch_settings(ls)
        return
    sent = params.settings
    ls.session.folders.set_client(_parsed(sent.get(SECTION) if isinstance(sent, dict) else None))
    refresh(ls)


def cancel_progress(ls: Server, params: types.WorkDoneProgressCancelParams) -> None:
    progress = ls.running.get(params.token)
    if progress is not None:
        progress.cancelled = True


HANDLERS: dict[str, Callable[..., Any]] = {
    types.INITIALIZE: initialize,
    types.INITIALIZED: initialized,
    types.TEXT_DOCUMENT_DID_OPEN: did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: did_change,
    types.TEXT_DOCUMENT_DID_CLOSE: did_close,
    types.TEXT_DOCUMENT_DID_SAVE: did_save,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: did_change_folders,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_watched_files,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_configuration,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL: cancel_progress,
}
