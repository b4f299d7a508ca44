"""The engine `opa`: one process for each call, which judges all inputs, without network, environment or clock."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plancheck.policy.rego.constructs import is_forbidden
from plancheck.policy.rego.policy import RegoModule
from plancheck.policy.rego.source import Generation
from plancheck.unknown import Reason
from plancheck.workspace.rego.engine import (
    MOST_BYTES_ANSWERED,
    MOST_BYTES_ASKED,
    MOST_MEMORY,
    Answers,
    EngineFault,
    EngineProblem,
    RegoTest,
    RegoTestOutcome,
    too_large,
    too_slow,
)

START = 10.0
"""Seconds that opa may take to say what it can do."""
GREETING = 5.0
"""Seconds that it may take to say which version it is."""
_QUERY_PACKAGE = "plancheck_query"
_IMPORT = "import rego.v1"
_ENVIRONMENT = {"GOGC": "400", "GOMEMLIMIT": "700MiB", "GOTRACEBACK": "none"}


class Opa:
    """An `opa` program at a path."""

    name = "opa"

    def __init__(self, program: str) -> None:
        self._program = os.path.abspath(program)  # it is run in another folder
        self._builtins: list[dict[str, Any]] | None = None
        self._features: list[str] = []
        self._running: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def evaluate(
        self, modules: Mapping[str, RegoModule], refs: Sequence[str], inputs: Sequence[Any], seconds: float
    ) -> Answers | EngineFault:
        with self._lock:
            end = time.monotonic() + seconds
            fault = self._find_capabilities()
            if fault is not None:
                return fault
            try:
                found = self._evaluate(_Files(modules), refs, inputs, end - time.monotonic())
                if isinstance(found, EngineFault) and found.reason is Reason.FAILURE and not found.problems:
                    return self._explained(found, modules, end - time.monotonic())
                return found
            except OSError as error:
                return EngineFault(Reason.FAILURE, f"opa could not be run: {error}")

    def _explained(self, fault: EngineFault, modules: Mapping[str, RegoModule], seconds: float) -> EngineFault:
        """A mistake that was reported in a copy of a rule, with its place in what the author wrote."""
        plain = {path: RegoModule(module.source.text, module.source) for path, module in modules.items()}
        found = self._evaluate(_Files(plain), (), (), max(seconds, 0.5))
        return found if isinstance(found, EngineFault) and found.problems else fault

    def run_tests(self, modules: Mapping[str, RegoModule], seconds: float) -> list[RegoTest] | EngineFault:
        """What the tests in some files come to, with nothing at hand that a policy may not use."""
        with self._lock:
            end = time.monotonic() + seconds
            fault = self._find_capabilities()
            if fault is not None:
                return fault
            files = _Files(modules)
            try:
                compiled = self._evaluate(files, (), (), end - time.monotonic())  # `opa test` gives mistakes no places
                if isinstance(compiled, EngineFault):
                    return compiled
                with tempfile.TemporaryDirectory(prefix="plancheck-opa-", ignore_cleanup_errors=True) as folder:
                    return self._test_in(folder, files, end - time.monotonic())
            except OSError as error:
                return EngineFault(Reason.FAILURE, f"opa could not be run: {error}")

    def _test_in(self, folder: str, files: _Files, seconds: float) -> list[RegoTest] | EngineFault:
        _write(folder, {**files.texts, "capabilities.json": self._capabilities(files.texts.values())})
        command = [self._program, "test", "--format", "json"]
        command += ["--capabilities", "capabilities.json"]
        command += ["--timeout", f"{max(round(seconds * 1000), 1)}ms"]
        command += ["--v0-compatible"] if files.has_v0 else []
        found = self._run([*command, *files.texts], folder, seconds)
        return found if isinstance(found, EngineFault) else _tests(found, files)

    @property
    def program(self) -> str:
        """Its absolute path."""
        return self._program

    def version(self) -> str | EngineFault:
        """What it says of itself, within its time."""
        fault = EngineFault(Reason.FAILURE, f"`{self._program}` is not a working opa")
        try:
            found = self._run([self._program, "version"], None, GREETING)
        except OSError:
            return fault
        if isinstance(found, EngineFault):
            return found._replace(message=f"`{self._program}` did not answer within {GREETING:.0f} seconds")
        words = found.decode("utf-8", "replace").splitlines()[:1]
        return words[0].removeprefix("Version: ") if words and words[0].startswith("Version: ") else fault

    def close(self) -> None:
        running = self._running
        if running is not None:
            _kill(running)

    def _evaluate(
        self, files: _Files, refs: Sequence[str], inputs: Sequence[Any], seconds: float
    ) -> Answers | EngineFault:
        folder = tempfile.mkdtemp(prefix="plancheck-opa-")
        try:
            return self._evaluate_in(folder, files, refs, inputs, seconds)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _evaluate_in(
        self, folder: str, files: _Files, refs: Sequence[str], inputs: Sequence[Any], seconds: float
    ) -> Answers | EngineFault:
        asked = json.dumps({"variants": list(inputs)}, separators=(",", ":"))
        if len(asked) > MOST_BYTES_ASKED:
            return too_large("The plan, with its variants,")
        texts = {
            **files.texts,
            "query.rego": _query(refs),
            "input.json": asked,
            "capabilities.json": self._capabilities(files.texts.values()),
        }
        _write(folder, texts)
        work = os.path.join(folder, "empty")
        os.mkdir(work)
        command = [self._program, "eval", "--format", "json", "--capabilities", _above("capabilities.json")]
        command += ["--timeout", f"{max(round(seconds * 1000), 1)}ms"]
        command += ["--v0-compatible"] if files.has_v0 else []
        for name in (*files.texts, "query.rego"):
            command += ["--data", _above(name)]
        command += ["--input", _above("input.json"), f"data.{_QUERY_PACKAGE}.answers"]
        found = self._run(command, work, seconds)
        return found if isinstance(found, EngineFault) else _answers(found, files, refs, len(inputs), seconds)

    def _run(self, command: Sequence[str], folder: str | None, seconds: float) -> bytes | EngineFault:
        """What a command writes; it is ended after its time, and when it writes too much."""
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={**_ENVIRONMENT, **_needed_by_windows()},
            start_new_session=True,
        )
        self._running = process
        _limit_memory(process.pid)
        written: list[bytes] = []
        reader = threading.Thread(target=_read, args=(process, written), daemon=True)
        reader.start()
        try:
            reader.join(max(seconds, 0.0) + 0.05)
            is_late = reader.is_alive()
        finally:  # also after an interrupt, which does not reach opa
            _kill(process)
            process.wait()
            reader.join()
            self._running = None
        if is_late:
            return too_slow(seconds)
        answer = b"".join(written)
        if len(answer) > MOST_BYTES_ANSWERED:
            return too_large("The answer of the policy")
        return answer

    def _find_capabilities(self) -> EngineFault | None:
        """What opa can do, found out once."""
        if self._builtins is not None:
            return None
        try:
            found = self._run([self._program, "capabilities", "--current"], None, START)
            if isinstance(found, EngineFault):
                return found
            capabilities = json.loads(found)
            self._builtins = [one for one in capabilities["builtins"] if not is_forbidden(one["name"])]
            self._features = capabilities.get("features", [])
        except (OSError, ValueError, KeyError, TypeError) as error:
            return EngineFault(Reason.FAILURE, f"`{self._program}` is not a working opa: {error}")
        return None

    def _capabilities(self, texts: Any) -> str:
        """What the policies may use: of all builtins that are not forbidden, those that they name. Reading all of them
        takes opa longer than most policies do."""
        whole = "\n".join(texts)
        builtins = [
            {key: one[key] for key in ("name", "decl", "infix", "relation") if key in one}
            for one in self._builtins or ()
            if "infix" in one or one["name"].startswith("internal.") or one["name"] in _ALWAYS or one["name"] in whole
        ]
        return json.dumps({"builtins": builtins, "features": self._features, "allow_net": []})


_ALWAYS = frozenset({"eq", "assign", "print"})


class _Files:
    """The modules under names that say nothing, and back again."""

    def __init__(self, modules: Mapping[str, RegoModule]) -> None:
        self._modules = dict(modules)
        self._paths = {f"policy{number}.rego": path for number, path in enumerate(modules)}
        self.has_v0 = any(module.source.generation is Generation.V0 for module in modules.values())
        self.texts = {name: self._text(self._modules[path]) for name, path in self._paths.items()}

    def _text(self, module: RegoModule) -> str:
        if not self._is_marked(module):
            return module.text
        place = module.source.package_span.end
        return f"{module.text[:place]}\n{_IMPORT}{module.text[place:]}"

    def _is_marked(self, module: RegoModule) -> bool:
        """Whether a file of v1 has to say so, because others are of v0."""
        source = module.source
        names_it = any(found.path == "rego.v1" for found in source.imports)
        return self.has_v0 and source.generation is Generation.V1 and not names_it

    def problem(self, error: Mapping[str, Any]) -> EngineProblem | None:
        """A mistake at its place in the file that the author wrote; None where it is in a copy or in the query."""
        place = self.place(error)
        if place is None:
            return None
        code = error.get("code", "")
        rule = "rego_syntax" if code == "rego_parse_error" else "rego_error"
        return EngineProblem(rule, _sentence(error.get("message", code)), *place)

    def place(self, located: Mapping[str, Any]) -> tuple[str, int, int] | None:
        """The path, row and column of something that opa locates; None where it is nothing that the author wrote."""
        place = located.get("location") or {}
        path = self._paths.get(os.path.basename(place.get("file", "")))
        if path is None:
            return None
        module, row = self._modules[path], place.get("row", 0)
        if self._is_marked(module) and row > module.source.line_of(module.source.package_span.end):
            row -= 1
        return None if row > module.source.lines.line_count else (path, row, place.get("col", 0))


def _above(name: str) -> str:
    """A file as seen from the empty folder below it in which opa runs. opa takes what comes before a colon for a place
    in its documents, and a path of Windows has one behind the letter of the drive."""
    return f"../{name}"


def _write(folder: str, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
            file.write(text)


def _query(refs: Sequence[str]) -> str:
    values = "".join(f"\t[value | value := {ref} with input as variant],\n" for ref in refs)
    return f"package {_QUERY_PACKAGE}\n\n{_IMPORT}\n\nanswers := [[\n{values}] | some variant in input.variants]\n"


def _answers(raw: bytes, files: _Files, refs: Sequence[str], count: int, seconds: float) -> Answers | EngineFault:
    try:
        found = json.loads(raw)
    except ValueError:
        return EngineFault(Reason.FAILURE, "opa ended without an answer: it may have run out of memory.")
    if "errors" in found:
        return _fault(found["errors"], files, seconds)
    try:
        values = found["result"][0]["expressions"][0]["value"]
        answers = [dict(_defined(refs, value)) for value in values]
    except (KeyError, IndexError, TypeError, ValueError):
        return EngineFault(Reason.FAILURE, "opa gave an answer that is not understood: use opa 1.0 or later.")
    if len(answers) != count:
        return EngineFault(Reason.FAILURE, "opa did not judge all plans that it was asked about.")
    return answers


def _tests(raw: bytes, files: _Files) -> list[RegoTest] | EngineFault:
    try:
        listed = json.loads(raw) or []
        found = [(files.place(one), one) for one in listed]
        tests = [RegoTest(*place, *_outcome(one)) for place, one in found if place is not None]
    except (ValueError, KeyError, TypeError, AttributeError):
        return EngineFault(
            Reason.FAILURE, "opa gave an answer about tests that is not understood: use opa 1.0 or later."
        )
    return sorted(tests)


def _outcome(test: Mapping[str, Any]) -> tuple[str, RegoTestOutcome, str]:
    name = f"{test['package'].removeprefix('data.')}.{test['name']}"
    if test.get("skip"):
        return name, RegoTestOutcome.SKIPPED, ""
    error = test.get("error")
    if error:
        return name, RegoTestOutcome.FAILED, _sentence(str(error.get("message") or error.get("code") or "an error"))
    return name, RegoTestOutcome.FAILED if test.get("fail") else RegoTestOutcome.PASSED, ""


def _defined(refs: Sequence[str], values: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    for ref, value in zip(refs, values, strict=True):
        if value:
            yield ref, value[0]


def _fault(errors: Sequence[Mapping[str, Any]], files: _Files, seconds: float) -> EngineFault:
    if any(error.get("code") == "eval_cancel_error" for error in errors):
        return too_slow(seconds)
    problems = tuple(dict.fromkeys(problem for error in errors if (problem := files.problem(error)) is not None))
    message = problems[0].message if problems else _sentence(str(errors[0].get("message", "opa reports an error")))
    return EngineFault(Reason.FAILURE, f"opa cannot evaluate the policy: {message}", problems)


def _sentence(message: str) -> str:
    return message if message.endswith((".", "!", "?")) else f"{message}."


def _read(process: subprocess.Popen[bytes], written: list[bytes]) -> None:
    """Take what a process writes, up to a limit, until it ends."""
    assert process.stdout is not None
    total = 0
    with process.stdout as stream:
        while total <= MOST_BYTES_ANSWERED and (part := stream.read1(1 << 16)):  # type: ignore[attr-defined]
            written.append(part)
            total += len(part)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and whatever it started."""
    if process.poll() is not None:
        return
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except OSError:  # it has ended by itself
        pass


def _limit_memory(pid: int) -> None:
    try:
        import resource

        resource.prlimit(pid, resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    except (ImportError, AttributeError, OSError, ValueError):  # only Linux limits another process
        pass


def _needed_by_windows() -> dict[str, str]:
    return {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
