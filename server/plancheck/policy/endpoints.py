"""Addresses in texts: whether a URL leads to the metadata service of a cloud, and whether it is sent in the clear.

A URL is read as lenient clients read it: capitals, blanks at its ends, line breaks, backslashes, a user name, a port,
percent signs and wide characters in the host hide nothing, and neither do the many ways to write an IPv4 address.
"""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import normalize

from plancheck.lazy_regex import regex
from plancheck.plan.carried import folded_key
from plancheck.tuples import NamedTuple


class Url(NamedTuple):
    """A URL, as far as it matters where it leads to."""

    scheme: str
    host: str
    """In small letters; that of an IPv6 address without its brackets."""
    has_port: bool


_SCHEME = regex(
    r"(?P<scheme>(?i:https?|wss?|ftp)(?=:)|[A-Za-z][A-Za-z0-9+.-]{0,20}(?=:[/\\])):[/\\]{0,4}(?P<rest>[^/\\?#\s]{1,500})"
)
_BARE = regex(r"(?:[/\\]{2})?(?P<rest>[^/\\?#\s]{1,500})")
_INSIDE = regex(
    r"(?i)\b(?:https?|ftp|wss?)://[^\s\"'`<>|;&)]{1,500}"
    r"|(?<![\w.-])(?:169\.254\.\d{1,3}\.\d{1,3}|100\.100\.100\.200|metadata\.google\.internal)(?![\w-]|\.\w)"
)
_PERCENT = regex(r"%([0-9A-Fa-f]{2})")
ADDRESS_SIGNS = ("://", "169.254.", "100.100.100.200", "metadata.google.internal")
"""One of these is in every text with an address that `urls_in` finds."""
_END = regex(r"[/\\?#]")
_PORT = regex(r":\d{0,5}$")
_CONTROLS = str.maketrans("", "", "\t\r\n")
_DOTS = str.maketrans("\u3002\uff0e\uff61", "...")


def url_of(text: str, *, is_address: bool = False) -> Url | None:
    """The URL that a text is as a whole; where it must be an address, the scheme may be missing."""
    text = text.strip().translate(_CONTROLS)
    if " " in text and not is_address:
        return None
    match = _SCHEME.match(text) or (_BARE.match(text) if is_address else None)
    if match is None:
        return None
    scheme = match.groupdict().get("scheme") or ""
    return _url(scheme.lower(), match["rest"])


def urls_in(text: str) -> Iterator[Url]:
    """The URLs in a text among other things, such as a command, and the best known addresses without a scheme."""
    for match in _INSIDE.finditer(text):
        found = url_of(match[0], is_address=True)
        if found is not None:
            yield found


def _url(scheme: str, authority: str) -> Url | None:
    authority = _PERCENT.sub(lambda code: chr(int(code[1], 16)), authority)
    authority = _END.split(authority, maxsplit=1)[0].rpartition("@")[2]
    if not authority.isascii():
        authority = normalize("NFKC", authority.translate(_DOTS))
    if authority.startswith("["):
        host, _, rest = authority[1:].partition("]")
        return Url(scheme, host.lower(), rest.startswith(":"))
    host = _PORT.sub("", authority)
    return Url(scheme, host.lower().rstrip("."), host != authority)


_ADDRESS_NAMES = frozenset(
    {*("url", "uri", "endpoint", "address", "host", "hostname", "href", "link", "target", "server", "baseurl", "site")}
)


def is_address_name(key: str) -> bool:
    """Whether an argument of that name is an address, in a tool that makes HTTP requests."""
    return folded_key(key) in _ADDRESS_NAMES


# ---- whether it is sent in the clear ---------------------------------------------------------------------------------

_ENCRYPTED = {"http": "https", "ws": "wss", "ftp": "sftp"}
_NO_ENDPOINTS = frozenset(
    {
        *("$schema", "schema", "@context", "@id", "@type", "$id", "namespace", "ns", "xmlns", "vocab", "iri", "dtd"),
        *("website", "homepage", "license", "licence", "citation", "citations", "reference", "references", "referer"),
        *("referrer", "origin", "bio", "profile", "profileurl", "socialmedia", "blog", "comment", "note", "notes"),
        *("subject", "predicate", "object"),
    }
)
"""Under these a URL is a name, or a fact about somebody."""
_NAMES_OF_THINGS = ("www.w3.org", "schema.org", "json-schema.org", "purl.org", "xmlns.com", "schemas.xmlsoap.org")
"""Hosts whose URLs are names: nobody asks them."""


