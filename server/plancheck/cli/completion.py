"""`plancheck completion SHELL`: a script by which bash, zsh or fish completes commands, options, their words and rules.

It is made from the parsers of the commands, so that it knows what they know. Where a file belongs, and where nothing
is known, the shell's own completion of files goes on.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from plancheck.analysis.rules import RULES
from plancheck.cli import policy, policy_checking, policy_diff, policy_testing
from plancheck.cli.arguments import CommandParser, ParserFound, ParserWanted
from plancheck.cli.main import COMMANDS, Subcommand, subcommand
from plancheck.tuples import NamedTuple

SHELLS = ("bash", "zsh", "fish")
LSP_OPTIONS = ("--stdio", "--tcp", "--ws", "--allow-remote", "--allow-origin", "--log-level", "--help")
"""Of the language server, which the command line knows nothing of; a test compares them."""
_POLICY: dict[str, Subcommand] = {
    "test": policy_testing.run,
    "diff": policy_diff.run,
    "check": policy_checking.run,
}
_RULE_LISTS = ("select", "ignore")
_RULE = "rule"
EXAMPLES = ("plancheck completion bash", "plancheck completion fish")


class Completed(NamedTuple):
    """An option, or what stands without one."""

    names: tuple[str, ...]
    help: str
    takes_value: bool
    words: tuple[str, ...] = ()
    """What the value may be, where that is known."""
    is_list: bool = False
    """Whether several words may stand there, separated by commas."""


class Described(NamedTuple):
    """A command, or a command of a command."""

    words: tuple[str, ...]
    help: str
    options: tuple[Completed, ...]
    places: tuple[Completed, ...]


def run(argv: list[str]) -> int:
    parser = CommandParser(
        "completion", "Print a script by which a shell completes plancheck's command line.", EXAMPLES
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    shell = parser.parse_args(argv).shell
    print(script(shell), end="")
    return 0


def script(shell: str) -> str:
    from plancheck.cli import completion_scripts

    return completion_scripts.SCRIPTS[shell](list(described()))


def described() -> Iterator[Described]:
    for name, summary in COMMANDS.items():
        if name == "policy":
            inner = (Completed((), "", takes_value=True, words=tuple(policy.COMMANDS)),)
            yield Described((name,), summary, (), inner)
            for inner_name, inner_summary in policy.COMMANDS.items():
                yield _described((name, inner_name), inner_summary, parser_of(_POLICY[inner_name]))
        elif name == "lsp":
            options = (Completed((option,), "", takes_value=False) for option in LSP_OPTIONS)
            yield Described((name,), summary, tuple(options), ())
        else:
            yield _described((name,), summary, parser_of(subcommand(name)))


def parser_of(command: Subcommand) -> argparse.ArgumentParser:
    """What a command reads its words with."""
    try:
        command(ParserWanted())
    except ParserFound as found:
        return found.parser
    raise TypeError(f"{command} reads its words without a parser")


def _described(words: tuple[str, ...], summary: str, parser: argparse.ArgumentParser) -> Described:
    options = [_option(action) for action in parser._actions]
    return Described(
        words,
        summary,
        tuple(option for option in options if option.names),
        tuple(option for option in options if not option.names),
    )


def _option(action: argparse.Action) -> Completed:
    if action.dest in _RULE_LISTS or action.dest == _RULE:
        words: Iterable[object] = RULES
    else:
        words = action.choices or ()
    takes_value = action.nargs != 0
    text = (action.help or "").replace("%%", "%") if action.help is not argparse.SUPPRESS else ""
    return Completed(
        tuple(action.option_strings), text, takes_value, tuple(map(str, words)), action.dest in _RULE_LISTS
    )
