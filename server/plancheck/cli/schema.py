"""`plancheck schema`: the JSON Schemas of what plancheck reads and prints."""

from __future__ import annotations

from typing import Any

from plancheck.cli.arguments import CommandParser
from plancheck.plan.dialects.table import names

PLAN, POLICY, CONFIG, OUTPUT = "plan", "policy", "config", "output"


def run(argv: list[str]) -> int:
    parser = CommandParser(
        "schema",
        "Print a JSON Schema (draft 2020-12): of a plan in any format or in one, of a policy, of a configuration, "
        "or of what `check --format json` prints.",
        ("plancheck schema > plan.schema.json", "plancheck schema policy", "plancheck schema output"),
    )
    choices = (PLAN, POLICY, CONFIG, OUTPUT, *names())
    parser.add_argument("what", nargs="?", choices=choices, default=PLAN, metavar="WHAT", help=", ".join(choices))
    args = parser.parse_args(argv)
    import json

    print(json.dumps(schema_of(args.what), indent=2))
    return 0


def schema_of(name: str) -> dict[str, Any]:
    from plancheck.schema import headed, schema

    if name == POLICY:
        from plancheck.policy.keys import POLICY_TABLE
        from plancheck.schema.tables import table_schema

        return headed("Policy of plancheck", "A policy in YAML.", table_schema(POLICY_TABLE, {}))
    if name == CONFIG:
        from plancheck.analysis.rules import RULES
        from plancheck.policy.described import Named
        from plancheck.schema.tables import table_schema
        from plancheck.workspace.config_keys import config_table

        found = table_schema(config_table(), {Named.RULE: RULES})
        return headed("Configuration of plancheck", "`plancheck.toml`, or `[tool.plancheck]`.", found)
    if name == OUTPUT:
        from plancheck.cli.formats.format import SEVERITIES
        from plancheck.cli.formats.json import FORMAT_VERSION
        from plancheck.schema.output import output_schema
        from plancheck.unknown import Reason

        found = output_schema(FORMAT_VERSION, SEVERITIES, [reason.value for reason in Reason])
        return headed("Output of plancheck", "What `plancheck check --format json` prints.", found)
    return schema(None if name == PLAN else name)
