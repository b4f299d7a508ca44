"""URLs that are not encrypted on their way."""

from __future__ import annotations

import pytest

from analysis.rules.in_dialects import EVERYWHERE, check_call

FOUND = {
    "http": ("http.get", '{"url": «"http://example.com/x"»}'),
    "capitals and blanks": ("http.get", '{"url": «" HTTP://Example.com "»}'),
    "ftp": ("file.fetch", '{"source": «"ftp://files.example.com/a.csv"»}'),
    "a socket": ("feed.open", '{"endpoint": «"ws://feed.example.com"»}'),
    "in a list": ("crawl", '{"pages": [«"http://example.com"», "https://example.com"]}'),
    "an address": ("http.get", '{"url": «"http://8.8.8.8:8080/"»}'),
    "of IPv6": ("http.get", '{"url": «"http://[2001:db8::1]/"»}'),
    "behind a local name": ("http.get", '{"url": «"http://localhost@example.com/"»}'),
    "inside an argument": ("http.post", '{"request": {"webhook": «"http://hooks.example.com/é"»}}'),
}
"""By what is wrong: the tool and its arguments, with marks where findings are."""
FINE = {
    "encrypted": ("http.get", '{"url": "https://example.com/x"}'),
    "this machine": (
        "http.get",
        '{"url": "http://localhost:8080/x", "other": "http://127.0.0.1", "third": "http://[::1]/"}',
    ),
    "a private address": (
        "http.get",
        '{"url": "http://192.168.1.5/", "other": "ws://10.0.0.1/", "third": "http://172.20.0.2"}',
    ),
    "a name without a dot": ("http.get", '{"url": "http://api:8080/"}'),
    "an internal name": ("http.get", '{"url": "http://api.prod.svc.cluster.local/", "other": "http://x.internal"}'),
    "in a mail": ("notify.mail", '{"body": "See http://example.com for more."}'),
    "a name of a schema": (
        "xml.make",
        '{"$schema": "http://json-schema.org/draft-07/schema#", "ns": "http://www.w3.org/2000/svg"}',
    ),
    "a fact about somebody": ("crm.update", '{"website": "http://example.com"}'),
    "a host of the run": ("http.get", '{"url": "http://{{a.result.host}}/x"}'),
    "no URL": ("note.add", '{"text": "http: what it is", "at": "ws:x"}'),
}


@pytest.mark.parametrize("case", FOUND)
@pytest.mark.parametrize("shape", EVERYWHERE)
def test_cleartext_endpoint(shape: str, case: str) -> None:
    check_call("cleartext_endpoint", EVERYWHERE[shape], *FOUND[case])


@pytest.mark.parametrize("case", FINE)
@pytest.mark.parametrize("shape", EVERYWHERE)
def test_what_is_no_cleartext_endpoint(shape: str, case: str) -> None:
    check_call("cleartext_endpoint", EVERYWHERE[shape], *FINE[case])
