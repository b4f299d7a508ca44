"""Secrets that can be told by their shape: the token formats of vendors, private keys, connection strings.

Every pattern starts from something fixed (a prefix, a header, a scheme) or, where a vendor's tokens have no shape of
their own, from the name of the argument. A string that merely looks random is no secret: identifiers, hashes and
base64 text look the same. All patterns are linear, and a value is searched with one pass per pattern whose fixed part
it contains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

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


class Hit(NamedTuple):
    name: str
    variable: str
    span: Span
    """In characters of the value."""


def _kind(name: str, variable: str, hints: str, pattern: str, key: str | None = None) -> Secret:
    return Secret(name, variable, tuple(hints.split()), pattern if key else rf"(?<![A-Za-z0-9_-]){pattern}", key)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when it is first needed: few plans need more than a handful."""
    return re.compile(pattern)


_END = r"(?![A-Za-z0-9_-])"
_KINDS: tuple[Secret, ...] = (
    # cloud
    _kind("an AWS access key id", "AWS_ACCESS_KEY_ID", "AKIA ASIA", rf"A(?:KIA|SIA)[A-Z0-9]{{16}}{_END}"),
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
        r"(?:[A-Za-z]+=[^;]*;)*AccountKey=(?P<secret>[A-Za-z0-9+/]{86}==)",
    ),
    _kind(
        "an Azure shared access signature",
        "AZURE_SAS_TOKEN",
        "sig=",
        r"(?:https://[^\s?]+\?)?sv=\d{4}-\d\d-\d\d&[^\s]*?\bsig=(?P<secret>[A-Za-z0-9%+/=]{40,})",
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
    _kind("a Twilio API key", "TWILIO_API_KEY", "SK", rf"SK[a-f0-9]{{32}}{_END}"),
    _kind("a SendGrid key", "SENDGRID_API_KEY", "SG.", rf"SG\.[A-Za-z0-9_-]{{22}}\.[A-Za-z0-9_-]{{43}}{_END}"),
    _kind("a Mailgun key", "MAILGUN_API_KEY", "key-", rf"key-[a-f0-9]{{32}}{_END}"),
    _kind("a Mailchimp key", "MAILCHIMP_API_KEY", "-us", rf"[a-f0-9]{{32}}-us\d{{1,2}}{_END}"),
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
        r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-----END [A-Z0-9 ]{0,40}-----)?",
    ),
    _kind(
        "an age secret key",
        "AGE_SECRET_KEY",
        "AGE-SECRET-KEY-",
        r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
    ),
    _kind(
        "a JSON Web Token", "ACCESS_TOKEN", "eyJ", r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}"
    ),
    _kind(
        "a connection string with a password",
        "DATABASE_URL",
        "://",
        r"(?:postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|oracle|clickhouse|ftps?|sftp|ssh|smtps?|ldaps?|nats|kafka|cassandra|cockroachdb|snowflake|jdbc:[a-z]+|https?)"
        r"(?:\+[a-z0-9_]+)?://[^\s:/@?#\"'<>]*:(?P<secret>[^\s:/@?#\"'<>]{3,})@[^\s@/]+",
    ),
    _kind(
        "a connection string with a password",
        "DATABASE_URL",
        "assword= wd= PASSWORD= PWD=",
        r"(?i:[A-Za-z ]+=[^;=]+;(?:[^;=]+=[^;=]*;){0,8}\s?(?:password|pwd)=(?P<secret>[^;\s'\"]{4,}))",
    ),
    _kind("a bearer token", "ACCESS_TOKEN", "Bearer bearer", r"[Bb]earer (?P<secret>[A-Za-z0-9_~+/.-]{32,}={0,2})"),
)

KINDS = tuple(dict.fromkeys(kind.name for kind in _KINDS))
"""The names of all kinds."""

_PLACEHOLDER = re.compile(
    r"\$\{\{[^{}]{0,200}\}\}|\$\{[^{}]{0,200}\}|\{\{[^{}]{0,200}\}\}|<[A-Za-z][A-Za-z0-9_ .-]{0,60}>"
    r"|%[A-Z][A-Z0-9_]{1,60}%|\$[A-Z][A-Z0-9_]{2,60}\b"
)
_STAND_INS = re.compile(
    r"(?i)x{6,}|\*{3,}|\.{3,}|…|0{10,}|your[_-]|[_-]your|placeholder|redacted|changeme|change[_-]me|dummy|insert[_-]|<|>"
)
_WEAK = re.compile(r"(?i)(?:pass(?:word)?|pwd|secret|user|token|x+|\*+)")


_LONG_ENOUGH = re.compile(r"[A-Za-z0-9_+/=.~-]{16}|://|-----|(?i:password|pwd)=")
"""What every value with a secret has. Most values have nothing like it and are done with at once."""


def without_placeholders(value: str) -> str:
    """The value with every placeholder and reference blanked, each character by a space, so that places stay."""
    if "$" not in value and "{{" not in value and "<" not in value and "%" not in value:
        return value
    return _PLACEHOLDER.sub(lambda match: " " * len(match[0]), value)


def has_placeholder(value: str) -> bool:
    """Whether part of a value is filled in at run time."""
    return without_placeholders(value) != value


def find_secrets(value: str, key: str = "") -> Iterator[Hit]:
    """The secrets in a string, `key` being the name of the argument that it is the value of; `value` has no
    placeholders left. Where two kinds fit the same characters, the first counts."""
    if len(value) < 12 or _LONG_ENOUGH.search(value) is None:
        return
    taken: list[Span] = []
    for kind in _KINDS:
        if kind.key is not None:
            fits = key and _compiled(f"(?i:{kind.key})").search(key)
            whole = _compiled(kind.pattern).fullmatch(value) if fits else None
            matches = [whole] if whole is not None and _is_random(value) else []
        elif any(hint in value for hint in kind.hints):
            matches = list(_compiled(kind.pattern).finditer(value))
        else:
            continue
        for match in matches:
            group = "secret" if "secret" in match.re.groupindex else 0
            span = Span(*match.span(group))
            if _is_stand_in(match[group]) or any(span.start < end and start < span.end for start, end in taken):
                continue
            taken.append(span)
            yield Hit(kind.name, kind.variable, span)


def _is_stand_in(secret: str) -> bool:
    """Whether it only shows where a secret belongs: `sk-xxxxxxxx`, `your-key-here`."""
    if secret.startswith("-----"):
        return len(secret) < 60 or _STAND_INS.search(secret) is not None
    return len(set(secret)) < 3 or _STAND_INS.search(secret) is not None or _WEAK.fullmatch(secret) is not None


def _is_random(value: str) -> bool:
    return len(set(value)) >= 10 and any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
