"""What the policy in force says about a tool."""

from __future__ import annotations

from plancheck.analysis.snapshot import Snapshot
from plancheck.markdown import code
from plancheck.policy.model import Family

_DOES = {
    Family.READ: "only reads",
    Family.QUERY: "reads or writes, as its SQL says",
    Family.WRITE: "writes",
    Family.DELETE: "deletes",
    Family.PAY: "moves money",
    Family.SEND: "sends something out",
    Family.FILE: "touches files",
}


def standing(snapshot: Snapshot, tool: str) -> str:
    """In a word, whether the policy allows the tool; nothing where no policy says so."""
    policy = snapshot.settings.policy
    if policy is None or policy.allow_tools is None:
        return ""
    return "allowed by the policy" if policy.allows(tool) else "not allowed by the policy"


def tool_page(snapshot: Snapshot, tool: str) -> str:
    """Whether the policy allows the tool, what it does, and within which bounds; nothing without a policy."""
    policy = snapshot.settings.policy
    if policy is None:
        return ""
    does = _DOES.get(policy.family(tool))
    known = " and ".join(part for part in (standing(snapshot, tool), does) if part)
    lines = [f"**{code(tool)}**" + (f": {known}." if known else "")]
    for bound, path in policy.bounds_of(tool):
        lines.append(f"{code('.'.join(path))} from {bound.low} to {bound.high}.")
    return "\n\n".join(lines)
