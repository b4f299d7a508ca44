"""Made-up secrets of every vendor's shape, and made-up values that only look like some."""

from __future__ import annotations

import base64
import hashlib
import json
import uuid
from collections.abc import Callable
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from urllib.parse import quote

ALNUM = ascii_letters + digits
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "_-"


def some(random: Random, alphabet: str, length: int) -> str:
    return "".join(random.choice(alphabet) for _ in range(length))


def _base64(random: Random, raw: int) -> str:
    return base64.b64encode(random.randbytes(raw)).decode()


def _jwt(random: Random) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    claims = {"sub": some(random, digits, 10), "iat": random.randrange(10**9)}
    return f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part(claims)}.{some(random, ALNUM, 43)}"


def _private_key(random: Random) -> str:
    kind = random.choice(["RSA ", "EC ", "", "OPENSSH "])
    body = "\n".join(_base64(random, 48) for _ in range(6))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


def _azure_storage(random: Random) -> str:
    account = "DefaultEndpointsProtocol=https;AccountName=shop"
    return f"{account};AccountKey={_base64(random, 64)};EndpointSuffix=core.windows.net"


def _azure_sas(random: Random) -> str:
    signature = quote(_base64(random, 32), safe="")
    return f"https://shop.blob.core.windows.net/box?sv=2022-11-02&ss=b&srt=co&sp=rl&se=2030-01-01T00:00:00Z&sig={signature}"


def _database_url(random: Random) -> str:
    scheme = random.choice(["postgres", "postgresql+psycopg2", "mysql", "mongodb+srv", "redis", "amqp"])
    return f"{scheme}://app:{some(random, ALNUM, 14)}@db.internal:5432/shop"


SHAPES: dict[str, Callable[[Random], str]] = {
    "AWS access key id": lambda r: r.choice(["AKIA", "ASIA"]) + some(r, ascii_uppercase + "234567", 16),
    "Google API key": lambda r: "AIza" + some(r, URLSAFE, 34) + some(r, ALNUM, 1),
    "Google OAuth token": lambda r: "ya29." + some(r, URLSAFE, 60),
    "Google client secret": lambda r: "GOCSPX-" + some(r, ALNUM, 28),
    "Azure storage key": _azure_storage,
    "Azure SAS": _azure_sas,
    "Azure AD client secret": lambda r: some(r, ALNUM, 3) + "8Q~" + some(r, ALNUM + "_~.", 33) + some(r, ALNUM, 1),
    "DigitalOcean token": lambda r: "dop_v1_" + some(r, HEX, 64),
    "Vault token": lambda r: "hvs." + some(r, ALNUM, 24),
    "Databricks token": lambda r: "dapi" + some(r, HEX, 32),
    "Datadog key": lambda r: f"DD-API-KEY: {some(r, HEX, 32)}",
    "New Relic key": lambda r: "NRAK-" + some(r, ascii_uppercase + digits, 27),
    "GitHub token": lambda r: r.choice(["ghp_", "gho_", "ghu_", "ghs_", "ghr_"]) + some(r, ALNUM, 36),
    "GitHub fine-grained token": lambda r: f"github_pat_{some(r, ALNUM, 22)}_{some(r, ALNUM, 59)}",
    "GitLab token": lambda r: "glpat-" + some(r, URLSAFE, 20),
    "Bitbucket app password": lambda r: "ATBB" + some(r, ALNUM, 32),
    "npm token": lambda r: "npm_" + some(r, ALNUM, 36),
    "PyPI token": lambda r: "pypi-AgEIcHlwaS5vcmc" + some(r, URLSAFE, 150),
    "Docker Hub token": lambda r: "dckr_pat_" + some(r, URLSAFE, 27),
    "Stripe key": lambda r: r.choice(["sk_live_", "rk_live_", "sk_test_"]) + some(r, ALNUM, 24),
    "Square token": lambda r: "EAAA" + some(r, URLSAFE, 59) + some(r, ALNUM, 1),
    "Braintree token": lambda r: f"access_token$production${some(r, ascii_lowercase + digits, 16)}${some(r, HEX, 32)}",
    "Shopify token": lambda r: "shpat_" + some(r, HEX, 32),
    "Slack token": lambda r: f"xoxb-{some(r, digits, 12)}-{some(r, digits, 12)}-{some(r, ALNUM, 24)}",
    "Slack webhook": lambda r: (
        "https://hooks.slack.com/services/"
        f"T{some(r, ascii_uppercase + digits, 8)}/B{some(r, ascii_uppercase + digits, 8)}/{some(r, ALNUM, 24)}"
    ),
    "Discord webhook": lambda r: f"https://discord.com/api/webhooks/{some(r, '123456789', 18)}/{some(r, URLSAFE, 68)}",
    "Discord bot token": lambda r: "M" + some(r, ALNUM, 23) + "." + some(r, ALNUM, 6) + "." + some(r, ALNUM, 27),
    "Telegram bot token": lambda r: some(r, "123456789", 10) + ":AA" + some(r, URLSAFE, 32) + some(r, ALNUM, 1),
    "Twilio key": lambda r: "SK" + some(r, HEX, 32),
    "SendGrid key": lambda r: f"SG.{some(r, URLSAFE, 22)}.{some(r, URLSAFE, 42)}{some(r, ALNUM, 1)}",
    "Mailgun key": lambda r: "key-" + some(r, HEX, 32),
    "Mailchimp key": lambda r: some(r, HEX, 32) + "-us" + str(r.randrange(1, 22)),
    "OpenAI key": lambda r: r.choice(["sk-proj-", "sk-svcacct-", "sk-"]) + some(r, ALNUM, 48),
    "Anthropic key": lambda r: "sk-ant-api03-" + some(r, URLSAFE, 93) + "AA",
    "Hugging Face token": lambda r: "hf_" + some(r, ascii_letters, 34),
    "Groq key": lambda r: "gsk_" + some(r, ALNUM, 52),
    "Replicate token": lambda r: "r8_" + some(r, ALNUM, 37),
    "Notion token": lambda r: "ntn_" + some(r, ALNUM, 46),
    "Linear key": lambda r: "lin_api_" + some(r, ALNUM, 40),
    "Airtable token": lambda r: f"pat{some(r, ALNUM, 14)}.{some(r, HEX, 64)}",
    "private key": _private_key,
    "JSON Web Token": _jwt,
    "connection string": _database_url,
    "ODBC connection string": lambda r: f"Server=db;Database=shop;User Id=app;Password={some(r, ALNUM, 12)};",
    "bearer token": lambda r: "Authorization: Bearer " + some(r, ALNUM, 40),
}

