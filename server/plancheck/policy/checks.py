"""What a policy says about a call: pure functions that the rules, the gate and `plan_lint` share."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

from plancheck.plan.carried import calls_of
from plancheck.plan.embedded import unescaped
from plancheck.plan.model import Call, Carried, Clarity, Step
from plancheck.policy.arguments import Leaf, leaves
from plancheck.policy.classes import ToolClasses
from plancheck.policy.model import CONSEQUENTIAL, Family, Policy
from plancheck.policy.names import mixes_scripts
from plancheck.policy.regexes import LONGEST_VALUE, Ask, Outcome, find
from plancheck.policy.secrets import (
    SHORTEST_SECRET,
    find_secrets,
    has_placeholder,
    may_hold_secrets,
    without_placeholders,
)
from plancheck.policy.showing import shortened
from plancheck.syntax.tree import Path
from plancheck.text import Span
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown

# ---- calls -----------------------------------------------------------------------------------------------------------


class Judged(NamedTuple):
    """A call that is judged: the one that a step makes, the same with arguments from elsewhere, or one it carries."""

    call: Call
    within: Path | None = None
    """The string that holds it as JSON text."""
    is_misplaced: bool = False
    """Whether the arguments stand where none should."""
    clarity: Clarity = Clarity.CLEAR
    is_unread: bool = False
    """Whether nobody can say what the tool is called with."""

    def place(self, path: Path) -> Path:
        """Where to show what is at a path: nothing inside a string has a place of its own."""
        return path if self.within is None else self.within


def judged_calls(step: Step, concern: Concern | None = None) -> Iterator[Judged]:
    """Every call that may come of a step, its own first. For a rule that is about certain tools, those of these count,
    too, whose tool is the name of a member."""
    call = step.call
    if call is not None and call.tool is not None:
        yield Judged(call)
        yield from _with_what_stands_beside(call, None)
    yield from judged_carried(step.carried)
    if concern is not None:
        meant = concern.those(step.member_names)
        yield from judged_carried(hidden_calls(step.value, meant, step.carried, call)) if meant else ()


def judged_carried(carried: Iterable[Carried]) -> Iterator[Judged]:
    """The same of calls that are carried along."""
    for call, within, clarity, is_unread in carried:
        if call is not None:
            yield Judged(call, within, False, clarity, is_unread)
            yield from _with_what_stands_beside(call, within)


class Concern:
    """Which tools a rule is about. Steps tend to have members of the same names, so each is asked about once."""

    def __init__(self, is_meant: Callable[[str], object]) -> None:
        self._is_meant = is_meant
        self._others: set[str] = set()

    def those(self, names: frozenset[str]) -> set[str]:
        """Which of some names that could be tools are among these."""
        if names <= self._others:
            return set()
        unknown = names - self._others
        meant = {name for name in unknown if self._is_meant(name)}
        self._others |= unknown - meant
        return meant


def hidden_calls(
    value: Any, tools: Container[str], carried: Iterable[Carried], own: Call | None = None
) -> Iterator[Carried]:
    """The calls in a value that are known as such by the names of their tools alone, besides those that are known
    anyway. One may be there with more than one guess at what it is called with."""
    known = {found.call.tool_path for found in carried if found.call is not None}
    if own is not None:
        known.add(own.tool_path)
    for found in calls_of(value, tools):
        if found.call is not None and found.call.tool_path not in known:
            yield found


def _with_what_stands_beside(call: Call, within: Path | None) -> Iterator[Judged]:
    """A call as somebody may make it who takes what stands beside its arguments for arguments, too."""
    for path, members in call.beside:
        for key, value in members:
            if isinstance(value, (tuple, list)):
                yield Judged(call._replace(arguments=value, arguments_path=(*path, key)), within, True)
        yield Judged(call._replace(arguments=members, arguments_path=path), within, True)


def unknown_tool_name(tool: str, policy: Policy) -> Unknown | None:
    """Why nobody can say which tool a name means, if that is so."""
    if has_placeholder(tool):
        return Unknown(Reason.RUNTIME, f"Which tool `{tool}` is cannot be known before the run: name the tool.")
    if mixes_scripts(tool) and (policy.allow_tools is None or not policy.allows(tool)):
        message = f"`{tool}` has letters of several scripts, so it can be taken for another tool: respell it."
        return Unknown(Reason.NOT_UNDERSTOOD, message)
    return None


# ---- SQL -------------------------------------------------------------------------------------------------------------
# What reads SQL takes long to be imported, and few plans have any: it is imported where some is met.


class SqlBudget:
    """How many tokens of SQL one run of a check may still parse: with one more text, about a second of work."""

    __slots__ = ("left",)

    def __init__(self, left: int = 30_000) -> None:
        self.left = left


def read_only_variant(call: Call, classes: ToolClasses) -> str | None:
    """The read-only tool that would do for this call, because all its SQL only reads."""
    if call.tool is None or classes.family(call.tool) not in _BY_SQL:
        return None
    from plancheck.policy.sql_checks import only_reads

    narrow, policy = f"{call.tool}_ro", classes.policy
    would_do = classes.family(narrow) is Family.READ and policy.allows(narrow) and only_reads(call, policy)
    return narrow if would_do else None


_BY_SQL = (Family.QUERY, Family.SQL)
"""What such a tool does, its SQL decides."""


def consequence(call: Call, classes: ToolClasses) -> Family | None:
    """What a call does that cannot be taken back, if it does such a thing."""
    if call.tool is None:
        return None
    family = classes.family(call.tool)
    if family in _BY_SQL:
        from plancheck.policy.sql_checks import writes

        return Family.WRITE if writes(call, classes.policy) else None
    return family if family in CONSEQUENTIAL else None


# ---- secrets ---------------------------------------------------------------------------------------------------------


class Found(NamedTuple):
    """A secret, told by everything but itself."""

    path: Path
    name: str
    """As in `… holds {name}`."""
    variable: str
    span: Span
    is_key: bool = False
    """Whether it stands in the name of a member, and not in its value."""
    is_denied: bool = False
    """Whether a pattern of the policy denies it; else it has the shape of a secret."""


class Unsearched(NamedTuple):
    """A value that a pattern of the policy was not, or not wholly, looked for in."""

    path: Path
    why: Unknown | None
    """None while it is still being found out."""


class Search(NamedTuple):
    """What secrets are searched by."""

    policy: Policy
    matcher: Ask
    steps: Container[str] = frozenset()
    """The names of the plan's steps: a reference to one of them is not searched by the policy's patterns."""


def secrets_in(value: Any, path: Path, search: Search, clean: set[str] | None = None) -> Iterator[Found | Unsearched]:
    """The secrets in a value, its keys included: by their own shapes, then by the policy's patterns. Names that are in
    `clean` are not looked at again, and those that turn out to be are added: steps tend to have the same keys."""
    has_patterns = bool(search.policy.deny_tokens_regex)
    if not has_patterns and not may_hold_secrets(value):
        return
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    for leaf in leaves(value, path, key, () if clean is None else clean):
        if not has_patterns and (not isinstance(leaf.value, str) or len(leaf.value) < SHORTEST_SECRET):
            continue
        is_clean = True
        for found in _secrets_of(leaf, search):
            is_clean = False
            yield found
        if is_clean and isinstance(leaf.value, str) and "\\" in leaf.value:
            for found in _escaped_secrets(leaf, search):
                is_clean = False
                yield found
        if is_clean and leaf.is_key and clean is not None:
            clean.add(leaf.value)


def _escaped_secrets(leaf: Leaf, search: Search) -> Iterator[Found | Unsearched]:
    """What is only found once the escapes in a text are read: JSON text in a text may spell any letter so."""
    value = leaf.value
    if "\\u" not in value and "\\x" not in value:
        return
    plain = unescaped(value)
    if plain != value:
        for found in _secrets_of(leaf._replace(value=plain), search):
            whole = Span(0, len(value))
            yield found._replace(span=whole) if isinstance(found, Found) else found


def _secrets_of(leaf: Leaf, search: Search) -> Iterator[Found | Unsearched]:
    value, patterns = leaf.value, search.policy.deny_tokens_regex
    taken: list[Span] = []
    if isinstance(value, str) and len(value) >= SHORTEST_SECRET:
        for hit in find_secrets(value, leaf.key):
            taken.append(hit.span)
            yield Found(leaf.path, hit.name, hit.variable, hit.span, leaf.is_key)
    if not patterns:
        return
    text = without_placeholders(value, search.steps) if isinstance(value, str) else str(value)
    if len(text) > LONGEST_VALUE:
        yield Unsearched(leaf.path, _too_long(len(text)))
        return
    for pattern in patterns:
        hits = find(pattern, text, search.matcher)
        if isinstance(hits, Outcome):
            yield Unsearched(leaf.path, _unsearched(pattern) if hits is Outcome.STOPPED else None)
            continue
        for span in hits:
            if _is_blanked(leaf.value, text, span):
                continue
            if not any(span.start < end and start < span.end for start, end in taken):
                taken.append(span)
                name = f"pattern `{shortened(pattern)}`"
                yield Found(leaf.path, name, _variable(leaf.key), span, leaf.is_key, is_denied=True)


def _is_blanked(value: Any, text: str, span: Span) -> bool:
    """Whether a hit is nothing but what a placeholder was blanked by."""
    found = text[span.start : span.end]
    return not found.strip() and isinstance(value, str) and value[span.start : span.end] != found


def _unsearched(pattern: str) -> Unknown:
    message = f"The policy's pattern `{pattern}` took too long on this value and was stopped: simplify the pattern."
    return Unknown(Reason.LIMIT, message)


def _too_long(length: int) -> Unknown:
    message = (
        f"This value has {length:,} characters, and the policy's patterns search at most {LONGEST_VALUE:,}: shorten it."
    )
    return Unknown(Reason.LIMIT, message)


def _variable(key: str) -> str:
    """An environment variable for the value of an argument."""
    name = "".join(char if char.isalnum() and char.isascii() else "_" for char in key).upper().strip("_")
    return name if name and not name[0].isdigit() else f"SECRET_{name}".rstrip("_")
