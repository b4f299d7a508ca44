"""The dialects that plans are written in.

How to add one. Make a folder beside this file that exports `DIALECT`, a `dialect.Dialect`, and add it to the table in
`table`; its page goes to docs/dialects/ and its plans to examples/. Nothing else changes. The value says

- how a document is recognised (`detect`), where its steps are (`find`, `site`), and how a piece of the text becomes
  steps (`lower_chunk`): a pure function of the piece's value, so that an edit costs the piece that it is in;
- what its keys mean (`vocabulary`): the one description that completion, hover, fixes and the JSON Schema are made of;
- what is written into it: the keys for a dependency, an identity, a handler, a new step; its snippets and its starter;
- its traits, which are all that the rules and the editor ask for. Where none of them fits, add one that names what is
  different (`any_order`, `linear_default`), never a question for the dialect itself: a test counts those.

`lowering` has what steps have in common, `annotations` the keys that a step of any dialect may carry, `references` the
references inside strings. tests/plan/toy_dialects.py has two small dialects to start from.
"""
