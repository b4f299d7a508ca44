"""What the server asks and tells on its own account: progress, log, registrations, questions about settings."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types


def progress_create(token: types.ProgressToken) -> types.WorkDoneProgressCreateParams:
    return types.WorkDoneProgressCreateParams(token=token)


def progress(token: types.ProgressToken, value: object) -> types.ProgressParams:
    return types.ProgressParams(token=token, value=value)


def progress_begin(title: str) -> types.WorkDoneProgressBegin:
    return types.WorkDoneProgressBegin(title=title, cancellable=True, percentage=0)


def progress_report(done: int, total: int) -> types.WorkDoneProgressReport:
    return types.WorkDoneProgressReport(message=f"{done} of {total}", percentage=100 * done // max(total, 1))


def progress_end() -> types.WorkDoneProgressEnd:
    return types.WorkDoneProgressEnd()


def log_message(level: int, message: str) -> types.LogMessageParams:
    return types.LogMessageParams(type=types.MessageType(level), message=message)


def log_trace(message: str, verbose: str | None) -> types.LogTraceParams:
    return types.LogTraceParams(message=message, verbose=verbose)


def configuration_request(section: str, scopes: Iterable[str | None]) -> types.ConfigurationParams:
    return types.ConfigurationParams(
        items=[types.ConfigurationItem(scope_uri=scope, section=section) for scope in scopes]
    )


def configuration_registration(section: str) -> types.RegistrationParams:
    method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
    options = types.DidChangeConfigurationRegistrationOptions(section=section)
    return _registration(f"plancheck:{method}", method, options)


def watcher_registration(number: int, globs: Iterable[str]) -> types.RegistrationParams:
    watchers = [types.FileSystemWatcher(glob_pattern=glob) for glob in globs]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
    return _registration(_watchers(number), types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)


def watcher_unregistration(number: int) -> types.UnregistrationParams:
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    return types.UnregistrationParams([types.Unregistration(id=_watchers(number), method=method)])


def _watchers(number: int) -> str:
    return f"plancheck:{types.WORKSPACE_DID_CHANGE_WATCHED_FILES}:{number}"


def _registration(identity: str, method: str, options: object) -> types.RegistrationParams:
    return types.RegistrationParams([types.Registration(id=identity, method=method, register_options=options)])
