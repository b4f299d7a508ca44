"""What the tool of a call takes, while its arguments are being typed."""

from __future__ import annotations

from plancheck.analysis.snapshot import Snapshot
from plancheck.catalogue.schema import annotation, describe
from plancheck.ide.catalogue import called_tool
from plancheck.ide.context import Wants, context_at
from plancheck.ide.tools import LONGEST_TEXT, prose_of
from plancheck.markdown import plain
from plancheck.tuples import NamedTuple

MOST_PARAMETERS = 40


class Parameter(NamedTuple):
    start: int
    """Where in the label it is."""
    end: int
    page: str
    """Markdown."""


class Signature(NamedTuple):
    label: str
    """Of plain text: `get_order(order_id: string, limit?: integer)`."""
    page: str
    """Markdown."""
    parameters: tuple[Parameter, ...]
    active: int | None
    """The parameter that is being written, or else the next one that is required and not there yet."""


def signature_at(snapshot: Snapshot, offset: int) -> Signature | None:
    """The signature of the tool whose arguments the offset is in."""
    if snapshot.settings.catalogue is None:
        return None
    context = context_at(snapshot, offset)
    found = snapshot.plan.find_step(context.path)
    called = called_tool(snapshot, found[0]) if found is not None else None
    inside = called.inside(found[1]) if called is not None and found is not None else None
    is_in_object = bool(inside) or context.wants is not Wants.VALUE
    if called is None or inside is None or not is_in_object:
        return None
    members = called.members(())
    label, parameters = f"{plain(called.tool.name)}(", []
    for number, (name, info) in enumerate(members.items()):
        words = plain(describe(info.schema).replace("`", ""))
        mark = "" if info.is_required else "?"
        label += ", " if number else ""
        if number == MOST_PARAMETERS:
            label += "…"
            break
        text = f"{plain(name)}{mark}: {words}" if words else f"{plain(name)}{mark}"
        page = prose_of(annotation(info.schema, "description"), LONGEST_TEXT)
        parameters.append(Parameter(len(label), len(label) + len(text), page))
        label += text
    names = list(members)[: len(parameters)]
    given = [str(name) for name in inside[:1]] or [
        name for name in names if members[name].is_required and name not in context.keys
    ]
    active = names.index(given[0]) if given and given[0] in names else None
    page = prose_of(called.tool.description, LONGEST_TEXT)
    return Signature(f"{label})", page, tuple(parameters), active)
