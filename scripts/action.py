"""What the GitHub action runs (action.yml): installs plancheck, checks, and says it in GitHub's ways.

Findings are annotations at their lines, the summary of the job is a table, and the counts are outputs. The exit code is
that of `plancheck check`. It runs on the Python of the runner, whatever version that is from 3.10 on.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

# Every Python is run with `-I`: modules of the repository that is checked (`pip.py`, say) must not be imported.
ACTION = Path(__file__).resolve().parent.parent
VERSION = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?")


class InputError(Exception):
    """An input of the action that makes no sense."""


def words(name: str) -> list[str]:
    try:
        return shlex.split(os.environ.get(name, ""))
    except ValueError as error:
        raise InputError(f"`{_input(name)}` cannot be split into words ({error}): close the quotes.") from None


def _input(name: str) -> str:
    return name.removeprefix("INPUT_").lower().replace("_", "-")


def installed(folder: Path) -> str:
    """The Python of an environment that has plancheck: a version from PyPI, or the one beside this script."""
    version = os.environ.get("INPUT_VERSION", "").strip()
    if version and not VERSION.fullmatch(version):
        raise InputError(f"`version` is {version!r}, which is not a version such as 0.2.0.")
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        subprocess.run([sys.executable, "-I", "-m", "venv", str(folder)], check=True)
    quiet = ["--quiet", "--disable-pip-version-check"]
    what = f"plancheck=={version}" if version else str(ACTION)
    subprocess.run([python, "-I", "-m", "pip", "install", *quiet, what], check=True)
    return str(python)


def check(python: str, style: str, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """One run of the check; the cache spares those behind the first their work."""
    temporary = os.environ.get("RUNNER_TEMP") or "."
    environment = {"PLANCHECK_CACHE_DIR": str(Path(temporary, "plancheck-cache")), **os.environ}
    command = [python, "-I", "-m", "plancheck", "check", "--format", style, *arguments]
    is_first = style == "github"
    return subprocess.run(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=None if is_first else subprocess.DEVNULL,
        encoding="utf-8",
        check=False,
    )


def add_to(variable: str, text: str) -> None:
    """Add to one of the files by which a step talks to its job."""
    path = os.environ.get(variable)
    if path:
        with Path(path).open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)


def main() -> int:
    try:
        least = os.environ.get("INPUT_FAIL_ON")
        arguments = [*(["--fail-on", least] if least else []), *words("INPUT_ARGUMENTS")]
        if any(word == "-o" or word.partition("=")[0] == "--output-file" for word in arguments):
            raise InputError("`arguments` has --output-file, which would keep the findings from the log: leave it out.")
        arguments += ["--", *(words("INPUT_PATHS") or ["."])]
        python = installed(Path(os.environ.get("RUNNER_TEMP") or ".", "plancheck-environment"))
    except InputError as error:
        print(f"::error title=plancheck::{error}", flush=True)
        return 2
    shown = check(python, "github", arguments)
    print(shown.stdout, end="", flush=True)
    outputs = {"exit-code": shown.returncode}
    counted = check(python, "json", arguments).stdout
    if counted:  # nothing where the arguments themselves are wrong
        summary = json.loads(counted)["summary"]
        outputs |= {"errors": summary["error"], "warnings": summary["warning"], "unchecked": summary["unchecked"]}
        add_to("GITHUB_STEP_SUMMARY", check(python, "markdown", arguments).stdout)
        sarif = os.environ.get("INPUT_SARIF_FILE")
        if sarif:
            Path(sarif).write_text(check(python, "sarif", arguments).stdout, encoding="utf-8", newline="\n")
    add_to("GITHUB_OUTPUT", "".join(f"{name}={value}\n" for name, value in outputs.items()))
    return shown.returncode


if __name__ == "__main__":
    sys.exit(main())
