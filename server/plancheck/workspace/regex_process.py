"""Patterns of a policy, run where they can be stopped: in a process that is killed when one takes too long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from functools import cache
from queue import Empty, Queue
from typing import Any

from plancheck.policy.regexes import MOST_HITS, Hits, Outcome
from plancheck.text import Span

PATIENCE = 0.25
"""Seconds that a pattern may take on one value."""
PATIENCE_IN_ALL = 2.0
"""Seconds that a pattern may take on all values together."""
START = 10.0
"""Seconds that the process may take to start."""
MOST_KEPT = 20_000

_WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "regex_worker.py")


class RegexProcess:
    """A matcher that waits for the answer. The process is started when it is first needed and used again after that.

    A pattern that took too long is stopped for good: it would take as long on the next value.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._process: subprocess.Popen[str] | None = None
        self._answers: Queue[str] = Queue()
        self._known: OrderedDict[tuple[str, str], Hits] = OrderedDict()
        self._spent: dict[str, float] = {}
        self._stopped: dict[str, None] = {}
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process of the command has one of its own."""
        return shared_process, ()

    @property
    def stopped(self) -> tuple[str, ...]:
        """The patterns that took too long."""
        return tuple(self._stopped)

    def known(self, pattern: str, value: str) -> Hits | Outcome | None:
        """What is known already, without running anything."""
        if pattern in self._stopped:
            return Outcome.STOPPED
        return self._known.get((pattern, value))

    def __call__(self, pattern: str, value: str) -> Hits | Outcome:
        with self._lock:
            known = self.known(pattern, value)
            if known is not None:
                return known
            started = time.monotonic()
            found = self._ask(pattern, value)
            self._spent[pattern] = self._spent.get(pattern, 0.0) + time.monotonic() - started
            if found is None or self._spent[pattern] > PATIENCE_IN_ALL:
                self._stopped[pattern] = None
                return Outcome.STOPPED
            self._known[pattern, value] = found
            if len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
            return found

    def forget(self) -> None:
        """Give every pattern another chance: the policy has changed."""
        with self._lock:
            self._stopped.clear()
            self._spent.clear()

    def close(self) -> None:
        with self._lock:
            self._kill()

    def _ask(self, pattern: str, value: str) -> Hits | None:
        """The process's answer; None where it did not give one in time."""
        process = self._running()
        if process is None or process.stdin is None:
            return None
        try:
            process.stdin.write(json.dumps([pattern, value, MOST_HITS]) + "\n")
            process.stdin.flush()
            answer = json.loads(self._answers.get(timeout=self._patience))
        except (Empty, OSError, ValueError):
            self._kill()
            return None
        return None if answer is None else tuple(Span(start, end) for start, end in answer)

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
            self._answers.get(timeout=START)
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
            with suppress(OSError):  # what was not written yet cannot be written any more
                process.stdin.close()

    def __del__(self) -> None:
        self._kill()


@cache
def shared_process() -> RegexProcess:
    """The one that library functions use, which have nobody to keep theirs."""
    return RegexProcess()


def _listen(process: subprocess.Popen[str], answers: Queue[str]) -> None:
    """Hand on each line; the pipe is closed when the process has ended."""
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            answers.put(line)
