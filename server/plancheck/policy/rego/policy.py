"""A Rego policy: the files that it consists of, and what an engine is asked about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from plancheck.policy.rego.alone import free_prefix, rules_alone
from plancheck.policy.rego.answers import RuleSite
from plancheck.policy.rego.constructs import forbidden_calls
from plancheck.policy.rego.source import MOST_CHARACTERS, MOST_RULES, RULE_NAMES, RegoRule, RegoSource, read_rego
from plancheck.text import Span
from plancheck.tuples import NamedTuple
from plancheck.unknown import Reason, Unknown

PACKAGES = ("kitelogik.agent_plan", "planlint", "plancheck")
"""The packages whose rules decide on plans, unless the configuration names another one."""
EXTENSION = ".rego"
_TESTS = "_test.rego"


class RegoFault(NamedTuple):
    """Why a policy cannot decide, and where in its files the reason stands."""

    rule: str
    """`rego_syntax` or `rego_error`."""
    reason: Reason
    message: str
    path: str | None = None
    """None where it is in none of the files."""
    span: Span = Span(0, 0)


class Asked(NamedTuple):
    """A rule that an engine is asked about."""

    ref: str
    """As in `data.planlint.deny`."""
    site: RuleSite
    is_whole: bool
    """Whether it is about all rules of a name together, of which `site` is the one to show."""
    is_unseen: bool = False
    """Whether the files have no such rule, as far as they were understood."""


class RegoModule(NamedTuple):
    """A file as an engine gets it."""

    text: str
    """With the copies of rules below what the author wrote."""
    source: RegoSource


class RegoPolicy(NamedTuple):
    sources: Mapping[str, RegoSource]
    modules: Mapping[str, RegoModule]
    asked: tuple[Asked, ...]
    faults: tuple[RegoFault, ...]
    """With any of these, nothing is evaluated."""


def is_policy_file(path: str) -> bool:
    """Whether a file is Rego and no test of it."""
    return path.endswith(EXTENSION) and not path.endswith(_TESTS)


def read_rego_policy(files: Mapping[str, str], package: str | None = None) -> RegoPolicy:
    """The policy in some files, given by their paths and texts. `package` is the one to read, if none of the usual."""
    sources: dict[str, RegoSource] = {}
    faults: list[RegoFault] = []
    texts = {path: text for path, text in files.items() if not path.endswith(_TESTS)}
    if sum(map(len, texts.values())) > 2 * MOST_CHARACTERS:
        message = f"The files of this policy have more than {2 * MOST_CHARACTERS:,} characters: split it."
        return RegoPolicy({}, {}, (), (RegoFault("rego_error", Reason.LIMIT, message, next(iter(texts))),))
    for path, text in texts.items():
        source = read_rego(text)
        if isinstance(source, Unknown):
            faults.append(RegoFault("rego_error", *source, path, Span(0, 1)))
            continue
        sources[path] = source
        faults += _faults(path, source)
    packages = PACKAGES if package is None else (package.removeprefix("data."),)
    deciding = {path: source for path, source in sources.items() if source.package in packages}
    if not faults and (missing := _missing(sources, deciding, packages)) is not None:
        faults.append(missing)
    if sum(len(source.rules) for source in sources.values()) > MOST_RULES:
        message = f"The files of this policy have more than {MOST_RULES:,} rules: split it."
        faults.append(RegoFault("rego_error", Reason.LIMIT, message, next(iter(sources))))
    if faults:
        return RegoPolicy(sources, {}, (), tuple(faults))
    modules, asked = _modules(sources, deciding)
    return RegoPolicy(sources, modules, tuple(asked), ())


def _faults(path: str, source: RegoSource) -> Iterator[RegoFault]:
    if source.package is None:
        message = "A policy begins with `package` and a name: add `package plancheck` as its first line."
        yield RegoFault("rego_syntax", Reason.FAILURE, message, path, source.package_span)
    for span in source.crowded:
        message = "Two rules in one line cannot be distinguished here: begin a new line before this one."
        yield RegoFault("rego_error", Reason.FAILURE, message, path, span)
    for span, message in forbidden_calls(source):
        yield RegoFault("rego_error", Reason.FAILURE, message, path, span)


def _missing(
    sources: Mapping[str, RegoSource], deciding: Mapping[str, RegoSource], packages: Sequence[str]
) -> RegoFault | None:
    """What there is nothing to decide by, if that is so."""
    if not sources:
        return RegoFault("rego_error", Reason.FAILURE, "This policy has no Rego file that is not a test: add one.")
    if not deciding:
        path, source = next(iter(sources.items()))
        names = " or ".join(f"`{name}`" for name in packages)
        message = f"Package `{source.package}` decides nothing here: rename it to {names}, or set `rego-package`."
        return RegoFault("rego_error", Reason.FAILURE, message, path, source.package_span)
    if not any(source.rule_names for source in deciding.values()):
        path, source = next(iter(deciding.items()))
        names = ", ".join(f"`{name}`" for name in RULE_NAMES)
        message = f"Package `{source.package}` has none of the rules {names}, so it decides nothing: add one."
        return RegoFault("rego_error", Reason.FAILURE, message, path, source.package_span)
    return None


def _modules(
    sources: Mapping[str, RegoSource], deciding: Mapping[str, RegoSource]
) -> tuple[dict[str, RegoModule], list[Asked]]:
    prefix = free_prefix(source.text for source in sources.values())
    modules = {path: RegoModule(source.text, source) for path, source in sources.items()}
    single: list[Asked] = []
    whole: dict[str, Asked] = {}
    for path, source in deciding.items():
        alone = rules_alone(source, prefix, len(single))
        modules[path] = RegoModule(alone.text, source)
        copies = {rule: f"data.{source.package}.{name}" for name, rule in alone.copies}
        for rule in source.deciding:
            site = RuleSite(path, rule, source.package or "")
            if rule in copies:
                single.append(Asked(copies[rule], site, False))
            ref = f"data.{source.package}.{rule.name}"
            if ref not in whole or (rule.is_default and rule.name != "allow"):
                whole[ref] = Asked(ref, site, True)
    for path, source in deciding.items():  # the engine knows better than our light reader which rules there are
        for name in RULE_NAMES:
            ref = f"data.{source.package}.{name}"
            if ref not in whole:
                whole[ref] = Asked(ref, RuleSite(path, _unseen(name, source), source.package or ""), True, True)
    return modules, [*single, *whole.values()]


def _unseen(name: str, source: RegoSource) -> RegoRule:
    """A rule that the engine may know of: it is shown at the package."""
    span = source.package_span
    return RegoRule(name, source.line_of(span.start), span, span, span, "", False, False, None)
