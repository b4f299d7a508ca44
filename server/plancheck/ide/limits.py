"""What the policy in force says about the argument under the cursor: its bounds, who may be sent to, when a human must
look; and where that is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.cursor import Cursor
from plancheck.ide.words import listed
from plancheck.markdown import code, escape
from plancheck.plan.model import Call
from plancheck.policy.arguments import values_at
from plancheck.policy.model import Policy
from plancheck.syntax.tree import MISSING
from plancheck.tuples import NamedTuple

_SAFE_ADDRESS = re.compile(r"[\w:/.%~+@=,;-]+", re.ASCII)


class LimitSite(NamedTuple):
    """Where a policy limits an argument."""

    uri: str
    file: str
    """Its name."""
    line: int
    """Counted from 1."""


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
    return "\n\n".join(_limits(policy, call, cursor, sites))


def _limits(policy: Policy, call: Call, cursor: Cursor, sites: LimitSites) -> Iterator[str]:
    assert call.tool is not None
    for bound, path in policy.bounds_of(call.tool):
        if _is_at(call, path, cursor):
            where = _where(sites("bounds", bound.key))
            yield f"The policy allows from {bound.low} to {bound.high}{where}."
    for recipients, path in policy.recipients_of(call.tool):
        if _is_at(call, path, cursor):
            allowed = listed([code(name) for name in recipients.allowed]) or "nobody"
            yield f"The policy allows as recipients: {allowed}{_where(sites('recipients', recipients.key))}."
    for limit, path in policy.human_limits_of(call.tool):
        if _is_at(call, path, cursor):
            yield f"Above {limit.above} the gate wants a human to look."


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
