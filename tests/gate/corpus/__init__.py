"""Plans that must never be allowed, and plans that must never be held back: data for every front end that judges plans.

Each file of `attacks` is one class of attack and each file of `healthy` one theme; the name of the file is the reason.
In plans and policies `@@U+200B@@` stands for that character and `@@ab*3@@` for `ababab`, so that what cannot be seen,
or would fill pages, can be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml

Verdict = Literal["allow", "deny", "requires_hitl", "undecided"]

_FOLDER = Path(__file__).parent
_PLACEHOLDER = re.compile(r"@@(?:U\+(?P<code>[0-9A-F]{4,6})|(?P<text>.+?)\*(?P<times>\d+))@@", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Case:
    """A plan, the policy it is judged by, and what the judge has to say.

    A verdict of None means anything but allow. The rule is among those that fired, whichever of them the judge names as
    its reason; None means any.
    """

    name: str
    plan: str
    policy: str | None
    reason: str
    verdict: Verdict | None
    rule: str | None


def attacks() -> list[Case]:
    return list(_cases("attacks"))


def healthy() -> list[Case]:
    return list(_cases("healthy"))


def _cases(folder: str) -> Iterator[Case]:
    for path in sorted((_FOLDER / folder).glob("*.yaml")):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        for entry in content["cases"]:
            yield _case(path.stem, content.get("policies", {}), {**content["defaults"], **entry})


def _case(reason: str, policies: dict[str, str], entry: dict[str, Any]) -> Case:
    name, policy = entry["name"], entry["policy"]
    text = None if policy is None else _expanded(policies[policy])
    return Case(name, _expanded(entry["plan"]), text, reason, entry["verdict"], entry["rule"])


def _expanded(text: str) -> str:
    return _PLACEHOLDER.sub(_expansion, text)


def _expansion(placeholder: re.Match[str]) -> str:
    code = placeholder["code"]
    return chr(int(code, 16)) if code else placeholder["text"] * int(placeholder["times"])
