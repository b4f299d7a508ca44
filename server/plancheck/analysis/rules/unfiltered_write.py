"""SQL changes or destroys a whole table.

## What it does
Reports SQL with a `DELETE` or an `UPDATE` that has no condition, or one that always holds (`1 = 1`), and `TRUNCATE` and
`DROP`. The statements are read word by word, comments and parentheses counted: a `WHERE` inside a subquery is not
a condition of the statement around it, `FOR UPDATE` and `ON CONFLICT DO UPDATE` do not update by themselves, and what a
`LIMIT` or a `JOIN` limits does not change every row. Temporary tables may be dropped. Calls inside arguments and beside
the steps count. Through a tool that only reads, any change is an error: see `tool_deny`.

## Why is this bad?
One forgotten word, and all customers have the same address, or are gone.

## What it cannot know
What only the run can tell: a condition that is put in by a reference. SQL inside a string that the database runs
(`EXECUTE IMMEDIATE '…'`), SQL of more than 100,000 characters, and how many rows a table has.

## Fix safety
There is no fix: only the author knows which rows are meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plancheck.analysis.call_texts import CallTexts, MadeCall, each_once
from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import CALL_TEXTS, HAS_TOOLS
from plancheck.analysis.finding import Finding, Severity
from plancheck.analysis.rule import Category, Precision, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.policy.families import Family

_CHANGES = ("delete", "update", "truncate", "drop")


def check(subjects: Iterable[Subject | TopMember], texts: CallTexts) -> Iterator[Finding]:
    calls = (made for subject in subjects for made in texts.of(subject) if _may_write_by_sql(made, texts))
    yield from each_once(finding for made in calls for finding in _found(made, texts))


def _may_write_by_sql(made: MadeCall, texts: CallTexts) -> bool:
    if not any(word in made.lower for word in _CHANGES) or texts.classes.family(made.tool) is Family.READ:
        return False
    return made.is_any_of(Family.SQL, Family.QUERY) or any("sql" in text.key.lower() for text in made.texts)


def _found(made: MadeCall, texts: CallTexts) -> Iterator[Finding]:
    from plancheck.policy.statements import changes_all, sql_run_by  # these take long to be imported

    for path, sql in sql_run_by(made.judged.call, texts.classes.policy):
        change = changes_all(sql)
        if change is not None:
            message = f"In {made.subject[0].lower()}{made.subject[1:]}, {change}: name the rows that are meant."
            if "DROP" in change:
                message = f"In {made.subject[0].lower()}{made.subject[1:]}, {change}: leave that to a migration."
            yield Finding(made.where(path), message, made.identity, made.tool)


RULE = Rule(
    "unfiltered_write",
    Severity.WARNING,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "forget old carts", "steps": [
  {"id": "tidy", "tool": "db.write", "args": {"sql": "DELETE FROM carts"}, "on_fail": "abort"}
]}
""",
    good="""\
{"goal": "forget old carts", "steps": [
  {"id": "tidy", "tool": "db.write", "args": {"sql": "DELETE FROM carts WHERE updated_at < now() - interval '90 days'"},
   "on_fail": "abort"}
]}
""",
    checks=(each_step(check, CALL_TEXTS, only_if=HAS_TOOLS), each_member(check, CALL_TEXTS, only_if=HAS_TOOLS)),
    tags=("ASI02",),
    since="0.2",
    precision=Precision.HIGH,
    security_severity=6.5,
)
