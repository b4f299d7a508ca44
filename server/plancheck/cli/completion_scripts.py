"""The completion scripts of the shells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from plancheck.analysis.rules import RULES

if TYPE_CHECKING:
    from plancheck.cli.completion import Completed, Described

_RULES = tuple(RULES)


def _top(commands: Iterable[Described]) -> list[Described]:
    return [command for command in commands if len(command.words) == 1]


# ---- bash ------------------------------------------------------------------------------------------------------------

_BASH = """\
# Completion of plancheck in bash. In ~/.bashrc: eval "$(plancheck completion bash)"
_plancheck() {{
    local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="" command="${{COMP_WORDS[1]}}" first=2 words="" prefix=""
    local rules="{rules}"
    COMPREPLY=()
    if [ "$COMP_CWORD" -gt 1 ]; then prev="${{COMP_WORDS[COMP_CWORD-1]}}"; fi
    if [ "$COMP_CWORD" -le 1 ]; then
        COMPREPLY=($(compgen -W "{commands} --help --version" -- "$cur"))
        return
    fi
    # bash takes `=` for a word of its own
    if [ "$cur" = "=" ]; then cur=""; elif [ "$prev" = "=" ]; then prev="${{COMP_WORDS[COMP_CWORD-2]}}"; fi
    case "$command" in
        {nested}) if [ "$COMP_CWORD" -gt 2 ]; then command="$command ${{COMP_WORDS[2]}}"; fi ;;
    esac
    case "$command $prev" in
{values}
    esac
    case "$cur" in
        -*)
            case "$command" in
{options}
            esac
            ;;
        *)
            case "$command" in
{places}
            esac
            ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o bashdefault -o default -F _plancheck plancheck
