"""The policies' patterns that could take forever, run aside: an analysis never waits for one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plancheck.policy.regexes import Hits, Outcome
    from plancheck.workspace.regex_process import RegexProcess


class Patterns:
    """A matcher that answers at once: with what is known, or that it is being found out."""

    def __init__(self) -> None:
        self._process: RegexProcess | None = None
        self._asked: dict[tuple[str, str], None] = {}

    @property
    def process(self) -> RegexProcess:
        """The same, for those who may wait: work in a thread."""
        if self._process is None:
            from plancheck.workspace.regex_process import RegexProcess

            self._process = RegexProcess()
        return self._process

    @property
    def stopped(self) -> tuple[str, ...]:
        return self._process.stopped if self._process is not None else ()

    def __call__(self, pattern: str, value: str) -> Hits | Outcome:
        from plancheck.policy.regexes import Outcome

        known = self.process.known(pattern, value)
        if known is not None:
            return known
        self._asked.setdefault((pattern, value))
        return Outcome.PENDING

    def answer(self) -> None:
        """Find out all that was asked; takes its time, so call it in a thread."""
        while self._asked:
            question = next(iter(self._asked))
            self.process(*question)
            self._asked.pop(question, None)

    def forget(self) -> None:
        if self._process is not None:
            self._process.forget()

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
