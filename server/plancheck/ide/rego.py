"""Rules of Rego policies: as they are shown where they are against a plan, and the lines above them in their file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from plancheck.analysis.finding import PolicySite
from plancheck.analysis.snapshot import Snapshot
from plancheck.ide.commands import SHOW_FINDINGS, Command
from plancheck.ide.lens import Lens
from plancheck.ide.words import count
from plancheck.markdown import code, prose
from plancheck.text import Span
from plancheck.tuples import NamedTuple

LONGEST_RULE = 2_000


class RuleAtCursor(NamedTuple):
    """A rule that a finding under the cursor comes from."""

    origin: Span
    """The token of the finding."""
    message: str
    site: PolicySite
    text: str
    """Of the file that the rule is in."""


def rules_at(snapshot: Snapshot, offset: int) -> Iterator[RuleAtCursor]:
    policy = snapshot.settings.policy
    if policy is None or not policy.rego:
        return
    texts = {path: text for files in policy.rego for path, text in files.files}
    for span, finding in snapshot.shown_at:
        if span.start <= offset <= span.end and finding.site is not None and finding.site.path in texts:
            yield RuleAtCursor(span, finding.message, finding.site, texts[finding.site.path])


def rule_pages(snapshot: Snapshot, offset: int) -> str:
    """The rules that are against the plan because of what is under the cursor."""
    return "\n\n".join(map(_page, rules_at(snapshot, offset)))


def _page(found: RuleAtCursor) -> str:
    site = found.site
    name = site.path.replace("\\", "/").rpartition("/")[2]
    head = f"**Rule** {code(site.name)} ({code(name)}, line {site.line:,}): {prose(found.message)}"
    rule = found.text[site.whole_span.start : site.whole_span.end]
    if not rule:
        return head
    shown = rule if len(rule) <= LONGEST_RULE else f"{rule[:LONGEST_RULE]}…"
    fence = "`" * max(3, 1 + max(map(len, _runs_of_ticks(shown)), default=0))
    return f"{head}\n\n{fence}rego\n{shown}\n{fence}"


def _runs_of_ticks(text: str) -> Iterator[str]:
    run = ""
    for character in text:
        if character == "`":
            run += character
        elif run:
            yield run
            run = ""
    yield run


_WORDS = {"requires_hitl": "need a human", "allow": "not allowed"}


def rule_lenses(text: str, path: str, against: Mapping[tuple[str, int], int], total: int, unknown: int) -> list[Lens]:
    """Above each rule that decides: how many plans it is against."""
    from plancheck.policy.rego.source import RegoSource, read_rego

    source = read_rego(text)
    if not isinstance(source, RegoSource):
        return []
    found: list[Lens] = []
    shown: set[str] = set()
    for number, rule in enumerate(source.deciding):
        is_second_allow = rule.name == "allow" and "allow" in shown
        if (rule.is_default and rule.name != "allow") or is_second_allow:
            continue
        shown.add(rule.name)
        words = _WORDS.get(rule.name, "denied")
        title = f"{against.get((path, number), 0):,} of {count(total, 'plan')} {words}"
        rest = f" · {unknown:,} not checked" if unknown else ""
        found.append(Lens(rule.name_span, Command(title + rest, SHOW_FINDINGS)))
    return found
