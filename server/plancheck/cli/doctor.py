"""`plancheck doctor`: what runs, what is in force for a file, and what is wrong with either."""

from __future__ import annotations

import os

from plancheck.cli.arguments import CommandParser
from plancheck.doctor.diagnosis import Diagnosis
from plancheck.doctor.examine import Workspace, examine_file, examine_installation
from plancheck.workspace.catalogues import Catalogues
from plancheck.workspace.files import Configurations
from plancheck.workspace.policies import Policies


def run(argv: list[str]) -> int:
    parser = CommandParser(
        "doctor",
        "Show what plancheck runs on and what is in force for a file, and what is wrong.",
        ("plancheck doctor", "plancheck doctor --format json refund.plan.json"),
    )
    parser.add_argument("paths", nargs="*", metavar="FILE", help="files or folders; the working directory if none")
    parser.add_argument("--opa", metavar="PROGRAM", help="the opa that evaluates Rego policies")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    args = parser.parse_args(argv)
    found = diagnose(args.paths or [os.getcwd()], args.opa)
    if args.format == "json":
        import json

        print(json.dumps(found.to_dict(), indent=2))
    else:
        print(found.to_text(), end="")
    return found.exit_code


def diagnose(paths: list[str], opa: str | None) -> Diagnosis:
    installation = examine_installation(opa)
    configurations = Configurations()
    workspace = Workspace(configurations, Policies(configurations), Catalogues(configurations))
    has_rego = installation.rego is not None
    files = (examine_file(os.path.abspath(path), workspace, has_rego) for path in paths)
    return Diagnosis(installation, tuple(files))
