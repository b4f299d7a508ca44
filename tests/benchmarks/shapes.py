"""Plans to measure with, each of a shape that costs something else: one step a line."""

from __future__ import annotations

import json
from typing import Any

GROUP = 10


def handed_on(i: int) -> dict[str, Any]:
    """Documents that are passed on in groups of ten: each step takes the document from the one before and writes it."""
    document = f"doc.{i // GROUP}"
    node: dict[str, Any] = {"idx": i, "agent": f"agent{i % 7}", "kind": "decision" if i % 5 == 0 else "tool_call"}
    node["control_preds"] = [i - 1] if i else []
    node["reads"] = [{"id": document, "producer": i - 1}] if i % GROUP else [document]
    node["writes"] = [document]
    return node


def chain(i: int) -> dict[str, Any]:
    """A long chain of distinct resources: each step reads what the one before wrote, and all rests on all before."""
    node: dict[str, Any] = {"idx": i, "agent": f"agent{i % 7}", "kind": "decision" if i % 5 == 0 else "tool_call"}
    node["control_preds"] = [i - 1] if i else []
    node["reads"] = [{"id": f"res.{i - 1}", "producer": i - 1}, f"res.{i}"] if i else ["res.0"]
    node["writes"] = [f"res.{i}"]
    return node


def noisy(i: int) -> dict[str, Any]:
    """One finding on every step: each writes what nobody has read."""
    node: dict[str, Any] = {"idx": i, "agent": f"agent{i % 7}", "kind": "tool_call"}
    node["control_preds"] = [i - 1] if i else []
    node["reads"] = [{"id": f"out.{i - 1}", "producer": i - 1}] if i else []
    node["writes"] = [f"out.{i}"]
    return node


SHAPES = {"documents passed on": handed_on, "a chain of resources": chain, "a finding on every step": noisy}


def text_of(shape: str, steps: int) -> str:
    return '{"nodes": [\n' + ",\n".join(json.dumps(SHAPES[shape](i)) for i in range(steps)) + "\n]}\n"
