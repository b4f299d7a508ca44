"""The declared dialect: `{"nodes": [{"idx", "agent", "kind", "control_preds", "reads", "writes", "scope"}]}`.

Lowering never fails: what is wrong becomes a fault at its own token, and the rest of the step is kept.
"""

from __future__ import annotations

from typing import Any

from plancheck.plan.dialects.keys import IGNORE, REF_KEYS, STEP_KEYS, lower_ignores, nearest
from plancheck.plan.model import Fault, Grant, Kind, Outline, Pred, Read, Step, Write
from plancheck.syntax.tree import MISSING, Part, Path

_KINDS = {kind.value: kind for kind in Kind}
_FLAGS = ("volatile", "pinned", "revalidates")


def type_name(value: Any) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, int):
        return "an integer"
    if isinstance(value, float):
        return "a number with a fraction"
    return "a list" if isinstance(value, list) else "an object"


def is_plain_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class _Lowering:
    """One node on its way to a step."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = {key: value for key, value in fields.items() if value is not MISSING}
        self.unfinished = fields.keys() - self.fields.keys()
        """Keys without a value yet: the reader has said so, and nothing more is to be said of them."""
        self.faults: list[Fault] = []
        self.unknown = set(self.unfinished)
        """Keys of which something could not be made out, so that nothing may be concluded from what is absent."""

    def fault(self, rule: str, message: str, path: Path, part: Part = Part.VALUE) -> None:
        self.faults.append(Fault(rule, message, path, part))

    def wrong_type(self, expected: str, value: Any, path: Path, what: str) -> None:
        self.fault("wrong_type", f"{what} must be {expected}, not {type_name(value)}.", path)

    def missing(self, key: str, message: str) -> None:
        if key not in self.unfinished:
            self.fault("missing_key", message, ())

    def step(self) -> Step:
        identity = self._identity()
        agent = self._agent()
        kind = self._kind()
        preds = self._preds()
        reads = tuple(self._reads())
        writes = tuple(self._writes())
        scope = self._scope()
        for key in self.fields:
            if key not in STEP_KEYS and (right := nearest(key, STEP_KEYS)) and right not in self.fields:
                self.fault(
                    "unknown_key",
                    f"`{key}` is no key of a step and is ignored: did you mean `{right}`?",
                    (key,),
                    Part.KEY,
                )
                self.unknown.add(right)
        ignores = lower_ignores(self.fields.get(IGNORE), (IGNORE,), self.faults)
        outline = Outline(identity, kind, preds, reads, writes, scope, True)
        if self.unknown:
            known = (key not in self.unknown for key in ("reads", "writes", "control_preds", "scope"))
            outline = Outline(*outline[:6], *known)
        return Step(outline, agent, ("idx",), tuple(self.faults), ignores)

    def _identity(self) -> int | None:
        if "idx" not in self.fields:
            self.missing("idx", "This step has no `idx`: give it an integer that no other step has.")
            return None
        idx = self.fields["idx"]
        if is_plain_int(idx):
            return int(idx)
        self.wrong_type("an integer", idx, ("idx",), "`idx`")
        return None

    def _agent(self) -> str | None:
        if "agent" not in self.fields:
            self.missing("agent", "This step has no `agent`: name who carries it out.")
            return None
        agent = self.fields["agent"]
        if not isinstance(agent, str):
            self.wrong_type("a string", agent, ("agent",), "`agent`")
            return None
        if not agent:
            self.fault("empty_name", "`agent` is empty: name who carries the step out.", ("agent",))
        return agent

    def _kind(self) -> Kind | None:
        if "kind" not in self.fields:
            self.missing("kind", "This step has no `kind`: it is a `decision` or a `tool_call`.")
            return None
        kind = self.fields["kind"]
        if isinstance(kind, str) and kind in _KINDS:
            return _KINDS[kind]
        if isinstance(kind, str):
            right = nearest(kind, _KINDS)
            hint = f"did you mean `{right}`?" if right else "it is a `decision` or a `tool_call`."
            self.fault("unknown_kind", f"`{kind}` is no kind of step: {hint}", ("kind",))
        else:
            self.wrong_type("`decision` or `tool_call`", kind, ("kind",), "`kind`")
        return None

    def _preds(self) -> tuple[Pred, ...] | None:
        preds = self.fields.get("control_preds")
        if preds is None:
            return None
        if not isinstance(preds, list):
            self.wrong_type("a list of `idx` values", preds, ("control_preds",), "`control_preds`")
            self.unknown.add("control_preds")
            return None
        found = []
        for i, pred in enumerate(preds):
            if is_plain_int(pred):
                found.append(Pred(pred, ("control_preds", i)))
                continue
            self.unknown.add("control_preds")
            if pred is not MISSING:
                self.wrong_type(
                    "the `idx` of an earlier step", pred, ("control_preds", i), "Each entry of `control_preds`"
                )
        return tuple(found)

    def _refs(self, key: str) -> list[tuple[str, Path, dict[str, Any], Path]]:
        """The entries of `reads` or `writes` that name a resource: its id, where that stands, the entry's members."""
        entries = self.fields.get(key)
        if entries is None:
            return []
        if not isinstance(entries, list):
            self.wrong_type("a list of resources", entries, (key,), f"`{key}`")
            self.unknown.add(key)
            return []
        found: list[tuple[str, Path, dict[str, Any], Path]] = []
        for i, entry in enumerate(entries):
            path: Path = (key, i)
            if isinstance(entry, str):
                if entry:
                    found.append((entry, path, {}, path))
                    continue
                self.fault("empty_name", f"An entry of `{key}` is empty: name the resource.", path)
            elif isinstance(entry, tuple):
                fields = {name: value for name, value in entry if value is not MISSING}
                resource = self._ref_id(key, fields, path, any(n == "id" and v is MISSING for n, v in entry))
                self._check_ref_keys(key, fields, path)
                if len(fields) < len(entry):
                    self.unknown.add(key)
                if resource is not None:
                    found.append((resource, (*path, "id"), fields, path))
                    continue
            elif entry is not MISSING:
                self.wrong_type("a resource id or an object with an `id`", entry, path, f"Each entry of `{key}`")
            self.unknown.add(key)
        return found

    def _ref_id(self, key: str, fields: dict[str, Any], path: Path, unfinished: bool) -> str | None:
        resource = fields.get("id")
        if isinstance(resource, str) and resource:
            return resource
        if isinstance(resource, str):
            self.fault("empty_name", f"The `id` of this entry of `{key}` is empty: name the resource.", (*path, "id"))
        elif "id" in fields:
            self.wrong_type("a string", resource, (*path, "id"), f"The `id` of an entry of `{key}`")
        elif not unfinished:
            self.fault("missing_key", f"This entry of `{key}` has no `id`: name the resource.", path)
        return None

    def _check_ref_keys(self, key: str, fields: dict[str, Any], path: Path) -> None:
        for name in fields:
            if name not in REF_KEYS and (right := nearest(name, REF_KEYS)) and right not in fields:
                message = f"`{name}` is no key of a resource and is ignored: did you mean `{right}`?"
                self.fault("unknown_key", message, (*path, name), Part.KEY)
                if right == "producer":
                    self.unknown.add(key)

    def _flag(self, fields: dict[str, Any], name: str, path: Path) -> bool:
        value = fields.get(name, False)
        if not isinstance(value, bool):
            self.wrong_type("true or false", value, (*path, name), f"`{name}`")
        return bool(value)

    def _producer(self, fields: dict[str, Any], path: Path) -> int | None:
        producer = fields.get("producer")
        if producer is None or is_plain_int(producer):
            return producer
        self.wrong_type("the `idx` of an earlier step", producer, (*path, "producer"), "`producer`")
        self.unknown.add(str(path[0]))
        return None

    def _reads(self) -> list[Read]:
        found = []
        for resource, id_path, fields, path in self._refs("reads"):
            if not fields:
                found.append(Read(resource, id_path))
                continue
            producer = self._producer(fields, path)
            flags = [self._flag(fields, name, path) for name in _FLAGS]
            producer_path = (*path, "producer") if producer is not None else ()
            found.append(Read(resource, id_path, producer, producer_path, *flags))
        return found

    def _writes(self) -> list[Write]:
        found = []
        for resource, id_path, fields, path in self._refs("writes"):
            if fields:
                self._producer(fields, path)
                for name in _FLAGS:
                    self._flag(fields, name, path)
            found.append(Write(resource, id_path))
        return found

    def _scope(self) -> tuple[Grant, ...] | None:
        scope = self.fields.get("scope")
        if scope is None:
            return None
        if not isinstance(scope, list):
            self.wrong_type("a list of resource ids", scope, ("scope",), "`scope`")
            return None
        found = []
        for i, grant in enumerate(scope):
            if isinstance(grant, str):
                found.append(Grant(grant, ("scope", i)))
                continue
            self.unknown.add("scope")
            if grant is not MISSING:
                self.wrong_type("a resource id", grant, ("scope", i), "Each entry of `scope`")
        return tuple(found)


_NOT_AN_OBJECT = Outline(None, None, None, (), (), None, False, False, False, False)


def lower_step(value: Any) -> Step:
    """One node of a declared plan, given as the syntax tree's value."""
    if not isinstance(value, tuple):
        fault = Fault("wrong_type", f"A step must be an object, not {type_name(value)}.", ())
        return Step(_NOT_AN_OBJECT, None, (), () if value is MISSING else (fault,), ())
    return _Lowering(dict(value)).step()
