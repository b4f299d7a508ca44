"""`plancheck completion`, in the shells themselves: what is offered when somebody presses TAB."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.command import environment, plancheck, plant
from plancheck.analysis.rules import RULES
from plancheck.cli.completion import LSP_OPTIONS, described
from plancheck.cli.main import COMMANDS

Complete = Callable[[str], list[str]]
SHELLS = ("bash", "zsh", "fish")


def script(folder: Path, shell: str) -> Path:
    ran = plancheck("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    path = folder / f"completion.{shell}"
    path.write_text(ran.out)
    return path


def in_bash(folder: Path) -> Complete:
    """Through the function that bash calls, with the words as bash separates them."""
    path = script(folder, "bash")

    def complete(line: str) -> list[str]:
        words = re.findall(r"=|[^\s=]+", line) + ([""] if line.endswith((" ", "=")) else [])
        program = (
            f'source {path}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plancheck; printf "%s\\n" "${{COMPREPLY[@]}}"'
        )
        done = subprocess.run(
            ["bash", "--norc", "-c", program, "bash", *words], cwd=folder, capture_output=True, text=True, check=True
        )
        assert done.stderr == ""
        return [word.strip() for word in done.stdout.splitlines() if word.strip()]

    return complete


def in_fish(folder: Path) -> Complete:
    path = script(folder, "fish")
    env = environment({"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")})

    def complete(line: str) -> list[str]:
        done = subprocess.run(
            ["fish", "-c", f'source {path}; complete -C "{line}"'],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
        return [word.split("\t")[0] for word in done.stdout.splitlines()]

    return complete


def in_zsh(folder: Path) -> Complete:
    """On a terminal, where a zsh of nobody in particular is asked to list what there is."""
    path = script(folder, "zsh")

    def complete(line: str) -> list[str]:
        with Terminal(["zsh", "-f", "-i"], folder) as zsh:
            zsh.type("PROMPT='READY> '; autoload -U compinit; compinit -D -u; LISTMAX=0; setopt no_list_beep\n")
            zsh.type(f"zstyle ':completion:*' list-separator ''; source {path}; bindkey '^X' list-choices\n")
            zsh.type("zstyle ':completion:*' verbose no; stty -echo cols 1000; echo LOA''DED\n")
            zsh.until("LOADED")
            zsh.type(f"{line}\x18")
            listed = zsh.settled()
            plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", " ", listed.partition("\n")[2])
            words, typed = plain.replace("READY>", " ").split(), line.split()
            return words[: -len(typed)] if words[-len(typed) :] == typed else words  # it is shown again below

    return complete


class Terminal:
    def __init__(self, command: list[str], folder: Path) -> None:
        self._outer, inner = pty.openpty()
        env = environment({"TERM": "xterm", "HOME": str(folder), "ZDOTDIR": str(folder)})
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=inner, stdout=inner, stderr=inner, env=env, start_new_session=True
        )
        os.close(inner)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._outer)

    def type(self, text: str) -> None:
        os.write(self._outer, text.encode())

    def until(self, word: str) -> None:
        text = ""
        while word not in text:
            text += os.read(self._outer, 65536).decode(errors="replace")

    def settled(self) -> str:
        """What is written, until nothing has been for a while after the first list."""
        text, patience = "", time.monotonic() + 20
        while time.monotonic() < patience:
            if select.select([self._outer], [], [], 1.5 if "\n" in text else 5)[0]:
                text += os.read(self._outer, 65536).decode(errors="replace")
            elif "\n" in text or text:
                break
        return text.replace("\r", "")


SHELL_OF = {"bash": in_bash, "zsh": in_zsh, "fish": in_fish}


@pytest.fixture(params=SHELLS)
def complete(request: pytest.FixtureRequest, tmp_path: Path) -> Complete:
    if shutil.which(request.param) is None:
        pytest.skip(f"there is no {request.param}: run scripts/set-up-shells.sh")
    plant(tmp_path, {"refund.plan.json": "{}", "notes.md": ""})
    found: Complete = SHELL_OF[request.param](tmp_path)
    return found


def test_commands(complete: Complete) -> None:
    assert set(COMMANDS) <= set(complete("plancheck "))
    assert complete("plancheck ex") in (["explain"], [])  # what is the only one, zsh inserts


def test_options(complete: Complete) -> None:
    found = complete("plancheck check --no-")
    assert {"--no-cache", "--no-inline-ignores"} <= set(found)
    assert "--jobs" not in found
    assert {"--log", "--log-arguments"} <= set(complete("plancheck gate --log"))


def test_words_of_an_option(complete: Complete) -> None:
    assert {"text", "json", "sarif", "junit"} <= set(complete("plancheck check --format "))
    assert {"mermaid", "dot", "json"} <= set(complete("plancheck graph --format "))
    assert {"json", "junit"} == {word.rpartition("=")[2] for word in complete("plancheck check --format=j")}


def test_rules(complete: Complete, request: pytest.FixtureRequest) -> None:
    unused = {name for name in RULES if name.startswith("unused_")}
    assert len(unused) > 2
    assert unused == set(complete("plancheck explain unused_"))
    assert unused == set(complete("plancheck check --select unused_"))
    second = complete("plancheck check --ignore wrong_type,unused_")
    assert unused == {word.rpartition(",")[2] for word in second}
    if "zsh" not in request.node.name:  # it lists what differs
        assert all(word.startswith("wrong_type,") for word in second)


def test_commands_of_a_command(complete: Complete) -> None:
    found = complete("plancheck policy ")
    assert {"test", "diff", "check"} <= set(found)
    assert {"--fail-on", "--format"} <= set(complete("plancheck policy check --f"))


def test_files_are_left_to_the_shell(complete: Complete, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    if "bash" in request.node.name:
        assert complete("plancheck check ref") == complete("plancheck check --config ref") == []
        assert "complete -o bashdefault -o default" in (tmp_path / "completion.bash").read_text()
    else:
        assert {"refund.plan.json", "notes.md"} <= set(complete("plancheck check "))
        assert {"refund.plan.json", "notes.md"} <= set(complete("plancheck check --config "))


def test_every_command_and_option_is_in_every_script() -> None:
    known = {command.words: command for command in described()}
    assert {words[0] for words in known} == set(COMMANDS)
    for shell in SHELLS:
        text = plancheck("completion", shell).out
        for command in known.values():
            assert command.words[-1] in text
            for option in command.options:
                for name in option.names:
                    assert name.lstrip("-") in text, (shell, command.words, name)


def test_what_is_said_of_the_server_is_so() -> None:
    help_text = plancheck("lsp", "--help").out
    assert set(re.findall(r"--[a-z-]+", help_text.partition("options:")[2])) == {*LSP_OPTIONS}


def test_another_shell_is_one_line() -> None:
    ran = plancheck("completion", "tcsh")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "bash" in plancheck("completion", "--help").out
