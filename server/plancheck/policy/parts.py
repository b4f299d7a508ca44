"""The parts of a policy, from YAML values to the fields of the model."""

from __future__ import annotations

from collections import abc
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from plancheck.plan.dialects.keys import nearest
from plancheck.policy.coercion import fault_of_argument
from plancheck.policy.described import DescribedKey, FormId
from plancheck.policy.families import SOURCES, WORDS, Family, ToolWord, ToolWords, Trait
from plancheck.policy.keys import CODES, GATE_KEYS, POLICY_KEYS, REQUIREMENT_KEYS, TOOL_KEYS, USE_KEYS, PolicyForm
from plancheck.policy.model import Bound, HumanLimit, OnUnknown, OnWarning, Recipients, Required, Uses
from plancheck.policy.problems import PolicyPlace, PolicyProblem, key_of, start_of
from plancheck.policy.regexes import fault_of
from plancheck.policy.values import Readers, ValueReader, kind, misspelt
from plancheck.policy.yaml import Mapping, Scalar, Sequence, Value, YamlMember
from plancheck.tuples import NamedTuple

MOST_PATTERNS = 200


C = TypeVar("C", OnUnknown, OnWarning)


class Placed(NamedTuple):
    """A pattern, or the key of a bound, and where it stands."""

    text: str
    place: PolicyPlace


