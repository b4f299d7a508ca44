"""What the steps of every dialect have in common on their way to the model: agent, kind, reads, writes and scope.

Lowering never fails: what is wrong becomes a fault at its own token, and the rest of the step is kept.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from unicodedata import normalize

from plancheck.plan.carried import ARGUMENT_NAMES, CALL_HOLDERS, TOOL_NAMES, folded_key
from plancheck.plan.dialects.annotations import READ, WRITE
from plancheck.plan.dialects.keys import IGNORE, lower_ignores, nearest
from plancheck.plan.dialects.references import has_candidates, lookalikes_of, may_refer, reads_of, strings_in
from plancheck.plan.model import Fault, Grant, Identity, Ignore, Kind, Lookalike, Outline, Pred, Read, Step, Write
from plancheck.syntax.tree import MISSING, Part, Path

_KINDS = {kind.value: kind for kind in Kind}
_REF_KEYS = {"reads": tuple(READ), "writes": tuple(WRITE)}
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


def _is_note(name: str, value: Any) -> bool:
    """Whether a member that is called like arguments is none: a text, or a list of texts, that no reader takes for
    JSON."""
    texts = value if isinstance(value, list) else [value]
    is_text = all(isinstance(text, str) and text.lstrip()[:1] not in ("{", "[") for text in texts)
    return name in ("input", "inputs") and is_text


def is_name(text: str) -> bool:
    """Whether a text can name anything: blanks, invisible characters and signs alone name nothing."""
    return any(char.isalnum() for char in (text if text.isascii() else normalize("NFKC", text)))


@lru_cache(maxsize=4096)
def _nearest_key(key: str, known: tuple[str, ...]) -> str | None:
    """The same as `nearest`, remembered: the steps of a plan tend to have the same keys."""
    return nearest(key, known)


class Lowering:
    """One step on its way to the model. The dialects say how steps are named, and what else they consist of."""

    names_step = "the `idx` of an earlier step"
    """What a step is referred to by, in words."""

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

    def is_identity(self, value: Any) -> bool:
        """Whether a value can be the name of a step."""
        return is_plain_int(value)

    def agent(self) -> str | None:
        agent = self.fields.get("agent")
        if "agent" in self.fields and not isinstance(agent, str):
            self.wrong_type("a string", agent, ("agent",), "`agent`")
            return None
        if agent == "":
            self.fault("empty_name", "`agent` is empty: name who carries the step out.", ("agent",))
        return agent

    def kind(self) -> Kind | None:
        if "kind" not in self.fields:
            return None
        kind = self.fields["kind"]
        if isinstance(kind, str) and kind in _KINDS:
            return _KINDS[kind]
        if isinstance(kind, str):
            right = nearest(kind, _KINDS)
            hint = f"did you mean `{right}`?" if right else "use `decision` or `tool_call`."
            self.fault("unknown_kind", f"Unknown kind `{kind}`: {hint}", ("kind",))
        else:
            self.wrong_type("`decision` or `tool_call`", kind, ("kind",), "`kind`")
        return None

    def preds(self, key: str, a_list: str) -> tuple[Pred, ...] | None:
        """The steps to wait for, listed under `key`."""
        preds = self.fields.get(key)
        if preds is None:
            return None
        if not isinstance(preds, list):
            self.wrong_type(a_list, preds, (key,), f"`{key}`")
            self.unknown.add(key)
            return None
        found = []
        for i, pred in enumerate(preds):
            if self.is_identity(pred):
                found.append(Pred(pred, (key, i)))
                continue
            self.unknown.add(key)
            if pred == "":
                self.fault("empty_name", f"An entry of `{key}` is empty: name a step.", (key, i))
            elif pred is not MISSING:
                self.wrong_type(self.names_step, pred, (key, i), f"Each entry of `{key}`")
        return tuple(found)

    def misspelt(self, known: tuple[str, ...], but: str = "", order: str = "") -> None:
        """Report every key that nearly is a known one, except those that nearly are `but` or are reported already.
        One that nearly is `order` is an error: without it steps run in another order."""
        reported = {fault.path[0] for fault in self.faults if fault.rule == "unknown_key" and fault.path}
        for key in self.fields:
            if key in reported or (but and _nearest_key(key, (but,))):
                continue
            if key not in known and (right := _nearest_key(key, known)) and right not in self.fields:
                message = f"`{key}` is not a key of a step and is ignored: did you mean `{right}`?"
                self.faults.append(Fault("unknown_key", message, (key,), Part.KEY, is_error=right == order))
                self.unknown.add(right)

    def misnamed_order(self, right: str, others: tuple[str, ...]) -> None:
        """Report the order of steps where it is given under another key than `right`: it falls back to the default."""
        for key in others:
            if isinstance(self.fields.get(key), list):
                message = f"`{key}` is ignored in a plan of this format: list the steps to wait for under `{right}`."
                self.faults.append(Fault("unknown_key", message, (key,), Part.KEY, is_error=True))
                self.unknown.add(right)

    def misplaced(self, known: tuple[str, ...], right: str) -> None:
        """Report arguments that stand under another name than `right`."""
        has_own = self._has_arguments(known)
        for key, value in self.fields.items():
            if key in known or value is None:
                continue
            name = folded_key(key)
            is_note = has_own and _is_note(name, value)
            is_named_so = name in ARGUMENT_NAMES and bool(value) and not is_note
            if is_named_so or _nearest_key(key, (right,)):
                message = f"Arguments belong under `{right}`, not under `{key}`: rename it."
                self.fault("misplaced_arguments", message, (key,), Part.KEY)

    def _has_arguments(self, known: tuple[str, ...]) -> bool:
        """Whether the step has arguments where they belong."""
        return any(key in self.fields for key in known if key in ARGUMENT_NAMES)

    def second_tool(self, own: str, known: tuple[str, ...]) -> None:
        """Report another tool than the one under `own`, named as another format names it."""
        if own not in self.fields:
            return
        has_own = self._has_arguments(known)
        has_arguments = any(
            (name := folded_key(key)) in ("arguments", "input") and not (has_own and _is_note(name, value))
            for key, value in self.fields.items()
        )
        for key, value in self.fields.items():
            name = folded_key(key)
            if key != own and value is not None and (name in _SECOND_TOOLS or (name == "name" and has_arguments)):
                message = f"This step names two tools, under `{own}` and under `{key}`: keep one of them."
                self.fault("second_tool", message, (key,), Part.KEY)

    def references(
        self, known: tuple[str, ...], arguments: tuple[str, ...]
    ) -> tuple[tuple[Read, ...], tuple[Lookalike, ...]]:
        """What the step takes from others by references, and what may be meant as one: in its arguments, and in members
        that are no keys of a step."""
        reads: list[Read] = []
        lookalikes: list[Lookalike] = []
        for key, value in self.fields.items():
            if (key in arguments or key not in known) and has_candidates(value):
                for text, where in strings_in(value, (key,)):
                    if may_refer(text):
                        reads += reads_of(text, where)
                        lookalikes += lookalikes_of(text, where)
        return tuple(reads), tuple(lookalikes)

    def ignores(self) -> tuple[Ignore, ...]:
        return lower_ignores(self.fields.get(IGNORE), (IGNORE,), self.faults)

    def outline(
        self,
        identity: Identity | None,
        kind: Kind | None,
        preds: tuple[Pred, ...] | None,
        touches: tuple[tuple[Read, ...], tuple[Write, ...], tuple[Grant, ...] | None],
        preds_key: str,
    ) -> Outline:
        if not self.unknown:
            return Outline(identity, kind, preds, *touches, True)
        reads, writes, order, scope = (key not in self.unknown for key in ("reads", "writes", preds_key, "scope"))
        return Outline(identity, kind, preds, *touches, reads, writes, order, scope)

    def touches(self) -> tuple[tuple[Read, ...], tuple[Write, ...], tuple[Grant, ...] | None]:
        return tuple(self._reads()), tuple(self._writes()), self._scope()

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
        known = _REF_KEYS[key]
        for name in fields:
            if name not in known and (right := nearest(name, known)) and right not in fields:
                message = f"`{name}` is not a key of a resource and is ignored: did you mean `{right}`?"
                self.fault("unknown_key", message, (*path, name), Part.KEY)
                if right == "producer":
                    self.unknown.add(key)

    def _flag(self, fields: dict[str, Any], name: str, path: Path) -> bool:
        value = fields.get(name, False)
        if not isinstance(value, bool):
            self.wrong_type("true or false", value, (*path, name), f"`{name}`")
        return bool(value)

    def _producer(self, fields: dict[str, Any], path: Path) -> Identity | None:
        producer = fields.get("producer")
        if producer is None or self.is_identity(producer):
            return producer
        self.wrong_type(self.names_step, producer, (*path, "producer"), "`producer`")
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
            creates = False
            if fields:
                self._producer(fields, path)
                for name in _FLAGS:
                    self._flag(fields, name, path)
                creates = self._flag(fields, "creates", path)
            found.append(Write(resource, id_path, creates))
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


_SECOND_TOOLS = TOOL_NAMES | CALL_HOLDERS | {"function"}
"""Under which keys the formats of the world name a tool, as `folded_key` has it."""

_NOT_AN_OBJECT = Outline(None, None, None, (), (), None, False, False, False, False)


def not_a_step(value: Any) -> Step:
    """What stands where a step should, and is no object."""
    fault = Fault("wrong_type", f"A step must be an object, not {type_name(value)}.", ())
    return Step(_NOT_AN_OBJECT, None, (), () if value is MISSING else (fault,), ())
