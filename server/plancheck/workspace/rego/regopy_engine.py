"""The engine `regopy`, in a process that is killed when a policy takes too long, and started again after a crash."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from queue import Empty, Queue
from typing import Any

from plancheck.policy.rego.constructs import called_names
from plancheck.policy.rego.policy import RegoModule
from plancheck.policy.rego.regopy_limits import RegopyLimits, mistaken_inputs, regopy_limits
from plancheck.policy.rego.source import RegoSource
from plancheck.unknown import Reason
from plancheck.workspace.rego.engine import (
    MOST_BYTES_ASKED,
    MOST_MEMORY,
    Answers,
    EngineFault,
    EngineProblem,
    too_large,
    too_slow,
)

START = 10.0
"""Seconds that the process may take to start."""
VERSIONS = ("1.5.",)
_WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "regopy_worker.py")
_ERROR = re.compile(r"\(error \d+:(?P<path>.*?)\|(?P<offset>\d+)\|\d+\s+\(errormsg \d+:(?P<message>[^\n]*)\)\n")
_NO_FUNCTION = re.compile(r"Function not found: (?P<name>[\w.]+)")
_TOO_MUCH_MEMORY = 77
_NAME = "policy{}.rego"


def is_installed() -> bool:
    """Whether regopy can be imported, found out without importing it."""
    return find_spec("regopy") is not None


class Regopy:
    """The library regopy, run by the same Python that runs this."""

    name = "regopy"

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: Queue[bytes | None] = Queue()
        self._lock = threading.Lock()
        self._limits: tuple[Mapping[str, RegoModule], RegopyLimits] = ({}, regopy_limits({}))

    def evaluate(
        self, modules: Mapping[str, RegoModule], refs: Sequence[str], inputs: Sequence[Any], seconds: float
    ) -> Answers | EngineFault:
        limits = self._limits_of(modules)
        problems = _problems_of(modules, limits)
        if problems:
            return EngineFault(Reason.FAILURE, problems[0].message, problems)
        mistaken = mistaken_inputs(limits, inputs)
        if mistaken is not None:
            return EngineFault(Reason.FAILURE, mistaken)
        texts = {_NAME.format(number): module.text for number, module in enumerate(modules.values())}
        question = json.dumps([texts, list(refs), list(inputs)], separators=(",", ":")).encode()
        if len(question) > MOST_BYTES_ASKED:
            return too_large("The plan, with its variants,")
        with self._lock:
            answer = self._ask(question, seconds)
        if isinstance(answer, EngineFault):
            return answer
        if "error" in answer:
            return _fault(answer["error"], modules)
        if "answers" not in answer:
            return too_large("What the policy needs or says")
        return [
            {ref: value[0] for ref, value in zip(refs, values, strict=True) if value} for values in answer["answers"]
        ]

    def _limits_of(self, modules: Mapping[str, RegoModule]) -> RegopyLimits:
        """What is not asked, because the answer could be wrong. It is asked of one policy many times in turn."""
        known, limits = self._limits
        if known is not modules:
            limits = regopy_limits({path: module.source for path, module in modules.items()})
            self._limits = modules, limits
        return limits

    def close(self) -> None:
        process = self._process
        if process is not None:
            process.kill()

    def _ask(self, question: bytes, seconds: float) -> dict[str, Any] | EngineFault:
        process = self._running()
        if isinstance(process, EngineFault):
            return process
        assert process.stdin is not None
        writer = threading.Thread(target=_write, args=(process, question), daemon=True)
        writer.start()
        try:
            line = self._lines.get(timeout=max(seconds, 0.001))
        except Empty:
            self._end()
            return too_slow(seconds)
        if line is None:
            is_memory = process.wait() == _TOO_MUCH_MEMORY
            self._end()
            if is_memory:
                return too_large("What the policy needs in memory")
            return EngineFault(Reason.FAILURE, "regopy crashed on this policy: simplify it, or install opa.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _running(self) -> subprocess.Popen[bytes] | EngineFault:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._end()
        spec = find_spec("regopy")
        if spec is None or spec.origin is None or not sys.executable:
            return EngineFault(
                Reason.FAILURE, "regopy is not installed: install opa, or `pip install plancheck[rego]`."
            )
        folder = os.path.dirname(os.path.dirname(spec.origin))
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", _WORKER, str(MOST_MEMORY), folder],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ},
            )
        except OSError as error:
            return EngineFault(Reason.FAILURE, f"regopy could not be started: {error}")
        self._process, self._lines = process, Queue()
        threading.Thread(target=_listen, args=(process, self._lines), daemon=True).start()
        try:
            version = (self._lines.get(timeout=START) or b"").strip().decode("ascii", "replace")
        except Empty:
            version = ""
        if not version.startswith(VERSIONS):
            self._end()
            found = version or "one that cannot be loaded"
            return EngineFault(
                Reason.FAILURE, f"regopy 1.5 is needed, and this is {found}: `pip install plancheck[rego]`."
            )
        return process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()

    def __del__(self) -> None:
        self._end()


def _write(process: subprocess.Popen[bytes], question: bytes) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(question + b"\n")
        process.stdin.flush()
    except (OSError, ValueError):  # the process was killed, which the one who waits is told by the end of its lines
        pass


def _listen(process: subprocess.Popen[bytes], lines: Queue[bytes | None]) -> None:
    """Hand on each line, and None when the process has ended, which closes the pipe."""
    assert process.stdout is not None
    with process.stdout as stream:
        for line in stream:
            lines.put(line)
    lines.put(None)
    if process.stdin is not None:
        try:  # noqa: SIM105 - at the end of the interpreter there is no `suppress` any more
            process.stdin.close()
        except OSError:
            pass


def _problems_of(modules: Mapping[str, RegoModule], limits: RegopyLimits) -> tuple[EngineProblem, ...]:
    return tuple(
        _problem(path, modules[path].source, construct.span.start, construct.message, "rego_error")
        for path, constructs in limits.constructs.items()
        for construct in constructs
    )


def _fault(message: str, modules: Mapping[str, RegoModule]) -> EngineFault:
    paths = {_NAME.format(number): path for number, path in enumerate(modules)}
    problems = list(_problems(message, {name: (path, modules[path].source) for name, path in paths.items()}))
    first = problems[0].message if problems else "it reports an error without a place; opa reports more."
    return EngineFault(Reason.FAILURE, f"regopy cannot evaluate the policy: {first}", tuple(problems))


def _problems(message: str, sources: Mapping[str, tuple[str, RegoSource]]) -> Iterator[EngineProblem]:
    missing = _NO_FUNCTION.search(message)
    if missing is not None:
        name = missing["name"]
        for path, source in sources.values():
            places = (span.start for called, span in called_names(source.tokens) if called == name)
            yield from (
                _problem(path, source, place, f"Undefined function `{name}`.", "rego_error") for place in places
            )
        return
    for found in _ERROR.finditer(message):
        if found["path"] in sources:
            path, source = sources[found["path"]]
            offset = len(source.text.encode()[: int(found["offset"])].decode("utf-8", "ignore"))
            text = found["message"].strip().capitalize().rstrip(".")
            yield _problem(path, source, min(offset, len(source.text)), f"{text}.", "rego_syntax")


def _problem(path: str, source: RegoSource, offset: int, message: str, rule: str) -> EngineProblem:
    line = source.lines.line_of(offset)
    return EngineProblem(rule, message, path, line + 1, offset - source.lines.line_start(line) + 1)
