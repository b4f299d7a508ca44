"""Secrets that can be told by their shape: the token formats of vendors, private keys, connection strings.

Every pattern starts from something fixed (a prefix, a header, a scheme) or, where a vendor's tokens have no shape of
their own, from the name of the argument. A string that merely looks random is no secret: identifiers, hashes and
base64 text look the same. All patterns are linear, and a value is searched whole, with one pass per pattern whose fixed
part it contains; characters that cannot be seen and full-width letters hide nothing.

Brackets hide nothing either. Only what the run fills in is left out: `${NAME}`, a reference to the result of a step,
and a value that is wholly `env:NAME`, `vault:path` or `secret:path`; and not even these where they hold a secret's
shape.

Not seen: a secret that is encoded once more (base64 of the whole, percent signs for plain letters, look-alike letters
of other alphabets) and one that is put together at run time (`AKIA${REST}`).
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple
from unicodedata import category, normalize

from plancheck.plan.dialects.references import references_in
from plancheck.text import Span


class Secret(NamedTuple):
    """A kind of secret."""

    name: str
    """As in `… holds {name}`."""
    variable: str
    """The environment variable that such a secret usually lives in."""
    hints: tuple[str, ...]
    """One of these occurs in every value that holds one."""
    pattern: str
    """Its group `secret`, or else all of it, is the secret."""
    key: str | None = None
    """Where given, only an argument of such a name is looked at, and the whole value must fit."""
    is_real: Callable[[str], bool] | None = None
    """Where given, it says of what fits the pattern whether it is more than a stand-in."""


class Hit(NamedTuple):
    name: str
    variable: str
    span: Span
    """In characters of the value."""


_START = r"(?<![A-Za-z0-9])"
_END = r"(?![A-Za-z0-9])"
_ALONE = r"(?<![A-Za-z0-9_-])"
"""For what also stands at the end of longer names, as in `cache-key-<hash>`."""


def _kind(
    name: str,
    variable: str,
    hints: str,
    pattern: str,
    key: str | None = None,
    *,
    start: str = _START,
    is_real: Callable[[str], bool] | None = None,
) -> Secret:
    whole = rf"\s*(?P<secret>{pattern})\s*" if key else f"{start}{pattern}"
    return Secret(name, variable, tuple(hints.split()), whole, key, is_real)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when it is first needed: few plans need more than a handful."""
    return re.compile(pattern)


_BASE64_RUN = re.compile(r"[A-Za-z0-9+/]{40,}")
_BETWEEN_LINES = re.compile(r"\\[nrt]|[\r\n\t\"',]+ {0,16}")


def _has_key_body(block: str) -> bool:
    """Whether a private key follows its header, and not just a few words or dots."""
    body = _BETWEEN_LINES.sub("", block)
    return any(len(set(run)) >= 10 for run in _BASE64_RUN.findall(body))


def _is_user_and_password(encoded: str) -> bool:
    """Whether it is what follows `Basic` in a header, and not an ordinary word."""
    try:
        decoded = b64decode(encoded.rstrip("=") + "=" * (-len(encoded.rstrip("=")) % 4), validate=True).decode()
    except (Base64Error, UnicodeDecodeError):
        return False
    _, colon, password = decoded.partition(":")
    return bool(colon) and decoded.isprintable() and len(password) >= 3 and not _is_stand_in(password)


