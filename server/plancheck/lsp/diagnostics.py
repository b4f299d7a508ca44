"""Diagnostics of open documents, pushed to an editor that waits for them, and what they are made from.

Whether an editor waits or asks (`pull`) is settled once, when it connects; it is never both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plancheck.lsp.convert import findings
from plancheck.lsp.documents import Document

if TYPE_CHECKING:
    from plancheck.lsp.server import Server


def inputs_of(server: Server, document: Document) -> tuple[object, ...]:
    """All that a document's diagnostics are made from; its `result_id` names it."""
    if not document.is_plan and server.session.is_policy(document.uri):
        return "policy", document.inputs, server.policy_files.inputs(document)
    if not document.is_plan and server.session.is_catalogue(document.uri):
        return "catalogue", document.inputs, server.catalogue_files.inputs(document)
    return "document", document.inputs


async def items_of(server: Server, document: Document) -> list[findings.Diagnostic]:
    """The diagnostics of the version that is current when this returns."""
    if not document.is_plan:
        if server.session.is_catalogue(document.uri):
            await server.catalogue_files.prepare(document)
        return server.configuration_files.of_open(document)
    return [item.diagnostic for item in (await rendered_plan(server, document)).items]


async def rendered_plan(server: Server, document: Document) -> findings.Rendered:
    """The same of a plan, ready to be sent."""
    snapshot = await document.snapshot()
    if snapshot.is_pending:
        server.policy_files.settle()
        if document.rego.asked:
            server.rego_policies.settle()
    policy = snapshot.settings.policy
    if policy is not None and (policy.bounds or policy.recipients):
        tools = snapshot.plan.tools()
        if tools != document.tools:
            document.tools = tools
            server.policy_files.plans_changed()
    rendered = findings.render(
        snapshot, document.uri, document.encoding, server.client.diagnostic_parts, old=document.rendered
    )
    document.rendered = rendered
    return rendered


class Publisher:
    """Pushes diagnostics: once for all edits that came together, and only for the version that is current."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def changed(self, document: Document) -> None:
        """Publish soon: behind every message that has already arrived."""
        self._server.background.run(_key(document), lambda: self._publish(document))

    async def _publish(self, document: Document) -> None:
        await self._server.session.configured.wait()
        items = await items_of(self._server, document)
        # Whatever changes a document, or closes it, has this task replaced or cancelled: the items are current.
        self._server.publish(findings.publication(document.uri, document.version, items))

    def closed(self, document: Document) -> None:
        """Take back what was published."""
        self._server.background.cancel(_key(document))
        self._server.publish(findings.publication(document.uri, None, []))


def _key(document: Document) -> tuple[str, str]:
    return "publish", document.uri
