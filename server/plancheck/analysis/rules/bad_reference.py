"""A text looks like a reference, but is not one.

## What it does
Reports a string that names a step of the plan in a form that other planners have, or nearly as a reference does:
`{{fetch}}`, `{{fetch.output}}`, `{{steps.fetch.result}}`, `$fetch.result`, `{fetch.result}`, and, where the string is
nothing else, `<fetch>`, `<node-0>`, `#E1` and `$1`. Reports `${context.name}` where the plan has a `context` without
that name. Where every reference of a plan names the step before or after the one that is meant, that is reported once.

## Why is this bad?
Only `{{fetch.result}}` and `${fetch.result}` are replaced by what a step returned. Anything else reaches the tool as it
is written, and nothing says so.

## What it cannot know
Whether a text is meant for somebody else who replaces `{{…}}`, and happens to have the name of a step there. What names
neither a step nor `context` is never reported. Nor is a number in a longer text: `$1` in SQL is a parameter.

## Fix safety
Unsafe: which part of the result is meant, only the author knows.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from plancheck.analysis.data_facts import OFF_BY_ONE
from plancheck.analysis.facts import ADDRESSES, CONTEXT, HAS_TOOLS, IDENTITIES, PlanContext
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Rule, each_link, each_step, whole_plan
from plancheck.analysis.subjects import Link, Subject
from plancheck.lazy_regex import regex
from plancheck.plan.dialects.keys import nearest
from plancheck.plan.dialects.references import references_in
from plancheck.plan.graph.addresses import Addresses, Meant
from plancheck.plan.graph.numbering import OffByOne
from plancheck.plan.model import Identity, Lookalike, LookalikeForm, Place
from plancheck.syntax.tree import Within

MOST_RELATED = 20
"""References of a plan that are listed, where all are off by one."""

_SHOWN = regex(r"(?:[\w-]{1,30}|\.[A-Za-z_]{1,20}|\[\d{1,3}\]){1,4}")
"""What of an expression a message may repeat: anything longer could be a secret."""
_WRITTEN = {
    LookalikeForm.DOUBLE: "{{%s}}",
    LookalikeForm.DOLLAR_BRACES: "${%s}",
    LookalikeForm.SINGLE: "{%s}",
    LookalikeForm.NAME: "$%s",
    LookalikeForm.ANGLE: "<%s>",
    LookalikeForm.DOLLAR: "$%s",
    LookalikeForm.HASH: "#E%s",
}
_NO_STEP = regex(r"price|amount|cost|fee|total|budget|limit|sum|usd|dollar|pay|repl|pattern|regex|format|with|param")
"""Parts of the names of arguments for which `$1` is an amount of money, or a part of what a pattern matched."""
_NAME_LIKE = regex(r"(?=.*[\d_-]).{2,}", re.DOTALL)
"""Names that are hardly those of variables of a program, or of tags, by chance."""


# ---- single texts ----------------------------------------------------------------------------------------------------


def check(steps: Iterable[Subject], addresses: Addresses, context: PlanContext | None) -> Iterator[Finding]:
    for position, step in steps:
        for found in step.lookalikes:
            place, identity = Place(position, found.path), step.outline.identity
            meant = _meant(found, position, addresses)
            right = None if meant is None else _right(meant, addresses)
            if meant is not None and _is_sure(found, meant):
                written = _shown(found)
                advice = "name the step." if right is None else f"write `{_complete(found, _shortened(right))}`."
                yield Finding(place, f"{written} is not a reference, so the tool gets it as text: {advice}", identity)
            elif meant is None and found.form.is_in_braces and context is not None:
                yield from _in_context(found, place, identity, context)


def _meant(found: Lookalike, position: int, addresses: Addresses) -> Meant | None:
    """The step that a text means."""
    if found.form in (LookalikeForm.DOLLAR, LookalikeForm.HASH):
        number = int(found.expression)
        return addresses.numbered(number, position, (number - 1,))
    return addresses.meant(found.expression.removeprefix("."), position)


def _is_sure(found: Lookalike, meant: Meant) -> bool:
    """Whether the text can hardly be anything but a reference."""
    form, expression = found.form, found.expression
    if form is LookalikeForm.HASH:
        return True
    if form is LookalikeForm.DOLLAR:
        name = next((part for part in reversed(found.path) if isinstance(part, str)), "")
        return _NO_STEP.search(name.lower()) is None
    if found.is_in_document:
        return meant.has_result and ".result" in meant.rest[:7]
    if expression[:1].isdigit() and not re.match(r"[.\[]\D", meant.rest):
        return found.is_whole and form.is_in_braces and not meant.rest
    if form is LookalikeForm.DOUBLE or meant.has_result:
        return True
    if form is LookalikeForm.DOLLAR_BRACES:
        return found.is_whole or _NAME_LIKE.fullmatch(expression) is not None
    return found.is_whole and not expression.startswith(".") and len(expression) > 1


def _right(meant: Meant, addresses: Addresses) -> str | None:
    """The expression that a reference has, if it can have one."""
    name = addresses.name(meant.position)
    right = f"{name}.result{meant.path}"
    is_one = [(found, whole) for found, _, whole in references_in(f"{{{{{right}}}}}")] == [
        (name, Within(2, 2 + len(right)))
    ]
    return right if is_one else None


def _complete(found: Lookalike, expression: str) -> str:
    return (_WRITTEN[found.form] if found.form.is_in_braces else _WRITTEN[LookalikeForm.DOUBLE]) % expression


def _shown(found: Lookalike) -> str:
    return f"`{_WRITTEN[found.form] % _shortened(found.expression)}`"


def _shortened(expression: str) -> str:
    match = _SHOWN.match(expression)
    shown = "" if match is None else match[0]
    return shown if len(shown) == len(expression) else f"{shown}…"


# ---- the context -----------------------------------------------------------------------------------------------------


def _in_context(found: Lookalike, place: Place, identity: Identity | None, context: PlanContext) -> Iterator[Finding]:
    head, *names = found.expression.split(".")
    if head != context.name or not names or not found.expression.isprintable():
        return
    value = context.value
    for depth, name in enumerate(names):
        known = dict(value) if isinstance(value, tuple) else None
        if known is None or "[" in name:
            return
        if name not in known:
            around = ".".join((head, *names[:depth]))
            right = nearest(name, known)
            hint = "name one that it has." if right is None else f"did you mean `{right}`?"
            message = f"`{_shortened(around)}` has no `{_shortened(name)}`, so the tool gets this as text: {hint}"
            yield Finding(place, message, identity)
            return
        value = known[name]


# ---- references that name a step in a way of their own ---------------------------------------------------------------


def check_names(steps: Iterable[Link], known: Mapping[Identity, int], addresses: Addresses) -> Iterator[Finding]:
    for step in steps:
        for read in step.outline.reads:
            wrong = read.producer
            if read.is_reference and isinstance(wrong, str) and wrong not in known:
                meant = addresses.meant(wrong, step.position)
                right = None if meant is None else _right_name(meant, addresses)
                if right is not None:
                    message = f"`{_shortened(wrong)}` is not the name of a step: write `{_shortened(right)}` here."
                    yield Finding(Place(step.position, read.producer_path), message, step.outline.identity)


def _right_name(meant: Meant, addresses: Addresses) -> str | None:
    """What to write before the `.result` of a reference."""
    name = addresses.name(meant.position)
    return f"{name}.result{meant.path}" if name is not None and meant.path else name


# ---- all references off by one ---------------------------------------------------------------------------------------


def check_numbers(off: OffByOne | None) -> Iterator[Finding]:
    if off is None:
        return
    first = off.shifted[off.first]
    others = [shifted for shifted in off.shifted if shifted is not first][:MOST_RELATED]
    wrong = first.read.producer
    yield Finding(
        Place(first.step, first.read.producer_path),
        f"All {len(off.shifted)} references are off by one: `{wrong}` should be `{first.right}` here, and so on.",
        related=tuple(
            Related(
                Place(other.step, other.read.producer_path), f"`{other.read.producer}` should be `{other.right}` here."
            )
            for other in others
        ),
    )


def _write_right(view: FixView, finding: Finding) -> Iterator[Proposal]:
    position, off = finding.place.step, view.graph.off_by_one
    if position is None:
        return
    if off is not None and finding.step is None:
        changes = (SetValue(Place(one.step, one.read.producer_path), one.right) for one in off.shifted)
        yield Proposal(f"Correct all {len(off.shifted)} references", tuple(changes))
        return
    addresses, step = Addresses(view.graph), view.plan.steps[position]
    for found in step.lookalikes:
        meant = _meant(found, position, addresses) if found.path == finding.place.path else None
        right = None if meant is None else _right(meant, addresses)
        if right is not None:
            text = right if found.form.is_in_braces else _complete(found, right)
            yield Proposal(f"Write `{_complete(found, _shortened(right))}`", (SetValue(finding.place, text),))
    for read in step.outline.reads:
        if read.producer_path == finding.place.path and isinstance(read.producer, str):
            meant = addresses.meant(read.producer, position)
            name = None if meant is None else _right_name(meant, addresses)
            if name is not None:
                yield Proposal(f"Write `{_shortened(name)}`", (SetValue(finding.place, name),))


def _write_near(view: FixView, finding: Finding) -> Iterator[Proposal]:
    """Of what the context has, take what has nearly the same name."""
    key = view.plan.dialect.context_key
    expression = view.value(finding.place)
    if key is None or not isinstance(expression, str):
        return
    head, *names = expression.split(".")
    value = view.value(Place(None, (key,))) if head == key else None
    for depth, name in enumerate(names):
        if not isinstance(value, dict):
            return
        if name not in value:
            right = nearest(name, value)
            if right is not None:
                text = ".".join((head, *names[:depth], right, *names[depth + 1 :]))
                yield Proposal(f"Name `{right}` instead", (SetValue(finding.place, text),))
            return
        value = value[name]


RULE = Rule(
    "bad_reference",
    Severity.ERROR,
    Category.STEPS,
    __doc__,
    bad="""\
{"goal": "report the orders", "context": {"region": "EU"}, "steps": [
  {"id": "fetch", "tool": "orders.list", "args": {"region": "${context.regoin}"}},
  {"id": "rate", "tool": "rates.get", "args": {"currency": "{{steps.fetch.result.currency}}"}},
  {"id": "report", "tool": "report.make", "args": {"orders": "{{fetch.output}}", "rate": "<rate>"}}
]}
""",
    good="""\
{"goal": "report the orders", "context": {"region": "EU"}, "steps": [
  {"id": "fetch", "tool": "orders.list", "args": {"region": "${context.region}"}},
  {"id": "rate", "tool": "rates.get", "args": {"currency": "{{fetch.result.currency}}"}},
  {"id": "report", "tool": "report.make", "args": {"orders": "{{fetch.result}}", "rate": "{{rate.result}}"}}
]}
""",
    checks=(
        each_step(check, ADDRESSES, CONTEXT, only_if=HAS_TOOLS),
        each_link(check_names, IDENTITIES, ADDRESSES, only_if=HAS_TOOLS),
        whole_plan(check_numbers, OFF_BY_ONE, only_if=HAS_TOOLS),
    ),
    remedies=(
        Remedy("write it as a reference", False, _write_right),
        Remedy("name what the context has", False, _write_near),
    ),
    since="0.2",
)
