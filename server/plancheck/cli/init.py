"""`plancheck init`: a configuration and a policy to begin with, with every key there is explained in them.

What is not the default is commented out: the files change nothing until somebody edits them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap

from plancheck.cli.arguments import CommandParser
from plancheck.cli.terminal import one_line
from plancheck.policy.described import DescribedKey, FormId
from plancheck.policy.keys import GATE_KEYS, POLICY_KEYS, REQUIREMENT_KEYS, TOOL_KEYS, USE_KEYS, PolicyForm
from plancheck.policy.reading import NAMES as POLICY_NAMES
from plancheck.workspace.config_keys import CONFIG_KEYS, OVERRIDE_KEYS, ConfigForm
from plancheck.workspace.files import Configurations

CONFIGURATION = "plancheck.toml"
POLICY = "plan-policy.yaml"
_COLUMNS = 100

_CONFIGURATION_HEAD = """\
# How plancheck checks the plans in this folder and below. What is commented out is an example or the
# default: remove the `#` right before a setting to have it, and the one before the `[rules]` or
# `[[overrides]]` above it, if it is below one. `plancheck rules` lists the rules.
"""
_POLICY_HEAD = """\
# What plans in this folder and below may do, for `plancheck check` and `plancheck gate`. What is
# commented out is an example: remove the `#` right before a key to have it, and make it fit your tools.
# A key below another one, such as those below `gate:`, needs that one, too.
"""

CONFIGURATION_SAMPLES = {
    "include": 'include = ["**/*.plan.json", "**/*.calls.json", "**/*.trace.json"]',
    "exclude": 'exclude = ["archive/**"]',
    "policy": f'policy = ["{POLICY}"]',
    "rego-package": 'rego-package = "company.plans"',
    "tools": 'tools = ["tools.json"]',
    "max-findings": "max-findings = 200",
    "max-file-size": "max-file-size = 20000000",
    "dialect": 'dialect = "steps"',
    "inline-ignores": 'inline-ignores = "advice"',
    "profile": 'profile = "recommended"',
    "baseline": 'baseline = "plancheck-baseline.json"',
    "fail-on": 'fail-on = "error"',
    "extend": 'extend = "../plancheck.toml"',
    "rules": """\
[rules]
scope_vs_snapshot = "error"
parallel_write_race = { severity = "warning", related = 3 }""",
    "overrides": """\
[[overrides]]
files = ["examples/**"]
rules = { scope_vs_snapshot = "hint" }
dialect = "declared\"""",
}
"""A value for every key of a configuration; tables come last, as TOML wants it."""
POLICY_SAMPLES = {
    "allow_tools": "allow_tools: [crm.find, crm.update, mail.send, payments.send]",
    "bounds": "bounds:\n  payments.send.amount: [0, 1000]",
    "deny_tokens_regex": "deny_tokens_regex: ['(?i)internal use only']",
    "max_steps": "max_steps: 100",
    "risk_weights": "risk_weights:\n  tool_deny: 0.5\n  missing_handler: 0.1",
    "fail_risk_threshold": "fail_risk_threshold: 0.8",
    "require_handlers": "require_handlers: true",
    "tools": """\
tools:
  crm.find: {does: read, source: private}
  payments.send: {does: pay, irreversible: true}
  manager.approve: approval""",
    "allow_writes": 'allow_writes: ["orders/*"]',
    "allow_scope": 'allow_scope: ["orders/*", "customers/*"]',
    "recipients": 'recipients:\n  mail.send.to: ["*@example.com"]',
}
"""A value for every key of a policy but `gate`."""
GATE_SAMPLES = {
    "max_steps": "max_steps: 50",
    "blocked_tools": "blocked_tools: [crm.delete]",
    "at_most": "at_most: [{tools: [payments.send], count: 1}]",
    "not_first": "not_first: [payments.send]",
    "required": "required: [{tools: [manager.approve], before: [payments.send]}]",
    "needs_human": "needs_human:\n  payments.send.amount: 100",
    "unblock_tools": "unblock_tools: [run_command]",
    "unknown": "unknown: human",
    "blocked_writes": 'blocked_writes: ["audit/*"]',
    "security_warnings": "security_warnings: allow",
}
_IN_FORCE = {"max_steps", "profile"}
"""The keys that are not commented out, so that no file is empty; their values are the defaults."""
_NESTED: dict[FormId, tuple[DescribedKey, ...]] = {
    ConfigForm.OVERRIDES: OVERRIDE_KEYS,
    PolicyForm.CLASSES: TOOL_KEYS,
    PolicyForm.USES: USE_KEYS,
    PolicyForm.REQUIREMENTS: REQUIREMENT_KEYS,
}
"""What the keys inside of values mean."""


def run(argv: list[str]) -> int:
    parser = CommandParser(
        "init",
        f"Write a commented {CONFIGURATION} and {POLICY} into the working directory; existing files stay.",
        ("plancheck init",),
    )
    parser.parse_args(argv)
    above = Configurations().above(os.getcwd()).path
    is_configured = above is not None and os.path.dirname(above) == os.getcwd()
    taken = os.path.basename(above) if above is not None and is_configured else CONFIGURATION
    _write(CONFIGURATION, configuration(), [CONFIGURATION, taken])
    if above is not None and not is_configured:
        print(f"{CONFIGURATION} counts in this folder and below, in place of {one_line(above)}.")
    _write(POLICY, policy(), POLICY_NAMES)
    return 0


def _write(name: str, text: str, taken: Iterable[str]) -> None:
    for other in taken:
        if os.path.lexists(other):
            verb = (
                "is there already, and is left as it is" if other == name else f"is there already: no {name} is written"
            )
            print(f"{other} {verb}.")
            return
    with open(name, "x", encoding="utf-8", newline="\n") as file:
        file.write(text)
    print(f"{name} is written.")


def configuration() -> str:
    """The text of a configuration that has every key."""
    keys = sorted(CONFIG_KEYS, key=lambda key: CONFIGURATION_SAMPLES[key.name].startswith("["))
    parts = (_explained(key, CONFIGURATION_SAMPLES) for key in keys)
    return "\n".join([_CONFIGURATION_HEAD, *parts])


def policy() -> str:
    """The text of a policy that has every key."""
    parts = [_explained(key, POLICY_SAMPLES) for key in POLICY_KEYS if key.name != "gate"]
    gate = next(key for key in POLICY_KEYS if key.name == "gate")
    parts.append("\n".join([*_comment(gate), "#gate:", ""]))
    parts += [_explained(key, GATE_SAMPLES, "  ") for key in GATE_KEYS]
    return "\n".join([_POLICY_HEAD, *parts])


def _explained(key: DescribedKey, samples: Mapping[str, str], indent: str = "") -> str:
    """What a key means, and the key with a value, which counts only if it is in force."""
    mark = "" if key.name in _IN_FORCE and not indent else "#"
    lines = [f"{mark}{indent}{line}" for line in samples[key.name].split("\n")]
    return "\n".join([*_comment(key), *lines, ""])


def _comment(key: DescribedKey) -> Iterator[str]:
    text = f"{key.summary}."
    if key.without:
        text += f" Without it: {key.without}."
    yield from _wrapped(text)
    for inner in _NESTED.get(key.form, ()):
        yield from _wrapped(f"- {inner.name}: {inner.summary}.")


def _wrapped(text: str) -> Iterator[str]:
    return (f"# {line}" for line in wrap(text, _COLUMNS, break_long_words=False, break_on_hyphens=False))
