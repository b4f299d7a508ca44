"""The keys of a policy: what each means, and the form of its value. `parts` reads by this table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum

from plancheck.policy.described import NAME, DescribedKey, KeyTable, Named, SingleValue, ValueForm
from plancheck.policy.families import SOURCES, WORDS, Family, ToolWord, Trait
from plancheck.policy.gate_rules import OnUnknown, OnWarning


class PolicyForm(Enum):
    """What a value of a policy is."""

    POLICY = "policy"
    TOOLS = "tools"
    SOME_TOOLS = "some tools"
    TOOL = "tool"
    RESOURCES = "resources"
    RESOURCE = "resource"
    BOUNDS = "bounds"
    BOUND = "bound"
    RECIPIENTS = "recipients"
    ALLOWED = "allowed recipients"
    RECIPIENT = "recipient"
    PATTERNS = "patterns"
    PATTERN = "pattern"
    COUNT = "count"
    NUMBER = "number"
    FRACTION = "fraction"
    SWITCH = "switch"
    WEIGHTS = "weights"
    WEIGHT = "weight"
    CLASSES = "classes"
    CLASS = "class"
    FAMILIES = "families"
    SOURCES = "sources"
    WORD = "word of a tool"
    SOURCE = "source"
    FAMILY = "family"
    GATE = "gate"
    USES = "uses"
    USE = "use"
    REQUIREMENTS = "requirements"
    REQUIREMENT = "requirement"
    HUMAN_LIMITS = "limits for humans"
    ON_UNKNOWN = "on unknown"
    ON_WARNING = "on warning"


CODES = {
    "schema_invalid": "The plan is not one that can be run",
    "tool_deny": "A tool is used that the policy does not allow, or in a way that it does not",
    "bound_violation": "A number is outside of its bounds",
    "raw_secret": "A secret, or something that a pattern denies",
    "loop_detected": "Steps wait for one another in a circle",
    "max_steps_exceeded": "The plan has too many steps",
    "missing_handler": "A step that changes something does not say what happens when it fails",
    "not_checked": "Something could not be checked",
}
"""What `plan_lint` says about a plan, and what it means."""

_F = PolicyForm

POLICY_KEYS = (
    DescribedKey("allow_tools", _F.TOOLS, "The tools that plans may call, by their exact names; `[]` allows none",
                 "every tool that is not blocked may be called"),
    DescribedKey("bounds", _F.BOUNDS, "The numbers that arguments may be: `tool.argument: [lowest, highest]`, both "
                 "ends allowed", "no number is bounded"),
    DescribedKey("deny_tokens_regex", _F.PATTERNS, "Regular expressions that no value and no name of a member may fit, "
                 "anywhere in a plan", "only the built-in shapes of secrets are looked for"),
    DescribedKey("max_steps", _F.COUNT, "How many steps a plan may have", "100"),
    DescribedKey("risk_weights", _F.WEIGHTS, "What each code adds to the risk score of `plan_lint`", "0.2 each"),
    DescribedKey("fail_risk_threshold", _F.FRACTION, "The risk score from which a plan fails", "0.8"),
    DescribedKey("require_handlers", _F.SWITCH, "Whether a step that pays, writes, deletes or sends must have "
                 "`on_fail`", "`false`"),
    DescribedKey("tools", _F.CLASSES, "What tools do whose names do not say it",
                 "the catalogue of tools counts, or else the name"),
    DescribedKey("gate", _F.GATE, "What the plan gate asks of a plan as a whole", "its default rules"),
    DescribedKey("allow_writes", _F.RESOURCES, "What steps may have in `writes`, by exact names or with `*` for any "
                 "part of one; `[]` allows no write", "every write that is not blocked"),
    DescribedKey("allow_scope", _F.RESOURCES, "What steps may have in `scope`, and touch, by exact names or with `*` "
                 "for any part of one", "every scope"),
    DescribedKey("recipients", _F.RECIPIENTS, "Who may be sent to, paid or called: `tool.argument: [names]`, `*` for "
                 "any part of a name", "everybody"),
)  # fmt: skip
"""In the order in which messages list them."""

GATE_KEYS = (
    DescribedKey("max_steps", _F.COUNT, "How many steps may pass the gate; of this and the policy's own `max_steps` "
                 "the lower one counts", "50"),
    DescribedKey("blocked_tools", _F.TOOLS, "Tools that no plan may use, in any spelling, besides `execute_shell`, "
                 "`run_command`, `drop_database` and `delete_all`", "these four"),
    DescribedKey("at_most", _F.USES, "How often tools of a set may be used in all: `{tools: [...], count: N}`",
                 "any number of times"),
    DescribedKey("not_first", _F.TOOLS, "Tools that a plan may not begin with", "it may begin with any"),
    DescribedKey("required", _F.REQUIREMENTS, "One of `tools` must come before each of `before`, on every path; "
                 "without `before`, anywhere", "nothing is required"),
    DescribedKey("needs_human", _F.HUMAN_LIMITS, "`tool.argument: number`: above it, or where that cannot be known, a "
                 "human must look", "nothing needs a human because of a number"),
    DescribedKey("unblock_tools", _F.TOOLS, "Takes some of the blocked tools away", "none"),
    DescribedKey("unknown", _F.ON_UNKNOWN, "What becomes of values and SQL that only the run can tell, or that were "
                 "not understood", "`human`"),
    DescribedKey("blocked_writes", _F.RESOURCES, "What no step may have in `writes`, in any spelling, `*` for any part "
                 "of a name", "nothing is blocked"),
    DescribedKey("security_warnings", _F.ON_WARNING, "What becomes of warnings of the rules about security, such as "
                 "`untrusted_into_effect`", "`allow`"),
)  # fmt: skip

TOOL_KEYS = (
    DescribedKey("does", _F.FAMILIES, "What the tool does, as a word or a list of words"),
    DescribedKey("irreversible", _F.SWITCH, "Whether what it does cannot be undone", "`false`"),
    DescribedKey("source", _F.SOURCES, "Whether what it gives is `private`, or `untrusted` because anybody may have "
                 "written it"),
)  # fmt: skip

USE_KEYS = (
    DescribedKey("tools", _F.SOME_TOOLS, "The tools whose uses are counted together", is_required=True),
    DescribedKey("count", _F.COUNT, "How often they may be used in all", is_required=True),
)

REQUIREMENT_KEYS = (
    DescribedKey("tools", _F.SOME_TOOLS, "The tools of which one must be used", is_required=True),
    DescribedKey("before", _F.SOME_TOOLS, "The tools ahead of whose uses it must be", "it may be used anywhere"),
)

_MEANINGS: Mapping[ToolWord, str] = {
    Family.READ: "It only reads: SQL that writes is denied through it",
    Family.QUERY: "It reads or writes: its SQL decides",
    Family.WRITE: "It writes",
    Family.DELETE: "It deletes",
    Family.DESTRUCTIVE: "It overwrites or destroys something",
    Family.PAY: "It moves money",
    Family.SEND: "It sends something out",
    Family.EXEC: "It runs commands or code",
    Family.SQL: "It takes SQL, which decides what it does",
    Family.HTTP: "It makes HTTP requests",
    Family.FILE: "It touches files",
    Family.APPROVAL: "It asks a human, or verifies something",
    Family.OTHER: "It does none of these",
    Trait.IRREVERSIBLE: "What it does cannot be undone",
    Trait.PRIVATE: "What it gives is not for everybody",
    Trait.UNTRUSTED: "What it gives was written by anybody",
}


def _words(words: Iterable[ToolWord]) -> dict[str, str]:
    return {word.value: _MEANINGS[word] for word in words}


_UNKNOWN = {OnUnknown.HUMAN.value: "A human must look", OnUnknown.DENY.value: "The plan is denied"}
_WARNING = {OnWarning.ALLOW.value: "They have no say", **_UNKNOWN}

POLICY_TABLE = KeyTable(
    _F.POLICY,
    {
        _F.POLICY: ValueForm("a table of the policy's keys", keys=POLICY_KEYS),
        _F.TOOLS: ValueForm("a list of tools", items=_F.TOOL),
        _F.SOME_TOOLS: ValueForm("a list of tools, which is not empty", items=_F.TOOL, least_items=1),
        _F.TOOL: ValueForm("the name of a tool", named=Named.TOOL, scalar=NAME),
        _F.RESOURCES: ValueForm("a list of resources", items=_F.RESOURCE),
        _F.RESOURCE: ValueForm("the name of a resource, in which `*` stands for any part", scalar=NAME),
        _F.BOUNDS: ValueForm("a table of `tool.argument: [lowest, highest]`", key_names=Named.ARGUMENT,
                             members=_F.BOUND),
        _F.BOUND: ValueForm("`[lowest, highest]`", items=_F.NUMBER, least_items=2, most_items=2,
                           sample="[${1:0}, ${2:1000}]"),
        _F.RECIPIENTS: ValueForm("a table of `tool.argument: [names]`", key_names=Named.ARGUMENT, members=_F.ALLOWED),
        _F.ALLOWED: ValueForm("a list of recipients", items=_F.RECIPIENT),
        _F.RECIPIENT: ValueForm("a recipient, in which `*` stands for any part", scalar=NAME),
        _F.PATTERNS: ValueForm("a list of regular expressions", items=_F.PATTERN, sample="['$1']"),
        _F.PATTERN: ValueForm("a regular expression", scalar=SingleValue(str, pattern=".")),
        _F.COUNT: ValueForm("a whole number, 0 or more", scalar=SingleValue(int, least=0)),
        _F.NUMBER: ValueForm("a number", scalar=SingleValue(float)),
        _F.FRACTION: ValueForm("a number from 0 to 1", scalar=SingleValue(float, 0, 1)),
        _F.SWITCH: ValueForm("`true` or `false`", words={"true": "", "false": ""}, scalar=SingleValue(bool)),
        _F.WEIGHTS: ValueForm("a table of codes and numbers", key_words=CODES, members=_F.WEIGHT),
        _F.WEIGHT: ValueForm("a number, 0 or more", scalar=SingleValue(float, least=0)),
        _F.CLASSES: ValueForm("a table of tools and what they do", key_names=Named.TOOL, members=_F.CLASS),
        _F.CLASS: ValueForm("a word, a list of words, or a table", words=_words(WORDS.values()), keys=TOOL_KEYS,
                            items=_F.WORD, least_items=1, one_of_keys=("does", "irreversible", "source"), sample="$1"),
        _F.FAMILIES: ValueForm("a word, or a list of words", words=_words(Family), items=_F.FAMILY, least_items=1,
                               sample="$1"),
        _F.SOURCES: ValueForm("`private`, `untrusted` or a list of both",
                              words=_words(SOURCES), items=_F.SOURCE, least_items=1, sample="$1"),
        _F.FAMILY: ValueForm("a word for what a tool does", words=_words(Family)),
        _F.SOURCE: ValueForm("`private` or `untrusted`", words=_words(SOURCES)),
        _F.WORD: ValueForm("a word for what a tool does", words=_words(WORDS.values())),
        _F.GATE: ValueForm("a table of the gate's rules", keys=GATE_KEYS),
        _F.USES: ValueForm("a list of `{tools: [...], count: N}`", items=_F.USE,
                           sample="[{tools: [$1], count: ${2:1}}]"),
        _F.USE: ValueForm("`{tools: [...], count: N}`", keys=USE_KEYS),
        _F.REQUIREMENTS: ValueForm("a list of `{tools: [...], before: [...]}`", items=_F.REQUIREMENT,
                                   sample="[{tools: [$1], before: [$2]}]"),
        _F.REQUIREMENT: ValueForm("`{tools: [...], before: [...]}`", keys=REQUIREMENT_KEYS),
        _F.HUMAN_LIMITS: ValueForm("a table of `tool.argument: number`", key_names=Named.ARGUMENT, members=_F.NUMBER),
        _F.ON_UNKNOWN: ValueForm("`human` or `deny`", words=_UNKNOWN),
        _F.ON_WARNING: ValueForm("`allow`, `human` or `deny`", words=_WARNING),
    },
)  # fmt: skip
