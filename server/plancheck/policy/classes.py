"""What a tool does, and how that is known: by the policy, by the catalogue, else by its name, in that order.

Every rule that asks what a tool does asks here.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from plancheck.policy.families import (
    Family,
    ToolWords,
    Trait,
    families_by_name,
    families_in,
    strictest,
    strictest_by_name,
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

    def __init__(self, policy: Policy, hints: Callable[[str], ToolWords] = no_hints) -> None:
        self.policy = policy
        self._hints = hints

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
        return ToolClass(by_name, known, ClassSource.NAME)

    def family(self, tool: str) -> Family:
        if not self.policy.tools and self._hints is no_hints:
            return strictest_by_name(tool)
        return self.classify(tool).family
