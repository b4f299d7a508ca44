"""Write docs/owasp.md from the tags of the rules. With `--check`, say whether it is up to date, and change nothing."""

from __future__ import annotations

import sys
from pathlib import Path

from plancheck.analysis.rule import Rule
from plancheck.analysis.rules import RULES

PAGE = Path(__file__).parent.parent / "docs" / "owasp.md"

RISKS: dict[str, tuple[str, str]] = {
    "ASI01": (
        "Agent Goal Hijack",
        "A plan shows where data from the web or from mail goes by reference. What a model took from such data and "
        "wrote into the plan as a literal has left no trace: lists of recipients, bounds and approvals in a policy are "
        "what holds it back.",
    ),
    "ASI02": (
        "Tool Misuse and Exploitation",
        "Whether a call is within the limits of a policy, fits the tool's schema, and carries another step's result "
        "into SQL, a command or code. What a tool does with proper arguments is its own affair.",
    ),
    "ASI03": (
        "Identity and Privilege Abuse",
        "What a step may touch against what it reads and writes, and secrets that are written out. Whose rights the "
        "agent runs with, a plan does not say.",
    ),
    "ASI04": (
        "Agentic Supply Chain Vulnerabilities",
        "Commands that fetch and run something without a version, and tools that are in no catalogue "
        "(`unknown_tool`). Whether a server or a package is what it says, a plan cannot show.",
    ),
    "ASI05": (
        "Unexpected Code Execution (RCE)",
        "Another step's result inside a command, code or SQL. What a given program does is not looked at.",
    ),
    "ASI06": (
        "Memory & Context Poisoning",
        "Not shown by a plan: what an agent remembers is not part of it. A plan that came from a poisoned memory is "
        "held to the same policy as any other.",
    ),
    "ASI07": (
        "Insecure Inter-Agent Communication",
        "Partly: addresses without encryption are found. Who is behind an agent's name, and whether messages between "
        "agents are signed, a plan does not say.",
    ),
    "ASI08": (
        "Cascading Failures",
        "Failures that go unnoticed, circles, missing handlers and limits on the number of steps and calls. What "
        "happens across several plans is not seen.",
    ),
    "ASI09": (
        "Human-Agent Trust Exploitation",
        "Partly: whether an approval comes before what cannot be undone, and what a human has to look at. What the "
        "human is shown, and whether it is true, is not part of a plan.",
    ),
    "ASI10": (
        "Rogue Agents",
        "Not shown by a plan: an agent that does something else than it declared needs watching at run time.",
    ),
}
"""The ten risks, and what a plan shows of them."""

WEAKNESSES = {
    "CWE-22": "Path Traversal",
    "CWE-73": "External Control of File Name or Path",
    "CWE-78": "OS Command Injection",
    "CWE-89": "SQL Injection",
    "CWE-94": "Code Injection",
    "CWE-183": "Permissive List of Allowed Inputs",
    "CWE-201": "Insertion of Sensitive Information Into Sent Data",
    "CWE-250": "Execution with Unnecessary Privileges",
    "CWE-272": "Least Privilege Violation",
    "CWE-319": "Cleartext Transmission of Sensitive Information",
    "CWE-362": "Race Condition",
    "CWE-367": "Time-of-check Time-of-use Race Condition",
    "CWE-390": "Detection of Error Condition Without Action",
    "CWE-494": "Download of Code Without Integrity Check",
    "CWE-563": "Assignment to Variable without Use",
    "CWE-694": "Use of Multiple Resources with Duplicate Identifier",
    "CWE-770": "Allocation of Resources Without Limits or Throttling",
    "CWE-798": "Use of Hard-coded Credentials",
    "CWE-829": "Inclusion of Functionality from Untrusted Control Sphere",
    "CWE-835": "Infinite Loop",
    "CWE-841": "Improper Enforcement of Behavioral Workflow",
    "CWE-918": "Server-Side Request Forgery",
}

HEAD = """\
# OWASP and CWE coverage

Made from the tags of the rules by `python scripts/owasp_page.py`: do not edit. The mapping to the
[OWASP Top 10 for Agentic Applications 2026](https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/)
and to the [Common Weakness Enumeration](https://cwe.mitre.org/) is our own; neither project has looked at it.

plancheck looks at what a plan declares before it runs. A rule in a table below means that some mistakes of that kind
are found, never that all of them are. Which rules are on, and what their findings count as, is for the
[configuration](configuration.md) to say; `plancheck check --profile security` looks for these alone.

```console
$ plancheck check --quiet --fail-on never --profile security examples/flows/report-faulty.plan.json
…
```

## OWASP Top 10 for Agentic Applications

| risk | what a plan shows of it | rules |
|---|---|---|
"""


def owasp_page() -> str:
    rules = list(RULES.values())
    risks = "".join(f"| {tag} {name} | {shown} | {_listed(tag, rules)} |\n" for tag, (name, shown) in RISKS.items())
    weaknesses = "".join(f"| {_link(tag)} | {name} | {_listed(tag, rules)} |\n" for tag, name in WEAKNESSES.items())
    return f"{HEAD}{risks}\n## Common Weakness Enumeration\n\n| weakness | name | rules |\n|---|---|---|\n{weaknesses}"


def _link(tag: str) -> str:
    return f"[{tag}](https://cwe.mitre.org/data/definitions/{tag.removeprefix('CWE-')}.html)"


def _listed(tag: str, rules: list[Rule]) -> str:
    named = (f"[`{rule.name}`](rules.md#{rule.name})" for rule in rules if tag in rule.tags)
    return ", ".join(named) or "none"


def main() -> int:
    wanted = owasp_page()
    if "--check" in sys.argv:
        is_fresh = PAGE.exists() and PAGE.read_text(encoding="utf-8") == wanted
        if not is_fresh:
            print("docs/owasp.md is out of date: run `python scripts/owasp_page.py`.", file=sys.stderr)
        return int(not is_fresh)
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
