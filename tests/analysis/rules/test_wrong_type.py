"""Each branch of `wrong_type`."""

from __future__ import annotations

from analysis.marks import check_rule


def test_a_list_of_steps_that_is_none() -> None:
    check_rule(
        "wrong_type",
        """
        {"nodes": 7}
                  ~ wrong_type: `nodes` must be a list of steps, not an integer.
        """,
    )


def test_a_step_that_is_none() -> None:
    check_rule(
        "wrong_type",
        """
        {"nodes": [
          7,
          ~ wrong_type: A step must be an object, not an integer.
          [0]
          ~ wrong_type: A step must be an object, not a list.
        ]}
        """,
    )


def test_idx() -> None:
    check_rule(
        "wrong_type",
        """
        {"nodes": [
          {"idx": "0"},
                  ~~~ wrong_type: `idx` must be an integer, not a string.
          {"idx": true},
                  ~~~~ wrong_type: `idx` must be an integer, not true.
          {"idx": 1.0},
                  ~~~ wrong_type: `idx` must be an integer, not a number with a fraction.
          {"idx": null}
                  ~~~~ wrong_type: `idx` must be an integer, not null.
        ]}
        """,
    )


def test_agent_and_kind() -> None:
    check_rule(
        "wrong_type",
        """
        {"nodes": [
          {"agent": 7, "kind": 7}
                    ~ wrong_type: `agent` must be a string, not an integer.
                               ~ wrong_type: `kind` must be `decision` or `tool_call`, not an integer.
        ]}
        """,
    )


def test_control_preds() -> None:
    check_rule(
        "wrong_type",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call"},
          {"idx": 1, "agent": "a", "kind": "decision", "control_preds": 0},
                                                                        ~ wrong_type: `control_preds` must be a list of…
          {"idx": 2, "agent": "a", "kind": "decision", "control_preds": ["1", 1]}
                                                                         ~~~ wrong_type: Each entry of `control_preds`…
        ]}
        """,
    )


def test_reads_and_writes() -> None:
    check_rule(
        "wrong_type",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": "order",
                                                                 ~~~~~~~ wrong_type: `reads` must be a list of resource…
           "writes": {"id": "order"}}
                     ~ wrong_type: `writes` must be a list of resources, not an object.
        ]}
        """,
    )


def test_an_entry_of_reads_and_writes() -> None:
    check_rule(
        "wrong_type",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [7],
                                                                  ~ wrong_type: Each entry of `reads` must be a resourc…
           "writes": [["order"]]}
                      ~ wrong_type: Each entry of `writes` must be a resource id or an object with an `id`, not a list.
        ]}
        """,
    )


def test_the_id_of_an_entry() -> None:
    check_rule(
        "wrong_type",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [{"id": 7}]}
                                                                         ~ wrong_type: The `id` of an entry of `reads`…
        ]}
        """,
    )


def test_the_flags_of_a_read_and_of_a_write() -> None:
    check_rule(
        "wrong_type",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "volatile": "yes", "pinned": 1}],
                                                 ~~~~~ wrong_type: `volatile` must be true or false, not a string.
                                                                  ~ wrong_type: `pinned` must be true or false, not an…
           "writes": [{"id": "order", "revalidates": null}]}
                                                     ~~~~ wrong_type: `revalidates` must be true or false, not null.
        ]}
        """,
    )


def test_a_producer() -> None:
    check_rule(
        "wrong_type",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call",
           "reads": [{"id": "order", "producer": "0"}],
                                                 ~~~ wrong_type: `producer` must be the `idx` of an earlier step, not a…
           "writes": [{"id": "order", "producer": true}]}
                                                  ~~~~ wrong_type: `producer` must be the `idx` of an earlier step, not…
        ]}
        """,
    )


def test_scope_of_the_wrong_type() -> None:
    check_rule(
        "wrong_type",
        """
        {"nodes": [
          {"idx": 0, "agent": "a", "kind": "tool_call", "scope": "order"},
                                                                 ~~~~~~~ wrong_type: `scope` must be a list of resource…
          {"idx": 1, "agent": "a", "kind": "tool_call", "scope": [7]}
                                                                  ~ wrong_type: Each entry of `scope` must be a resourc…
        ]}
        """,
    )


def test_plancheck_ignore_with_reasons() -> None:
    check_rule(
        "wrong_type",
        """
        {"plancheck-ignore": [{"rule": 7, "reason": "x"}, [], null, true, "unused_write", {"rule": null}], "nodes": [
                                       ~ wrong_type: `rule` in `plancheck-ignore` must be a string.
                                                          ~ wrong_type: Each entry of `plancheck-ignore` must be the…
                                                              ~~~~ wrong_type: Each entry of `plancheck-ignore` must…
                                                                    ~~~~ wrong_type: Each entry of `plancheck-ignore`…
                                                                                                   ~~~~ wrong_type: …
          {"idx": 0, "agent": "a", "kind": "decision",
           "plancheck-ignore": [{"rule": "redundant_edge", "reason": ["agreed"]}]}
                                                                     ~ wrong_type: `reason` in `plancheck-i…
        ]}
        """,
    )


def test_plancheck_ignore() -> None:
    check_rule(
        "wrong_type",
        """
        {"plancheck-ignore": "all", "nodes": [
                             ~~~~~ wrong_type: `plancheck-ignore` must be a list of rule names.
          {"idx": 0, "agent": "a", "kind": "decision", "plancheck-ignore": [7]}
                                                                            ~ wrong_type: Each entry of `plancheck-igno…
        ]}
        """,
    )