_KINDS: tuple[Secret, ...] = (
    # cloud
    _kind(
        "an AWS access key id",
        "AWS_ACCESS_KEY_ID",
        "AKIA ASIA",
        r"A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Z0-9])",
        start=r"(?<![A-Z0-9])",
    ),
    _kind(
        "an AWS secret access key",
        "AWS_SECRET_ACCESS_KEY",
        "",
        r"[A-Za-z0-9/+]{40}",
        r"aws.*secret|secret_?access_?key",
    ),
    _kind("a Google API key", "GOOGLE_API_KEY", "AIza", rf"AIza[A-Za-z0-9_-]{{35}}{_END}"),
    _kind("a Google OAuth access token", "GOOGLE_OAUTH_TOKEN", "ya29.", r"ya29\.[A-Za-z0-9_-]{30,}"),
    _kind("a Google OAuth client secret", "GOOGLE_CLIENT_SECRET", "GOCSPX-", rf"GOCSPX-[A-Za-z0-9_-]{{28}}{_END}"),
    _kind(
        "an Azure storage account key",
        "AZURE_STORAGE_KEY",
        "AccountKey=",
        r"AccountKey=(?P<secret>[A-Za-z0-9+/]{86}==)",
    ),
    _kind(
        "an Azure shared access signature",
        "AZURE_SAS_TOKEN",
        "sig=",
        r"sig=(?P<secret>(?:[A-Za-z0-9+/]|%2[BbFf]){43}(?:=|%3[Dd]))",
    ),
    _kind(
        "an Azure AD client secret", "AZURE_CLIENT_SECRET", "8Q~", rf"[A-Za-z0-9_~.]{{3}}8Q~[A-Za-z0-9_~.-]{{34}}{_END}"
    ),
    _kind("a DigitalOcean token", "DIGITALOCEAN_TOKEN", "do", rf"do[opr]_v1_[a-f0-9]{{64}}{_END}"),
    _kind("an Alibaba Cloud access key id", "ALIBABA_ACCESS_KEY_ID", "LTAI", rf"LTAI[A-Za-z0-9]{{20}}{_END}"),
    _kind("a HashiCorp Vault token", "VAULT_TOKEN", "hvs. hvb.", r"hv[sb]\.[A-Za-z0-9_-]{24,}"),
    _kind("a Terraform Cloud token", "TF_TOKEN", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}"),
    _kind("a Databricks token", "DATABRICKS_TOKEN", "dapi", rf"dapi[a-f0-9]{{32}}(?:-\d)?{_END}"),
    _kind(
        "a Datadog key",
        "DD_API_KEY",
        "",
        r"[a-f0-9]{32}|[a-f0-9]{40}",
        r"(?:^|[_-])(?:dd|datadog)[_-]?(?:api|app|application)?[_-]?key$",
    ),
    _kind(
        "a Datadog key",
        "DD_API_KEY",
        "DD dd datadog Datadog DATADOG",
        rf"(?i:(?:dd|datadog)[-_]?(?:api|app|application)[-_]?key)[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?(?P<secret>[a-f0-9]{{32}}(?:[a-f0-9]{{8}})?){_END}",
    ),
    _kind("a New Relic key", "NEW_RELIC_API_KEY", "NRAK-", rf"NRAK-[A-Z0-9]{{27}}{_END}"),
    _kind(
        "a Grafana token",
        "GRAFANA_TOKEN",
        "glsa_ glc_",
        rf"(?:glsa_[A-Za-z0-9]{{32}}_[a-f0-9]{{8}}{_END}|glc_[A-Za-z0-9+/=]{{40,}})",
    ),
    _kind(
        "a Sentry token",
        "SENTRY_AUTH_TOKEN",
        "sntrys_ sntryu_",
        r"(?:sntrys_[A-Za-z0-9+/=_-]{60,}|sntryu_[a-f0-9]{64})",
    ),
    _kind("a PlanetScale password", "PLANETSCALE_PASSWORD", "pscale_", r"pscale_(?:pw|tkn|oauth)_[A-Za-z0-9=_.-]{32,}"),
    # source hosting and packages
    _kind("a GitHub token", "GITHUB_TOKEN", "gh", rf"gh[pousr]_[A-Za-z0-9]{{36,}}{_END}"),
    _kind(
        "a GitHub fine-grained token",
        "GITHUB_TOKEN",
        "github_pat_",
        rf"github_pat_[A-Za-z0-9]{{22}}_[A-Za-z0-9]{{59}}{_END}",
    ),
    _kind("a GitLab token", "GITLAB_TOKEN", "gl", r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_.-]{20,}"),
    _kind("a Bitbucket app password", "BITBUCKET_TOKEN", "ATBB", rf"ATBB[A-Za-z0-9]{{32}}{_END}"),
    _kind("an Atlassian API token", "ATLASSIAN_TOKEN", "ATATT3", r"ATATT3[A-Za-z0-9_=-]{100,}"),
    _kind("an npm token", "NPM_TOKEN", "npm_", rf"npm_[A-Za-z0-9]{{36}}{_END}"),
    _kind("a PyPI token", "PYPI_TOKEN", "pypi-", r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    _kind("a RubyGems key", "GEM_HOST_API_KEY", "rubygems_", rf"rubygems_[a-f0-9]{{48}}{_END}"),
    _kind("a Docker Hub token", "DOCKER_TOKEN", "dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}"),
    _kind("a CircleCI token", "CIRCLECI_TOKEN", "CCIPAT_", r"CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    # payment and shops
    _kind("a Stripe key", "STRIPE_API_KEY", "sk_ rk_", rf"[sr]k_(?:live|test)_[A-Za-z0-9]{{20,247}}{_END}"),
    _kind("a Stripe webhook secret", "STRIPE_WEBHOOK_SECRET", "whsec_", r"whsec_[A-Za-z0-9+/]{32,}={0,2}"),
    _kind(
        "a Square token",
        "SQUARE_ACCESS_TOKEN",
        "EAAA sq0",
        rf"(?:EAAA[A-Za-z0-9_-]{{60}}|sq0(?:atp|csp)-[A-Za-z0-9_-]{{22,43}}){_END}",
    ),
    _kind(
        "a Braintree access token",
        "BRAINTREE_ACCESS_TOKEN",
        "access_token$",
        rf"access_token\$(?:production|sandbox)\$[a-z0-9]{{16}}\$[a-f0-9]{{32}}{_END}",
    ),
    _kind(
        "a PayPal client secret",
        "PAYPAL_CLIENT_SECRET",
        "E",
        r"E[A-Za-z0-9_-]{79}",
        r"paypal.*secret",
    ),
    _kind("a Shopify token", "SHOPIFY_ACCESS_TOKEN", "shp", rf"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{{32}}{_END}"),
    # chat and mail
    _kind(
        "a Slack token",
        "SLACK_TOKEN",
        "xox xapp-",
        r"(?:xox[abeoprs](?:\.xox[bp])?-(?:\d+-)*[A-Za-z0-9-]{20,}|xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{60,})",
    ),
    _kind(
        "a Slack webhook",
        "SLACK_WEBHOOK_URL",
        "hooks.slack.com",
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/]{40,}",
    ),
    _kind(
        "a Discord webhook",
        "DISCORD_WEBHOOK_URL",
        "/api/webhooks/",
        r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{17,20}/[A-Za-z0-9_-]{60,}",
    ),
    _kind(
        "a Discord bot token",
        "DISCORD_TOKEN",
        ".",
        rf"[MNO][A-Za-z\d]{{23,27}}\.[A-Za-z\d_-]{{6}}\.[A-Za-z\d_-]{{27,38}}{_END}",
    ),
    _kind("a Telegram bot token", "TELEGRAM_BOT_TOKEN", ":AA", rf"(?:bot)?\d{{8,10}}:AA[A-Za-z0-9_-]{{33}}{_END}"),
    _kind("a Twilio API key", "TWILIO_API_KEY", "SK", rf"SK[a-f0-9]{{32}}{_END}", start=_ALONE),
    _kind("a SendGrid key", "SENDGRID_API_KEY", "SG.", rf"SG\.[A-Za-z0-9_-]{{22}}\.[A-Za-z0-9_-]{{43}}{_END}"),
    _kind("a Mailgun key", "MAILGUN_API_KEY", "key-", rf"key-[a-f0-9]{{32}}{_END}", start=_ALONE),
    _kind("a Mailchimp key", "MAILCHIMP_API_KEY", "-us", r"[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9_-])", start=_ALONE),
    _kind("a Brevo key", "BREVO_API_KEY", "xkeysib-", rf"xkeysib-[a-f0-9]{{64}}-[A-Za-z0-9]{{16}}{_END}"),
    # AI providers
    _kind("an Anthropic key", "ANTHROPIC_API_KEY", "sk-ant-", r"sk-ant-(?:api|admin|oat|sid)\d\d-[A-Za-z0-9_-]{80,}"),
    _kind(
        "an OpenAI key",
        "OPENAI_API_KEY",
        "sk-",
        rf"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{{20,}}|[A-Za-z0-9]{{20}}T3BlbkFJ[A-Za-z0-9]{{20}}|[A-Za-z0-9]{{48}}){_END}",
    ),
    _kind("an OpenRouter key", "OPENROUTER_API_KEY", "sk-or-", rf"sk-or-v1-[a-f0-9]{{64}}{_END}"),
    _kind("a Hugging Face token", "HF_TOKEN", "hf_ api_org_", rf"(?:hf|api_org)_[A-Za-z0-9]{{34,37}}{_END}"),
    _kind("a Groq key", "GROQ_API_KEY", "gsk_", rf"gsk_[A-Za-z0-9]{{52}}{_END}"),
    _kind("a Perplexity key", "PERPLEXITY_API_KEY", "pplx-", rf"pplx-[A-Za-z0-9]{{48,56}}{_END}"),
    _kind("a Replicate token", "REPLICATE_API_TOKEN", "r8_", rf"r8_[A-Za-z0-9]{{37}}{_END}"),
    _kind("an xAI key", "XAI_API_KEY", "xai-", rf"xai-[A-Za-z0-9]{{70,90}}{_END}"),
    # offices and trackers
    _kind(
        "a Notion token",
        "NOTION_TOKEN",
        "ntn_ secret_",
        rf"(?:ntn_[A-Za-z0-9]{{43,50}}|secret_[A-Za-z0-9]{{43}}){_END}",
        start=_ALONE,
    ),
    _kind("a Linear key", "LINEAR_API_KEY", "lin_", rf"lin_(?:api|oauth)_[A-Za-z0-9]{{40,64}}{_END}"),
    _kind("an Airtable token", "AIRTABLE_TOKEN", "pat", rf"pat[A-Za-z0-9]{{14}}\.[a-f0-9]{{64}}{_END}"),
    _kind("a Figma token", "FIGMA_TOKEN", "figd_", r"figd_[A-Za-z0-9_-]{40,}"),
    _kind("a Postman key", "POSTMAN_API_KEY", "PMAK-", rf"PMAK-[a-f0-9]{{24}}-[a-f0-9]{{34}}{_END}"),
    # keys, sessions, connections
    _kind(
        "a private key",
        "PRIVATE_KEY",
        "PRIVATE",
        r"-----? ?BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)? ?-----?"
        r"(?:(?!----)[\s\S])*(?:-----? ?END [A-Z0-9 ]{0,40}-----?)?",
        start="",
        is_real=_has_key_body,
    ),
    _kind(
        "an age secret key",
        "AGE_SECRET_KEY",
        "AGE-SECRET-KEY-",
        r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
    ),
    _kind(
        "a JSON Web Token",
        "ACCESS_TOKEN",
        "eyJ",
        r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}",
        start=_ALONE,
    ),
    _kind(
        "a connection string with a password",
        "DATABASE_URL",
        "://",
        r"://[^\s:/@?#\"'<>]*:(?P<secret>[^\s/?#\"']{3,})@[^\s@/]",
        start="",
    ),
    _kind(
        "a connection string with a password",
        "DATABASE_URL",
        "=",
        r"(?i:password|pwd)\s?=\s?(?P<secret>[^;\s'\"]{4,})",
        start=r"=[^;=]*;[;\s]{0,8}",
    ),
    _kind(
        "a connection string with a password",
        "DATABASE_URL",
        "=",
        r"(?i:password|pwd)\s?=\s?(?P<secret>[^;=\s'\"]{4,});[A-Za-z][A-Za-z ]{1,30}=",
    ),
    _kind(
        "a bearer token",
        "ACCESS_TOKEN",
        "Bearer bearer BEARER",
        r"(?i:bearer)\s{1,4}(?P<secret>[A-Za-z0-9_~+/.-]{32,}={0,2})",
    ),
    _kind(
        "a user name and password",
        "BASIC_AUTH",
        "Basic basic BASIC",
        r"(?i:basic)\s{1,4}(?P<secret>[A-Za-z0-9+/]{8,}={0,2})",
        is_real=_is_user_and_password,
    ),
)

