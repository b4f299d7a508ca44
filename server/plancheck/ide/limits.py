"""What the policy in force says about the argument under the cursor: its bounds, who may be sent to, when a human must
look; and where that is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.cursor import Cursor, cursor_at
from plancheck.ide.words import listed
from plancheck.markdown import code, escape
from plancheck.plan.model import Call
from plancheck.policy.arguments import values_at
from plancheck.policy.model import Policy
from plancheck.syntax.tree import MISSING
from plancheck.text import Span
from plancheck.tuples import NamedTuple

_SAFE_ADDRESS = re.compile(r"[\w:/.%~+@=,;-]+", re.ASCII)


class LimitSite(NamedTuple):
    """Where a policy limits an argument."""

    uri: str
    file: str
    """Its name."""
    line: int
    """Counted from 1."""
    span: Span
    """The key, and the text of the file that it is in."""
    text: str


LimitSites = Callable[[str, str], Iterable[LimitSite]]
"""Where a key of a section of the policies in force is, such as `bounds` and `payments.transfer.amount`."""


def unknown_sites(_section: str, _key: str) -> Iterable[LimitSite]:
    """For whoever does not know the files that the policy is from."""
    return ()


def limits_page(snapshot: Snapshot, cursor: Cursor, sites: LimitSites) -> str:
    policy, position = snapshot.settings.policy, cursor.step
    call = snapshot.plan.steps[position].call if position is not None else None
    if policy is None or call is None or call.tool is None or not call.arguments_path:
        return ""
    limits = (f"{limit.words}{_where(sites(limit.section, limit.key))}." for limit in _limits(policy, call, cursor))
    return "\n\n".join(limits)


def limit_sites(snapshot: Snapshot, offset: int, sites: LimitSites) -> tuple[Span, list[LimitSite]]:
    """The token at an offset, and where policies limit the argument that it belongs to."""
    cursor = cursor_at(snapshot, offset)
    if cursor is None or cursor.step is None:
        return Span(offset, offset), []
    policy, call = snapshot.settings.policy, snapshot.plan.steps[cursor.step].call
    if policy is None or call is None or call.tool is None or not call.arguments_path:
        return cursor.span, []
    limits = _limits(policy, call, cursor)
    return cursor.span, [site for limit in limits for site in sites(limit.section, limit.key)]


class _Limit(NamedTuple):
    section: str
    """Of the policy."""
    key: str
    words: str


def _limits(policy: Policy, call: Call, cursor: Cursor) -> Iterator[_Limit]:
    assert call.tool is not None
    for bound, path in policy.bounds_of(call.tool):
        if _is_at(call, path, cursor):
            yield _Limit("bounds", bound.key, f"The policy allows from {bound.low} to {bound.high}")
    for recipients, path in policy.recipients_of(call.tool):
        if _is_at(call, path, cursor):
            allowed = listed([code(name) for name in recipients.allowed]) or "nobody"
            yield _Limit("recipients", recipients.key, f"The policy allows as recipients: {allowed}")
    for limit, path in policy.human_limits_of(call.tool):
        if _is_at(call, path, cursor):
            yield _Limit("gate/needs_human", limit.key, f"Above {limit.above} the gate wants a human to look")


def _is_at(call: Call, path: tuple[str, ...], cursor: Cursor) -> bool:
    found = values_at(call.arguments, path, call.arguments_path)
    return any(where == cursor.path for where, value in found if value is not MISSING)


def _where(sites: Iterable[LimitSite]) -> str:
    shown = [_link(site) for site in sites]
    return f" ({', '.join(shown)})" if shown else ""


def _link(site: LimitSite) -> str:
    """A link into the file; where its address could be taken for something else, the name alone."""
    words = f"{escape(site.file)}, line {site.line}"
    return f"[{words}](<{site.uri}#L{site.line}>)" if _SAFE_ADDRESS.fullmatch(site.uri) else words
