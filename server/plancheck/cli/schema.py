"""`plancheck schema`: the JSON Schema of a plan format."""

from __future__ import annotations

from plancheck.cli.arguments import CommandParser
from plancheck.plan.dialects.table import names
from plancheck.schema import schema


def run(argv: list[str]) -> int:
    parser = CommandParser(
        "schema", "Print the JSON Schema (draft 2020-12) of a plan format, or of all of them in one."
    )
    parser.add_argument("dialect", nargs="?", choices=names(), metavar="DIALECT", help=", ".join(names()))
    args = parser.parse_args(argv)
    import json

    print(json.dumps(schema(args.dialect), indent=2))
    return 0
