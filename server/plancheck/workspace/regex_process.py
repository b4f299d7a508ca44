"""Patterns of a policy, run where they can be stopped: in a process that is killed when one takes too long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import OrderedDict
from functools import cache
from queue import Empty, Queue
from time import perf_counter
from typing import Any

from plancheck.policy.regexes import LONGEST_VALUE, MOST_HITS, Hits, Matcher, Outcome, search
from plancheck.text import Span
from plancheck.tuples import NamedTuple

PATIENCE = 0.25
"""Seconds of the processor that a pattern may take on one value."""
FREE = 0.01
"""Seconds of the processor that a value may take without being held against its pattern."""
MOST_STOPS = 20
"""Values on which a pattern may be stopped. Then it is stopped for good, so that all values together are bounded."""
WALL = 30.0
"""Seconds that are waited for a process that ends itself: on a busy machine it may get little of the processor."""
WALL_WITHOUT_TIMER = 2.0
"""The same, where it cannot end itself (Windows)."""
START = 10.0
"""Seconds that the process may take to start."""
RESTART = 0.05
"""Seconds that a process that was stopped costs besides."""
ASKING = 0.0001
"""Seconds that a question costs besides."""
BUDGET = 1.0
"""Seconds of the processor that all patterns together may take on one plan of up to a million characters."""
MOST_CACHED = 20_000
"""Answers that are remembered."""
MOST_CHARACTERS = 50_000_000
"""Characters of all values whose answers are remembered."""

_WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "regex_worker.py")


class Answer(NamedTuple):
    """What the process found, and the seconds of the processor that it took."""

    hits: Hits
    seconds: float


class RegexProcess:
    """A matcher that waits for the answer. The process is started when it is first needed and used again after that.

    A pattern that takes too long on a value is stopped there; it is still run on other values, until it was stopped so
    often, or was so slow, that it is not worth another try.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._process: subprocess.Popen[str] | None = None
        self._answers: Queue[str | None] = Queue()
        self._has_timer = False
        self._known: OrderedDict[tuple[str, str], Hits | Outcome] = OrderedDict()
        self._characters = 0
        self._stopped: dict[str, None] = {}
        """The patterns that were stopped on some value."""
        self._slowness: dict[str, float] = {}
        """How slow each pattern was on all its values: 1 for each value on which it was stopped."""
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process of the command has one of its own."""
        return shared_process, ()

    @property
    def stopped(self) -> tuple[str, ...]:
        """The patterns that took too long on some value."""
        return tuple(self._stopped)

    def known(self, pattern: str, value: str) -> Hits | Outcome | None:
        """What is known already, without running anything."""
        if len(value) > LONGEST_VALUE:
            self._stopped[pattern] = None
            return Outcome.STOPPED
        known = self._known.get((pattern, value))
        if known is None and self._slowness.get(pattern, 0.0) >= MOST_STOPS:
            return Outcome.STOPPED
        return known

    def __call__(self, pattern: str, value: str) -> Hits | Outcome:
        with self._lock:
            known = self.known(pattern, value)
            if known is not None:
                return known
            found, seconds = self._found(pattern, value)
            slowness = 1.0 if found is Outcome.STOPPED else max(seconds - FREE, 0.0) / self._patience
            self._slowness[pattern] = self._slowness.get(pattern, 0.0) + slowness
            if found is Outcome.STOPPED or self._slowness[pattern] >= MOST_STOPS:
                self._stopped[pattern] = None
            return found

    def timed(self, pattern: str, value: str) -> tuple[Hits | Outcome, float]:
        """Where a pattern occurs in a value, and the seconds that it took to find out. What the pattern took on other
        values does not matter: who asks counts for himself."""
        if len(value) > LONGEST_VALUE:
            return Outcome.STOPPED, 0.0
        with self._lock:
            known = self._known.get((pattern, value))
            return (known, 0.0) if known is not None else self._found(pattern, value)

    def _found(self, pattern: str, value: str) -> tuple[Hits | Outcome, float]:
        answer = self._ask(pattern, value)
        found = Outcome.STOPPED if answer is None else answer.hits
        self._keep(pattern, value, found)
        return found, self._patience + RESTART if answer is None else answer.seconds + ASKING

    def _keep(self, pattern: str, value: str, found: Hits | Outcome) -> None:
        self._known[pattern, value] = found
        self._characters += len(value)
        while len(self._known) > MOST_CACHED or (self._characters > MOST_CHARACTERS and len(self._known) > 1):
            (_, forgotten), _ = self._known.popitem(last=False)
            self._characters -= len(forgotten)

    def forget(self) -> None:
        """Give every pattern another chance: the policy has changed."""
        with self._lock:
            for question in [question for question, found in self._known.items() if found is Outcome.STOPPED]:
                del self._known[question]
                self._characters -= len(question[1])
            self._stopped.clear()
            self._slowness.clear()

    def close(self) -> None:
        with self._lock:
            self._kill()

    def _ask(self, pattern: str, value: str) -> Answer | None:
        """The process's answer; None where it did not give one in time."""
        process = self._running()
        if process is None or process.stdin is None:
            return None
        try:
            process.stdin.write(json.dumps([pattern, value, MOST_HITS, self._patience]) + "\n")
            process.stdin.flush()
            line = self._answers.get(timeout=WALL if self._has_timer else WALL_WITHOUT_TIMER)
        except (Empty, OSError):
            line = None
        if line is None:
            self._kill()
            return None
        places, seconds = json.loads(line)
        return None if places is None else Answer(tuple(Span(start, end) for start, end in places), seconds)

    def _running(self) -> subprocess.Popen[str] | None:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._kill()
        if not sys.executable:
            return None
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", _WORKER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="ascii",
            )
        except OSError:
            return None
        self._process, self._answers = process, Queue()
        threading.Thread(target=_listen, args=(process, self._answers), daemon=True).start()
        try:
            self._has_timer = (self._answers.get(timeout=START) or "").strip() == "cpu"
        except Empty:
            self._kill()
        return self._process

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        if process.stdin is not None:
            try:  # noqa: SIM105 - at the end of the interpreter there is no `suppress` any more
                process.stdin.close()
            except OSError:  # what was not written yet cannot be written any more
                pass

    def __del__(self) -> None:
        self._kill()


