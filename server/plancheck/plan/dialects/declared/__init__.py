"""The declared dialect: `{"nodes": [{"idx", "agent", "kind", "control_preds", "reads", "writes", "scope"}]}`."""

from __future__ import annotations

from plancheck.plan.dialects.declared.keys import CONTROL_PREDS, IDX, NODES, OTHER_ORDERS, VOCABULARY
from plancheck.plan.dialects.declared.lowering import lower_node
from plancheck.plan.dialects.declared.writing import SNIPPETS, STARTER, new_reader
from plancheck.plan.dialects.dialect import Dialect, Identities, Match, Site, one_step, under
from plancheck.syntax.tree import Tree


def _detect(tree: Tree) -> Match:
    return Match.CERTAIN if tree.top(NODES) is not None else Match.NONE


DIALECT = Dialect(
    name="declared",
    title="Declared plan",
    summary="Steps that declare what they read and write, and after which steps they run.",
    expected='A declared plan is expected: an object with a list of steps under "nodes".',
    detect=_detect,
    find=under(NODES),
    steps_key=NODES,
    site=Site.ELEMENTS,
    lower_chunk=one_step(lower_node),
    vocabulary=VOCABULARY,
    identities=Identities.NUMBER,
    identity_key=IDX,
    preds_key=CONTROL_PREDS,
    other_orders=OTHER_ORDERS,
    new_reader=new_reader,
    snippets=SNIPPETS,
    starter=STARTER,
    may_be_empty=True,
)
