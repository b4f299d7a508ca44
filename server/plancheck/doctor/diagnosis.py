"""What the doctor finds, as plain values, as JSON and as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from plancheck.doctor.settings import shown_value
from plancheck.tuples import NamedTuple


class Installation(NamedTuple):
    """What runs, on what, and which other programs and packages it can use."""

    version: str
    path: str
    is_bundled: bool
    """Whether it came with an editor's extension, and is not installed in the interpreter's environment."""
    python: str
    interpreter: str
    rego: str | None
    """The engine that evaluates Rego policies, with its version; None for none."""
    rego_path: str | None
    extras: Mapping[str, str | None]
    """The versions of optional packages; None for one that is not installed."""
    has_patterns: bool
    """Whether the process that runs the patterns of policies works."""
    problems: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "plancheck": {
                "version": self.version,
                "path": self.path,
                "origin": "bundled" if self.is_bundled else "environment",
            },
            "python": {"version": self.python, "path": self.interpreter},
            "rego": None if self.rego is None else {"engine": self.rego, "path": self.rego_path},
            "extras": dict(self.extras),
            "patterns": self.has_patterns,
            "problems": list(self.problems),
        }

    def lines(self) -> Iterator[str]:
        origin = "bundled with the editor's extension" if self.is_bundled else "from the environment"
        yield f"plancheck {self.version}, {origin}: {self.path}"
        yield f"Python {self.python}: {self.interpreter}"
        yield f"Rego: {self.rego or 'no engine'}{f': {self.rego_path}' if self.rego_path else ''}"
        for name, version in self.extras.items():
            yield f"{name}: {version or 'not installed (optional)'}"
        yield f"patterns of policies: {'can be run' if self.has_patterns else 'cannot be run'}"


class FileDiagnosis(NamedTuple):
    """What is in force for a file, or for a folder."""

    path: str
    configuration: str | None
    """The configuration file in force; None where there is none, so that the defaults apply."""
    settings: Mapping[str, Any]
    """What is set otherwise than by default."""
    include: tuple[str, ...]
    is_plan: bool | None
    """Whether the file counts as a plan, by its name; None of a folder."""
    format: str | None
    """The format of what is in it; None where it is no plan."""
    policies: tuple[str, ...]
    catalogues: tuple[str, ...]
    problems: tuple[str, ...] = ()
    is_readable: bool = True

    def to_dict(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "configuration": self.configuration,
            "settings": dict(self.settings),
            "include": list(self.include),
            "is_plan": self.is_plan,
            "format": self.format,
            "policies": list(self.policies),
            "catalogues": list(self.catalogues),
            "problems": list(self.problems),
        }

    def lines(self) -> Iterator[str]:
        yield self.path
        yield f"  configuration: {self.configuration or 'none, so the defaults apply'}"
        for name, value in self.settings.items():
            yield f"    {name}: {shown_value(value)}"
        yield f"  plans are files named: {', '.join(self.include)}"
        if self.is_plan is not None:
            yield f"  counts as a plan: {'yes' if self.is_plan else 'no'}; its format: {self.format or 'none'}"
        yield f"  policies: {', '.join(self.policies) or 'none'}"
        yield f"  catalogues of tools: {', '.join(self.catalogues) or 'none'}"


class Diagnosis(NamedTuple):
    installation: Installation
    files: tuple[FileDiagnosis, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong, each once and with a way out."""
        every = [*self.installation.problems, *(problem for file in self.files for problem in file.problems)]
        return tuple(dict.fromkeys(every))

    @property
    def exit_code(self) -> int:
        if not all(file.is_readable for file in self.files):
            return 2
        return 1 if self.problems else 0

    def to_dict(self) -> dict[str, Any]:
        return {**self.installation.to_dict(), "files": [file.to_dict() for file in self.files]}

    def to_text(self) -> str:
        parts = ["\n".join(lines) for lines in (self.installation.lines(), *(file.lines() for file in self.files))]
        wrong = "\n".join(f"- {problem}" for problem in self.problems)
        parts.append(f"Wrong:\n{wrong}" if wrong else "Nothing is wrong.")
        return "\n\n".join(parts) + "\n"
