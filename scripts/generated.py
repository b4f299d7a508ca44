"""Write every file that is made from the code anew: `make generated`. With `--check`, name those that are out of date,
and change nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

GENERATED = {
    "docs/rules.md": "scripts/rules_page.py",
    "docs/owasp.md": "scripts/owasp_page.py",
    "docs/conformance.md": "tests/conformance/test_plan_lint.py",
    "examples/mcp/plancheck.tools.json": "scripts/save_own_tools.py",
    "vscode-extension/package.json": "scripts/extension_rules.py",
}
"""Each file, and the script that writes it (in the last one, the settings of the rules). Each knows `--check`."""


def main() -> int:
    stale = []
    for file, script in GENERATED.items():
        command = [sys.executable, str(ROOT / script), *sys.argv[1:]]
        if subprocess.run(command, cwd=ROOT, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            stale.append(file)
    for file in stale:
        print(f"{file} is out of date, or cannot be made: run `make generated`, or `python {GENERATED[file]}`.")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
