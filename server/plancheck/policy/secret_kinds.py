"""The table of the secrets that can be told by their shape, and what only stands in for one."""

from __future__ import annotations

from binascii import Error as Base64Error
from collections.abc import Callable

from plancheck.lazy_regex import regex
from plancheck.tuples import NamedTuple


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
    escaped_pattern: str
    """Finds it behind an escape, too. Four times as slow, so only for texts that have one."""
    key: str | None = None
    """Where given, only an argument of such a name is looked at, and the whole value must fit."""
    is_real: Callable[[str], bool] | None = None
    """Where given, it says of what fits the pattern whether it is more than a stand-in."""


_STAND_INS = regex(
    r"(?i)x{6,}|\*{3,}|\.{3,}|…|0{10,}|your[_-]|[_-]your|placeholder|redacted|change[_-]?me|dummy|insert[_-]"
)
_WEAK = regex(r"(?i)(?:pass(?:word)?|pwd|secret|user|token|x+|\*+)")
_TEMPLATE_WORDS = r"[A-Za-z]+\d{0,2}(?:[\s._-]+[A-Za-z]+\d{0,2})*"
_TEMPLATE = regex(
    rf"\$?\{{\{{\s*{_TEMPLATE_WORDS}\s*\}}\}}|\$\{{(?:(?:env|vault|secret):)?{_TEMPLATE_WORDS}\}}"
    r"|\{[A-Za-z_]+\}|<[A-Za-z][A-Za-z _-]*>|\$[A-Z]+(?:_[A-Z0-9]+)*|%[A-Z]+(?:_[A-Z0-9]+)*%"
)
"""What shows by its brackets or signs that something else belongs there: names only, no defaults."""
_RANDOM_RUN = regex(r"[A-Za-z0-9]{10,}")


def is_stand_in(secret: str) -> bool:
    """Whether it only shows where a secret belongs: `sk-xxxxxxxx`, `your-key-here`. Such words beside a real secret
    make it no stand-in."""
    if len(set(secret)) < 3 or _WEAK.fullmatch(secret) is not None or _TEMPLATE.fullmatch(secret) is not None:
        return True
    rest, stand_ins = _STAND_INS.subn(" ", secret)
    return stand_ins > 0 and not any(map(_has_letters_and_digits, _RANDOM_RUN.findall(rest)))


def is_random(value: str) -> bool:
    return len(set(value)) >= 10 and _has_letters_and_digits(value)


def _has_letters_and_digits(text: str) -> bool:
    return any(char.isdigit() for char in text) and any(char.isalpha() for char in text)


# ---- the table -------------------------------------------------------------------------------------------------------

_ESCAPED = r"|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})"
"""After the escape of a line break or of a sign, which ends in a letter or a digit."""
_START = rf"(?:(?<![A-Za-z0-9]){_ESCAPED})"
_END = r"(?![A-Za-z0-9])"
_ALONE = rf"(?:(?<![A-Za-z0-9_-])|(?<=:-){_ESCAPED})"
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
    return Secret(name, variable, tuple(hints.split()), whole.replace(_ESCAPED, ""), whole, key, is_real)


_BASE64_RUN = regex(r"[A-Za-z0-9+/]{40,}")
_BETWEEN_LINES = regex(r"\\[nrt]|[\r\n\t\"',]+ {0,16}")


def _has_key_body(block: str) -> bool:
    """Whether a private key follows its header, and not just a few words or dots."""
    body = _BETWEEN_LINES.sub("", block)
    return any(len(set(run)) >= 10 for run in _BASE64_RUN.findall(body))


def _is_user_and_password(encoded: str) -> bool:
    """Whether it is what follows `Basic` in a header, and not an ordinary word."""
    from base64 import b64decode

    try:
        decoded = b64decode(encoded.rstrip("=") + "=" * (-len(encoded.rstrip("=")) % 4), validate=True).decode()
    except (Base64Error, UnicodeDecodeError):
        return False
    _, colon, password = decoded.partition(":")
    return bool(colon) and decoded.isprintable() and len(password) >= 3 and not is_stand_in(password)


KINDS: tuple[Secret, ...] = (
    # cloud
    _kind(
        "an AWS access key id",
        "AWS_ACCESS_KEY_ID",
        "AKIA ASIA",
        r"A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Z0-9])",
        start=rf"(?:(?<![A-Z0-9]){_ESCAPED})",
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
    _kind("a Notion token", "NOTION_TOKEN", "ntn_", rf"ntn_[A-Za-z0-9]{{43,50}}{_END}"),
    _kind("a Notion token", "NOTION_TOKEN", "secret_", rf"secret_[A-Za-z0-9]{{43}}{_END}", start=_ALONE),
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
        r"eyJ(?:[A-Za-z0-9]|[_-](?!eyJ)){10,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}",
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
