"""Who may come in by a socket: the one client that has the token which the server printed, and no page in a browser.

Every program and every web page on a machine can reach its loopback ports, whoever runs them. Whoever is let in can
read plans and settings of the user, so being on the same machine is not enough.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import secrets
from collections.abc import Iterable
from urllib.parse import parse_qs

from plancheck.tuples import NamedTuple

NO_TOKEN = "the token is missing or wrong"


class Admission(NamedTuple):
    """What a client must show."""

    token: str
    origins: frozenset[str] = frozenset()
    """Of web pages that may connect."""

    def accepts(self, token: object) -> bool:
        return isinstance(token, str) and hmac.compare_digest(_encoded(token), _encoded(self.token))

    def accepts_first(self, body: bytes) -> bool:
        """Whether a client's first message is `initialize`, with the token as `initializationOptions.token`."""
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            return False
        if not isinstance(found, dict) or found.get("method") != "initialize":
            return False
        for key in ("params", "initializationOptions", "token"):
            found = found.get(key) if isinstance(found, dict) else None
        return self.accepts(found)

    def accepts_upgrade(self, path: str, authorizations: Iterable[str]) -> bool:
        """Whether a WebSocket's request has the token, once, as `?token=` or as `Authorization: Bearer`."""
        tokens = parse_qs(path.partition("?")[2]).get("token", [])
        for scheme, _, token in (header.partition(" ") for header in authorizations):
            tokens.append(token if scheme.lower() == "bearer" else "")
        return len(tokens) == 1 and self.accepts(tokens[0])

    def refused_origin(self, origins: Iterable[str]) -> str | None:
        """The first origin that may not connect. Browsers name one for every page, other programs none."""
        return next((origin for origin in origins if origin not in self.origins), None)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach a host's ports, as far as the name alone says so."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _encoded(token: str) -> bytes:
    """JSON has strings that UTF-8 has not."""
    return token.encode(errors="surrogatepass")
