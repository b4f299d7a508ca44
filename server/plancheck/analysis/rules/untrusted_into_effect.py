"""Data that anybody may have written decides what a step pays, deletes, sends or runs.

## What it does
Reports a step that pays, deletes, sends or runs something and takes, by references, data of a step whose tool reads
from a source that anybody may write to: the web, mail, or what the policy or the catalogue says so about. The path from
there to here is shown. A step between that approves or verifies, and ends the plan when it fails, stops the data: on
the path itself, or where every way from the source to here leads through it. Whoever knows what a tool does is asked in
this order: the policy, the catalogue, the tool's name.

## Why is this bad?
What an agent reads may hold instructions or values that an attacker put there. Taken over unchecked, they choose the
account, the address or the command.

## What it cannot know
Whether the tool checks what it is given, and what a model copies from one step into the next without a reference: a
value that is written out in the plan has no path. Calls that steps carry in their arguments, or that are beside the
steps, refer to nothing that is known to have run, and are not looked at. That a step comes after another one does
not prove that it takes its data.

## Fix safety
There is no fix: only the author knows what has to be checked, and by whom.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.facts import HAS_TOOLS, NAMES, Names
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.flows import DATA_FLOWS, DataFlows
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.policy.families import Family
from plancheck.policy.showing import shortened

_DOES = {
    Family.EXEC: "runs something with",
    Family.PAY: "pays with",
    Family.DELETE: "deletes with",
    Family.SEND: "sends",
}


def check(links: Iterable[Link], flows: DataFlows, names: Names) -> Iterator[Finding]:
    tools = flows.tools(lambda known: known.families & _DOES.keys())
    for position, outline in links:
        is_effect = bool(outline.reads) and flows.tool(position) in tools
        source = flows.untrusted_source(position) if is_effect else None
        if source is None:
            continue
        does = next(words for family, words in _DOES.items() if family in flows.of(flows.tool(position)).families)
        message = (
            f"Step {names[position]} {does} data that anybody may have written "
            f"(step {names[source]}, `{shortened(flows.tool(source))}`): check it in between."
        )
        related = flows.way(source, position, names, "the data")
        yield Finding(flows.place(position), message, outline.identity, related=related, is_flow=True)


RULE = Rule(
    "untrusted_into_effect",
    Severity.WARNING,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "pay the bill", "steps": [
  {"id": "bill", "tool": "mail.read_inbox", "args": {"from": "landlord"}},
  {"id": "pay", "tool": "payments.transfer", "args": {"to": "{{bill.result.iban}}"}, "depends_on": ["bill"]}
]}
""",
    good="""\
{"goal": "pay the bill", "steps": [
  {"id": "bill", "tool": "mail.read_inbox", "args": {"from": "landlord"}},
  {"id": "look", "tool": "request_approval", "args": {"to": "{{bill.result.iban}}"}, "depends_on": ["bill"]},
  {"id": "pay", "tool": "payments.transfer", "args": {"to": "{{bill.result.iban}}"}, "depends_on": ["bill", "look"]}
]}
""",
    checks=(each_link(check, DATA_FLOWS, NAMES, only_if=HAS_TOOLS),),
    since="0.2",
    tags=("ASI01", "ASI02", "CWE-829"),
    security_severity=8.0,
)
