"""A tool is described twice.

## What it does
Reports a tool whose name an earlier tool has, in the same catalogue or in another one that is in force with it. The
first one is used.

## Why is this bad?
It is not clear which of the two a plan means, and its arguments are checked against the wrong one.

## Fix safety
There is no fix: only the author knows which of the two is right.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "duplicate_tool",
    Severity.WARNING,
    Category.FILES,
    __doc__,
    bad="""\
{"tools": [
  {"name": "search", "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}}},
  {"name": "search", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}
]}
""",
    good="""\
{"tools": [
  {"name": "search", "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}}},
  {"name": "search_text", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}
]}
""",
    is_about_catalogue=True,
    since="0.2",
    tags=("CWE-694",),
)
