"""Quick fixes: what a rule proposes, the edits it comes down to, and the proof that it holds.

How to give a rule a fix. In the rule's file, write a function that looks at one finding and yields proposals, and
list it among the rule's remedies, the best one first:

    def _pin(view: FixView, finding: Finding) -> Iterator[Proposal]:
        yield Proposal(f"Pin `{finding.resource}`", tuple(set_flag(view, finding.place, "pinned")))

    RULE = Rule(…, remedies=(Remedy("pin the read", False, _pin),))

- A remedy (`change.Remedy`) is what docs/rules.md lists: in a few words what it does, its grade, and the function.
  The grade is one for the remedy: what is safe in some cases only is two remedies. Safe means that `check --fix` may
  do it unasked: the plan comes to say what its author certainly meant, and nobody is granted or promised anything new.
- The function is called when somebody asks for the fixes of that finding, never while linting. It sees the plan, the
  graph and the values in the document (`FixView`), and gives changes (`change`): small values that say what is to be
  different at which place. `build` has the ones that several rules need: add a read, a flag, a predecessor, a step.
- It need not worry about text (`edits` turns changes into edits, keeping the author's style) nor about consequences:
  `offer.offered` applies every proposal to the document and keeps only those that hold. So it may propose what works
  in most plans.
- All places are places of the document as it is, even if an earlier change of the same proposal inserts a step.

`fixpoint.fix_all` applies the best fix of every finding until nothing changes; `check --fix` and
`source.fixAll.plancheck` both call it.
"""
