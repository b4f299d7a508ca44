"""Whether a document is a trace, and where in it the calls are."""

from __future__ import annotations

from typing import Any

from plancheck.plan.dialects.dialect import Holder, Match
from plancheck.plan.dialects.trace.keys import CHOICES, FUNCTION_CALL, LISTS, MESSAGE, MESSAGES, TOOL_CALLS
from plancheck.plan.dialects.trace.lowering import lower_any, lower_choice, lower_element, lower_listed
from plancheck.plan.dialects.trace.shapes import (
    ASSISTANT,
    IS_ELEMENT,
    MOST_LOOKED_AT,
    is_emitted,
    is_message,
    role_of,
    shape_of,
)
from plancheck.syntax.tree import Chunk, Spine, Top, Tree

_TOOL_KEYS = ("tool_name", "tool")
"""Under which keys other formats name the tool of a call."""


def detect(tree: Tree) -> Match:
    if isinstance(tree.root, Spine):
        return Match.CERTAIN if _are_emitted(tree.root) else Match.NONE
    if not isinstance(tree.root, list):
        return Match.NONE
    return Match.CERTAIN if _is_trace(tree, tree.root) else Match.NONE


def _are_emitted(spine: Spine) -> bool:
    """Whether there are calls of such shapes, or messages, among the first elements, and none that is a call as other
    formats have it: those go unread here."""
    has_any = False
    for chunk in spine.chunks[:MOST_LOOKED_AT]:
        value = chunk.value
        if not isinstance(value, tuple):
            continue
        if is_emitted(value):
            has_any = True
        elif any(key in _TOOL_KEYS for key, _ in value):
            return False
    return has_any


def _is_trace(tree: Tree, root: list[Top]) -> bool:
    if any(_is_list(tree, key) for key in (MESSAGES, TOOL_CALLS)):
        return True
    document = _shallow(root)
    if shape_of(document) is not None or is_message(document):
        return True
    members = dict(document)
    if is_message(members.get(MESSAGE)) or _is_call(members.get(FUNCTION_CALL)):
        return True
    return any(_has_element(tree, key) for key in IS_ELEMENT)


def _is_call(value: Any) -> bool:
    return isinstance(value, tuple) and {"name", "arguments"} <= {key for key, _ in value}


def _shallow(root: list[Top]) -> tuple[tuple[str, Any], ...]:
    """The document's object as far as it takes to tell what it is: lists are empty."""
    return tuple((top.key, top.value.value if isinstance(top.value, Chunk) else []) for top in root)


def _is_list(tree: Tree, key: str) -> bool:
    top = tree.top(key)
    return top is not None and isinstance(top.value, Spine)


def _has_element(tree: Tree, key: str) -> bool:
    top = tree.top(key)
    chunks = top.value.chunks[:MOST_LOOKED_AT] if top is not None and isinstance(top.value, Spine) else ()
    return any(IS_ELEMENT[key](chunk.value) for chunk in chunks)


_LOWER = {TOOL_CALLS: lower_listed, CHOICES: lower_choice, MESSAGES: lower_element}


def find(tree: Tree) -> Holder | None:
    """A list of messages, of calls or of what has calls in it is taken by itself, so that it is cut into chunks; a
    document that is one call or one message, or has more than one such list, as a whole."""
    if isinstance(tree.root, Spine):
        return Holder((), tree.root, lower_element)
    if not isinstance(tree.root, list) or not _is_trace(tree, tree.root):
        return None
    lists = [key for key in LISTS if _is_list(tree, key)]
    document = _shallow(tree.root)
    is_by_model = role_of(dict(document)) in (None, ASSISTANT)
    if (
        len(lists) == 1
        and is_by_model
        and shape_of(document) is None
        and tree.top(MESSAGE) is None
        and tree.top(FUNCTION_CALL) is None
    ):
        top = tree.top(lists[0])
        assert top is not None
        return Holder((top.key,), top.value, _LOWER.get(top.key, lower_any))
    return Holder((), tree.root)
