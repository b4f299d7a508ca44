"""The keys of a trace: those of calls in every shape, and of the messages and responses around them."""

from __future__ import annotations

from plancheck.plan.dialects.annotations import ANNOTATIONS, ENTRIES, IGNORES
from plancheck.plan.dialects.keys import IGNORE
from plancheck.plan.dialects.vocabulary import PLAN, STEP, Key, Shape, Slot, Vocabulary

MESSAGES = "messages"
TOOL_CALLS = "tool_calls"
CONTENT = "content"
OUTPUT = "output"
CHOICES = "choices"
MESSAGE = "message"
FUNCTION_CALL = "function_call"
FUNCTION = "function"
PARAMS = "params"
NAME = "name"
ARGUMENTS = "arguments"
INPUT = "input"
ARGS = "args"
ID = "id"
CALL_ID = "call_id"
METHOD = "method"
TOOLS_CALL = "tools/call"
TYPE = "type"
ROLE = "role"

OTHERS = ("nodes", "steps")
"""Under which keys there is a plan of another format."""
LISTS = (MESSAGES, TOOL_CALLS, CONTENT, OUTPUT, CHOICES)
"""Under which keys of a document there are lists of messages, of calls, or of what has calls in it."""

_CALLED = Key("the tool that is called", "The name of the tool that is called.", '"$1"', Slot.NAME)
_TEXT = Key(
    "what the tool is called with, as JSON text",
    "What the tool is called with: an object, as JSON text in a string (or as an object). What the text holds is "
    "checked in its place.",
    '"{$1}"',
    Slot.JSON_TEXT,
    may_be_null=True,
)
_OBJECT = Key("what the tool is called with", "What the tool is called with: an object.", "{$1}", Slot.OBJECT)
_FUNCTION: Shape = {NAME: _CALLED._replace(is_required=True), ARGUMENTS: _TEXT}
_PARAMS: Shape = {NAME: _CALLED._replace(is_required=True), ARGUMENTS: _OBJECT._replace(may_be_null=True)}

_CALL: Shape = {
    TYPE: Key(
        "the shape of the call",
        "What this is: `function` and `function_call` (OpenAI), `tool_use` (Anthropic), `tool_call` (LangChain).",
        '"${1|function,function_call,tool_use,tool_call|}"',
        Slot.TEXT,
        may_be_null=True,
    ),
    ID: Key(
        "the id of the call",
        "The id of the call, by which its result refers to it.",
        '"$1"',
        Slot.IDENTITY,
        may_be_null=True,
    ),
    CALL_ID: Key(
        "the id of the call", "The id by which the result of a `function_call` refers to it.", '"$1"', Slot.TEXT
    ),
    FUNCTION: Key("the tool and its arguments", "The tool that is called, and what with.", "{$1}", shape=FUNCTION),
    NAME: _CALLED,
    ARGUMENTS: _TEXT,
    INPUT: _OBJECT._replace(page="What the tool is called with in a `tool_use`: an object."),
    ARGS: _OBJECT._replace(page="What the tool is called with in a `tool_call`: an object."),
    METHOD: Key("`tools/call`", "The method of an MCP request: `tools/call` calls a tool.", '"tools/call"', Slot.TEXT),
    PARAMS: Key(
        "the tool and its arguments", "The tool that an MCP request calls, and what with.", "{$1}", shape=PARAMS
    ),
}
_MESSAGE: Shape = {
    ROLE: Key("who speaks", "Who speaks: `assistant`, `user`, `system`, `developer` or `tool`.", '"$1"', Slot.TEXT),
    CONTENT: Key(
        "what is said",
        "What is said: a text, or a list of blocks, of which those of the type `tool_use` are calls.",
        '"$1"',
        shape=STEP,
        many=True,
        may_be_text=True,
        may_be_null=True,
    ),
    TOOL_CALLS: Key(
        "the calls", "The tools that are called, in order.", "[$1]", shape=STEP, many=True, may_be_null=True
    ),
    FUNCTION_CALL: Key(
        "the one call",
        "The tool that is called, in the older form of a message.",
        "{$1}",
        shape=FUNCTION,
        may_be_null=True,
    ),
}
_CHOICE: Shape = {MESSAGE: Key("the message", "What the model answers.", "{$1}", shape=MESSAGE)}
_TRACE: Shape = {
    MESSAGES: Key("the messages", "The messages of a conversation, in order.", "[$1]", shape=MESSAGE, many=True),
    **_MESSAGE,
    OUTPUT: Key(
        "what a response holds",
        "The items of a response; those of the type `function_call` are calls.",
        "[$1]",
        shape=STEP,
        many=True,
    ),
    CHOICES: Key("the answers", "The answers of a model, each with its message.", "[$1]", shape="choice", many=True),
    MESSAGE: Key("the message", "What the model answers.", "{$1}", shape=MESSAGE),
    **{name: key for name, key in _CALL.items() if name not in (ARGUMENTS, INPUT, ARGS)},
    ARGUMENTS: _TEXT,
    INPUT: _CALL[INPUT],
    ARGS: _CALL[ARGS],
    IGNORE: IGNORES,
}
VOCABULARY = Vocabulary(
    {
        PLAN: _TRACE,
        STEP: {**_CALL, **ANNOTATIONS},
        FUNCTION: _FUNCTION,
        PARAMS: _PARAMS,
        MESSAGE: _MESSAGE,
        "choice": _CHOICE,
        **ENTRIES,
    }
)
ANNOTATING = tuple(ANNOTATIONS)
