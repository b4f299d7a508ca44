"""Whether a value fits a schema: the keywords that lead to other schemas, for its members or for itself.

Values and schemas may be nested deeper than Python's stack: a check is a generator that yields the checks which it
depends on, and `_Run.answer` has a stack of its own for them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeAlias

from plancheck.catalogue.assertions import assert_all, is_number
from plancheck.catalogue.closest import alternatives, explained
from plancheck.catalogue.fit import OPEN, Fit, Held, NotedFault, Work
from plancheck.catalogue.resolve import Astray, Resolver, SchemaPart, Steps, step
from plancheck.catalogue.schema import Schema, SchemaDoubt, SchemaFault, describe
from plancheck.catalogue.words import counted, either, kind_shown, shown
from plancheck.policy.regexes import Ask
from plancheck.syntax.tree import MISSING, Part

_Check: TypeAlias = Generator["_Check | Fit", Fit, Fit]
_Checks: TypeAlias = Generator["_Check | Fit", Fit, None]
"""A part of one, which adds to the fit that it is handed."""

_LEADING_ON = frozenset(
    {
        *("$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"),
        *("properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties"),
        *("items", "prefixItems", "contains", "dependencies", "required", "dependentRequired"),
    }
)
_MOST_HINTED = 4


def judge(
    schema: Schema, value: Any, fits: Callable[[Any], bool], ask: Ask, strict_extras: bool
) -> Iterator[SchemaFault | SchemaDoubt]:
    """What is wrong with a value; see `schema.faults`."""
    fit = _Run(schema, Work(fits, ask), strict_extras).answer(value)
    yield from dict.fromkeys(fault.written() for fault in (*fit.faults, *fit.extras))
    yield from dict.fromkeys(fit.doubts)


class _Run:
    """One value and one schema."""

    def __init__(self, schema: Schema, work: Work, strict_extras: bool) -> None:
        self._schemas = Resolver(schema)
        self._work = work
        self._strict_extras = strict_extras
        self._following: set[tuple[int, int]] = set()
        """Where each `$ref` that is being followed led, and for which place: never twice at the same time."""

    def answer(self, value: Any) -> Fit:
        asked: _Check | Fit = self._place(self._schemas.start, value, None)
        stack: list[_Check] = []
        while True:
            if isinstance(asked, Fit):
                if not stack:
                    return asked
                asked = _resumed(stack, asked)
            else:
                stack.append(asked)
                asked = _resumed(stack, None)

    # ---- one value ---------------------------------------------------------------------------------------------------

    def _place(self, part: SchemaPart, value: Any, place: Steps | None) -> _Check | Fit:
        """Hold a value against its schema: all that is said about its members is in there."""
        if value is MISSING or self._work.fits(value):
            return OPEN
        checked = self._hold(part, value, place)
        if self._strict_extras and isinstance(value, tuple):
            return self._with_extras(checked, part, value, place)
        return checked

    def _with_extras(self, checked: _Check | Fit, part: SchemaPart, value: Any, place: Steps | None) -> _Check:
        fit = yield checked
        if fit.names_members and fit.known is not None:
            where = step("properties", part.steps)
            for name, member in self._schemas.members(value).items():
                if name not in fit.known and member is not MISSING:
                    inner = step(name, place)
                    words = (inner, " is not in the schema")
                    extra = NotedFault(
                        "additionalProperties", inner, Part.KEY, words, where, part.is_in_root, name, True
                    )
                    fit.extras.append(extra)
        return fit

    def _hold(self, part: SchemaPart, value: Any, place: Steps | None) -> _Check | Fit:
        """Hold a value against a schema, perhaps one of several for it."""
        fit = Fit()
        if not self._work.may_go_on(fit, 1 + len(value) // 16 if isinstance(value, (tuple, list)) else 1):
            return fit
        if part.value is False:
            Held(part, {}, value, place, fit).refuse("false", part.steps, place)
        if not isinstance(part.value, tuple):
            return fit
        schema = self._schemas.members(part.value)
        if value is None and schema.get("nullable") is True:
            return fit
        held = Held(part, schema, value, place, fit)
        if self._schemas.is_draft7 and isinstance(schema.get("$ref"), str):
            return self._alone(held)
        assert_all(self._work, held)
        return fit if _LEADING_ON.isdisjoint(schema) else self._led_on(held._replace(part=self._schemas.entered(part)))

    def _alone(self, held: Held) -> _Check:
        """In draft-07 nothing counts beside a `$ref`."""
        yield from self._reference(held)
        return held.fit

    def _led_on(self, held: Held) -> _Check:
        if not held.schema.keys().isdisjoint(_REFERENCES):
            yield from self._reference(held)
        if isinstance(held.value, tuple):
            yield from self._object(held)
        elif isinstance(held.value, list):
            yield from self._list(held)
        for position, subschema in enumerate(_listed(held.schema.get("allOf"))):
            held.fit.add((yield self._same(held, subschema, "allOf", position)))
        for keyword in ("anyOf", "oneOf"):
            if _listed(held.schema.get(keyword)):
                yield from self._union(held, keyword)
        if isinstance(held.schema.get("not"), (tuple, bool)):
            yield from self._negation(held)
        if isinstance(held.schema.get("if"), (tuple, bool)):
            yield from self._conditional(held)
        return held.fit

    def _same(self, held: Held, subschema: Any, *names: str | int) -> _Check | Fit:
        """The same value and another schema."""
        return self._hold(held.part.down(subschema, *names), held.value, held.place)

    # ---- members and elements ----------------------------------------------------------------------------------------

    def _object(self, held: Held) -> _Checks:
        schema, members, fit = held.schema, self._schemas.members(held.value), held.fit
        for name in _listed(schema.get("required")):
            if isinstance(name, str) and name not in members:
                held.miss("required", name)
        yield from self._dependent(held, members)
        if "propertyNames" in schema:
            yield from self._named(held, members)
        fit.names_members |= isinstance(schema.get("properties"), tuple)
        if "additionalProperties" in schema or schema.get("unevaluatedProperties", False) is not False:
            fit.known = None
        if not schema.keys().isdisjoint(("properties", "patternProperties", "additionalProperties")):
            for name, value in members.items():
                if not self._work.may_go_on(fit):
                    break
                inner = step(name, held.place)
                for part in self._parts_for(held, name, value, inner):
                    fit.add_inner((yield self._place(part, value, inner)))

    def _parts_for(self, held: Held, name: str, value: Any, place: Steps) -> list[SchemaPart]:
        """The schemas of a member."""
        properties = self._schemas.members(held.schema.get("properties"))
        found = [held.part.down(properties[name], "properties", name)] if name in properties else []
        is_sure = True
        for pattern, subschema in self._schemas.members(held.schema.get("patternProperties")).items():
            occurring = self._work.occurs(pattern, name, place, held.fit)
            is_sure = is_sure and occurring is not None
            if occurring:
                found.append(held.part.down(subschema, "patternProperties", pattern))
        if (found or not is_sure) and held.fit.known is not None:
            held.fit.known.add(name)
        others = held.schema.get("additionalProperties", MISSING)
        if found or not is_sure or others is MISSING:
            return found
        if others is not False:
            return [held.part.down(others, "additionalProperties")]
        if value is not MISSING:
            hint = f": use {either([f'`{known}`' for known in properties])}" if properties else ""
            hint = hint if len(properties) <= _MOST_HINTED else ""
            held.refuse("additionalProperties", step("additionalProperties", held.part.steps), place, hint)
        return []

    def _named(self, held: Held, members: dict[str, Any]) -> _Checks:
        part = held.part.down(held.schema["propertyNames"], "propertyNames")
        for name in members:
            found = yield self._hold(part, name, step(name, held.place))
            held.fit.doubts += found.doubts
            held.fit.is_open |= found.is_open
            held.fit.faults += (
                fault._replace(part=Part.KEY, words=("The name ", *fault.words), name=name) for fault in found.faults
            )

    def _dependent(self, held: Held, members: dict[str, Any]) -> _Checks:
        is_old = self._schemas.is_draft7
        of_names, of_schemas = ("dependencies",) * 2 if is_old else ("dependentRequired", "dependentSchemas")
        for name, needed in self._schemas.members(held.schema.get(of_names)).items():
            for other in _listed(needed) if name in members else ():
                if isinstance(other, str) and other not in members:
                    held.miss(of_names, other, ": ", step(name, held.place), " needs it")
        for name, needed in self._schemas.members(held.schema.get(of_schemas)).items():
            if name in members and isinstance(needed, (tuple, bool)):
                held.fit.add((yield self._same(held, needed, of_schemas, name)))

    def _list(self, held: Held) -> _Checks:
        schema, value = held.schema, held.value
        first, rest = "prefixItems", "items"
        if isinstance(schema.get("items"), list):
            first, rest = "items", "additionalItems"
        elif self._schemas.is_draft7:
            first = ""
        leading = _listed(schema.get(first))
        others = schema.get(rest, MISSING)
        if others is False and first:
            if len(value) > len(leading):
                held.fail(rest, f"have at most {counted(len(leading), 'element')}", shown(len(value)))
            others = MISSING
        count = len(leading) if others is MISSING else len(value)
        for position, element in enumerate(value[:count]):
            if self._work.is_over:
                break
            is_leading = position < len(leading)
            part = held.part.down(leading[position], first, position) if is_leading else held.part.down(others, rest)
            held.fit.add_inner((yield self._place(part, element, step(position, held.place))))
        if "contains" in schema:
            yield from self._contained(held)

    def _contained(self, held: Held) -> _Checks:
        least: Any = held.schema.get("minContains")
        most: Any = held.schema.get("maxContains")
        least = 1 if self._schemas.is_draft7 or not is_number(least) else least
        most = len(held.value) if self._schemas.is_draft7 or not is_number(most) else most
        part = held.part.down(held.schema["contains"], "contains")
        sure, perhaps = 0, 0
        doubts: list[SchemaDoubt] = []
        for position, element in enumerate(held.value):
            found = yield self._place(part, element, step(position, held.place))
            sure += found.is_sure
            perhaps += not found.faults
            doubts += [] if found.faults else found.doubts
        if perhaps < least:
            keyword = "contains" if least == 1 else "minContains"
            held.fail(keyword, f"contain at least {counted(least, 'element')} of this form: {self._words(part)}")
        elif sure > most:
            held.fail("maxContains", f"contain at most {counted(most, 'element')} of this form: {self._words(part)}")
        elif sure < least or perhaps > most:
            held.fit.leave_open(doubts)

    def _words(self, part: SchemaPart) -> str:
        return describe(Schema(part.value, self._schemas.root)) or "anything"

    # ---- other schemas for the same value ----------------------------------------------------------------------------

    def _reference(self, held: Held) -> _Checks:
        reference = held.schema.get("$ref")
        target = self._schemas.follow(held.part, reference) if isinstance(reference, str) else Astray.REMOTE
        if isinstance(target, Astray):
            held.fit.add(OPEN)
            return
        visit = (id(target.value), id(held.place))
        if visit in self._following:
            held.fit.is_open = True
            return
        self._following.add(visit)
        held.fit.add((yield self._hold(target, held.value, held.place)))
        self._following.discard(visit)

    def _negation(self, held: Held) -> _Checks:
        found = yield self._same(held, held.schema["not"], "not")
        if found.is_sure:
            held.fail("not", f"not be of this form: {self._words(held.part.down(held.schema['not']))}")
        elif not found.faults:
            held.fit.leave_open(found.doubts)

    def _conditional(self, held: Held) -> _Checks:
        condition = yield self._same(held, held.schema["if"], "if")
        if not condition.faults:
            held.fit.know(condition)
            if not condition.is_sure:
                held.fit.leave_open(condition.doubts)
                held.fit.known = None
                return
        keyword = "else" if condition.faults else "then"
        if keyword in held.schema:
            held.fit.add((yield self._same(held, held.schema[keyword], keyword)))

    def _union(self, held: Held, keyword: str) -> _Checks:
        branches: list[Fit] = []
        for position, subschema in enumerate(held.schema[keyword]):
            found = yield self._same(held, subschema, keyword, position)
            branches.append(found)
            if keyword == "anyOf" and found.is_sure and not isinstance(held.value, (tuple, list)):
                break
        sure = [branch for branch in branches if branch.is_sure]
        possible = [branch for branch in branches if not branch.faults]
        for branch in possible or branches:
            held.fit.know(branch)
        if not possible:
            self._explain(held, keyword, [branch.faults for branch in branches])
        elif keyword == "oneOf" and len(sure) > 1:
            one, other, *_ = (position + 1 for position, branch in enumerate(branches) if branch.is_sure)
            held.fail(keyword, f"fit exactly one of {len(branches)} forms, but fits forms {one} and {other}")
        elif sure and (keyword == "anyOf" or len(possible) == 1):
            held.fit.extras += min(sure, key=lambda branch: len(branch.extras)).extras
        else:
            held.fit.leave_open([doubt for branch in possible for doubt in branch.doubts])

    def _explain(self, held: Held, keyword: str, branches: list[list[NotedFault]]) -> None:
        """Say why a value fits no branch of a union."""
        fault = explained(branches, held.place)
        if fault is not None:
            held.fit.faults.append(fault)
            return
        are_types = all(found[0].keyword == "type" for found in branches)
        instead = kind_shown(held.value) if are_types else shown(held.value)
        held.fail(keyword, f"be {alternatives(branches)}", instead, reported="type" if are_types else "")


_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})


def _resumed(stack: list[_Check], answer: Fit | None) -> _Check | Fit:
    """What the last check asks for next, or how it ended."""
    try:
        return stack[-1].send(answer)  # type: ignore[arg-type]
    except StopIteration as ended:
        stack.pop()
        fit: Fit = ended.value
        return fit


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
