"""From a call in a trace to a step. What it is known by, if it has no id, is filled in by the plan."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from plancheck.plan.dialects.dialect import LoweredSteps
from plancheck.plan.dialects.lowering import Lowering, is_name, not_a_step, type_name
from plancheck.plan.dialects.trace.emitted import CallSite, emitted
from plancheck.plan.dialects.trace.keys import (
    ANNOTATING,
    CALL_ID,
    ID,
    METHOD,
    NAME,
    TYPE,
)
from plancheck.plan.dialects.trace.shapes import (
    HOSTED_END,
    HOSTED_TOOLS,
    CallShape,
    is_beside_calls,
    is_emitted,
    is_piece,
    listed_shape,
)
from plancheck.plan.model import Beside, Call, Fault, Step, beside
from plancheck.syntax.tree import INSIDE, MISSING, Path, Within

_USUAL = (TYPE, ID, CALL_ID, "index", "status", "caller", "cache_control", "jsonrpc", METHOD, "_meta", *ANNOTATING)
"""What calls of any shape have besides the tool and its arguments."""


class _Arguments:
    """What a call is called with: the value, where it is, and what is wrong with it."""

    __slots__ = ("faults", "is_read", "path", "value")

    def __init__(self, value: Any, path: Path) -> None:
        self.value = value
        self.path = path
        self.faults: list[Fault] = []
        self.is_read = False
        """Whether it was a JSON text."""

    def read(self) -> None:
        """Read the JSON text that they are. An empty one is what some models emit for no arguments."""
        from plancheck.syntax.inner import DEEPEST, read_text  # few plans have JSON text inside

        text, path = self.value, self.path
        found = read_text(text) if text.strip() else None
        if found is not None and found.is_too_deep:
            message = f"The arguments are nested more than {DEEPEST} levels deep and were not read: flatten them."
            self.faults.append(Fault("syntax_error", message, path))
            return
        self.value = () if found is None else found.value
        self.path = (*path, INSIDE)
        self.is_read = True
        for start, end, message in found.problems if found is not None else ():
            shown = f"The arguments are not proper JSON: {message[0].lower()}{message[1:]}"
            self.faults.append(Fault("syntax_error", shown, (*path, Within(start, max(end, start + 1)))))


class _Lowering(Lowering):
    names_step = "the id or the position of an earlier call"

    def __init__(self, fields: dict[str, Any], shape: CallShape) -> None:
        super().__init__(fields)
        self.shape = shape
        self.around: tuple[str, ...] = () if shape.around is None else (shape.around,)
        inner = self.fields.get(shape.around) if shape.around is not None else None
        self.own = Lowering(dict(inner) if isinstance(inner, tuple) else {}) if shape.around is not None else self
        """What names the tool and has the arguments."""

    def is_identity(self, value: Any) -> bool:
        return (isinstance(value, str) and bool(value)) or super().is_identity(value)

    def step(self, value: Any) -> Step:
        tool = self._tool()
        arguments = self._arguments()
        identity, identity_path = self._identity()
        if not isinstance(self.fields.get(TYPE), (str, type(None))):
            self.wrong_type("a string", self.fields[TYPE], (TYPE,), f"`{TYPE}`")
        agent, kind = self.agent(), self.kind()
        touches = self.touches()
        self._other_members()
        ignores = self.ignores()
        outline = self.outline(identity, kind, None, touches, "")
        tool_key = TYPE if self.shape.is_hosted else NAME
        tool_path = (*self.around, tool_key) if tool_key in self.own.fields else ()
        call = Call(tool, tool_path, arguments.value, arguments.path, None, (), self._beside())
        if not identity_path and tool is not None:
            identity_path = tool_path
        if arguments.is_read:
            value = _with(value, arguments.path[:-1], ((INSIDE, arguments.value),))
        return Step(outline, agent, identity_path, tuple(self.faults), ignores, call, value=value)

    def _identity(self) -> tuple[str | None, Path]:
        """The id under which the result of the call is known: of two, that which is meant for it."""
        for key in (CALL_ID, ID):
            found = self.fields.get(key)
            if isinstance(found, str) and found:
                return found, (key,)
            if key == ID and key in self.fields:
                if isinstance(found, int) and not isinstance(found, bool):
                    return str(found), (key,)
                if found is not None and not isinstance(found, str):
                    self.wrong_type("a string or an integer", found, (key,), f"`{key}`")
        return None, ()

    def _tool(self) -> str | None:
        around, fields = self.around, self.own.fields
        if self.shape.is_hosted:
            name = str(fields[TYPE]).removesuffix(HOSTED_END)
            return name if name in HOSTED_TOOLS else f"{name}{HOSTED_END}"
        if around and not isinstance(self.fields.get(around[0], ()), tuple):
            self.wrong_type("an object", self.fields[around[0]], around, f"`{around[0]}`")
            return None
        if NAME not in fields:
            if NAME not in self.own.unfinished and (not around or around[0] not in self.unfinished):
                message = f"This call has no `{NAME}`, so it is not known what it calls: name the tool."
                self.fault("missing_tool_name", message, around if around and around[0] in self.fields else ())
            return None
        name = fields[NAME]
        if not isinstance(name, str):
            self.wrong_type("a string", name, (*around, NAME), f"`{NAME}`")
            return None
        if not is_name(name):
            self.fault("empty_name", f"`{NAME}` is empty: name the tool.", (*around, NAME))
            return None
        return name

    def _arguments(self) -> _Arguments:
        key = self.shape.arguments
        if key not in self.own.fields:
            return _Arguments(None, ())
        found = _Arguments(self.own.fields[key], (*self.around, key))
        is_text = isinstance(found.value, str)
        if is_text and not self.shape.is_free and not self.shape.is_hosted:
            found.read()
            self.faults += found.faults
        if not is_text and self.shape.is_free:
            self.wrong_type("a string", found.value, found.path, f"`{key}`")
        elif not self.shape.is_free and not self.shape.is_hosted and not found.faults:
            self._check_type(found, is_text)
        return found

    def _check_type(self, found: _Arguments, is_text: bool) -> None:
        key, path = self.shape.arguments, (*self.around, self.shape.arguments)
        if is_text and not self.shape.is_text:
            self.wrong_type("an object", "", path, f"`{key}`")
        elif found.value is not None and not isinstance(found.value, tuple):
            expected = "the JSON text of an object" if is_text else "an object"
            given = f"that of {type_name(found.value)}" if is_text else type_name(found.value)
            self.fault("wrong_type", f"`{key}` must be {expected}, not {given}.", path)

    def _other_members(self) -> None:
        """Report what a lenient reader may take for the tool or its arguments."""
        key = self.shape.arguments
        if self.own is not self:
            right = f"{self.around[0]}.{key}"
            self.misspelt((*_USUAL, self.around[0]))
            self.misplaced((*_USUAL, self.around[0]), right)
            self.second_tool(self.around[0], (*_USUAL, self.around[0]))
        if self.shape.is_hosted:
            return  # each service has members of its own there
        own = self.own
        known = (NAME, key) if own is not self else (*_USUAL, NAME, key)
        before = len(own.faults)
        own.misspelt(known, but=key)
        own.misplaced(known, key)
        own.second_tool(NAME, known)
        if own is not self:
            self.faults += (fault._replace(path=(*self.around, *fault.path)) for fault in own.faults[before:])

    def _beside(self) -> tuple[Beside, ...]:
        """What a lenient runner may take for arguments: all but what the call consists of, and what usually stands
        there, as far as it has nothing in it."""
        parts = (NAME, self.shape.arguments)
        own = beside(self.around, _unusual(self.own.fields, parts))
        return own if self.own is self else (*beside((), _unusual(self.fields, (*parts, *self.around))), *own)


def _unusual(fields: dict[str, Any], parts: Container[Any]) -> Iterator[tuple[str, Any]]:
    return ((key, value) for key, value in fields.items() if key not in parts and not _is_usual(key, value))


def _is_usual(key: str, value: Any) -> bool:
    is_empty = not isinstance(value, (tuple, list)) and not (isinstance(value, str) and "{" in value)
    return key in ANNOTATING or (key in _USUAL and is_empty)


def _with(value: Any, path: Path, new: Any) -> Any:
    """A value with another one at a path inside of it; of repeated keys, the last one counts."""
    if not path:
        return new
    last = max(i for i, (key, _) in enumerate(value) if key == path[0])
    return tuple((key, _with(child, path[1:], new) if i == last else child) for i, (key, child) in enumerate(value))


def _lower(value: Any, shape: CallShape) -> Step:
    return _Lowering(dict(value), shape).step(value) if isinstance(value, tuple) else not_a_step(value)


def lower_listed(value: Any) -> LoweredSteps:
    """What stands in a list of calls, which is one whatever it looks like."""
    return () if value is MISSING else (((), _lower(value, listed_shape(value))),)


_PIECE = "This is a piece of a call, as a stream has it, and was not read: put the call together first."


def lower_element(value: Any) -> LoweredSteps:
    """What stands in a list of calls or messages: messages and the like have calls in them, and all else is a call that
    lacks something. Passed over, it would count as fine."""
    if is_piece(value):
        return (((), not_a_step(value)._replace(faults=(Fault("missing_tool_name", _PIECE, ()),))),)
    return lower_any(value) if is_emitted(value) or is_beside_calls(value) else lower_listed(value)


def lower_choice(value: Any) -> LoweredSteps:
    """One of the answers that a model may give: only one is carried out, so that it follows none of the others."""
    steps = lower_any(value)
    return tuple((path, _as_root(step) if not number else step) for number, (path, step) in enumerate(steps))


def lower_any(value: Any) -> LoweredSteps:
    """The calls in a message, in a part of a response, or in a whole document."""
    return tuple((site.path, _lower_site(site)) for site in emitted(value).calls)


def _lower_site(site: CallSite) -> Step:
    step = _lower(site.value, site.shape)
    if site.is_by_another:
        message = f"A message of the role `{site.role}` cannot call tools: only what the model emits is carried out."
        place = step.call.tool_path if step.call is not None else ()
        step = step._replace(faults=(*step.faults, Fault("wrong_type", message, place)))
    return _as_root(step) if site.is_first_choice else step


def _as_root(step: Step) -> Step:
    return step._replace(outline=step.outline._replace(preds=()))
