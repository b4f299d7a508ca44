"""What a tool does, and how that is known: by the policy, by the catalogue, else by its name, in that order.

Every rule that asks what a tool does asks here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum

from plancheck.cached import cached_property
from plancheck.policy.families import (
    Family,
    ToolWords,
    Trait,
    families_by_name,
    families_in,
    strictest,
    strictest_by_name,
    traits_by_name,
    traits_in,
)
from plancheck.policy.model import Policy
from plancheck.tuples import NamedTuple


class ClassSource(str, Enum):
    """Who says what a tool does."""

    POLICY = "policy"
    CATALOGUE = "catalogue"
    NAME = "name"


class ToolClass(NamedTuple):
    """What is known of a tool."""

    families: frozenset[Family]
    traits: frozenset[Trait]
    source: ClassSource
    """Who says what it does."""
    guessed: frozenset[Family] = frozenset()
    """What only its name suggests, where somebody says something else."""

    @property
    def family(self) -> Family:
        """What it does, in the one word by which most is asked of it."""
        return strictest(self.families)


def no_hints(_: str) -> ToolWords:
    return ()


class ToolClasses:
    """Classifies tools. `hints` is what the catalogue says about a tool, and nothing where it says nothing."""

    def __init__(
        self, policy: Policy, hints: Callable[[str], ToolWords] = no_hints, tools: Callable[[], Iterable[str]] = tuple
    ) -> None:
        self.policy = policy
        self._hints = hints
        self._tools = tools
        """The tools of the catalogue."""

    def classify(self, tool: str) -> ToolClass:
        given = self.policy.words_about(tool)
        families, traits = families_in(given), traits_in(given)
        if families:
            return ToolClass(frozenset(families), frozenset(traits), ClassSource.POLICY)
        hinted, by_name = self._hints(tool), families_by_name(tool)
        known = frozenset({*traits, *traits_in(hinted)})
        families = families_in(hinted)
        if Family.READ in families:
            return ToolClass(frozenset(families), known, ClassSource.CATALOGUE)
        if families:  # that it destroys something does not mean that it moves no money
            guessed = by_name - {Family.READ, Family.OTHER, *families}
            return ToolClass(frozenset(families) | guessed, known, ClassSource.CATALOGUE, guessed)
        return ToolClass(by_name, known | traits_by_name(tool), ClassSource.NAME)

    def family(self, tool: str) -> Family:
        if not self.policy.tools and self._hints is no_hints:
            return strictest_by_name(tool)
        return self.classify(tool).family

    def is_check(self, tool: str) -> bool:
        """Whether a tool asks a human, or verifies something. Where the policy or the catalogue names such tools, no
        others count, however they are called."""
        return tool in self.checks if self.checks else Family.APPROVAL in self.classify(tool).families

    @cached_property
    def checks(self) -> dict[str, None]:
        """The tools of the policy and of the catalogue that ask a human, or verify something."""
        required = (tool for one in self.policy.gate.required if one.before for tool in one.tools)
        named = (*dict(self.policy.tools), *self._tools())
        return dict.fromkeys((*required, *(tool for tool in named if Family.APPROVAL in self.classify(tool).families)))