class PlanMatcher:
    """A matcher for one plan. What all patterns take on all its values is bounded, and begins anew with each plan: once
    it is used up, whatever is not known yet is not searched."""

    def __init__(self, process: RegexProcess, length: int = 0) -> None:
        self._process = process
        self._left = BUDGET * max(1.0, length / 1_000_000)
        self._stopped: dict[str, None] = {}

    @property
    def stopped(self) -> tuple[str, ...]:
        """The patterns that took too long on some value of this plan."""
        return tuple(self._stopped)

    def __call__(self, pattern: str, value: str) -> Hits | Outcome:
        if self._left <= 0:
            return self._refused(pattern)
        found, seconds = self._process.timed(pattern, value)
        self._left -= seconds
        return self._refused(pattern) if found is Outcome.STOPPED else found

    def search_here(self, pattern: str, value: str) -> Hits | Outcome:
        if self._left <= 0:
            return self._refused(pattern)
        started = perf_counter()
        found = search(pattern, value)
        self._left -= perf_counter() - started
        return found

    def _refused(self, pattern: str) -> Outcome:
        self._stopped[pattern] = None
        return Outcome.STOPPED


def matcher_for(plan: str, matcher: Matcher | None) -> Matcher:
    """What runs the patterns on the text of a plan: as it is given, but that a process has a budget for each plan."""
    run = matcher if matcher is not None else shared_process()
    return PlanMatcher(run, len(plan)) if isinstance(run, RegexProcess) else run


@cache
def shared_process() -> RegexProcess:
    """The one that library functions use, which have nobody to keep theirs."""
    return RegexProcess()


def _listen(process: subprocess.Popen[str], answers: Queue[str | None]) -> None:
    """Hand on each line, and None when the process has ended, which closes the pipe."""
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            answers.put(line)
    answers.put(None)
