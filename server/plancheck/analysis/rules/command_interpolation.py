"""The result of another step is put into the text of a shell command.

## What it does
Reports a reference (`{{id.result}}`, `${id.result}`) inside the text of a command, in or without quotes, in a comment
or in a here-document, and as the command itself. Which arguments are commands: in a tool that runs commands (by the
policy, or by its name: `shell`, `bash`, `exec`, `terminal`, `run_command`) those called `command`, `cmd`, `script` and
the like, at any depth; not its folder, time limit or environment. The words of a list (`["ls", "{{a.result}}"]`) are
passed to the program as they are, and fine, unless one of them is for a shell (`["sh", "-c", "ls {{a.result}}"]`) or
the first is a reference: then the data decides what is run. Calls inside arguments and beside the steps count. Traces
have no references.

## Why is this bad?
Whoever has a say in that result has a say in the command: a file called `x; rm -rf ~` is a command of its own. Quotes
in the command do not help, for the result may have quotes, too.

## What it cannot know
Whether the result can only be harmless, and whether the tool quotes what it puts in. A word of a list that begins with
a hyphen may still be taken for an option by the program.

## Fix safety
Unsafe: the tool must take the words of a command as a list. Where the command has anything that only a shell
understands (pipes, variables, wildcards), there is no fix.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plancheck.analysis.call_texts import CallTexts, each_once
from plancheck.analysis.calls import TopMember
from plancheck.analysis.facts import CALL_TEXTS, HAS_TOOLS
from plancheck.analysis.finding import Finding, Related, Severity
from plancheck.analysis.fix.change import FixView, Proposal, Remedy, SetValue
from plancheck.analysis.rule import Category, Precision, Rule, each_member, each_step
from plancheck.analysis.subjects import Subject
from plancheck.lazy_regex import regex
from plancheck.policy.commands import Language
from plancheck.syntax.tree import Within


def check(subjects: Iterable[Subject | TopMember], texts: CallTexts) -> Iterator[Finding]:
    yield from each_once(_found(subjects, texts))


def _found(subjects: Iterable[Subject | TopMember], texts: CallTexts) -> Iterator[Finding]:
    for subject in subjects if texts.has_references else ():
        for made, places in texts.references_in_scripts(subject, Language.COMMAND):
            message = f"{made.subject} puts another step's result into a shell command: pass it as a word of a list."
            related = tuple(Related(place, "And here.") for place in places[1:])
            yield Finding(places[0], message, made.identity, made.tool, related)


# ---- fixes -----------------------------------------------------------------------------------------------------------

_PLACEHOLDER = r"\$?\{\{[^{}]{1,500}\}\}|\$\{[^{}]{1,500}\}"
_PART = rf"(?:{_PLACEHOLDER}|[\w@%+=:,./-])"
_WORD = regex(
    rf"\s*(?:'(?P<single>(?:{_PLACEHOLDER}|[^'{{}}$\\`\"])*)'|\"(?P<double>(?:{_PLACEHOLDER}|[^\"{{}}$\\`'])*)\""
    rf"|(?P<plain>{_PART}+))(?=\s|$)"
)


_BY_SHELLS = frozenset({"cd", "export", "source", ".", "eval", "exec", "set", "unset", "alias", "trap", "time", "if"})
"""What only a shell can run, and no program is."""


def _as_words(view: FixView, finding: Finding) -> Iterator[Proposal]:
    *path, within = finding.place.path or ((),)
    place = finding.place._replace(path=tuple(path))
    command = view.value(place)
    if isinstance(within, Within) and isinstance(command, str) and path and isinstance(path[-1], str):
        words = _split(command)
        if len(words) > 1 and "{" not in words[0] and "=" not in words[0] and words[0] not in _BY_SHELLS:
            yield Proposal("Write the command as a list of words", (SetValue(place, words),))


def _split(command: str) -> list[str]:
    """The words of a command that has nothing for a shell in it; nothing where it has."""
    words: list[str] = []
    end = 0
    while end < len(command.rstrip()):
        match = _WORD.match(command, end)
        if match is None:
            return []
        words.append(match[match.lastgroup or 0])
        end = match.end()
    return words


RULE = Rule(
    "command_interpolation",
    Severity.ERROR,
    Category.SECURITY,
    __doc__,
    bad="""\
{"goal": "list the upload", "steps": [
  {"id": "find", "tool": "mail.attachment"},
  {"id": "list", "tool": "shell.start", "depends_on": ["find"], "args": {"command": "ls -l {{find.result.name}}"}}
]}
""",
    good="""\
{"goal": "list the upload", "steps": [
  {"id": "find", "tool": "mail.attachment"},
  {"id": "list", "tool": "shell.start", "depends_on": ["find"],
   "args": {"command": ["ls", "-l", "{{find.result.name}}"]}}
]}
""",
    is_enforced=True,
    checks=(each_step(check, CALL_TEXTS, only_if=HAS_TOOLS), each_member(check, CALL_TEXTS, only_if=HAS_TOOLS)),
    remedies=(Remedy("write the command as a list of words", False, _as_words),),
    tags=("ASI02", "ASI05", "CWE-78"),
    since="0.2",
    precision=Precision.HIGH,
    security_severity=9.3,
)