class PartsReader(ValueReader):
    """Reads a whole policy, and keeps the places of what may turn out wrong later."""

    def __init__(self, problems: list[PolicyProblem]) -> None:
        super().__init__(problems)
        self.patterns: list[Placed] = []
        self.argument_keys: list[Placed] = []

    def given(self, value: Value | None) -> dict[str, Any]:
        if value is None or (isinstance(value, Scalar) and value.value is None):
            return {}
        if not isinstance(value, Mapping):
            self.bad(start_of(value), f"A policy must be a mapping such as `allow_tools: [...]`, not {kind(value)}.")
            return {}
        return self.members(value, "key of a policy", self.readers(POLICY_KEYS))

    def readers(self, keys: Iterable[DescribedKey]) -> Readers:
        """For each key what reads values of its form."""
        by_form: dict[FormId, Callable[[YamlMember], Any]] = {
            PolicyForm.TOOLS: self.names,
            PolicyForm.SOME_TOOLS: self.some_names,
            PolicyForm.RESOURCES: self.resources,
            PolicyForm.BOUNDS: self.bounds,
            PolicyForm.RECIPIENTS: self.recipients,
            PolicyForm.PATTERNS: self.regexes,
            PolicyForm.COUNT: self.count,
            PolicyForm.FRACTION: self.fraction,
            PolicyForm.SWITCH: self.switch,
            PolicyForm.WEIGHTS: self.weights,
            PolicyForm.CLASSES: self.classes,
            PolicyForm.GATE: self.gate,
            PolicyForm.USES: lambda member: self.list_of(member, "limit", self.uses),
            PolicyForm.REQUIREMENTS: lambda member: self.list_of(member, "requirement", self.requirement),
            PolicyForm.HUMAN_LIMITS: self.human,
            PolicyForm.ON_UNKNOWN: lambda member: self.choice(member, OnUnknown),
            PolicyForm.ON_WARNING: lambda member: self.choice(member, OnWarning),
        }
        return {key.name: by_form[key.form] for key in keys}

    def regexes(self, member: YamlMember) -> tuple[str, ...] | None:
        found = self.list_of(member, "pattern", self.regex)
        if found is None or len(found) <= MOST_PATTERNS:
            return found
        place = self.patterns[MOST_PATTERNS].place
        message = f"Only the first {MOST_PATTERNS} patterns are used: join some of them with `|`."
        self.bad(place, message, "policy_bad_regex")
        del self.patterns[MOST_PATTERNS:]
        return found[:MOST_PATTERNS]

    def regex(self, value: Value, what: str) -> str | None:
        if not isinstance(value, Scalar) or not isinstance(value.value, str) or not value.value:
            self.bad(
                start_of(value),
                f"Each {what} must be a regular expression in quotes, not {kind(value)}.",
                "policy_bad_regex",
            )
            return None
        fault = fault_of(value.value)
        if fault is not None:
            message = f"This is not a valid regular expression: {fault}; it denies nothing."
            self.bad(start_of(value), message, "policy_bad_regex")
            return None
        self.patterns.append(Placed(value.value, start_of(value)))
        return value.value

    def bounds(self, member: YamlMember) -> tuple[Bound, ...] | None:
        found = self.mapping(member, "`tool.argument` to `[lowest, highest]`")
        if found is None:
            return None
        bounds = (self.bound(item) for item in found.members)
        return tuple(bound for bound in bounds if bound is not None)

    def bound(self, member: YamlMember) -> Bound | None:
        value, rule = member.value, "policy_bad_bound"
        if not self.is_argument(member):
            return None
        if not isinstance(value, Sequence) or len(value.items) != 2:
            given = f"a list of {len(value.items)}" if isinstance(value, Sequence) else kind(value)
            self.bad(
                start_of(value),
                f"The bound of `{member.shown}` must be `[lowest, highest]`, not {given}.",
                rule,
            )
            return None
        low, high = (self.number(item) for item in value.items)
        for item, number in zip(value.items, (low, high), strict=True):
            if number is None:
                self.bad(start_of(item), f"A bound of `{member.shown}` must be a number, not {kind(item)}.", rule)
        if low is None or high is None:
            return None
        if low > high:
            message = f"The bound of `{member.shown}` is reversed: {low} is above {high}, so write `[{high}, {low}]`."
            self.bad(start_of(value), message, rule)
            return None
        self.argument_keys.append(Placed(member.key, key_of(member)))
        return Bound(member.key, low, high)

    def recipients(self, member: YamlMember) -> tuple[Recipients, ...] | None:
        found = self.mapping(member, "`tool.argument` to a list of recipients")
        if found is None:
            return None
        good = []
        for item in found.members:
            allowed = self.list_of(item, "recipient", self.recipient)
            if self.is_argument(item) and allowed is not None:
                self.argument_keys.append(Placed(item.key, key_of(item)))
                good.append(Recipients(item.key, allowed))
        return tuple(good)

    def recipient(self, value: Value, what: str) -> str | None:
        text = value.value if isinstance(value, Scalar) else None
        if isinstance(text, str) and text.strip():
            return text
        self.bad(start_of(value), f"Each {what} must be a text, not {kind(value)}: put it in quotes.")
        return None

    def is_argument(self, member: YamlMember) -> bool:
        """Whether a key names an argument of a tool."""
        fault = fault_of_argument(member.key)
        if fault is not None:
            self.bad(key_of(member), f"`{member.shown}` {fault}.", "policy_bad_bound")
        return fault is None

    def weights(self, member: YamlMember) -> tuple[tuple[str, float], ...] | None:
        found = self.mapping(member, "codes to weights")
        if found is None:
            return None
        good: list[tuple[str, float]] = []
        for item in found.members:
            number = self.number(item.value)
            if item.key.lower() not in CODES:
                right = nearest(item.key, CODES)
                hint = f"did you mean `{right}`?" if right else f"there are {', '.join(CODES)}."
                self.bad(key_of(item), f"Unknown code `{item.shown}`: {hint}", "policy_unknown_key", right)
            elif number is None or number < 0:
                message = f"The weight of `{item.shown}` must be a number, 0 or more, not {kind(item.value)}."
                self.bad(start_of(item.value), message)
            else:
                good.append((item.key, number))
        return tuple(good)

    def classes(self, member: YamlMember) -> tuple[tuple[str, ToolWords], ...] | None:
        found = self.mapping(member, "tools to what they do")
        if found is None:
            return None
        good: list[tuple[str, ToolWords]] = []
        for item in found.members:
            words = self.tool(item) if isinstance(item.value, Mapping) else self.words(item, WORDS, item.shown)
            if words and self.is_name(item.key, key_of(item)):
                good.append((item.key, words))
        return tuple(good)

    def words(self, member: YamlMember, known: abc.Mapping[str, ToolWord], tool: str) -> ToolWords | None:
        """What a tool does, as a word or a list of words."""
        value = member.value
        values = value.items if isinstance(value, Sequence) and value.items else [value]
        good: list[ToolWord] = []
        for each in values:
            word = each.value if isinstance(each, Scalar) else None
            if isinstance(word, str) and word in known:
                good.append(known[word])
            else:
                message = f"What `{tool}` does must be one of {', '.join(known)}, not {kind(each)}."
                self.bad(start_of(each), message, meant=misspelt(each, known))
        return tuple(dict.fromkeys(good)) if len(good) == len(values) else None

    def tool(self, member: YamlMember) -> ToolWords | None:
        """What a tool does, as an object."""
        assert isinstance(member.value, Mapping)
        families = {word: WORDS[word] for word in WORDS if isinstance(WORDS[word], Family)}
        sources = {word.value: word for word in SOURCES}
        by_form: dict[FormId, Callable[[YamlMember], Any]] = {
            PolicyForm.FAMILIES: lambda inner: self.words(inner, families, member.shown),
            PolicyForm.SWITCH: self.switch,
            PolicyForm.SOURCES: lambda inner: self.words(inner, sources, member.shown),
        }
        readers = {key.name: by_form[key.form] for key in TOOL_KEYS}
        good = self.members(member.value, "key of a tool", readers)
        if not good:
            if not member.value.members:
                self.bad(start_of(member.value), f"`{member.shown}` is not described: write `does: read`.")
            return None
        irreversible = (Trait.IRREVERSIBLE,) if good.get("irreversible") else ()
        return (*good.get("does", ()), *irreversible, *good.get("source", ()))

    # ---- the gate

    def gate(self, member: YamlMember) -> dict[str, Any] | None:
        found = self.mapping(member, "the gate's rules to their values")
        if found is None:
            return None
        return self.members(found, "rule of the gate", self.readers(GATE_KEYS))

    def choice(self, member: YamlMember, choices: type[C]) -> C | None:
        word = member.value.value if isinstance(member.value, Scalar) else None
        if word in list(choices):
            return choices(word)
        *most, last = (f"`{choice.value}`" for choice in choices)
        words = f"{', '.join(most)} or {last}"
        message = f"`{member.shown}` must be {words}, not {kind(member.value)}."
        self.bad(start_of(member.value), message, meant=misspelt(member.value, [choice.value for choice in choices]))
        return None

    def uses(self, value: Value, what: str) -> Uses | None:
        example = "`{tools: [db.write], count: 3}`"
        good = self.record(value, what, example, self.readers(USE_KEYS))
        return Uses(good["tools"], good["count"]) if good is not None else None

    def requirement(self, value: Value, what: str) -> Required | None:
        example = "`{tools: [verify], before: [payments.transfer]}`"
        good = self.record(value, what, example, self.readers(REQUIREMENT_KEYS), optional=("before",))
        return Required(good["tools"], good.get("before", ())) if good is not None else None

    def human(self, member: YamlMember) -> tuple[HumanLimit, ...] | None:
        found = self.mapping(member, "`tool.argument` to the highest number that needs no human")
        if found is None:
            return None
        good = []
        for item in found.members:
            number = self.number(item.value)
            if not self.is_argument(item):
                continue
            if number is None:
                self.bad(
                    start_of(item.value),
                    f"The limit of `{item.shown}` must be a number, not {kind(item.value)}.",
                )
            else:
                good.append(HumanLimit(item.key, number))
        return tuple(good)
