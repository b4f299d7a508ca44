"""The policies' patterns that could take forever, run aside: an analysis never waits for one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plancheck.policy.regexes import Hits, Outcome
    from plancheck.workspace.regex_process import RegexProcess


class Patterns:
    """A matcher that answers at once: with what is known, or that it is being found out."""

    def __init__(self, process: RegexProcess) -> None:
        self.process = process
        """The same, for those who may wait: work in a thread."""
        self._asked: dict[tuple[str, str], None] = {}
        """Questions without an answer. Two threads use this: only operations on it that are one step are safe."""

    @property
    def stopped(self) -> tuple[str, ...]:
        return self.process.stopped

    def __call__(self, pattern: str, value: str) -> Hits | Outcome:
        from plancheck.policy.regexes import Outcome

        known = self.process.known(pattern, value)
        if known is not None:
            return known
        self._asked.setdefault((pattern, value))
        return Outcome.PENDING

    @property
    def has_questions(self) -> bool:
        return bool(self._asked)

    def answer(self) -> None:
        """Find out all that was asked, and all that is asked meanwhile; takes its time, so call it in a thread."""
        while self._asked:
            question, _ = self._asked.popitem()
            self.process(*question)

    def forget(self) -> None:
        self.process.forget()