UNDER_A_NAME: dict[str, tuple[str, Callable[[Random], str]]] = {
    "AWS secret access key": ("aws_secret_access_key", lambda r: some(r, ALNUM + "/+", 40)),
    "Datadog key by name": ("dd_api_key", lambda r: some(r, HEX, 32)),
    "PayPal secret": ("paypal_client_secret", lambda r: "E" + some(r, URLSAFE, 79)),
}
"""Shapes that only the name of the argument gives away."""

_WORDS = (
    *("please", "refund", "the", "order", "of", "a", "customer", "who", "wrote", "that", "bearer", "ticket", "lost"),
    *("his", "password", "and", "secret", "token", "key", "for", "private", "beta", "our", "api", "was", "never"),
    *("sent", "to", "her", "at", "time", "purchase"),
)


def _prose(random: Random) -> str:
    return " ".join(random.choice(_WORDS) for _ in range(random.randrange(5, 30))).capitalize() + "."


def _url(random: Random) -> str:
    item = uuid.UUID(int=random.getrandbits(128))
    return (
        f"https://{random.choice(['shop', 'api', 'cdn'])}.example.com:8443/v2/items/{item}"
        f"?page={random.randrange(99)}&session={some(random, ALNUM, 24)}#part-{some(random, HEX, 8)}"
    )


BENIGN: dict[str, Callable[[Random], str]] = {
    "UUID": lambda r: str(uuid.UUID(int=r.getrandbits(128), version=4)),
    "UUID without dashes": lambda r: uuid.UUID(int=r.getrandbits(128), version=4).hex,
    "MD5": lambda r: hashlib.md5(r.randbytes(8)).hexdigest(),
    "SHA-1": lambda r: hashlib.sha1(r.randbytes(8)).hexdigest(),
    "SHA-256": lambda r: "sha256:" + hashlib.sha256(r.randbytes(8)).hexdigest(),
    "SHA-512 in base64": lambda r: "sha512-" + base64.b64encode(hashlib.sha512(r.randbytes(8)).digest()).decode(),
    "ObjectId": lambda r: some(r, HEX, 24),
    "ULID": lambda r: "01" + some(r, "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24),
    "order id": lambda r: f"ORD-{r.randrange(2020, 2027)}-{some(r, digits, 8)}",
    "customer id": lambda r: "cus_" + some(r, ALNUM, 14),
    "payment id": lambda r: "pi_" + some(r, ALNUM, 24),
    "short key": lambda r: f"{some(r, ascii_uppercase, 3)}-{some(r, digits, 5)}",
    "base64 text": lambda r: _base64(r, r.randrange(12, 200)),
    "base64url": lambda r: base64.urlsafe_b64encode(r.randbytes(r.randrange(12, 120))).decode(),
    "long number": lambda r: some(r, digits, r.randrange(8, 40)),
    "prose": _prose,
    "URL": _url,
    "e-mail": lambda r: f"{some(r, ascii_lowercase, 8)}@example.com",
    "path": lambda r: f"/var/lib/{some(r, ascii_lowercase, 6)}/{some(r, HEX, 40)}.tar.gz",
    "timestamp": lambda r: (
        f"20{r.randrange(10, 30)}-0{r.randrange(1, 9)}-1{r.randrange(9)}T08:{r.randrange(10, 59)}:00Z"
    ),
    "SQL": lambda r: f"SELECT password_hash, token FROM users WHERE id = '{some(r, HEX, 24)}' AND key = 'x'",
    "reference": lambda r: "{{" + some(r, ascii_lowercase, 6) + ".result." + some(r, ascii_lowercase, 4) + "}}",
    "environment": lambda r: "postgres://app:${" + some(r, ascii_uppercase, 8) + "}@db/shop",
    "container image": lambda r: f"registry.example.com/team/app@sha256:{some(r, HEX, 64)}",
    "camel case": lambda r: "".join(r.choice(_WORDS).capitalize() for _ in range(8)),
    "ARN": lambda r: f"arn:aws:iam::{some(r, digits, 12)}:role/{some(r, ALNUM, 20)}",
}
