"""Which texts among the arguments of a call are commands or code: by the names of arguments.

A tool that runs commands has other arguments, too: a folder, a time limit, an environment. Only what has a name that
means a command or code counts, and what is handed over without a name. A list is the words of one command, which no
shell looks at, unless one of them starts a shell or an interpreter: then the text that is for that one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

from plancheck.plan.carried import folded_key
from plancheck.plan.embedded import json_in, may_hold_json
from plancheck.plan.model import Call
from plancheck.policy.families import Family, families_by_name
from plancheck.policy.names import plain_name
from plancheck.syntax.tree import Path
from plancheck.tuples import NamedTuple


class Language(Enum):
    """Who reads a text."""

    COMMAND = "a shell"
    CODE = "an interpreter"


class Word(NamedTuple):
    """A text, and where it is; that of the JSON text around it where it is inside of one."""

    path: Path
    text: str


class CommandLine(NamedTuple):
    """A command as one text, or as the words of one."""

    words: tuple[Word, ...]
    language: Language
    is_text: bool
    """Whether it is one text, which a shell or an interpreter takes apart."""


class Script(NamedTuple):
    """A text that a shell or an interpreter reads."""

    word: Word
    language: Language


_COMMANDS = frozenset(
    {
        *("command", "commands", "cmd", "cmds", "commandline", "cmdline", "commandtext", "run", "exec"),
        *("shellcommand", "bashcommand", "shellscript", "bashscript", "script", "scripts", "bash", "sh", "powershell"),
    }
)
_CODE = frozenset(
    {
        *("code", "sourcecode", "codesnippet", "snippet", "program", "cell", "expression", "expr", "codeblock"),
        *("python", "pythoncode", "pythonscript", "javascript", "js", "jscode", "javascriptcode"),
    }
)
_UNNAMED = frozenset({"input", "text", "line", "lines", "content", "body", "arg", "arg1"})
"""What a tool that does nothing but run commands may call them."""
_PARTS = _UNNAMED | {"value", "raw", "string", "shell"}
"""What the text of a command is called that is an object."""
_WORDS = frozenset({"args", "argv", "arguments"})
"""What the words of a command are called, or those behind the first."""
_NO_COMMANDS = frozenset({"env", "environment", "envvars", "variables", "vars", "metadata", "labels", "headers"})
"""Below these nothing is a command."""
_RUNS_CODE = frozenset({"python", "ipython", "javascript", "js", "code", "notebook", "jupyter", "eval", "repl"})
_IS_SHELL = frozenset({"shell", "bash", "powershell", "terminal", "zsh"})
_MOST_NESTED = 8


def scripts_of(call: Call, *, is_certain: bool = True) -> Iterator[Script]:
    """The texts for a shell or an interpreter among the arguments of a call whose tool runs commands or code. Where it
    is not certain that this is a call, only what has a name that means so counts."""
    for line in command_lines(call, is_certain=is_certain):
        if line.is_text:
            yield from (Script(word, line.language) for word in line.words)
        else:
            yield from _scripts_among(line.words)


def command_lines(call: Call, *, is_certain: bool = True) -> Iterator[CommandLine]:
    """The commands and the code among the arguments of such a call."""
    words = set(re.split(r"[._]", plain_name(call.tool or "")))
    found = list(_named(call.arguments, call.arguments_path))
    if not isinstance(call.arguments, tuple) and is_certain:
        found += _lines(call.arguments, call.arguments_path, Language.COMMAND)
    elif not found and is_certain and not words.isdisjoint(_IS_SHELL):
        for key, value in call.arguments or ():
            if folded_key(key) in _UNNAMED:
                found += _lines(value, (*call.arguments_path, key), Language.COMMAND)
    elif not found and is_certain and Family.EXEC not in families_by_name(call.tool or ""):
        found += _only_text(call)
    runs_code = not words.isdisjoint(_RUNS_CODE)
    yield from (line._replace(language=Language.CODE) if runs_code and line.is_text else line for line in found)


def _only_text(call: Call) -> Iterator[CommandLine]:
    """The only text among the arguments of a call whose tool runs commands although its name does not tell."""
    texts = [(key, value) for key, value in call.arguments if isinstance(value, str)]
    if len(texts) == 1:
        yield from _lines(texts[0][1], (*call.arguments_path, texts[0][0]), Language.COMMAND)


def _named(value: Any, path: Path) -> Iterator[CommandLine]:
    """What is below a name that means commands or code, at any depth and in JSON texts."""
    todo: list[tuple[Any, Path, int]] = [(value, path, 0)]
    while todo:
        value, path, wraps = todo.pop()
        if isinstance(value, str):
            if wraps < _MOST_NESTED and may_hold_json(value):
                todo += ((found, path, wraps + 1) for found in json_in(value) if found is not None)
        elif isinstance(value, list):
            todo += ((value[i], path if wraps else (*path, i), wraps) for i in range(len(value) - 1, -1, -1))
        elif isinstance(value, tuple):
            named = [(folded_key(key), child, path if wraps else (*path, key)) for key, child in value]
            yield from _of_members(named, is_inside=wraps > 0)
            todo += (
                (child, where, wraps)
                for name, child, where in reversed(named)
                if name not in _NO_COMMANDS and not (_language(name) and isinstance(child, (str, list)))
            )


def _of_members(named: list[tuple[str, Any, Path]], *, is_inside: bool) -> Iterator[CommandLine]:
    words = next(((child, where) for name, child, where in named if name in _WORDS and isinstance(child, list)), None)
    is_for_shell = any(name == "shell" and child is True for name, child, _ in named)
    program: list[Word] = []
    for name, child, where in named:
        language = _language(name)
        if name in _WORDS and isinstance(child, str):
            language = Language.COMMAND
        if language is None:
            continue
        if words is not None and not is_for_shell:
            program += _words([child] if isinstance(child, str) else child, where, is_inside=isinstance(child, str))
        is_several = name.endswith("s") or is_for_shell
        yield from _lines(child, where, language, is_several=is_several, is_inside=is_inside)
    if words is not None:
        rest = _words(*words, is_inside=is_inside)
        if is_for_shell:
            yield CommandLine(rest, Language.COMMAND, True)
        else:
            yield CommandLine((*program, *rest), Language.COMMAND, False)


def _language(name: str) -> Language | None:
    return Language.COMMAND if name in _COMMANDS else Language.CODE if name in _CODE else None


def _lines(
    value: Any, path: Path, language: Language, *, is_several: bool = False, is_inside: bool = False
) -> Iterator[CommandLine]:
    """What is under such a name: a text, several of them, or the words of one command."""
    if isinstance(value, str):
        yield CommandLine((Word(path, value),), language, True)
    elif isinstance(value, tuple):
        for key, child in value:
            if folded_key(key) in _PARTS:
                yield from _lines(child, path if is_inside else (*path, key), language, is_inside=is_inside)
    elif isinstance(value, list):
        words = _words(value, path, is_inside=is_inside)
        is_text = is_several or language is Language.CODE or (bool(words) and len(words[0].text.split()) > 1)
        yield CommandLine(words, language, is_text)
        for number, item in enumerate(value):
            if isinstance(item, list):
                yield from _lines(item, path if is_inside else (*path, number), language, is_inside=is_inside)


def _words(value: Any, path: Path, *, is_inside: bool) -> tuple[Word, ...]:
    return tuple(
        Word(path if is_inside else (*path, number), item)
        for number, item in enumerate(value if isinstance(value, list) else ())
        if isinstance(item, str)
    )


# ---- words that are scripts ------------------------------------------------------------------------------------------

_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish"})
_POWERSHELLS = frozenset({"powershell", "pwsh"})
_INTERPRETERS = {
    "python": ("-c",),
    "node": ("-e", "--eval", "-p", "--print"),
    "perl": ("-e", "-E"),
    "ruby": ("-e",),
    "php": ("-r",),
    "osascript": ("-e",),
}
_TO_THE_END = _POWERSHELLS | {"cmd", "ssh", "su", "eval"}
_SHELL_FLAG = re.compile(r"-[A-Za-z]*c[A-Za-z]*|--command")
_POWERSHELL_FLAG = re.compile(r"-(?:c|co|com|comm|comma|comman|command|e|ec|encodedcommand)", re.IGNORECASE)
_VERSION = re.compile(r"[\d.]+$")
_OF_SSH = frozenset(f"-{letter}" for letter in "BbcDEeFIiJLlmOopQRSWw")
"""Options of ssh with a value behind them."""


def _scripts_among(words: tuple[Word, ...]) -> Iterator[Script]:
    """The words of a command that a shell or an interpreter reads, or that say what is run."""
    if words and words[0].text.lstrip().startswith(("{{", "${")):
        yield Script(words[0], Language.COMMAND)
    texts = [word.text for word in words]
    done: set[str] = set()
    """Those that read all that is behind them."""
    for i, text in enumerate(texts):
        program = _VERSION.sub("", re.split(r"[/\\]", text.strip())[-1].lower().removesuffix(".exe"))
        if program in done:
            continue
        found, language = _read_by(program, texts, i + 1)
        if program in _TO_THE_END:
            done.add(program)
        yield from (Script(words[number], language) for number in found)


def _read_by(program: str, texts: list[str], start: int) -> tuple[Iterable[int], Language]:
    """The numbers of the words that a program reads as a script."""
    if program in _SHELLS:
        return _behind(_SHELL_FLAG, texts, start), Language.COMMAND
    if program in _INTERPRETERS:
        return _behind_or_in(_INTERPRETERS[program], texts, start), Language.CODE
    if program in _POWERSHELLS:
        first = next((i for i in range(start, len(texts)) if _POWERSHELL_FLAG.fullmatch(texts[i])), len(texts))
        return range(first + 1, len(texts)), Language.COMMAND
    if program == "su":
        return [i + 1 for i in range(start, len(texts) - 1) if texts[i] in ("-c", "--command")][:1], Language.COMMAND
    if program == "cmd":
        first = next((i for i in range(start, len(texts)) if texts[i].lower() in ("/c", "/k")), len(texts))
        return range(first + 1, len(texts)), Language.COMMAND
    if program == "eval" and start == 1:
        return range(start, len(texts)), Language.COMMAND
    if program == "ssh":
        while start < len(texts) and texts[start].startswith("-"):
            start += 2 if texts[start] in _OF_SSH else 1
        return range(start + 1, len(texts)), Language.COMMAND
    return (), Language.COMMAND


def _behind_or_in(flags: tuple[str, ...], texts: list[str], start: int) -> list[int]:
    """The word that has the flag, where the script may follow at once, or the one behind it."""
    for i in range(start, len(texts)):
        if texts[i].startswith(flags):
            return [min(i + (texts[i] in flags), len(texts) - 1)]
        if not texts[i].startswith("-") and texts[i - 1] not in ("-W", "-X", "-r", "-I"):
            return []
    return []


def _behind(flag: re.Pattern[str], texts: list[str], start: int) -> list[int]:
    """The word behind the flag that says that a script follows: what is behind a file that is run is for that."""
    for i in range(start, len(texts) - 1):
        if flag.fullmatch(texts[i]):
            return [i + 1]
        if not texts[i].startswith(("-", "+")) and texts[i - 1] not in ("-o", "+o", "-O", "+O"):
            return []
    return []
