"""Each branch of `missing_key`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_step_without_anything() -> None:
    check_rule(
        "missing_key",
        """
        {"nodes": [
          {}
          ~ missing_key: This step has no `agent`: name who carries it out.
          ~ missing_key: This step has no `idx`: give it an integer that no other step has.
          ~ missing_key: This step has no `kind`: it is a `decision` or a `tool_call`.
        ]}
        """,
    )


def test_a_read_and_a_write_without_id() -> None:
    check_rule(
        "missing_key",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"volatile": true}], "writes": [{}]}
                     ~ missing_key: This entry of `reads` has no `id`: name the resource.
                                                     ~ missing_key: This entry of `writes` has no `id`: name the resour…
        ]}
        """,
    )


def test_a_key_whose_value_is_still_to_come_is_there() -> None:
    check_rule(
        "missing_key",
        """
        {"nodes": [
          {"idx": , "agent": , "kind": , "reads": [{"id": }]}
        ]}
        """,
    )


def test_an_entry_of_plancheck_ignore_names_a_rule() -> None:
    check_rule(
        "missing_key",
        """
        {"plancheck-ignore": [{"reason": "agreed"}, {"rule": }], "nodes": [
                              ~ missing_key: This entry of `plancheck-ignore` has no `rule`: name the rule that is sw…
          {"idx": 0, "agent": "a", "kind": "tool_call", "plancheck-ignore": [{}]}
                                                                             ~ missing_key: This entry of `plancheck-i…
        ]}
        """,
    )
