"""A file that is named as a catalogue of tools is not one.

## What it does
Reports a catalogue whose content has none of the shapes that are known: the result or the response of MCP's
`tools/list`, a list of tools as OpenAI, Anthropic, Gemini or MCP have them, or a list of functions with a `name`,
`description` and `parameters`. A file with more tools, or nested deeper, than is read is reported, too.

## Why is this bad?
Nothing is known of its tools, so no plan can be checked against it.

## Fix safety
There is no fix: only the author knows which file was meant.
"""

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Category, Rule

RULE = Rule(
    "catalogue_shape",
    Severity.ERROR,
    Category.FILES,
    __doc__,
    bad="""\
{"get_weather": {"city": "string"}}
""",
    good="""\
{"tools": [
  {"name": "get_weather", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}}}
]}
""",
    is_about_catalogue=True,
    since="0.2",
)