def is_cleartext(url: Url) -> bool:
    """Whether what is sent to a URL can be read on its way, and that is a long one."""
    is_known = url.host and not any(sign in url.host for sign in "{}$<>*")
    return bool(is_known) and url.scheme in _ENCRYPTED and not (is_local(url.host) or is_metadata_service(url.host))


def encrypted(scheme: str) -> str:
    """The scheme that does the same, encrypted."""
    return _ENCRYPTED[scheme]


def is_no_endpoint(key: str, host: str) -> bool:
    """Whether a URL that is given under a name is only the name of something, or a fact about somebody."""
    return folded_key(key) in _NO_ENDPOINTS or host in _NAMES_OF_THINGS or host.startswith("schemas.")


# ---- where it leads to -----------------------------------------------------------------------------------------------

_METADATA = frozenset(
    {
        *("metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal"),
        *("metadata.azure.internal", "metadata.tencentyun.com", "metadata.platformequinix.com", "rancher-metadata"),
    }
)
_METADATA_ADDRESSES = frozenset({0x646464C8, 0xC00000C0, 0xA83F8110})
"""100.100.100.200, 192.0.0.192 and 168.63.129.16."""
_METADATA_ADDRESSES_6 = frozenset({"fd00:ec2::254", "fd20:ce::254"})
_LINK_LOCAL = 0xA9FE
"""169.254, the first half of an address."""
_WILDCARD_NAMES = regex(r"(?:^|[.-])(\d{1,3}(?:[.-]\d{1,3}){3})\.(?:nip|xip|sslip|localtest|traefik)\.\w+$")
_PART_OF_IPV4 = regex(r"0x[0-9a-f]{0,12}|\d{1,12}")
_LOCAL_ENDINGS = (
    ".localhost",
    ".local",
    ".internal",
    ".lan",
    ".home.arpa",
    ".intranet",
    ".corp",
    ".test",
    ".localdomain",
)


def is_metadata_service(host: str) -> bool:
    """Whether a host is one that tells a machine in a cloud its credentials, or any other link-local one."""
    if host in _METADATA:
        return True
    wildcard = _WILDCARD_NAMES.search(host)
    address = _ipv4(wildcard[1].replace("-", ".") if wildcard is not None else host)
    if address is None and ":" in host:
        if (found := _ipv6(host)) is None:
            return False
        short, address, is_link_local = found
        if is_link_local or short in _METADATA_ADDRESSES_6:
            return True
    return address is not None and (address >> 16 == _LINK_LOCAL or address in _METADATA_ADDRESSES)


def is_local(host: str) -> bool:
    """Whether a host is this machine or in its own network: names without dots are looked up there."""
    if ":" in host:
        found = _ipv6(host)
        if found is None or found[0] == "::1" or found[0].startswith(("fc", "fd", "fe80")):
            return True
        if (address := found[1]) is None:
            return False
    else:
        address = _ipv4(host)
    if address is None:
        return "." not in host or host.endswith(_LOCAL_ENDINGS)
    first, two = address >> 24, address >> 16
    return first in (0, 10, 127) or two in (0xC0A8, _LINK_LOCAL) or address >> 20 == 0xAC1


def _ipv4(host: str) -> int | None:
    """An address as C libraries read it: up to four numbers in three notations, the last for all that is left."""
    parts = host.split(".")
    if len(parts) > 4 or any(_PART_OF_IPV4.fullmatch(part) is None for part in parts):
        return None
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        return None
    *first, last = numbers
    if any(number > 255 for number in first) or last >= 256 ** (5 - len(numbers)):
        return None
    return sum(number << (24 - 8 * i) for i, number in enumerate(first)) + last


def _number(part: str) -> int:
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8) if part.startswith("0") and len(part) > 1 else int(part)


def _ipv6(host: str) -> tuple[str, int | None, bool] | None:
    """An address in its short form, the IPv4 address in it, and whether it is link-local."""
    from ipaddress import AddressValueError, IPv6Address

    try:
        found = IPv6Address(host.partition("%")[0])
    except AddressValueError:
        return None
    inner = found.ipv4_mapped or found.sixtofour
    number = int(found)
    if inner is None and (number >> 32 == 0 or number >> 96 == 0x64FF9B):
        return found.compressed, number & 0xFFFFFFFF, found.is_link_local  # IPv4-compatible, and NAT64
    return found.compressed, None if inner is None else int(inner), found.is_link_local
