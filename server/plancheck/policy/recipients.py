"""To whom a call may send or pay: the recipients of its arguments, held against the lists of a policy.

Names are compared exactly. Who takes `Bob <a@evil.com>` for an address, or two addresses in one text for one, would
send to somebody else than the list names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plancheck.lazy_regex import regex
from plancheck.plan.dialects.lowering import type_name
from plancheck.policy.arguments import leaves, spelling
from plancheck.policy.checks import Judged
from plancheck.policy.limits import LimitedArgument, limited_arguments, unknown_names
from plancheck.policy.model import Policy, Recipients
from plancheck.policy.secrets import has_placeholder
from plancheck.syntax.tree import MISSING, Path
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown

RECIPIENT_NAMES = frozenset(
    {"to", "cc", "bcc", "recipient", "recipients", "email", "emails", "address", "addresses", "participants"}
    | {"attendees", "channel", "channels", "user", "users", "phone", "iban", "account", "url", "uri", "webhook"}
)
"""Names of arguments that say to whom something goes."""
_PART = regex(r"[A-Za-z0-9._+-]*")
"""What a `*` stands for: nothing that ends a name, a host or an address."""
_PATH = regex(r"[A-Za-z0-9._~/?&=+:,;-]*")
"""What one stands for behind the last `/`."""


class Unlisted(NamedTuple):
    """A recipient that the policy does not name."""

    argument: LimitedArgument
    recipient: str
    recipients: Recipients

    @property
    def path(self) -> Path:
        return self.argument.place


class Unclear(NamedTuple):
    """An argument of which nobody can say who is meant."""

    path: Path
    recipients: Recipients
    why: Unknown


def outside_recipients(judged: Judged, policy: Policy) -> Iterator[Unlisted | Unclear]:
    """The recipients of a call that are not on the policy's lists, or not known to be."""
    limits = policy.recipients_of(judged.call.tool or "")
    if not limits or judged.is_misplaced:
        return
    first = limits[0].recipients
    if judged.is_unread:
        message = f"What `{judged.call.tool}` is called with cannot be read here, and it has recipients: write JSON."
        yield Unclear(judged.place(judged.call.tool_path), first, Unknown(Reason.NOT_UNDERSTOOD, message))
        return
    for where, name in unknown_names(judged):
        message = f"Which argument `{name}` is cannot be known before the run, and some name recipients: name it."
        yield Unclear(where, first, Unknown(Reason.RUNTIME, message))
    for recipients, parts in limits:
        for argument in limited_arguments(judged, parts):
            if argument.value is not MISSING:
                yield from _outside(argument, recipients)


def _outside(argument: LimitedArgument, recipients: Recipients) -> Iterator[Unlisted | Unclear]:
    value = argument.value
    is_unread = isinstance(value, str) and argument.path == argument.given.path
    if isinstance(value, list):
        elements = ((number, each) for number, each in enumerate(value))
        each_one = [argument._replace(value=each, path=(*argument.path, number)) for number, each in elements]
    else:
        each_one = [argument]
    for one in each_one:
        if isinstance(one.value, str) and is_listed(recipients.allowed, one.value):
            continue
        if isinstance(one.value, str) and has_placeholder(one.value):
            message = f"Who `{argument.name}` is cannot be known before the run: check it when the step runs."
            yield Unclear(one.place, recipients, Unknown(Reason.RUNTIME, message))
        elif isinstance(one.value, str) and not is_unread:
            yield Unlisted(one, one.value, recipients)
        else:
            message = f"`{argument.name}` must name recipients, and {type_name(one.value)} names none: write a text."
            yield Unclear(one.place, recipients, Unknown(Reason.NOT_UNDERSTOOD, message))


def is_listed(allowed: Iterable[str], recipient: str) -> bool:
    """Whether a recipient is on a list of a policy, exactly or by a `*`."""
    return any(entry in ("*", recipient) or ("*" in entry and _fits(entry, recipient)) for entry in allowed)


def _fits(entry: str, recipient: str) -> bool:
    """One pass, however many wildcards there are: each part is taken where it comes first."""
    first, *middle, last = entry.split("*")
    end = len(recipient) - len(last)
    if not recipient.startswith(first) or not recipient.endswith(last) or end < len(first):
        return False
    rest = recipient[len(first) : end]
    for part in middle:
        gap, found, rest = rest.partition(part) if part else ("", "*", rest)
        if not found or not _PART.fullmatch(gap):
            return False
    is_path = not last and entry[-2:] == "/*"
    return ".." not in rest and (_PATH if is_path else _PART).fullmatch(rest) is not None


def has_known_recipients(judged: Judged, policy: Policy) -> bool:
    """Whether all whom a call sends to are on lists that can be trusted: it says who they are, and under no name that
    has no list."""
    limits = policy.recipients_of(judged.call.tool or "")
    if not all(limit.recipients.is_trusted for limit in limits):
        return False
    others = RECIPIENT_NAMES - {spelling(limit.path[0]) for limit in limits}
    given = (judged.call.arguments, *(members for _, members in judged.call.beside))
    found = (leaf for value in given for leaf in leaves(value, with_names=False))
    if any(spelling(leaf.key) in others and leaf.value != "" for leaf in found):
        return False
    values = (argument.value for _, parts in limits for argument in limited_arguments(judged, parts))
    return any(value not in (MISSING, []) for value in values) and not any(outside_recipients(judged, policy))
