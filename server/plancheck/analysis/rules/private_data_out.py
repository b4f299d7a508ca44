"""Private data leaves for recipients that the policy does not name.

## What it does
Reports a step that sends something, or calls an address on the network, and takes by references the data of a step
whose tool the policy calls a private source. It is an error where data that anybody may have written comes in as well.
The path from the private source to here is shown; what `untrusted_into_effect` says of the same step is not repeated. A
step between that approves or verifies stops the data, as there. A step is fine that sends to nobody but the
`recipients` of the policy: all arguments that have a list there are texts that are on it, and nothing else in the
arguments has a name such as `cc` or `url`.

## Why is this bad?
Data that is not for everybody gets to somebody whom nobody has named. With what an attacker wrote on the same path, it
may be the attacker who chooses what is sent, and to whom.

## What it cannot know
What a model copies from one step into the next without a reference, and to whom a tool sends that takes the recipient
from an argument of another name. Calls that steps carry in their arguments, or that are beside the steps, are held
against the `recipients` of the policy alone, by `recipient_deny`.

## Fix safety
There is no fix: only the author knows for whom the data is.
"""

from collections.abc import Iterable, Iterator

from plancheck.analysis.facts import HAS_TOOLS, NAMES, Names
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.flows import DATA_FLOWS, SAFE_RECIPIENTS, DataFlows, SafeRecipients
from plancheck.analysis.rule import Category, Rule, each_link
from plancheck.analysis.subjects import Link
from plancheck.policy.families import Family

UNTRUSTED_INTO_EFFECT = "untrusted_into_effect"
_LEAVING = frozenset({Family.HTTP, Family.SEND})


def check(links: Iterable[Link], flows: DataFlows, recipients: SafeRecipients, names: Names) -> Iterator[Finding]:
    tools = flows.tools(lambda known: known.families & _LEAVING)
    for position, outline in links:
        is_leaving = bool(outline.reads) and flows.tool(position) in tools
        source = flows.private_source(position) if is_leaving else None
        if source is None or recipients.has_no_others(position):
            continue
        related = flows.way(source, position, names, "the private data")
        untrusted = flows.untrusted_source(position)
        at_most = Severity.WARNING if untrusted is None else None
        message = f"Step {names[position]} sends private data of step {names[source]} to {_whom(untrusted, names)}"
        place = flows.place(position)
        covers = () if untrusted is None else ((UNTRUSTED_INTO_EFFECT, place),)
        yield Finding(place, message, outline.identity, related=related, is_flow=True, at_most=at_most, covers=covers)


def _whom(untrusted: int | None, names: Names) -> str:
    if untrusted is None:
        return "a recipient that the policy does not list: list it, or leave it out."
    return f"an unlisted recipient, and step {names[untrusted]} reads what anybody may write."


RULE = Rule(
    "private_data_out",
    Severity.ERROR,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "tell the accountant", "steps": [
  {"id": "books", "tool": "bank.transactions"},
  {"id": "tell", "tool": "send_email", "args": {"to": "jo@example.org", "body": "{{books.result}}"}}
]}
""",
    good="""\
{"goal": "tell the accountant", "steps": [
  {"id": "books", "tool": "bank.transactions"},
  {"id": "tell", "tool": "send_email", "args": {"to": "jo@example.com", "body": "{{books.result}}"}}
]}
""",
    policy="""\
tools:
  bank.transactions: {does: read, source: private}
recipients:
  send_email.to: ['*@example.com']
""",
    checks=(each_link(check, DATA_FLOWS, SAFE_RECIPIENTS, NAMES, only_if=HAS_TOOLS),),
    since="0.2",
    covers=(UNTRUSTED_INTO_EFFECT,),
    tags=("ASI01", "ASI02", "CWE-201"),
    security_severity=8.5,
)
