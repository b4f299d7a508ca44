"""What lenses and actions ask the rim to do: a name that the server and the extension know, and plain arguments.

The document itself is never an argument here, for this layer does not know its address: the rim puts the document's
URI in front of the arguments.
"""

from __future__ import annotations

from plancheck.tuples import NamedTuple

OPEN_GRAPH = "plancheck.openGraph"
"""Arguments: the identity of the step to point out, or nothing."""
SHOW_REPORT = "plancheck.showReport"
SHOW_FINDINGS = "plancheck.showFindings"
SHOW_RULE = "plancheck.showRule"
"""Arguments: the rule's name."""
SHOW_STEPS = "plancheck.showSteps"
"""Arguments: the offset of the step whose followers are to be listed."""
SHOW_USES = "plancheck.showUses"
"""Arguments: the offset of the tool's name in its catalogue, whose references are to be listed."""
IGNORE_IN_CONFIGURATION = "plancheck.ignoreInConfiguration"
"""Arguments: the rule's name."""
APPLY_FIXES = "plancheck.applyFixes"
"""Arguments: the rule's name, empty for every rule; `FIXES_IN_FILE` or `FIXES_IN_WORKSPACE`."""
FIXES_IN_FILE = "file"
FIXES_IN_WORKSPACE = "workspace"


class Command(NamedTuple):
    title: str
    name: str
    arguments: tuple[str | int, ...] = ()
