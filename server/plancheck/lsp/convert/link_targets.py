"""Where a link may lead that comes from somebody's text: to a file of this machine, or to https.

An editor runs what `command:` names when it is clicked, hands unknown schemes to other programs, and opens
`file://host/…` with the user's credentials. A plan is written by an agent: none of this may hang on a click.
"""

from __future__ import annotations

from urllib.parse import unquote, urljoin, urlsplit


def link_target(document: str, reference: str) -> str | None:
    """The address that a reference in a document means; None for one that a click must not lead to."""
    try:
        target = urljoin(document, reference)
        parts, around = urlsplit(target), urlsplit(document)
        if parts.scheme == "https":
            return target if parts.hostname else None
    except ValueError:  # half an IPv6 address, and the like
        return None
    is_near = parts.netloc in ("", "localhost", around.netloc) and not _may_be_share(parts.path)
    return target if parts.scheme == "file" and is_near else None


def _may_be_share(path: str) -> bool:
    """Whether Windows could take a part of the path for a file on another machine, as in `//host/share`."""
    return "//" in unquote(path).replace("\\", "/")
