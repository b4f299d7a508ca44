"""What plans are checked and decided by: the policy, the catalogue and the configuration of whoever starts the server.

They are read once, when the server starts. An agent may be able to write where the server runs, and must not be able to
change the rules between two of its calls; and no call names a file, so that none can have one read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from plancheck.analysis.settings import Settings
from plancheck.frozen import replace
from plancheck.gate import DecisionLog, Policy, PolicyDecision, evaluate_plan
from plancheck.tuples import NamedTuple
from plancheck.workspace.catalogues import Catalogues
from plancheck.workspace.files import Configurations
from plancheck.workspace.gate_policy import gate_policy
from plancheck.workspace.in_force import faults_in_force, settings_in_force

if TYPE_CHECKING:
    from plancheck.catalogue.model import Catalogue


class Judge(NamedTuple):
    policy: Policy
    faults: tuple[str, ...]
    """Why the policy cannot be relied on, in sentences: nothing is decided then."""
    catalogue: Catalogue | None
    settings: Settings
    """What plans are checked with, which is advice: a configuration may say more about it than about decisions."""
    configuration_faults: tuple[str, ...]
    """Why the settings cannot be relied on, in sentences."""
    log: DecisionLog | None = None

    @property
    def catalogue_faults(self) -> tuple[str, ...]:
        """Why the catalogue cannot be relied on, in sentences: no plan is allowed then."""
        return () if self.catalogue is None else tuple(unread.message for unread in self.catalogue.unread)

    def decide(self, plan: object) -> PolicyDecision:
        """The decision on a plan, once it is in the log. OSError where it cannot be recorded: then there is none."""
        return evaluate_plan(plan, policy=self.policy, faults=self.faults, log=self.log, tools=self.catalogue)


def read_judge(
    folder: str, policies: Sequence[str] | None, tools: Sequence[str] | None, log: DecisionLog | None = None
) -> Judge:
    """What is in force in the working directory; policies and catalogues that the user names take its place."""
    policy, faults, catalogue = gate_policy(policies, folder, None, tools)
    configurations = Configurations()
    catalogues = Catalogues(configurations, named=tools)
    settings = settings_in_force(os.path.join(folder, "agent.plan.json"), configurations, catalogues)
    if policies:
        settings = replace(settings, policy=policy, policy_faults=faults)
    return Judge(policy, faults, catalogue, settings, tuple(faults_in_force(configurations, catalogues)), log)
