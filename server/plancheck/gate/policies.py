"""Policies for the gate, from a file, a text or a dict. One with a mistake is none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from os import PathLike
from typing import Any

from plancheck.policy.model import Policy
from plancheck.policy.reading import PolicyText, policy_of, read_policy, rego_text
from plancheck.policy.rego.files import RegoFiles
from plancheck.text import LineIndex
from plancheck.workspace.policies import mistakes_in
from plancheck.workspace.reading import MOST_BYTES_OF_SETTINGS, ReadError, read_text
from plancheck.workspace.rego_files import is_policy_in_rego, read_rego_files


class PolicyError(ValueError):
    """A policy that cannot be read, or that has a mistake. It forbids less than its author meant, so nothing is decided
    by it."""


def load_policy(source: str | PathLike[str] | Mapping[str, Any], *, rego_package: str | None = None) -> Policy:
    """The policy in a file, in a YAML text or in a dict of the same keys; PolicyError says what is wrong with it.

    A string is a text if it has a line break, a brace or a colon with a blank behind it in it, and else a path. A path
    to a .rego file, or to a folder of them, is a Rego policy; `rego_package` is the package whose rules decide, where
    it is none of the usual ones. What is wrong with such a policy, the engine says for each plan: it is undecided then.
    """
    if isinstance(source, Mapping):
        try:
            found = policy_of(source)
        except ValueError as error:
            raise PolicyError(f"the policy has a mistake: {error}") from error
        return _sound(found, "the policy", None)
    path = os.fspath(source)
    if not path:
        raise PolicyError("the policy is an empty text: give a path, a text or a dict")
    if isinstance(source, str) and ("\n" in source or "{" in source or ": " in source):
        return _sound(read_policy(source), "the policy", source)
    if is_policy_in_rego(path):
        return _rego(path, rego_package)
    text = _read(path)
    if isinstance(text, ReadError):
        raise PolicyError(f"{path}: {text.message}")
    return _sound(read_policy(text), path, text)


def _read(path: str) -> str | ReadError:
    return read_text(path, most=MOST_BYTES_OF_SETTINGS)


def _rego(path: str, package: str | None) -> Policy:
    files = read_rego_files(path, _read, may_be_folder=True)
    if isinstance(files, ReadError):
        raise PolicyError(f"{files.path}: {files.message}")
    return rego_text(RegoFiles(files, package)).policy


def _sound(found: PolicyText, name: str, text: str | None) -> Policy:
    mistakes = mistakes_in(found)
    if not mistakes:
        return found.policy
    lines = LineIndex(text or "")
    places = (f"line {lines.line_of(problem.span.start) + 1}: " if text is not None else "" for problem in mistakes)
    listed = " ".join(f"{place}{problem.message}" for problem, place in zip(mistakes, places, strict=True))
    raise PolicyError(f"{name} has a mistake: {listed}")
