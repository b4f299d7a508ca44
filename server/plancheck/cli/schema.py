"""`plancheck schema`: the JSON Schema of a plan format."""

from __future__ import annotations

from plancheck.cli.arguments import Parser
from plancheck.schema import DIALECTS, schema


def run(argv: list[str]) -> int:
    parser = Parser("schema", "Print the JSON Schema (draft 2020-12) of a plan format, or of all of them in one.")
    parser.add_argument("dialect", nargs="?", choices=DIALECTS, metavar="DIALECT", help=", ".join(DIALECTS))
    args = parser.parse_args(argv)
    import json

    print(json.dumps(schema(args.dialect), indent=2))
    return 0
