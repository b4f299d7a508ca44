"""Policies and configurations with a cursor (`$0`), as the language server hands them to the features."""

from __future__ import annotations

import textwrap

from ide.marks import CURSOR
from plancheck.analysis.engine import analyze
from plancheck.catalogue.model import Catalogue, CatalogueSource
from plancheck.ide.described.complete import FileLanguage, complete_in
from plancheck.ide.described.file import DescribedFile
from plancheck.ide.described.hover import hover_in
from plancheck.ide.described.tools import KnownTools, arguments_in
from plancheck.ide.offers import Completion
from plancheck.policy.entries import policy_entries
from plancheck.policy.keys import POLICY_TABLE
from plancheck.policy.yaml_typing import typing_in_yaml
from plancheck.workspace.config_entries import config_entries
from plancheck.workspace.config_keys import config_table
from plancheck.workspace.toml_typing import typing_in_toml

PLAN = """{"goal": "pay", "steps": [
  {"id": "find", "tool": "crm.find", "args": {"name": "x", "filter": {"since": 3}}},
  {"id": "pay", "tool": "payments.transfer", "args": {"amount": 5}}
]}
"""
TOOLS = """{"tools": [
  {"name": "look", "description": "Looks closely.",
   "inputSchema": {"type": "object", "properties": {"x": {"type": "integer"}}}},
  {"name": "crm.find", "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}
]}
"""


def known(plan: str = PLAN, tools: str = TOOLS) -> KnownTools:
    """What is known where there is one plan and one catalogue."""
    found = analyze(plan).plan
    catalogues = (Catalogue((CatalogueSource("tools.json", tools),)),) if tools else ()
    return KnownTools(dict.fromkeys(found.tools(), 1), arguments_in(found), catalogues)


def cut(text: str) -> tuple[str, int]:
    """A text without its cursor, and where that was."""
    text = textwrap.dedent(text).lstrip("\n")
    return text.replace(CURSOR, "", 1), text.index(CURSOR)


def policy(text: str) -> DescribedFile:
    return DescribedFile(text, POLICY_TABLE, policy_entries(text))


def configuration(text: str) -> DescribedFile:
    return DescribedFile(text, config_table(), config_entries(text))


def policy_hover(text: str, tools: KnownTools | None = None) -> str:
    text, offset = cut(text)
    found = hover_in(policy(text), offset, tools or known())
    return found.markdown if found is not None else ""


def configuration_hover(text: str) -> str:
    text, offset = cut(text)
    found = hover_in(configuration(text), offset, known())
    return found.markdown if found is not None else ""


def policy_items(text: str, tools: KnownTools | None = None) -> list[Completion]:
    text, offset = cut(text)
    place = typing_in_yaml(text, offset)
    return [] if place is None else complete_in(POLICY_TABLE, place, FileLanguage.YAML, tools or known())


def configuration_items(text: str) -> list[Completion]:
    text, offset = cut(text)
    place = typing_in_toml(text, offset)
    return [] if place is None else complete_in(config_table(), place, FileLanguage.TOML, known())
