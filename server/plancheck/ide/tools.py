"""What the policy and the catalogue in force say about a tool."""

from __future__ import annotations

from plancheck.analysis.snapshot import Snapshot
from plancheck.markdown import code
from plancheck.policy.classes import ClassSource, ToolClass, ToolClasses
from plancheck.policy.families import Family, Trait
from plancheck.policy.model import NO_POLICY

_DOES = {
    Family.READ: "only reads",
    Family.QUERY: "reads or writes, as its SQL says",
    Family.WRITE: "writes",
    Family.DELETE: "deletes",
    Family.DESTRUCTIVE: "overwrites or destroys something",
    Family.PAY: "moves money",
    Family.SEND: "sends something out",
    Family.EXEC: "runs commands or code",
    Family.SQL: "takes SQL",
    Family.HTTP: "makes HTTP requests",
    Family.FILE: "touches files",
    Family.APPROVAL: "asks for an approval",
    Trait.IRREVERSIBLE: "cannot be undone",
    Trait.PRIVATE: "gives private data",
    Trait.UNTRUSTED: "gives what anybody may have written",
}
_SAYS = {
    ClassSource.POLICY: "as the policy says",
    ClassSource.CATALOGUE: "as the catalogue says",
    ClassSource.NAME: "judging by its name",
}


def standing(snapshot: Snapshot, tool: str) -> str:
    """In a word, whether the policy allows the tool; nothing where no policy says so."""
    policy = snapshot.settings.policy
    if policy is None or policy.allow_tools is None:
        return ""
    return "allowed by the policy" if policy.allows(tool) else "not allowed by the policy"


def classes_of(snapshot: Snapshot) -> ToolClasses:
    policy, catalogue = snapshot.settings.policy or NO_POLICY, snapshot.settings.catalogue
    return ToolClasses(policy) if catalogue is None else ToolClasses(policy, catalogue.hints)


def tool_page(snapshot: Snapshot, tool: str) -> str:
    """Whether the policy allows the tool, what it does and who says so, and within which bounds; nothing without a
    policy or a catalogue."""
    policy, catalogue = snapshot.settings.policy, snapshot.settings.catalogue
    if policy is None and catalogue is None:
        return ""
    does = _does(classes_of(snapshot).classify(tool))
    known = " and ".join(part for part in (standing(snapshot, tool), does) if part)
    lines = [f"**{code(tool)}**" + (f": {known}." if known else "")]
    for bound, path in policy.bounds_of(tool) if policy is not None else ():
        lines.append(f"{code('.'.join(path))} from {bound.low} to {bound.high}.")
    return "\n\n".join(lines)


def _does(known: ToolClass) -> str:
    """What a tool does, in words, and who says so."""
    words = [_DOES[word] for word in _DOES if word in known.families or word in known.traits]
    return f"{', '.join(words)} ({_SAYS[known.source]})" if words else ""
