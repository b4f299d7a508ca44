"""URLs of the metadata services of clouds, in every spelling."""

from __future__ import annotations

import pytest

from analysis.rules.in_dialects import EVERYWHERE, check_call

FOUND = {
    "plain": ("http.get", '{"url": «"http://169.254.169.254/latest/meta-data/"»}'),
    "one number": ("web.open", '{"page": «"http://2852039166/"»}'),
    "hexadecimal": ("http.get", '{"url": «"HTTP://0xA9FEA9FE/x"»}'),
    "octal": ("http.get", '{"url": «"http://0251.0376.0251.0376"»}'),
    "shortened": ("http.get", '{"url": «"http://169.254.43518/"»}'),
    "inside an IPv6 address": ("http.get", '{"url": «"http://[::ffff:a9fe:a9fe]:80/"»}'),
    "of IPv6": ("http.get", '{"url": «"https://[FD00:EC2::254]/"»}'),
    "a name": ("http.get", '{"url": «"http://Metadata.Google.internal./computeMetadata/v1/"»}'),
    "of another cloud": ("http.get", '{"url": «"http://100.100.100.200/latest/"»}'),
    "behind a user": ("http.get", '{"url": «"http://example.com@169.254.169.254/"»}'),
    "percent signs": ("http.get", '{"url": «"http://%31%36%39.254.169.254/"»}'),
    "wide characters": ("http.get", '{"url": «"http://１６９.254。169.254/"»}'),
    "backslashes and blanks": ("http.get", r'{"url": «" http:\\\\169.254.169.254\\x"»}'),
    "a name for an address": ("http.get", '{"url": «"http://169-254-169-254.nip.io/"»}'),
    "without a scheme": ("http.get", '{"host": «"169.254.169.254:80"»}'),
    "in a list": ("crawl", '{"pages": ["https://example.com", «"http://169.254.169.254/"»]}'),
    "in a command": ("bash", '{"command": «"curl -s http://169.254.169.254/latest/"»}'),
    "in JSON text": ("http.send", r'{"body": «"{\"url\": \"http://169.254.169.254/\"}"»}'),
    "without slashes": ("http.get", '{"url": «"http:169.254.169.254"»}'),
    "an escaped end": ("http.get", '{"url": «"http://169.254.169.254%2fx"»}'),
    "over lines": ("http.get", '{"url": «"ht\\ntp://169.254.169.254"»}'),
    "with a blank": ("http.get", '{"url": «"http://169.254.169.254/?q=a b"»}'),
    "for another protocol": ("http.get", '{"url": «"gopher://169.254.169.254:80/_x"»}'),
    "digits in circles": ("http.get", '{"url": «"http://①⑥⑨.254.169.254"»}'),
    "without a scheme in a command": ("bash", '{"command": «"curl -s 169.254.169.254/latest"»}'),
}
"""By what is wrong: the tool and its arguments, with marks where findings are."""
FINE = {
    "another address": ("http.get", '{"url": "http://169.253.169.254/"}'),
    "a name that begins so": ("http.get", '{"url": "https://169.254.169.254.example.com/"}'),
    "in a mail": ("notify.mail", '{"body": "Never open http://169.254.169.254/ in the browser."}'),
    "in the path": ("http.get", '{"url": "https://example.com/169.254.169.254?u=http://169.254.169.254"}'),
    "a number": ("http.get", '{"url": "https://example.com", "id": 2852039166, "page": "2852039166"}'),
    "this machine": ("http.get", '{"url": "http://127.0.0.1:8080/"}'),
    "a time": ("calendar.add", '{"at": "12:30", "title": "metadata: the meeting"}'),
    "only the address": ("note.add", '{"text": "169.254.169.254"}'),
}


@pytest.mark.parametrize("case", FOUND)
@pytest.mark.parametrize("shape", EVERYWHERE)
def test_internal_address(shape: str, case: str) -> None:
    check_call("internal_address", EVERYWHERE[shape], *FOUND[case])


@pytest.mark.parametrize("case", FINE)
@pytest.mark.parametrize("shape", EVERYWHERE)
def test_what_is_no_internal_address(shape: str, case: str) -> None:
    check_call("internal_address", EVERYWHERE[shape], *FINE[case])
