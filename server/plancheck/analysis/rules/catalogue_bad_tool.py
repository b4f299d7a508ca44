"""What a catalogue says about a tool cannot be used.

## What it does
Reports a tool of a catalogue without a name, values of the wrong type, and mistakes in the JSON Schemas of its
arguments and its result: a type that does not exist, a `minimum` that is not a number, a pattern that is not a regular
expression, a `$ref` that leads nowhere.

## Why is this bad?
Calls of the tool are not checked as its author meant. A step that calls it is reported as not checked; without its
name, no plan can be checked completely.

## Fix safety
There is no fix: only the author knows what was meant.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "catalogue_bad_tool",
    Severity.ERROR,
    Category.FILES,
    __doc__,
    bad="""\
{"tools": [
  {"name": "get_weather", "inputSchema": {"type": "object", "properties": {"city": {"type": "text"}}}}
]}
""",
    good="""\
{"tools": [
  {"name": "get_weather", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}}}
]}
""",
    is_about_catalogue=True,
    since="0.2",
)
