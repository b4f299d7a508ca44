"""Whose policy counts for the gate: the one of whoever runs it.

What lies beside the plan can only make it stricter, for whoever writes the plan may write that too. For the same reason
it leads nowhere but to its own folder, and nothing of it is quoted: it could be a way to read somebody else's files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from plancheck.policy.model import Policy
from plancheck.policy.reading import joined
from plancheck.tuples import NamedTuple
from plancheck.workspace.catalogues import Catalogues
from plancheck.workspace.files import Configurations
from plancheck.workspace.in_force import configuration_faults
from plancheck.workspace.policies import LoadedFile, LoadedRego, Policies, PolicyEntry, policy_fault
from plancheck.workspace.reading import ReadError
from plancheck.workspace.rego_files import rego_paths

if TYPE_CHECKING:
    from plancheck.catalogue.model import Catalogue


class GatePolicy(NamedTuple):
    policy: Policy
    faults: tuple[str, ...]
    """Why it cannot be relied on, in sentences: a file of it, or a configuration, cannot be read or has a mistake."""
    catalogue: Catalogue | None = None


def gate_policy(
    named: Sequence[str] | None, folder: str, plan: str | None, tools: Sequence[str] | None = None
) -> GatePolicy:
    """The policy for a plan, given by its absolute path, or for one that is in no file.

    `named` are the policies that the user names; without any, the configuration above the working directory `folder`
    names them, and without one, they have the usual name there or above. `tools` are the catalogues that the user
    names; without any, the configuration above the working directory names them. A catalogue beside the plan does not
    count: what it says about a tool could make the gate less strict.
    """
    configurations = Configurations(lambda source, target: _may_follow(source, target, folder))
    policies = Policies(configurations)
    trusted = Policies(configurations, named=named).entries_for(os.path.join(folder, "plan"))
    found = _beside(plan, folder, configurations, policies) if plan is not None else ()
    beside = [file for file in found if file.entry.path not in {entry.path for entry in trusted}]
    files = [policies.load(entry) for entry in trusted]
    others = [_unquoted(policies.load(file.entry), folder) for file in beside if not file.leads_outside]
    catalogues = Catalogues(configurations, named=tools)
    catalogue = catalogues.for_plan(os.path.join(folder, "plan"))
    faults = list(_configuration_faults(configurations, folder))
    faults += (f"{file.named_by} beside the plan {_OUTSIDE}" for file in beside if file.leads_outside)
    faults += (fault for file in files if (fault := policy_fault(file)) is not None)
    faults += (fault for file in others if (fault := policy_fault(file, _is_above(file.path, folder))) is not None)
    return GatePolicy(
        joined(
            [file.found for file in files if not isinstance(file, ReadError)],
            [file.found for file in others if not isinstance(file, ReadError)],
        ),
        tuple(faults),
        catalogue,
    )


_EXTENDS_OUTSIDE = "beside the plan extends a file outside of its folder, which is ignored: put what it needs there."
_OUTSIDE = "leads to a policy outside of its folder, which is ignored: put the policy there."
_BROKEN = "beside the plan cannot be read or has a mistake, so nothing is decided: correct it, or move it away."


class _Beside(NamedTuple):
    """A policy in force where the plan is."""

    entry: PolicyEntry
    named_by: str
    """The file that it is named in, or its own name."""
    leads_outside: bool
    """Whether somebody who can write beside the plan makes us read a file that lies elsewhere."""


def _beside(plan: str, folder: str, configurations: Configurations, policies: Policies) -> Iterator[_Beside]:
    above = configurations.above(os.path.dirname(plan))
    is_named = above.config is not None and bool(above.config.policy)
    for entry in policies.entries_for(plan):
        source = above.path if is_named and above.path is not None else entry.path
        root = os.path.realpath(os.path.dirname(source))
        leads_outside = not _is_above(source, folder) and _leads_outside(entry, root)
        yield _Beside(entry, os.path.basename(source), leads_outside)


def _leads_outside(entry: PolicyEntry, root: str) -> bool:
    """Whether a policy, or a file of a folder of them, lies elsewhere. A folder that does is not even looked into."""
    if not _is_inside(os.path.realpath(entry.path), root):
        return True
    files = rego_paths(entry.path) if entry.is_rego and os.path.isdir(entry.path) else ()
    return not isinstance(files, ReadError) and any(not _is_inside(os.path.realpath(file), root) for file in files)


def _may_follow(source: str, target: str, folder: str) -> bool:
    """Whether a configuration may extend another file. One that lies beside the plan only has those in its folder."""
    return _is_above(source, folder) or _is_inside(os.path.realpath(target), os.path.realpath(os.path.dirname(source)))


def _unquoted(file: LoadedFile | ReadError, folder: str) -> LoadedFile | ReadError:
    """A policy of which messages quote nothing, unless its author is trusted."""
    if isinstance(file, LoadedRego) and not _is_above(file.path, folder):
        return file._replace(rego=file.rego._replace(may_be_quoted=False))
    return file


def _configuration_faults(configurations: Configurations, folder: str) -> Iterator[str]:
    for error in configurations.errors:
        name = os.path.basename(error.path)
        yield f"{name}: {error.message}" if _is_above(error.path, folder) else f"{name} {_BROKEN}"
    for source in configurations.refused:
        yield f"{os.path.basename(source)} {_EXTENDS_OUTSIDE}"
    for loaded in configurations.loaded:
        faults, path = configuration_faults(loaded), loaded.path or ""
        begun = (path, *configurations.extended.get(path, ()))
        is_trusted = any(_is_above(source, folder) for source in begun)
        yield from faults if is_trusted else [f"{os.path.basename(path)} {_BROKEN}"][: len(faults)]


def _is_above(path: str, folder: str) -> bool:
    """Whether a file lies in the working directory or above it, so that its author is trusted."""
    return _is_inside(folder, os.path.dirname(path))


def _is_inside(path: str, folder: str) -> bool:
    path, folder = os.path.normcase(path), os.path.normcase(folder)  # Windows does not tell cases apart
    return path == folder or path.startswith(os.path.join(folder, ""))
