"""Values that were never filled in."""

from __future__ import annotations

import pytest

from analysis.rules.in_dialects import EVERYWHERE, check_call

FOUND = {
    "in brackets": ("notify.mail", '{"to": «"<INSERT ADDRESS>"»}'),
    "a key": ("http.get", '{"key": «"YOUR_API_KEY"»}'),
    "behind a scheme": ("http.get", '{"headers": {"Authorization": «"Bearer <YOUR_TOKEN>"»}}'),
    "work left": ("db.add", '{"owner": «"TODO"», "note": «"TBD: ask Ann"»}'),
    "to be replaced": ("x.y", '{"id": «"REPLACE_ME"», "list": [«"change-me"», «"changeme"»]}'),
    "crosses": ("x.y", '{"id": «"xxx"», "other": «"XXXXXXXX"»}'),
    "to be inserted": ("x.y", '{"id": «"INSERT_CUSTOMER_ID_HERE"»}'),
    "square brackets": ("notify.mail", '{"from": «"[Your name]"», "é": «"<your address>"»}'),
    "with blanks": ("x.y", '{"id": «" <ENTER ID> "»}'),
}
"""By what is wrong: the tool and its arguments, with marks where findings are."""
FINE = {
    "a list of tasks": ("task.add", '{"status": "TODO", "list": "todo", "title": "TODO"}'),
    "what is searched for": ("grep", '{"pattern": "TODO", "query": "fixme"}'),
    "among other things": ("notify.mail", '{"body": "Dear Ann, write to <YOUR NAME> or YOUR_API_KEY. TODO"}'),
    "a document": ("file.write", '{"content": "export KEY=YOUR_API_KEY"}'),
    "markup": ("page.add", '{"html": "<insert>", "tag": "<your-element/>", "x": "<input>"}'),
    "words": ("x.y", '{"id": "your", "a": "change", "b": "replace", "c": "todos", "d": "xx"}'),
    "part of an address": ("http.get", '{"page": "your-account", "path": "/todo/xxx"}'),
    "references and variables": ("x.y", '{"id": "{{a.result.id}}", "key": "${YOUR_API_KEY}"}'),
    "a list of tasks by its tool": ("task.move", '{"target": "TODO"}'),
    "a search": ("text.find", '{"text": "FIXME"}'),
}


@pytest.mark.parametrize("case", FOUND)
@pytest.mark.parametrize("shape", EVERYWHERE)
def test_placeholder_left(shape: str, case: str) -> None:
    check_call("placeholder_left", EVERYWHERE[shape], *FOUND[case])


@pytest.mark.parametrize("case", FINE)
@pytest.mark.parametrize("shape", EVERYWHERE)
def test_what_is_no_placeholder_left(shape: str, case: str) -> None:
    check_call("placeholder_left", EVERYWHERE[shape], *FINE[case])
