"""Policies and configurations as an editor looks at them: read once for each version, and what the workspace has of the
tools that they name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from plancheck.lsp.convert.mapper import Mapper, mapper_of_text
from plancheck.lsp.documents import IN_LOOP, Document
from plancheck.lsp.folders import InForce
from plancheck.lsp.identity import FileKey, key_of_path
from plancheck.text import Span
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.ide.described.file import DescribedFile
    from plancheck.ide.described.fixes import Misspelling
    from plancheck.ide.described.tools import KnownTools
    from plancheck.lsp.plan_files import PlanWithTools
    from plancheck.lsp.server import Server
    from plancheck.policy.typing_place import TypingPlace

T = TypeVar("T")

MOST_LOOKED_AT = 200
"""Plans that are looked at for the tools that they use, where somebody types or points at something."""
LARGE = IN_LOOP // 10
"""Characters of a text that is read in a thread: YAML takes ten times as long as JSON."""
PYPROJECT = "pyproject.toml"


class OpenDescribed(NamedTuple):
    """An open policy or configuration, as it is being typed."""

    document: Document
    version: int
    file: DescribedFile
    misspellings: tuple[Misspelling, ...]
    mapper: Mapper
    is_policy: bool


class PolicyInForce(NamedTuple):
    """A policy in YAML, as it is now."""

    uri: str
    version: int | None
    """None for a file that is not open."""
    file: DescribedFile
    mapper: Mapper


class DescribedFiles:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._read: dict[int, OpenDescribed] = {}
        """Of the open documents, by their serial numbers, the version that was read last."""

    # ---- what is open

    def document(self, uri: str) -> Document | None:
        """The open document, if it is a policy in YAML or a configuration."""
        session = self._server.session
        document = session.documents.get(uri)
        if document is None or document.is_plan or document.uri.endswith(".rego"):
            return None
        if session.is_policy(document.uri):
            return document
        is_ours = session.is_configuration(document.uri)
        if is_ours and document.uri.endswith(PYPROJECT):
            from plancheck.workspace.config import has_section

            is_ours = has_section(document.text)
        return document if is_ours else None

    async def of(self, uri: str) -> OpenDescribed | None:
        """The version of an open policy or configuration that is current when this returns."""
        await self._server.session.configured.wait()
        document = self.document(uri)
        if document is None:
            return None
        while not self._is_current(known := self._read.get(document.serial), document):
            text, version, is_policy = document.text, document.version, self._is_policy(document)
            run = self._server.host.run if len(text) > LARGE else _at_once
            file, wrong = await run(_looked_at, text, document.uri, is_policy)
            mapper = mapper_of_text(text, self._server.session.encoding)
            self._read[document.serial] = OpenDescribed(document, version, file, wrong, mapper, is_policy)
            self._forget({each.serial for each in self._server.session.documents} | {document.serial})
        return known

    def _is_current(self, known: OpenDescribed | None, document: Document) -> bool:
        return known is not None and (known.version, known.is_policy) == (document.version, self._is_policy(document))

    def _is_policy(self, document: Document) -> bool:
        return self._server.session.is_policy(document.uri)

    def _forget(self, current: set[int]) -> None:
        for serial in self._read.keys() - current:
            del self._read[serial]

    async def typing_at(self, found: OpenDescribed, offset: int) -> TypingPlace | None:
        """The place where something is being typed, told by the text around it, which need not be whole."""
        run = self._server.host.run if len(found.file.text) > LARGE else _at_once
        return await run(_typing_at, found.file.text, found.document.uri, found.is_policy, offset)

    # ---- the tools of the workspace

    def scope(self, uri: str) -> list[InForce]:
        """What is in force where a file counts: in the folder that it lies in, and in those whose plans it judges. A
        change of any configuration makes this anew, so nobody may hold on to it while waiting for something."""
        session = self._server.session
        key = session.key_of(uri)
        own = session.folders.in_force_for(key)
        return [each for each in session.folders.everything_in_force() if each is own or each.has_policy(key)]

    async def known_tools(self, uri: str) -> KnownTools:
        """What is known of the tools around a file without looking at too many plans."""
        from plancheck.ide.described.tools import KnownTools

        plans, is_complete = await self._server.plan_files.looked_at(MOST_LOOKED_AT)
        scope = self.scope(uri)
        uses: dict[str, int] = {}
        arguments: dict[str, frozenset[str]] = {}
        for key, calls in plans:
            if self._server.session.folders.in_force_for(key) in scope:
                for tool, paths in calls.items():
                    uses[tool] = uses.get(tool, 0) + 1
                    arguments[tool] = arguments.get(tool, frozenset()) | paths
        catalogues = (found for each in scope for found in each.catalogues.in_force if not found.is_slow)
        return KnownTools(uses, arguments, tuple(catalogues), is_complete)

    async def plans(self, uri: str) -> AsyncIterator[PlanWithTools]:
        """All plans of the folders that a file belongs to, with the tools that they use."""
        session = self._server.session
        await session.configured.wait()
        async for plan in self._server.plan_files.with_tools():
            if session.folders.in_force_for(plan.key) in self.scope(uri):
                yield plan

    async def policies(self, uri: str) -> AsyncIterator[PolicyInForce]:
        """The policies in YAML of these folders, as they are now."""
        from plancheck.workspace.policies import read_settings
        from plancheck.workspace.reading import ReadError

        server, session = self._server, self._server.session
        await session.configured.wait()
        for key, path in dict(self._policy_paths(self.scope(uri))).items():
            document = session.documents.by_key(key)
            described = await self.of(document.uri) if document is not None else None
            if described is not None:
                document = described.document
                yield PolicyInForce(document.uri, described.version, described.file, described.mapper)
            elif document is None:
                text = await server.host.run(read_settings, path)
                if not isinstance(text, ReadError):
                    uri = session.uri_of(path)
                    file, _ = await server.host.run(_looked_at, text, uri, True)
                    yield PolicyInForce(uri, None, file, mapper_of_text(text, session.encoding))

    def _policy_paths(self, scope: Iterable[InForce]) -> Iterator[tuple[FileKey, str]]:
        session = self._server.session
        for each in scope:
            for loaded in each.policies.loaded:
                yield key_of_path(loaded.path), loaded.path
        for document in session.documents:
            is_policy = not document.is_plan and session.is_policy(document.uri)
            if is_policy and session.folders.in_force_for(document.key) in scope:
                yield document.key, document.uri


async def _at_once(function: Callable[..., T], *arguments: object) -> T:
    return function(*arguments)


def _looked_at(text: str, uri: str, is_policy: bool) -> tuple[DescribedFile, tuple[Misspelling, ...]]:
    from plancheck.ide.described.file import DescribedFile
    from plancheck.ide.described.fixes import Misspelling

    if is_policy:
        from plancheck.policy.entries import policy_entries
        from plancheck.policy.keys import POLICY_TABLE
        from plancheck.policy.reading import read_policy

        wrong = [Misspelling(p.span, p.message, p.meant) for p in read_policy(text).problems if p.meant]
        return DescribedFile(text, POLICY_TABLE, policy_entries(text)), tuple(wrong)
    from plancheck.workspace.config import parse_config
    from plancheck.workspace.config_entries import config_entries
    from plancheck.workspace.config_keys import config_table

    is_pyproject = uri.endswith(PYPROJECT)
    _, problems = parse_config(text, is_pyproject)
    found = tuple(Misspelling(Span(p.start, p.end), p.message, p.meant) for p in problems if p.meant)
    return DescribedFile(text, config_table(), config_entries(text, is_pyproject)), found


def _typing_at(text: str, uri: str, is_policy: bool, offset: int) -> TypingPlace | None:
    if is_policy:
        from plancheck.policy.yaml_typing import typing_in_yaml

        return typing_in_yaml(text, offset)
    from plancheck.workspace.toml_typing import typing_in_toml

    above = ("tool", "plancheck") if uri.endswith(PYPROJECT) else ()
    place = typing_in_toml(text, offset)
    if place is None or place.path[: len(above)] != above:
        return None
    return place._replace(path=place.path[len(above) :])
