"""What a rule says about a plan."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from plancheck.plan.model import Identity, Place
from plancheck.text import Span
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason

if TYPE_CHECKING:
    from plancheck.catalogue.model import ToolSite


class Severity(IntEnum):
    """How bad it is, the worst lowest, with the numbers of the language server protocol."""

    ERROR = 1
    WARNING = 2
    INFO = 3
    HINT = 4

    @property
    def word(self) -> str:
        return self.name.lower()


class Tag(IntEnum):
    """How an editor may draw it."""

    UNNECESSARY = 1


class Related(NamedTuple):
    """Another token that is involved."""

    place: Place
    message: str


class PolicySite(NamedTuple):
    """The rule of a policy file that a finding comes from."""

    name: str
    """With its package, as in `plancheck.deny`."""
    path: str
    line: int
    """Counted from 1."""
    span: Span
    """Its name, in the text of the file."""
    whole_span: Span


class Finding(NamedTuple):
    """One thing wrong, at one token. A rule leaves `rule` and `severity` to the engine, which knows the settings."""

    place: Place
    message: str
    step: Identity | None = None
    resource: str | None = None
    related: tuple[Related, ...] = ()
    span: Span | None = None
    """Where it stands, when no place can say so: a fault of the text itself."""
    rule: str = ""
    severity: Severity = Severity.ERROR
    tags: tuple[Tag, ...] = ()
    site: PolicySite | None = None
    tool_site: ToolSite | None = None
    """What the catalogue says, where the finding comes from that."""
    covers: tuple[tuple[str, Place], ...] = ()
    """Findings of other rules, by the rule and the place, that this one explains: it is shown instead."""
    is_flow: bool = False
    """Whether the related places are a path, in order: from where something comes to this place."""
    at_most: Severity | None = None
    """What it counts as at most, where it is milder than its rule's findings usually are; what is configured counts."""


class Unchecked(NamedTuple):
    """A place that a rule could not check. It is no finding, and it is not "fine" either."""

    rule: str
    place: Place
    reason: Reason
    message: str
    step: Identity | None = None
    resource: str | None = None


class Pending(NamedTuple):
    """A place that is still being looked at, elsewhere: there may be more to say about it soon."""

    place: Place
    resource: str | None = None
