"""Random declared plans of every shape, valid ones and ones with a fault."""

from __future__ import annotations

import random
from typing import Any

RESOURCES = ["order", "ledger.entry", "quote", "Order", "a/b", "é😀", "x y", "r7"]


def valid_plan(rnd: random.Random) -> dict[str, Any]:
    """Unsorted and negative idxs, roots, merges, repeated reads, all flags, scopes, repeated resources."""
    size = rnd.choice([0, 1, 2, 3, 4, 5, 6, 8, 11])
    idxs = rnd.sample(range(-6, 30), size)
    if rnd.random() < 0.5:
        idxs.sort()
    resources = rnd.sample(RESOURCES, rnd.randint(1, 5))
    nodes = [_node(rnd, idx, idxs[:position], resources) for position, idx in enumerate(idxs)]
    plan: dict[str, Any] = {"nodes": nodes}
    if rnd.random() < 0.2:
        plan["plan_id"] = "p-1"
    return plan


def _node(rnd: random.Random, idx: int, prior: list[int], resources: list[str]) -> dict[str, Any]:
    node: dict[str, Any] = {"idx": idx, "agent": rnd.choice("abc"), "kind": rnd.choice(["decision", "tool_call"])}
    control = rnd.random()
    if control < 0.25 and prior:
        node["control_preds"] = [rnd.choice(prior) for _ in range(rnd.randint(1, 3))]
    elif control < 0.4:
        node["control_preds"] = []
    elif control < 0.5:
        node["control_preds"] = None
    if rnd.random() < 0.85:
        node["reads"] = [_read(rnd, prior, resources) for _ in range(rnd.randint(0, 4))]
    if rnd.random() < 0.6:
        node["writes"] = [_write(rnd, prior, resources) for _ in range(rnd.randint(0, 3))]
    if rnd.random() < 0.4:
        node["scope"] = [rnd.choice(resources) for _ in range(rnd.randint(0, 5))]
    elif rnd.random() < 0.1:
        node["scope"] = None
    return node


def _read(rnd: random.Random, prior: list[int], resources: list[str]) -> Any:
    name = rnd.choice(resources)
    if rnd.random() < 0.3:
        return name
    read: dict[str, Any] = {"id": name}
    if prior and rnd.random() < 0.6:
        read["producer"] = rnd.choice(prior)
    elif rnd.random() < 0.1:
        read["producer"] = None
    for flag, chance in (("volatile", 0.5), ("pinned", 0.25), ("revalidates", 0.2)):
        if rnd.random() < chance:
            read[flag] = rnd.random() < 0.8
    return read


def _write(rnd: random.Random, prior: list[int], resources: list[str]) -> Any:
    name = rnd.choice(resources)
    if rnd.random() < 0.7:
        return name
    write: dict[str, Any] = {"id": name}
    if rnd.random() < 0.3:
        write["producer"] = rnd.choice([*prior, 99])
    return write


JUNK: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -3,
    1.5,
    "",
    "x",
    "tool_call",
    [],
    [1],
    ["a"],
    {},
    {"id": "a"},
    [None],
    [[]],
    {"a": 1},
]


def damaged_plan(rnd: random.Random) -> Any:
    """A plan in which one value was replaced, or one key removed, misspelt or added."""
    plan: Any = valid_plan(rnd)
    while not plan["nodes"]:
        plan = valid_plan(rnd)
    places: list[tuple[Any, Any]] = []
    todo: list[Any] = [plan]
    while todo:
        holder = todo.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            places.append((holder, key))
            if isinstance(holder[key], (dict, list)):
                todo.append(holder[key])
    holder, key = rnd.choice(places)
    what = rnd.random()
    if what < 0.75 or not isinstance(holder, dict):
        holder[key] = rnd.choice(JUNK)
    elif what < 0.9:
        del holder[key]
    else:
        holder[f"{key}s"] = holder.pop(key)
    return plan
