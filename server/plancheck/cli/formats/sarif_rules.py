"""The rules of a SARIF log, and the catalogues of weaknesses that they refer to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule
from plancheck.analysis.rule_page import sections
from plancheck.analysis.rules import RULES
from plancheck.analysis.snapshot import CATALOGUE_FAULT, POLICY_FAULT
from plancheck.checked import CONFIGURATION_FAULT, UNREADABLE_FILE
from plancheck.home import HOME, RULE_PAGES

LEVELS = {"error": "error", "warning": "warning", "info": "note", "hint": "note"}
"""What SARIF calls our severities."""

_PAGE_OF_NOTICES = f"{HOME}/blob/main/docs/command.md#check"
_NOTICES = {
    UNREADABLE_FILE: "A file could not be read.",
    CONFIGURATION_FAULT: "The configuration has a mistake.",
    POLICY_FAULT: "The policy has a mistake.",
    CATALOGUE_FAULT: "A catalogue of tools cannot be used.",
}
"""What stands where the name of a rule would, of what could not be checked."""
_LONGEST_TEXT = 1024
"""GitHub takes no longer descriptions of a rule."""
_PROBLEMS = {Severity.ERROR: "error", Severity.WARNING: "warning"}
"""What GitHub calls our severities; the others are recommendations."""
_CWE, _OWASP = 0, 1
"""The positions of the taxonomies in a run."""
_TAXONOMIES: tuple[dict[str, Any], ...] = (
    {
        "name": "CWE",
        "fullName": "Common Weakness Enumeration",
        "organization": "MITRE",
        "shortDescription": {"text": "The Common Weakness Enumeration, as far as rules refer to it."},
        "informationUri": "https://cwe.mitre.org/",
        "isComprehensive": False,
    },
    {
        "name": "OWASP-ASI",
        "fullName": "OWASP Top 10 for Agentic Applications 2026",
        "version": "2026",
        "organization": "OWASP",
        "shortDescription": {"text": "The OWASP Top 10 for Agentic Applications, as far as rules refer to it."},
        "informationUri": "https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/",
        "isComprehensive": False,
    },
)


def _friendly_name(name: str) -> str:
    """`hard_coded_secret` as `HardCodedSecret`, which is how names of rules look in SARIF."""
    return "".join(word.capitalize() for word in name.split("_"))


def rule_descriptor(rule: Rule) -> dict[str, Any]:
    """A rule, as `reportingDescriptor`."""
    enabled = {} if rule.is_on else {"enabled": False}
    return {
        "id": rule.name,
        "name": _friendly_name(rule.name),
        "shortDescription": {"text": _text(rule.summary)},
        "fullDescription": {"text": _text(_what_it_does(rule.page) or rule.summary)},
        "help": {"text": rule.page.strip(), "markdown": "\n\n".join(sections(rule))},
        "helpUri": RULE_PAGES + rule.name,
        "defaultConfiguration": {"level": LEVELS[rule.severity.word], **enabled},
        "relationships": [_relationship(tag) for tag in rule.tags],
        "properties": _properties(rule),
    }


def notice_descriptor(name: str) -> dict[str, Any]:
    """What keeps something from being checked, as `reportingDescriptor`: a rule, or what is no rule."""
    if name in RULES:
        return rule_descriptor(RULES[name])
    text = {"text": _NOTICES.get(name, "Something could not be checked.")}
    described = {"shortDescription": text, "fullDescription": text, "help": text, "helpUri": _PAGE_OF_NOTICES}
    return {"id": name, "name": _friendly_name(name), **described}


def _properties(rule: Rule) -> dict[str, Any]:
    """What GitHub wants to know: a rule is about security if it says how severe it is."""
    properties: dict[str, Any] = {
        "tags": [rule.category.value, *map(_external, rule.tags)],
        "precision": rule.precision.value,
        "problem.severity": _PROBLEMS.get(rule.severity, "recommendation"),
    }
    if rule.security_severity is not None:
        properties["security-severity"] = f"{rule.security_severity:.1f}"
    return properties


def _external(tag: str) -> str:
    """`CWE-89` as `external/cwe/cwe-089`, which GitHub reads."""
    catalogue, _, number = tag.lower().partition("-")
    return f"external/cwe/cwe-{number:0>3}" if catalogue == "cwe" else f"external/owasp/{catalogue}"


def _taxonomy_of(tag: str) -> int:
    return _CWE if tag.startswith("CWE-") else _OWASP


def _relationship(tag: str) -> dict[str, Any]:
    taxonomy = _taxonomy_of(tag)
    component = {"name": _TAXONOMIES[taxonomy]["name"], "index": taxonomy}
    return {"target": {"id": tag, "toolComponent": component}, "kinds": ["relevant"]}


def supported_taxonomies() -> list[dict[str, Any]]:
    return [{"name": taxonomy["name"], "index": index} for index, taxonomy in enumerate(_TAXONOMIES)]


def taxonomies(rules: Iterable[Rule]) -> list[dict[str, Any]]:
    """The catalogues of weaknesses, with those that the rules refer to."""
    tags = sorted({tag for rule in rules for tag in rule.tags}, key=lambda tag: (len(tag), tag))
    return [
        {**taxonomy, "taxa": [_taxon(tag) for tag in tags if _taxonomy_of(tag) == index]}
        for index, taxonomy in enumerate(_TAXONOMIES)
    ]


def _taxon(tag: str) -> dict[str, Any]:
    if _taxonomy_of(tag) == _OWASP:
        return {"id": tag}
    return {"id": tag, "helpUri": f"https://cwe.mitre.org/data/definitions/{tag.removeprefix('CWE-')}.html"}


def _what_it_does(page: str) -> str:
    """The first paragraph under the heading of that name, as one line."""
    _, _, section = page.partition("## What it does\n")
    return " ".join(section.partition("\n\n")[0].split())


def _text(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…"
