"""Which engine evaluates Rego: a located `opa`, else regopy, else none."""

from __future__ import annotations

import os
import shutil

from plancheck.unknown import Reason
from plancheck.workspace.rego.engine import EngineFault, RegoEngine
from plancheck.workspace.rego.opa import Opa
from plancheck.workspace.rego.regopy_engine import Regopy, is_installed

NO_ENGINE = EngineFault(Reason.FAILURE, "No Rego engine: install opa, or `pip install plancheck[rego]`.")


def find_engine(opa: str | None = None) -> RegoEngine | EngineFault:
    """The engine to use. `opa` is what the settings name, a path or a command: if that is not there, there is none."""
    if opa:
        program = shutil.which(os.path.expanduser(opa))
        return (
            Opa(program) if program else EngineFault(Reason.FAILURE, f"There is no opa at `{opa}`: correct the path.")
        )
    program = shutil.which("opa")
    if program is not None and os.path.isabs(program):  # Windows looks in the working directory first, as does a `.`
        return Opa(program)
    return Regopy() if is_installed() else NO_ENGINE
