"""A folder of plans with names and contents that try to break the output that shows them."""

from __future__ import annotations

import json
import os
from pathlib import Path

EVIL = '\x1b[31m\x07]]>&<a href="x">\'|[text](http://evil) {0} \u202e\ud800\uffff 🙂 %0A::error::\n'
NAMES = (
    b"a b#c?d%.plan.json",
    "ünï🙂.plan.json".encode(),
    b"back\\slash.plan.json",
    b"esc\x1b[31m\x07\"'.plan.json",
    b"]]>&<.plan.json",
    b"new\nline.plan.json",
    b"not-utf-8-\xff\xfe.plan.json",
    b"http:a.plan.json",
    b"folder/--format=x.plan.json",
)
STEP = {"idx": 0, "agent": "a", "kind": "tool_call", "reads": [{"id": "🙂é", "volatil": True}], "writes": ["x", EVIL]}
RENDERED = json.dumps(STEP, ensure_ascii=False).replace("\ud800", "\\ud800")
TEXTS = (
    f'{{"nodes": [\r\n  {{"note": "🙂\u2028\u2029\u0085"}},\r{RENDERED}\n]}}\n',
    f'{{"🙂": "🙂", "nodes": [{RENDERED}]}}',
    '{"nodes": [',
    "[" * 600,
    '[{"tool_name": "mail.send", "args": {"🙂": 1,}}]',
)


def plant_hostile(folder: Path) -> Path:
    """Plans of which some cannot be checked, and a configuration with a mistake."""
    for number, name in enumerate(NAMES):
        path = folder / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(TEXTS[number % len(TEXTS)].encode())
    (folder / "plancheck.toml").write_text('[rules]\n"no_such\\u001b" = "off"\n')
    (folder / "unreadable.plan.json").write_bytes(b"\xff\xfe{}")
    return folder
