"""Plans for each example policy, and what it must say about them: the rule, its line, and the steps to blame."""

from __future__ import annotations

from typing import Any, NamedTuple

from plancheck.plan.model import Place
from rego.engines import calls


class Case(NamedTuple):
    policy: str
    plan: Any
    kind: str
    """`allow`, `deny` or `requires_hitl`."""
    rule: str = ""
    line: int = 0
    steps: tuple[int, ...] = ()
    path: tuple[str | int, ...] = ()
    """What is blamed in the last of the steps."""
    message: str = ""

    @property
    def place(self) -> Place:
        return Place(self.steps[-1], self.path) if self.steps else Place(None)


def pay(amount: Any = 10, account: str = "A1") -> tuple[str, dict[str, Any]]:
    return "payments.send", {"amount": amount, "account": account}


def mail(recipient: str = "ada@example.com", **more: Any) -> tuple[str, dict[str, Any]]:
    return "notify.email", {"recipient": recipient, "subject": "Hello", **more}


def sql(query: str, tool: str = "db.query") -> tuple[str, dict[str, Any]]:
    return tool, {"query": query}


WRITE, FIND, UPDATE = "db.write", "crm.find", "crm.update"
TOOL, AMOUNT, QUERY, RECIPIENT = ("tool_name",), ("args", "amount"), ("args", "query"), ("args", "recipient")
THREE = "A plan may write at most 3 times."
FIRST = "A plan must not start with a payment."
LARGE = "Above 1,000 a human looks."
OUTSIDE = "Data of customers would be sent outside of example.com."
TWICE = "The same payment twice is a mistake."
TOTAL = "This plan moves more than 5,000 in all."
PRODUCTION = {"environment": "production"}

_STEPS_DIALECT = {
    "goal": "pay",
    "steps": [
        {"id": "find", "tool": FIND, "args": {}},
        {"id": "pay", "tool": "payments.send", "parameters": {"amount": 2000, "account": "A1"}},
    ],
}