"""


def bash(commands: list[Described]) -> str:
    values = [
        f"{_patterns(command, option)}) {_bash_words(option)}; return ;;"
        for command in commands
        for option in command.options
        if option.takes_value
    ]
    options = [f'"{" ".join(command.words)}") words="{_names(command)}" ;;' for command in commands if command.options]
    places = [
        f'"{" ".join(command.words)}") words={_bash_list(place)} ;;'
        for command in commands
        for place in command.places[:1]
        if place.words
    ]
    return _BASH.format(
        rules=" ".join(_RULES),
        commands=" ".join(command.words[0] for command in _top(commands)),
        nested="|".join(dict.fromkeys(command.words[0] for command in commands if len(command.words) > 1)),
        values="\n".join(f"        {line}" for line in values),
        options="\n".join(f"                {line}" for line in options),
        places="\n".join(f"                {line}" for line in places),
    )


def _names(command: Described) -> str:
    return " ".join(name for option in command.options for name in option.names)


def _patterns(command: Described, option: Completed) -> str:
    return "|".join(f'"{" ".join(command.words)} {name}"' for name in option.names)


def _bash_list(option: Completed) -> str:
    return '"$rules"' if option.words == _RULES else f'"{" ".join(option.words)}"'


def _bash_words(option: Completed) -> str:
    """What completes the value of an option. Without words nothing does, and bash goes on with files."""
    if not option.words:
        return ":"
    if option.is_list:
        head = 'case "$cur" in *,*) prefix="${cur%,*}," ;; esac'
        return f'{head}; COMPREPLY=($(compgen -P "$prefix" -W {_bash_list(option)} -- "${{cur##*,}}"))'
    return f'COMPREPLY=($(compgen -W {_bash_list(option)} -- "$cur"))'


# ---- zsh -------------------------------------------------------------------------------------------------------------

_ZSH = """\
#compdef plancheck
# Completion of plancheck in zsh. In ~/.zshrc, behind compinit: source <(plancheck completion zsh)
_plancheck_rules() {{
    local -a rules=({rules})
    _values -s , rule $rules
}}
_plancheck_rule() {{
    local -a rules=({rules})
    compadd -a rules
}}
_plancheck() {{
    local curcontext="$curcontext" state line
    local -a commands=(
{commands}
    )
    _arguments -C '1:command:->command' '*::argument:->argument'
    case $state in
        command) _describe command commands ;;
        argument)
            case $words[1] in
{cases}
            esac
            ;;
    esac
}}
if [ "$funcstack[1]" = _plancheck ]; then _plancheck "$@"; else compdef _plancheck plancheck; fi
"""


def zsh(commands: list[Described]) -> str:
    cases: list[str] = []
    for command in _top(commands):
        inner = [other for other in commands if other.words[:-1] == command.words]
        if inner:
            cases += _zsh_nested(command, inner)
        else:
            cases.append(f"                {command.words[0]}) {_zsh_arguments(command)} ;;")
    names = (f"        {_quoted(f'{command.words[0]}:{command.help}')}" for command in _top(commands))
    return _ZSH.format(rules=" ".join(_RULES), commands="\n".join(names), cases="\n".join(cases))


def _zsh_nested(command: Described, inner: list[Described]) -> Iterator[str]:
    words = " ".join(other.words[-1] for other in inner)
    yield f"                {command.words[0]})"
    yield f"                    if (( CURRENT == 2 )); then compadd {words}; return; fi"
    yield "                    shift words; (( CURRENT-- ))"
    yield "                    case $words[1] in"
    for other in inner:
        yield f"                        {other.words[-1]}) {_zsh_arguments(other)} ;;"
    yield "                    esac"
    yield "                    ;;"


def _zsh_arguments(command: Described) -> str:
    specs = [_zsh_option(option, name) for option in command.options for name in option.names]
    specs += [_quoted(f"*:argument:{_zsh_action(place)}") for place in command.places[:1]]
    return " ".join(["_arguments", *specs])


def _zsh_option(option: Completed, name: str) -> str:
    text = option.help.replace("\\", "").replace("[", "(").replace("]", ")").replace(":", "\\:")
    value = f":value:{_zsh_action(option)}" if option.takes_value else ""
    assign = "=" if option.takes_value and name.startswith("--") else ""
    return _quoted(f"*{name}{assign}[{text}]{value}")


def _zsh_action(option: Completed) -> str:
    if option.words == _RULES:
        return "_plancheck_rules" if option.is_list else "_plancheck_rule"
    return f"({' '.join(option.words)})" if option.words else "_files"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


# ---- fish ------------------------------------------------------------------------------------------------------------

_FISH = """\
# Completion of plancheck in fish. In ~/.config/fish/config.fish: plancheck completion fish | source
set -g __plancheck_rules {rules}
function __plancheck_rule_list
    set -l head (string match -r '.*,' -- (string replace -r '^--[a-z-]+=' '' -- (commandline -ct)))
    for rule in $__plancheck_rules
        echo "$head$rule"
    end
end
function __plancheck_on
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end
function __plancheck_just_after
    set -l words (commandline -opc)
    test "$words[2..-1]" = "$argv"
end
{lines}
"""


def fish(commands: list[Described]) -> str:
    lines = [
        f"complete -c plancheck -n __fish_use_subcommand -f -a {command.words[0]} -d {_fish_quoted(command.help)}"
        for command in _top(commands)
    ]
    for command in commands:
        words = " ".join(command.words)
        on = f"complete -c plancheck -n '__plancheck_on {words}'"
        lines += (f"{on} {_fish_option(option)}" for option in command.options)
        after = on if command.options else on.replace("_on", "_just_after")  # of a command that has commands
        lines += (f"{after} -f -a {_fish_words(place)}" for place in command.places[:1] if place.words)
    return _FISH.format(rules=" ".join(_RULES), lines="\n".join(lines))


def _fish_option(option: Completed) -> str:
    parts = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    if option.words:
        parts.append(f"-x -a {_fish_words(option)}")
    elif option.takes_value:
        parts.append("-r -F")
    return " ".join([*parts, f"-d {_fish_quoted(option.help)}"] if option.help else parts)


def _fish_words(option: Completed) -> str:
    if option.words == _RULES:
        return "'(__plancheck_rule_list)'" if option.is_list else '"$__plancheck_rules"'
    return _fish_quoted(" ".join(option.words))


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS: dict[str, Callable[[list[Described]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
