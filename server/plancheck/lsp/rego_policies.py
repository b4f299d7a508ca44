"""Rego policies in the server: plans are judged, policies compiled and counted aside, one piece of work after another.

No other finding waits for any of it. Plans that are open come first.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from plancheck.lsp.documents import Document
from plancheck.lsp.identity import key_of_path
from plancheck.lsp.rego_counts import PlanToCount, RuleCounts, counted
from plancheck.lsp.rego_plans import WaitingAsker
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown

if TYPE_CHECKING:
    from plancheck.lsp.server import Server
    from plancheck.policy.rego.files import RegoAnswer, RegoFiles
    from plancheck.policy.rego.plan_input import PlanQuestion
    from plancheck.policy.rego.policy import RegoFault
    from plancheck.workspace.rego.asker import EngineAsker

logger = logging.getLogger(__name__)

PATIENCE = 0.3
"""Seconds that a question may go on after it is out of date. An engine that is stopped has to be started again."""


class _Running(NamedTuple):
    document: Document
    files: RegoFiles
    question: PlanQuestion
    since: float


def _failed(error: BaseException) -> Unknown:
    """The answer where there is none: a plan that nobody judged is not fine."""
    if not isinstance(error, Exception):
        raise error
    logger.error("A Rego policy could not be asked", exc_info=error)
    message = f"Asking the Rego policy failed ({type(error).__name__}), so it was not checked: please report it."
    return Unknown(Reason.FAILURE, message)


class RegoPolicies:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._opa: str | None = None
        self._asker: EngineAsker | None = None
        self._of_files: WaitingAsker | None = None
        self._running: _Running | None = None
        self._faults: dict[tuple[str, ...], tuple[RegoFiles, tuple[RegoFault, ...]]] = {}
        self._to_compile: dict[RegoFiles, None] = {}
        self._counts: dict[tuple[str, ...], RuleCounts] = {}
        self._to_count: dict[RegoFiles, tuple[object, list[PlanToCount]]] = {}
        self.changes = 0
        """Counts how often it became known what is wrong with a policy."""
        self._is_closed = False

    # ---- engines

    @property
    def asker(self) -> EngineAsker | None:
        if self._asker is None:
            self._asker = self._server.host.rego(self._opa)
        return self._asker

    @property
    def of_files(self) -> WaitingAsker:
        """For plans that are not open: an engine of its own, so that these keep no open one waiting."""
        if self._of_files is None:
            self._of_files = WaitingAsker(self._server.host.rego(self._opa))
        return self._of_files

    @property
    def opa(self) -> str | None:
        """The program that evaluates policies, where the editor's settings name one."""
        return self._opa

    def use_settings(self) -> None:
        """Take the program that the editor's settings name for all folders; nothing that lies in a folder names one.
        What another program said is forgotten."""
        session = self._server.session
        opa = session.folders.client.opa
        if opa == self._opa:
            return
        self._close()
        self._opa = opa
        self._asker = self._of_files = None
        self._faults.clear()
        self._counts.clear()
        for document in session.documents:
            document.rego.forget()
            document.recheck()

    def _close(self) -> None:
        if self._asker is not None:
            self._asker.close()
        if self._of_files is not None:
            self._of_files.close()

    def close(self) -> None:
        """End what is running: the client has gone."""
        self._is_closed = True
        self._server.background.cancel("rego")
        self._close()

    # ---- one piece of work after another

    def settle(self) -> None:
        """Find out what the analyses of open plans wait for."""
        self._stop_if_outdated()
        self._server.background.ensure("rego", self._work)

    def _stop_if_outdated(self) -> None:
        running = self._running
        if running is None or running.document.rego.asked.get(running.files) is running.question:
            return
        left = running.since + PATIENCE - time.monotonic()
        if left > 0:
            asyncio.get_running_loop().call_later(left + 0.01, self._stop_if_outdated)
        elif self._asker is not None:
            self._asker.close()

    async def _work(self) -> None:
        while not self._is_closed and (work := self._next()) is not None:
            await work()

    def _next(self) -> Callable[[], Awaitable[None]] | None:
        for document in self._server.session.documents:
            for files, question in list(document.rego.asked.items()):
                return lambda: self._judge(document, files, question)
        for files in self._to_compile:
            return lambda: self._compile(files)
        for files in self._to_count:
            return lambda: self._count(files)
        return None

    async def _judge(self, document: Document, files: RegoFiles, question: PlanQuestion) -> None:
        server, asker = self._server, self.asker
        self._running = _Running(document, files, question, time.monotonic())
        try:
            work = server.host.run(WaitingAsker(asker), files, question)
            outcome: tuple[RegoAnswer | Unknown | BaseException] = await asyncio.gather(work, return_exceptions=True)
        finally:
            self._running = None
        (found,) = outcome
        answer = _failed(found) if isinstance(found, BaseException) else found
        if not document.rego.answer(files, question, answer) or document.closed:
            return
        document.recheck()
        if not server.client.pulls:
            server.publisher.changed(document)
        server.refresh_diagnostics()
        self._refresh_lenses()

    # ---- what is wrong with policies

    def faults_in(self, path: str, files: RegoFiles) -> list[RegoFault]:
        """What is wrong with a file of a policy; while that is being found out, what was wrong before."""
        known = self._faults.get(files.paths)
        if (known is None or known[0] != files) and files not in self._to_compile:
            for other in [other for other in self._to_compile if other.paths == files.paths]:
                del self._to_compile[other]
            self._to_compile[files] = None
            self._server.background.ensure("rego", self._work)
        first = files.paths[0] if files.paths else path
        found = () if known is None else known[1]
        return [fault for fault in found if (first if fault.path is None else fault.path) == path]

    async def _compile(self, files: RegoFiles) -> None:
        server, asker = self._server, self.asker
        faults = () if asker is None else await server.host.run(asker.faults, files)
        if files not in self._to_compile:
            return
        del self._to_compile[files]
        self._faults[files.paths] = files, faults
        self.changes += 1
        keys = {key_of_path(path) for path in files.paths}
        if not server.client.pulls:
            for document in server.session.documents:
                if document.key in keys:
                    server.publisher.changed(document)
            server.configuration_files.publish()
        server.refresh_diagnostics()

    # ---- how many plans each rule is against

    def counts(self, files: RegoFiles, made_from: object, plans: list[PlanToCount]) -> RuleCounts | None:
        """How many plans each rule is against, as of the last time that they were counted."""
        known = self._counts.get(files.paths)
        if known is None or known.files != files or known.made_from != made_from:
            for other in [other for other in self._to_count if other.paths == files.paths]:
                del self._to_count[other]
            self._to_count[files] = made_from, plans
            self._server.background.ensure("rego", self._work)
        return known

    async def _count(self, files: RegoFiles) -> None:
        server, asker = self._server, self.asker
        made_from, plans = self._to_count.pop(files)
        found = None if asker is None else await server.host.run(counted, asker, files, plans, made_from)
        if found is not None:
            self._counts[files.paths] = found
            self._refresh_lenses()

    def _refresh_lenses(self) -> None:
        """Have the editor ask again, if it shows a policy."""
        server = self._server
        is_shown = any(document.uri.endswith(".rego") for document in server.session.documents)
        if is_shown and server.client.refreshes_lenses:
            server.workspace_code_lens_refresh(None)