CASES = [
    # ---- at most 3 writes ----------------------------------------------------------------------------------------
    Case("writes", calls(), "allow"),
    Case("writes", calls(WRITE, WRITE, WRITE), "allow"),
    Case("writes", calls(WRITE, FIND, UPDATE, FIND, "file.write", FIND), "allow"),
    Case("writes", calls(WRITE, WRITE, WRITE, WRITE), "deny", "deny", 8, (0, 1, 2, 3), TOOL, THREE),
    Case("writes", calls(FIND, WRITE, UPDATE, FIND, WRITE, WRITE), "deny", "deny", 8, (1, 2, 4, 5), TOOL, THREE),
    Case("writes", calls(*[WRITE] * 9), "deny", "deny", 8, (0, 1, 2, 3), TOOL, THREE),
    Case("writes", [{"tool_name": WRITE, "args": {}}] * 5, "deny", "deny", 8, (0, 1, 2, 3), TOOL, THREE),
    # ---- must not start with a payment ---------------------------------------------------------------------------
    Case("first-payment", calls(), "allow"),
    Case("first-payment", calls(FIND, pay()), "allow"),
    Case("first-payment", calls(pay()), "deny", "deny", 8, (0,), TOOL, FIRST),
    Case("first-payment", calls(pay(), FIND, pay()), "deny", "deny", 8, (0,), TOOL, FIRST),
    Case("first-payment", calls("payments.refund", FIND), "deny", "deny", 8, (0,), TOOL, FIRST),
    # ---- above 1,000 a human looks -------------------------------------------------------------------------------
    Case("large-amount", calls(pay(1000)), "allow"),
    Case("large-amount", calls(FIND, WRITE), "allow"),
    Case("large-amount", calls(pay(1001)), "requires_hitl", "requires_hitl", 6, (0,), AMOUNT, LARGE),
    Case("large-amount", calls(FIND, pay(5), pay(1000.5)), "requires_hitl", "requires_hitl", 6, (2,), AMOUNT, LARGE),
    Case("large-amount", calls(pay(5000), pay(1)), "requires_hitl", "requires_hitl", 6, (0,), AMOUNT, LARGE),
    Case("large-amount", _STEPS_DIALECT, "requires_hitl", "requires_hitl", 6, (1,), ("parameters", "amount"), LARGE),
    # ---- an approval before each payment -------------------------------------------------------------------------
    Case("approval", calls("approvals.request", pay()), "allow"),
    Case("approval", calls(FIND), "allow"),
    Case("approval", calls(FIND, pay()), "deny", "deny", 6, (1,), TOOL, "payments.send needs an approval before it."),
    Case("approval", calls(FIND, "payments.refund", "approvals.request"), "deny", "deny", 6, (1,), TOOL),
    # ---- only some tools -----------------------------------------------------------------------------------------
    Case("allow-list", calls(FIND, UPDATE), "allow"),
    Case("allow-list", calls(), "allow"),
    Case("allow-list", calls(FIND, "db.drop"), "deny", "allow", 7, (1,), (), ""),
    Case("allow-list", calls("shell.run", FIND, "db.drop"), "deny", "allow", 7, (0,), (), ""),
    # ---- what was exported stays ---------------------------------------------------------------------------------
    Case("exfiltration", calls("crm.export", mail()), "allow"),
    Case("exfiltration", calls(mail("eve@evil.test"), "crm.export"), "allow"),
    Case("exfiltration", calls("crm.export", FIND, mail("eve@x.y")), "deny", "deny", 8, (0, 2), RECIPIENT, OUTSIDE),
    Case("exfiltration", calls(FIND, "hr.read", mail(), mail("x@y.z")), "deny", "deny", 8, (1, 3), RECIPIENT, OUTSIDE),
    # ---- SQL that removes data -----------------------------------------------------------------------------------
    Case("destructive-sql", calls(sql("SELECT 1")), "allow"),
    Case("destructive-sql", calls(sql("SELECT dropped FROM t")), "allow"),
    Case("destructive-sql", calls(FIND, sql("drop table t")), "deny", "violations", 6, (1,), QUERY),
    Case("destructive-sql", calls(sql(" DELETE FROM t", "x.y"), FIND), "deny", "violations", 6, (0,), QUERY),
    # ---- the same payment twice ----------------------------------------------------------------------------------
    Case("same-payment", calls(pay(5), pay(6)), "allow"),
    Case("same-payment", calls(pay(5, "A"), pay(5, "B"), FIND), "allow"),
    Case("same-payment", calls(pay(5), FIND, pay(6), pay(5)), "deny", "deny", 6, (0, 3), AMOUNT, TWICE),
    Case("same-payment", calls(FIND, pay(7, "B"), pay(7, "B")), "deny", "deny", 6, (1, 2), AMOUNT, TWICE),
    # ---- more than 5,000 in all ----------------------------------------------------------------------------------
    Case("total-amount", calls(pay(2500), pay(2500)), "allow"),
    Case("total-amount", calls(pay("many"), pay(5)), "allow"),
    Case("total-amount", calls(pay(3000), FIND, pay(3000)), "requires_hitl", "requires_hitl", 8, (0, 2), AMOUNT, TOTAL),
    Case("total-amount", calls(pay(10), pay(9000)), "requires_hitl", "requires_hitl", 8, (1,), AMOUNT, TOTAL),
    # ---- production ----------------------------------------------------------------------------------------------
    Case("production", calls("db.delete", context={"environment": "test"}), "allow"),
    Case("production", calls(("deploy.release", {"window": "night"}), context=PRODUCTION), "allow"),
    Case("production", calls(FIND, "db.delete", context=PRODUCTION), "deny", "deny", 6, (1,), TOOL),
    Case("production", calls("deploy.release", context=PRODUCTION), "deny", "deny", 6, (0,), TOOL),
    # ---- emails --------------------------------------------------------------------------------------------------
    Case("email", calls(mail(cc=["a", "b"])), "allow"),
    Case("email", calls(FIND, ("notify.email", {"subject": ""})), "deny", "violations", 6, (1,), TOOL),
    Case("email", calls(mail(), mail(cc=["a", "b", "c"])), "deny", "deny", 13, (1,), ("args", "cc")),
    # ---- something is missing ------------------------------------------------------------------------------------
    Case("verified", calls(FIND, "kyc.verify"), "allow"),
    Case("verified", calls(FIND, "accounts.open"), "deny", "deny", 11),
    Case("verified", calls(), "deny", "deny", 11),
]
