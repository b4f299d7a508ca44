"""Who evaluates Rego policies: nobody where there are none, which costs nothing to find out."""

from __future__ import annotations

from plancheck.policy.model import Policy
from plancheck.policy.rego.files import RegoAsk, no_engine


def asker_for(policy: Policy | None, opa: str | None = None) -> RegoAsk:
    """What asks the Rego policies of a policy. `opa` is the program to use, a path or a command."""
    if policy is None or not policy.rego:
        return no_engine
    from plancheck.workspace.rego.asker import shared_asker

    return shared_asker(opa)
