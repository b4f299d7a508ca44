"""Whose policy counts for the gate: the one of whoever runs it.

What lies beside the plan can only make it stricter, for whoever writes the plan may write that too.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from plancheck.policy.model import Policy
from plancheck.policy.reading import joined
from plancheck.workspace.files import Configurations
from plancheck.workspace.in_force import configuration_faults
from plancheck.workspace.policies import LoadedPolicy, Policies, policy_fault


class GatePolicy(NamedTuple):
    policy: Policy
    faults: tuple[str, ...]
    """Why it cannot be relied on, in sentences: a file of it, or a configuration, cannot be read or has a mistake."""


def gate_policy(named: Sequence[str] | None, folder: str, plan: str | None) -> GatePolicy:
    """The policy for a plan, given by its absolute path, or for one that is in no file.

    `named` are the policies that the user names; without any, the configuration above the working directory `folder`
    names them, and without one, they have the usual name there or above.
    """
    configurations = Configurations()
    policies = Policies(configurations)
    trusted = policies.paths_for(os.path.join(folder, "plan")) if named is None else tuple(map(os.path.abspath, named))
    beside = policies.paths_for(plan) if plan is not None else ()
    files = {path: policies.load(path) for path in (*trusted, *beside)}
    faults = [f"{os.path.basename(error.path)}: {error.message}" for error in configurations.errors]
    for loaded in configurations.loaded:
        faults += configuration_faults(loaded)
    faults += (fault for file in files.values() if (fault := policy_fault(file)) is not None)
    return GatePolicy(
        joined(
            [file.found for path in trusted if isinstance(file := files[path], LoadedPolicy)],
            [file.found for path in beside if path not in trusted and isinstance(file := files[path], LoadedPolicy)],
        ),
        tuple(faults),
    )
