"""What an editor's settings say, under `plancheck.*`; they override the configuration file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from plancheck.frozen import replace
from plancheck.tuples import NamedTuple

if TYPE_CHECKING:
    from plancheck.analysis.finding import Severity
    from plancheck.analysis.settings import Profile, Settings

SECTION = "plancheck"


class ClientSettings(NamedTuple):
    rules: Mapping[str, Severity | None] = {}
    options: Mapping[str, int] = {}
    """The options of rules, as `rule.option`."""
    include: tuple[str, ...] = ()
    """Globs of files that are plans, besides those of the configuration file."""
    max_findings: int | None = None
    max_file_size: int | None = None
    workspace_diagnostics: bool = True
    """Whether plans that are not open are checked too."""
    profile: Profile | None = None
    tools: tuple[str, ...] = ()
    """Catalogues of tools, by paths and globs, instead of those that a configuration file names."""
    inlay_hints: bool = False
    """Lenses say the same, and leave the text as it is."""
    code_lens: bool = True
    opa: str | None = None
    """The program that evaluates Rego policies. It counts for all folders only: no folder names a program."""
    plans: tuple[str, ...] | None = None
    """URIs of documents that are plans, whatever their names. Where they are given, a document that is not saved yet is
    a plan only if it is one of them or has the name of one; else each is, that the editor sends."""
    reported_by_editor: tuple[str, ...] = ()
    """Rules about the JSON text whose findings the editor has itself, of the files that are open in it."""

    def over(self, settings: Settings, *, is_open: bool) -> Settings:
        """Settings with these put over them, for a file that is open or one that is not."""
        seen = self.reported_by_editor if is_open else ()
        elsewhere = tuple(rule for rule in seen if self.rules.get(rule) is None)
        return replace(
            settings,
            severities={**settings.severities, **dict.fromkeys(elsewhere), **self.rules},
            reported_elsewhere=elsewhere,
            options={**settings.options, **self.options},
            profile=settings.profile if self.profile is None else self.profile,
            max_findings=settings.max_findings if self.max_findings is None else self.max_findings,
            max_file_size=settings.max_file_size if self.max_file_size is None else self.max_file_size,
        )


_NUMBERS = {"maxFindings": "max_findings", "maxFileSize": "max_file_size"}
_SWITCHES = {
    "workspaceDiagnostics": "workspace_diagnostics",
    "inlayHints": "inlay_hints",
    "codeLens": "code_lens",
}
_LISTS = {
    "include": ("include", "globs"),
    "tools": ("tools", "paths or globs"),
    "plans": ("plans", "URIs"),
    "reportedByEditor": ("reported_by_editor", "rules"),
}


def parse_client_settings(value: object) -> tuple[ClientSettings, list[str]]:
    """The settings that an editor sent and what is wrong with them. What is wrong leaves the rest in force."""
    if value is None:
        return ClientSettings(), []
    if not isinstance(value, Mapping):
        return ClientSettings(), [f"The settings under `{SECTION}` must be an object."]
    problems: list[str] = []
    found: dict[str, object] = {}
    for name, field in _NUMBERS.items():
        number = value.get(name)
        if isinstance(number, int) and not isinstance(number, bool) and number > 0:
            found[field] = number
        elif number is not None:
            problems.append(f"`{SECTION}.{name}` must be a whole number above 0.")
    for name, field in _SWITCHES.items():
        switch = value.get(name)
        switch = switch.get("enable") if isinstance(switch, Mapping) else switch
        if isinstance(switch, bool):
            found[field] = switch
        elif switch is not None:
            problems.append(f"`{SECTION}.{name}` must be true or false.")
    for name, (field, members) in _LISTS.items():
        given = value.get(name)
        if isinstance(given, list) and all(isinstance(member, str) for member in given):
            found[field] = tuple(given)
        elif given is not None:
            problems.append(f"`{SECTION}.{name}` must be a list of {members}.")
    opa = value.get("opa")
    if isinstance(opa, str) and opa.strip():
        found["opa"] = opa.strip()
    elif opa is not None and not isinstance(opa, str):
        problems.append(f"`{SECTION}.opa` must be the path of a program.")
    found["profile"] = _parse_profile(value.get("profile"), problems)
    found["rules"], found["options"] = _parse_rules(value.get("rules"), problems)
    return ClientSettings(**found), problems  # type: ignore[arg-type]


def _parse_profile(value: object, problems: list[str]) -> Profile | None:
    if value is None or value == "":
        return None
    from plancheck.analysis.settings import Profile

    if value in list(Profile):
        return Profile(value)
    problems.append(f"`{SECTION}.profile` must be one of {', '.join(profile.value for profile in Profile)}.")
    return None


def _parse_rules(value: object, problems: list[str]) -> tuple[dict[str, Severity | None], dict[str, int]]:
    """Severities and options; a rule has a severity, or an object with one and its options."""
    rules: dict[str, Severity | None] = {}
    options: dict[str, int] = {}
    if value is None:
        return rules, options
    from plancheck.analysis.rules import RULES
    from plancheck.workspace.config import SEVERITIES

    if not isinstance(value, Mapping):
        problems.append(f"`{SECTION}.rules` must be an object from rule names to severities.")
        return rules, options
    for name, choice in value.items():
        if name not in RULES:
            problems.append(f"`{SECTION}.rules` names `{name}`, and there is no such rule.")
            continue
        given = choice if isinstance(choice, Mapping) else {"severity": choice}
        known = {option.name: option for option in RULES[name].options}
        for key, member in given.items():
            option = known.get(key)
            if key == "severity" and isinstance(member, str) and member in SEVERITIES:
                rules[name] = SEVERITIES[member]
            elif key == "severity":
                problems.append(f"`{SECTION}.rules.{name}` must be one of {', '.join(SEVERITIES)}.")
            elif option is None:
                problems.append(f"`{SECTION}.rules.{name}` has no setting `{key}`.")
            elif isinstance(member, bool) or not isinstance(member, int) or not option.least <= member <= option.most:
                problems.append(
                    f"`{SECTION}.rules.{name}.{key}` must be a number from {option.least} to {option.most}."
                )
            else:
                options[f"{name}.{key}"] = member
    return rules, options