KINDS = tuple(dict.fromkeys(kind.name for kind in _KINDS))
"""The names of all kinds."""

# ---- what the run fills in -------------------------------------------------------------------------------------------

_VARIABLE = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")
_STORED = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*|(?:vault|secret):[A-Za-z0-9_./#@:-]+")
_PLAIN_REFERENCE = re.compile(r"[\w.-]+?\.result(?![\w-])(?:\.[\w-]+|\[[\w.*'\"-]*\])*")
"""A reference of names and numbers only: a sentence in quotes would be text that nobody looked at."""
_EMPTY = re.compile(r"\$?\{\{ *\}\}|\$\{ *\}")


def without_placeholders(value: str) -> str:
    """The value with what the run fills in blanked, each character by a space, so that places stay: `${NAME}`,
    references to steps, and a value that is wholly `env:NAME`, `vault:path` or `secret:path`. What has a secret's
    shape is never blanked, nor is anything else in brackets."""
    if _STORED.fullmatch(value):
        return _blank_unless_secret(value)
    if "${" not in value and "{{" not in value:
        return value
    pieces: list[str] = []
    done = 0
    for _, _, (start, end) in references_in(value):
        if _PLAIN_REFERENCE.fullmatch(value, start, end):
            pieces += value[done:start], _blank_unless_secret(value[start:end])
            done = end
    pieces.append(value[done:])
    without_references = _EMPTY.sub(lambda match: " " * len(match[0]), "".join(pieces))
    return _VARIABLE.sub(lambda match: _blank_unless_secret(match[0]), without_references)


def _blank_unless_secret(text: str) -> str:
    return text if any(_hits(text)) else " " * len(text)


def has_placeholder(value: str) -> bool:
    """Whether the run fills in part of a value, so that only the run can tell what it will be: it has a `${…}`, `{{…}}`
    or `${{…}}`, whatever stands inside. The braces of JSON are none, nor are `$NAME`, `%NAME%` and `<name>`."""
    single, double = value.find("${"), value.find("{{")
    return (single >= 0 and value.find("}", single + 3) >= 0) or (double >= 0 and value.find("}}", double + 3) >= 0)


# ---- the search ------------------------------------------------------------------------------------------------------

_LONG_ENOUGH = re.compile(r"[A-Za-z0-9_+/=.~-]{16}|://|----|(?i:password|pwd)\s?=|(?i:basic)\s")
"""What every value with a secret has. Most values have nothing like it and are done with at once."""


def find_secrets(value: str, key: str = "") -> Iterator[Hit]:
    """The secrets in a string, `key` being the name of the argument that it is the value of. Placeholders may still be
    in it. Where two kinds fit the same characters, the first counts."""
    return _hits(without_placeholders(value), key)


def _hits(value: str, key: str = "") -> Iterator[Hit]:
    """The secrets in a text, all of which counts."""
    text = value if value.isascii() else value.translate(_foldings(value))
    if len(text) < 12 or _LONG_ENOUGH.search(text) is None:
        return
    removed = _removed_before(value) if len(text) < len(value) else []
    taken = bytearray()
    for kind in _KINDS:
        for span in _spans(kind, text, key):
            taken = taken or bytearray(len(text))
            if taken.find(1, *span) < 0:
                taken[span.start : span.end] = b"\1" * (span.end - span.start)
                start, last = (offset + bisect_right(removed, offset) for offset in (span.start, span.end - 1))
                yield Hit(kind.name, kind.variable, Span(start, last + 1))


def _spans(kind: Secret, text: str, key: str) -> Iterator[Span]:
    """Where a text holds a secret of one kind."""
    if kind.key is not None:
        if key and _compiled(f"(?i:{kind.key})").search(key):
            whole = _compiled(kind.pattern).fullmatch(text)
            if whole is not None and _is_random(whole["secret"]) and not _is_stand_in(whole["secret"]):
                yield Span(*whole.span("secret"))
    elif any(hint in text for hint in kind.hints):
        for match in _compiled(kind.pattern).finditer(text):
            group = "secret" if "secret" in match.re.groupindex else 0
            if kind.is_real(match[group]) if kind.is_real else not _is_stand_in(match[group]):
                yield Span(*match.span(group))


def _foldings(value: str) -> dict[int, str | None]:
    """For `str.translate`: the characters of a value that cannot be seen are dropped, and the variants of ASCII
    characters, such as full-width letters, become these."""
    foldings: dict[int, str | None] = {}
    for char in set(value):
        if not char.isascii():
            folded = normalize("NFKC", char)
            if _is_invisible(char):
                foldings[ord(char)] = None
            elif len(folded) == 1 and folded.isascii():
                foldings[ord(char)] = folded
    return foldings


def _is_invisible(char: str) -> bool:
    """Whether a character is drawn as nothing, or over the one before it."""
    return category(char) in ("Cf", "Mn") or char in "\u115f\u1160\u3164\uffa0"


def _removed_before(value: str) -> list[int]:
    """For each character that folding drops, the offset in the folded text that it was dropped before."""
    invisible = frozenset(char for char in set(value) if not char.isascii() and _is_invisible(char))
    dropped = (offset for offset, char in enumerate(value) if char in invisible)
    return [offset - before for before, offset in enumerate(dropped)]


_STAND_INS = re.compile(
    r"(?i)x{6,}|\*{3,}|\.{3,}|…|0{10,}|your[_-]|[_-]your|placeholder|redacted|change[_-]?me|dummy|insert[_-]"
)
_WEAK = re.compile(r"(?i)(?:pass(?:word)?|pwd|secret|user|token|x+|\*+)")
_TEMPLATE_WORDS = r"[A-Za-z]+\d{0,2}(?:[\s._-]+[A-Za-z]+\d{0,2})*"
_TEMPLATE = re.compile(
    rf"\$?\{{\{{\s*{_TEMPLATE_WORDS}\s*\}}\}}|\$\{{(?:(?:env|vault|secret):)?{_TEMPLATE_WORDS}\}}"
    r"|\{[A-Za-z_]+\}|<[A-Za-z][A-Za-z _-]*>|\$[A-Z]+(?:_[A-Z0-9]+)*|%[A-Z]+(?:_[A-Z0-9]+)*%"
)
"""What shows by its brackets or signs that something else belongs there: names only, no defaults."""
_RANDOM_RUN = re.compile(r"[A-Za-z0-9]{10,}")


def _is_stand_in(secret: str) -> bool:
    """Whether it only shows where a secret belongs: `sk-xxxxxxxx`, `your-key-here`. Such words beside a real secret
    make it no stand-in."""
    if len(set(secret)) < 3 or _WEAK.fullmatch(secret) is not None or _TEMPLATE.fullmatch(secret) is not None:
        return True
    rest, stand_ins = _STAND_INS.subn(" ", secret)
    return stand_ins > 0 and not any(map(_has_letters_and_digits, _RANDOM_RUN.findall(rest)))


def _is_random(value: str) -> bool:
    return len(set(value)) >= 10 and _has_letters_and_digits(value)


def _has_letters_and_digits(text: str) -> bool:
    return any(char.isdigit() for char in text) and any(char.isalpha() for char in text)


# ---- names that mean a secret ----------------------------------------------------------------------------------------

_NAMES = frozenset(
    (
        *(
            "password",
            "passwd",
            "pwd",
            "passphrase",
            "passcode",
            "secret",
            "authorization",
            "credential",
            "credentials",
        ),
        *("apikey", "privatekey", "secretkey", "signingkey", "encryptionkey", "accesskey", "sharedkey"),
        *("accesstoken", "refreshtoken", "authtoken", "bearertoken", "sessiontoken", "apitoken"),
    )
)
_QUESTIONS = frozenset(
    ("is", "has", "no", "needs", "requires", "require", "show", "hide", "forgot", "without", "allow", "ask")
)
_NAME_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def names_a_secret(key: str) -> bool:
    """Whether the value of an argument of this name is a secret: the name ends in a word for one, in whatever spelling.
    A bare `token` may count words or pages, and an `api_key_id` is public."""
    words = [word.lower() for word in _NAME_PARTS.findall(key.translate(_foldings(key)))]
    if not words or words[0] in _QUESTIONS:
        return False
    return words[-1] in _NAMES or "".join(words[-2:]) in _NAMES or words[-1].endswith(("password", "passwd"))


_SCHEME = re.compile(r"(?i:bearer|basic|token|apikey)(?:\s+|$)")
_NO_LITERAL = re.compile(
    r"(?is)[\W_]*|x+|(?:true|false|yes|no|on|off|none|null|nil|undefined|n/a|required|optional|todo|tbd|unset|empty|hidden)"
    r"|(?:string|str|text|password|secret|token)|<?your\b.*|your[_-].*"
    r"|(?:~|\.{1,2})?(?:/[\w.-]+){2,}|[a-z][a-z0-9+.-]*://\S*"
)
"""Stand-ins, types, and the places where a secret is kept."""


def is_literal_secret(value: str) -> bool:
    """Whether a value under a name that means a secret is one, as far as can be seen: a literal that is more than a
    placeholder, a stand-in (`***`, `changeme`, `<your key>`), a yes or no, a sentence, or the path to a file."""
    text = _SCHEME.sub("", value.translate(_foldings(value)).strip(), count=1).strip()
    rest = without_placeholders(text).strip()
    if rest != text and sum(map(str.isalnum, rest)) < 8:
        return False
    is_sentence = " " in text and text[-1] in ".?!:"
    return not (is_sentence or _NO_LITERAL.fullmatch(text) or _is_stand_in(text))
