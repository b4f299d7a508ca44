"""The same attack in another place or another shape of plan."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from gate.mutations.document import (
    ARGUMENT_KEYS,
    Members,
    Number,
    Path,
    Value,
    arguments,
    is_of_calls,
    key_at,
    replaced,
    step_lists,
    steps,
    walk,
    write,
)

_OTHER_ARGUMENT_KEYS = ("arguments", "params", "input", "kwargs")
_NESTING_TOOLS = ("batch.run", "crm.find", "agent.spawn")
_NESTING_KEYS = ("then", "calls", "body", "request", "payload")
_STEP_KEYS = frozenset(("id", "tool", "tool_name", "args", "parameters", "depends_on", "on_fail", "title", "reads"))
_BOUNDED_NAMES = ("amount", "value")
"""What the paths of bounds end in throughout the corpus."""

_STEP_LABELS = (("title", "Look it up"), ("description", "Looks the customer up"), ("note", "checked by Ada"))
_PLAN_MEMBERS: tuple[tuple[str, Value], ...] = (
    ("meta", Members((("author", "planner"), ("attempt", Number("1"))))),
    ("context", Members((("ticket", "T-1042"),))),
    ("version", Number("1")),
)


def healthy_step_before(plan: Value, random: Random) -> Value | None:
    """What comes first does not excuse what comes later."""
    return _with_healthy_step(plan, random, 0, 0)


def healthy_step_behind(plan: Value, random: Random) -> Value | None:
    """What comes later does not excuse what came first, nor does a step between two."""
    return _with_healthy_step(plan, random, 1, None)


def _with_healthy_step(plan: Value, random: Random, first: int, last: int | None) -> Value | None:
    """An empty plan stays as it is: a healthy step would mend it."""
    lists = [(path, items) for path, items in step_lists(plan) if items]
    if not lists:
        return None
    path, items = random.choice(lists)
    position = random.randint(first, len(items) if last is None else last)
    call: Value = Members((("name", "Ada"),))
    return replaced(plan, path, [*items[:position], _step(plan, "crm.find", call, random), *items[position:]])


def _step(plan: Value, tool: str, call: Value, random: Random) -> Members:
    """A step in the format of the plan, under an id that no other step has."""
    if is_of_calls(plan):
        return Members((("tool_name", tool), ("args", call)))
    return Members((("id", f"look-{random.randrange(10**9)}"), ("tool", tool), ("args", call)))


def step_member_added(plan: Value, random: Random) -> Value | None:
    """A label on a step says nothing about what the step does."""
    candidates = steps(plan)
    if not candidates:
        return None
    path, step = random.choice(candidates)
    labels = [label for label in _STEP_LABELS if label[0] not in step.keys]
    if not labels:
        return None
    return replaced(plan, path, step.inserted(random.randint(0, len(step.pairs)), *random.choice(labels)))


def plan_member_added(plan: Value, random: Random) -> Value | None:
    """What is said about the plan changes no step of it, and makes no plan of what is none."""
    if not isinstance(plan, Members):
        return None
    members = [member for member in _PLAN_MEMBERS if member[0] not in plan.keys]
    return plan.inserted(random.randint(0, len(plan.pairs)), *random.choice(members)) if members else None


def list_as_an_event(plan: Value, _: Random) -> Value | None:
    """A list of calls and the event that reports them are the same plan."""
    return Members((("event_type", "agent.plan"), ("steps", plan))) if isinstance(plan, list) else None


def list_under_steps(plan: Value, _: Random) -> Value | None:
    """Calls under `steps` are the calls of the list; anything else there lacks what a step must have."""
    return Members((("steps", plan),)) if isinstance(plan, list) else None


def event_as_a_list(plan: Value, _: Random) -> Value | None:
    """As above, the other way round; not where the event says more than its steps."""
    is_bare = isinstance(plan, Members) and sorted(plan.keys) == ["event_type", "steps"]
    lists = step_lists(plan)
    return lists[0][1] if is_bare and lists else None


def arguments_by_their_other_name(plan: Value, random: Random) -> Value | None:
    """`args` and `parameters` mean the same in steps."""
    names = {"args": ("parameters",), "parameters": ("args",)}
    return None if is_of_calls(plan) else _renamed(plan, random, names)


def arguments_misplaced(plan: Value, random: Random) -> Value | None:
    """Arguments under a name that the format does not have are never allowed, whatever they are."""
    others = (*_OTHER_ARGUMENT_KEYS, "parameters") if is_of_calls(plan) else _OTHER_ARGUMENT_KEYS
    return _renamed(plan, random, dict.fromkeys(ARGUMENT_KEYS, others))


def _renamed(plan: Value, random: Random, names: Mapping[str, tuple[str, ...]]) -> Value | None:
    """The arguments of one step under another name that the step does not have yet."""
    candidates = [
        (path, step.renamed({key: other}))
        for path, step in steps(plan)
        for key in ARGUMENT_KEYS
        for other in names[key]
        if key in step.keys and other not in step.keys
    ]
    return replaced(plan, *random.choice(candidates)) if candidates else None


def arguments_as_text(plan: Value, random: Random) -> Value | None:
    """Text in the place of arguments is no set of arguments: nobody checked what is in it."""
    candidates = [(path, value) for path, value in arguments(plan) if isinstance(value, Members)]
    if not candidates:
        return None
    path, value = random.choice(candidates)
    return replaced(plan, path, write(value))


def argument_wrapped(plan: Value, random: Random) -> Value | None:
    """A bounded value that is no number is unknown, and a list, an object or a text is no number.

    Only the end of a bound's path is wrapped: one level more above it, and nothing stands where the bound looks.
    """
    leaves = _bounded_leaves(plan)
    if not leaves:
        return None
    path, value = random.choice(leaves)
    forms: list[Value] = [[value], [[value]], Members((("value", value),)), Members((("amount", value),))]
    if isinstance(value, Number):
        forms.append(value.text)
    return replaced(plan, path, random.choice(forms))


def _bounded_leaves(plan: Value) -> list[tuple[Path, Value]]:
    return [
        (path, leaf)
        for outer, argument in arguments(plan)
        for path, leaf in walk(argument, outer)
        if not isinstance(leaf, (Members, list)) and _nearest_key(plan, path) in _BOUNDED_NAMES
    ]


def _nearest_key(plan: Value, path: Path) -> str | None:
    """The key of the member that a value is, or whose list it is in."""
    key = key_at(plan, path)
    return key if key is not None or not path else _nearest_key(plan, path[:-1])


def nested_in_arguments(plan: Value, random: Random) -> Value | None:
    """A call in the arguments of another call is made all the same."""
    return _nested(plan, random, 0)


def nested_in_json_text(plan: Value, random: Random) -> Value | None:
    """Whoever is handed the text reads the call out of it."""
    return _nested(plan, random, 1)


def nested_in_json_text_twice(plan: Value, random: Random) -> Value | None:
    """As above: reading the text twice is no more work."""
    return _nested(plan, random, 2)


def _nested(plan: Value, random: Random, encodings: int) -> Value | None:
    """All steps of the plan as calls in the arguments of a single harmless one."""
    lists = step_lists(plan)
    calls = [_as_call(step) for _, items in lists for step in items]
    if len(lists) != 1 or not calls or None in calls:
        return None
    content: Value = calls[0] if len(calls) == 1 else list(calls)
    for _ in range(encodings):
        content = write(content)
    call = Members(((random.choice(_NESTING_KEYS), content),))
    return replaced(plan, lists[0][0], [_step(plan, random.choice(_NESTING_TOOLS), call, random)])


def _as_call(step: Value) -> Members | None:
    """None for a step whose fault is its own shape: in an argument that would be mere data."""
    if not isinstance(step, Members) or step.has_repeated_keys or not _STEP_KEYS.issuperset(step.keys):
        return None
    tools = [value for key, value in step.pairs if key in ("tool", "tool_name")]
    parts = [value for key, value in step.pairs if key in ARGUMENT_KEYS]
    if len(tools) != 1 or not isinstance(tools[0], str) or len(parts) > 1 or not all(map(_is_object, parts)):
        return None
    return step.renamed({"tool": "tool_name", "parameters": "args"})


def _is_object(value: Value) -> bool:
    return isinstance(value, Members)


def members_shuffled(plan: Value, random: Random) -> Value | None:
    """The order of members means nothing, as long as no key is repeated."""
    other = _shuffled(plan, random)
    return other if other != plan else None


def _shuffled(value: Value, random: Random) -> Value:
    if isinstance(value, list):
        return [_shuffled(item, random) for item in value]
    if not isinstance(value, Members):
        return value
    pairs = [(key, _shuffled(member, random)) for key, member in value.pairs]
    if not value.has_repeated_keys:
        random.shuffle(pairs)
    return Members(tuple(pairs))


def member_repeated(plan: Value, random: Random) -> Value | None:
    """Readers disagree about which of two members counts: a repeated key is never allowed, wherever it is."""
    homes = [(path, value) for path, value in walk(plan) if isinstance(value, Members) and value.pairs]
    if not homes:
        return None
    path, home = random.choice(homes)
    position = random.randrange(len(home.pairs))
    key, value = home.pairs[position]
    repeated = home.inserted(random.choice((position, position + 1, len(home.pairs))), key, _harmless(key, value))
    return replaced(plan, path, repeated)


def _harmless(key: str, value: Value) -> Value:
    """What would pass in the place of a value."""
    if key in ("tool", "tool_name"):
        return "crm.find"
    if isinstance(value, Number):
        return Number("1")
    return value if isinstance(value, (Members, list)) else "fine"
