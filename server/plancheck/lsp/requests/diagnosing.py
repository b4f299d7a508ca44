"""`plancheck/doctor`: what the server runs on, what is in force for a file, and what is wrong with either."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plancheck.lsp.folders import InForce
from plancheck.lsp.identity import path_of

if TYPE_CHECKING:
    from plancheck.lsp.server import Server


async def doctor(ls: Server, params: object) -> dict[str, Any]:
    """As `plancheck doctor --format json` prints it, and as text; about no file where none is on this disk."""
    document = params.get("textDocument") if isinstance(params, dict) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    path = path_of(uri) if isinstance(uri, str) else None
    await ls.session.configured.wait()
    if path is None:
        return await ls.host.run(_diagnose, [folder.path for folder in ls.session.folders][:1], _in_force(ls, None), ls)
    return await ls.host.run(_diagnose, [path], _in_force(ls, uri), ls)


def _in_force(ls: Server, uri: str | None) -> InForce:
    """What is in force there, with the configuration and the policies as they are now."""
    session = ls.session
    if uri is not None:
        return session.folders.in_force_for(session.key_of(uri)).read_again()
    return next((folder.in_force for folder in session.folders), session.folders.outside).read_again()


def _diagnose(paths: list[str], in_force: InForce, ls: Server) -> dict[str, Any]:
    from plancheck.doctor.diagnosis import Diagnosis
    from plancheck.doctor.examine import Workspace, examine_file, examine_installation

    installation = examine_installation(ls.rego_policies.opa)
    workspace = Workspace(in_force.configurations, in_force.policies, in_force.catalogues)
    files = (examine_file(path, workspace, installation.rego is not None) for path in paths)
    found = Diagnosis(installation, tuple(files))
    return {**found.to_dict(), "text": found.to_text()}
