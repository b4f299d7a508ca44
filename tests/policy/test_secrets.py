"""Secrets are found by their shapes; what only looks random is left alone; nothing ever shows a secret."""

from __future__ import annotations

import json
from itertools import cycle
from random import Random
from time import process_time

import pytest

from plancheck.analysis.engine import analyze
from plancheck.analysis.settings import Settings
from plancheck.plan_lint import Plan, PlanStep, validate_plan
from plancheck.policy.reading import read_policy
from plancheck.policy.secrets import (
    find_secrets,
    has_names_of_secrets,
    has_placeholder,
    is_literal_secret,
    may_hold_secrets,
    names_a_secret,
    without_placeholders,
)
from policy.shapes import BENIGN, SHAPES, UNDER_A_NAME


def found_in(value: str, key: str = "") -> list[str]:
    """What is found. The quick look that comes before the search must never keep it from being found."""
    found = [value[hit.span.start : hit.span.end] for hit in find_secrets(value, key)]
    if found:
        assert may_hold_secrets((("args", ((key, [1, value]),)),))
        assert may_hold_secrets((("args", ((value, None),)),))
    return found


def test_most_values_are_done_with_at_a_quick_look() -> None:
    assert not may_hold_secrets((("id", "step-1"), ("args", (("names", ["ada", "a plain sentence"]), ("n", 7)))))
    assert not has_names_of_secrets((("id", "password"), ("args", (("names", ["api_key"]),))))
    assert has_names_of_secrets((("id", "a"), ("args", [(("api_key", "x"),)])))


def test_there_are_shapes_enough() -> None:
    assert len(SHAPES) >= 25


@pytest.mark.parametrize("shape", SHAPES)
def test_twenty_of_twenty_are_found_and_none_is_shown(shape: str) -> None:
    random = Random(shape)
    for number in range(20):
        secret = SHAPES[shape](random)
        value = secret if number % 2 else f"use {secret} for it"
        found = list(find_secrets(value))
        assert len(found) == 1, value
        result = validate_plan(Plan([PlanStep("a", "http.get", {"header": value})]))
        assert [error.code.value for error in result.errors] == ["RAW_SECRET"]
        core = value[found[0].span.start : found[0].span.end]
        assert core not in result.to_json()


@pytest.mark.parametrize("shape", UNDER_A_NAME)
def test_some_are_given_away_by_the_name_of_the_argument_only(shape: str) -> None:
    random = Random(shape)
    name, make = UNDER_A_NAME[shape]
    for _ in range(20):
        value = make(random)
        assert len(list(find_secrets(value, name))) == 1, value
        assert list(find_secrets(value, "commit")) == []


def test_a_thousand_benign_values_raise_no_alarm() -> None:
    random = Random(7)
    values = [BENIGN[kind](random) for kind, _ in zip(cycle(BENIGN), range(1_300), strict=False)]
    alarms = [(value, hit.name) for value in values for hit in find_secrets(without_placeholders(value), "value")]
    assert alarms == []


@pytest.mark.parametrize(
    "value",
    [
        "${GITHUB_TOKEN}",
        "{{login.result.token}}",
        "${{ secrets.AWS_ACCESS_KEY_ID }}",
        "postgres://app:${DB_PASSWORD}@db/shop",
        "postgres://app:{{vault.result.password}}@db/shop",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ghp_" + "x" * 36,
        "sk_live_your_key_here_your_key_here",
        "Authorization: Bearer <token>",
        "postgres://user:password@localhost/shop",
        "%API_KEY%",
        "$STRIPE_API_KEY",
    ],
)
def test_placeholders_and_references_are_no_secrets(value: str) -> None:
    assert list(find_secrets(without_placeholders(value), "token")) == []


def test_two_secrets_in_one_value_are_two_findings_at_that_value() -> None:
    random = Random(1)
    one, two = SHAPES["GitHub token"](random), SHAPES["npm token"](random)
    text = f'{{"goal": "g", "steps": [{{"id": "a", "tool": "t", "args": {{"env": "{one} {two}"}}}}]}}'
    snapshot = analyze(text)
    assert [snapshot.text[slice(*snapshot.span(f))] for f in snapshot.shown] == [f'"{one} {two}"'] * 2


def test_what_stands_beside_the_steps_is_looked_at_too() -> None:
    secret = SHAPES["Stripe key"](Random(2))
    text = (
        f'{{"goal": "use {secret}", "context": {{"a": ["{secret}"]}}, "meta": {{"b": "{secret}"}}, '
        '"steps": [{"id": "a", "tool": "t"}]}'
    )
    snapshot = analyze(text)
    assert [snapshot.plan.pointer(f.place) for f in snapshot.shown] == ["/goal", "/context/a/0", "/meta/b"]
    assert all(f.rule == "raw_secret" and secret not in f.message for f in snapshot.shown)


def test_a_pattern_of_the_policy_and_a_shape_of_ours_make_one_finding() -> None:
    secret = SHAPES["AWS access key id"](Random(3))
    settings = Settings(policy=read_policy('deny_tokens_regex: ["A[KS]IA[0-9A-Z]{16}", "hunter[0-9]"]').policy)
    text = (
        f'{{"goal": "g", "steps": [{{"id": "a", "tool": "t", "args": {{"k": "{secret}", "n": "hunter2 hunter3"}}}}]}}'
    )
    messages = [f.message for f in analyze(text, settings).shown]
    assert messages == [
        "`args.k` of step a holds an AWS access key id: keep it out of the plan and write `${AWS_ACCESS_KEY_ID}`.",
        "`args.n` of step a contains text that the policy forbids: pattern `hunter[0-9]`.",
        "`args.n` of step a contains text that the policy forbids: pattern `hunter[0-9]`.",
    ]


def test_a_pattern_looks_at_values_and_at_names_of_members() -> None:
    settings = Settings(policy=read_policy("deny_tokens_regex: [password]").policy)
    text = '{"goal": "g", "steps": [{"id": "a", "tool": "t", "args": {"password": "${PASSWORD}", "x": "no password"}}]}'
    snapshot = analyze(text, settings)
    assert [snapshot.plan.pointer(f.place) for f in snapshot.shown] == ["/steps/0/args/password", "/steps/0/args/x"]


WRAPPINGS = (
    "[%]",
    "{%}",
    "{{%}}",
    "${%}",
    "<%>",
    "x=%",
    "x:%",
    "x\\n%\\n",
    "${X:-%}",
    "{{a.result.%}}",
    "{{% | upper}}",
)


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_found_in_every_wrapping(shape: str, wrapping: str) -> None:
    secret = SHAPES[shape](Random(shape))
    assert found_in(wrapping.replace("%", secret)) != [], secret


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_found_with_nothing_between_its_letters(shape: str) -> None:
    assert found_in("\u200b".join(SHAPES[shape](Random(shape)))) != []


# ---- what stands in brackets ----------------------------------------------------------------------------------------

AWS = "AKIAQ3EGRIRKL5Z7XW2M"


@pytest.mark.parametrize(
    "value",
    [
        f"[{AWS}]",
        f"{{{AWS}}}",
        f"{{{{{AWS}}}}}",
        f"{{{{ {AWS} }}}}",
        f"<{AWS}>",
        f"${{{AWS}}}",
        f"${{AWS_KEY:-{AWS}}}",
        f"${{{{ secrets.AWS_KEY || '{AWS}' }}}}",
        f"${{HOME}} {AWS}",
        f"${{HOME}}{AWS}",
        f"{{{{a.result.user}}}}:{AWS}",
        f"{{{{a.result.{AWS}}}}}",
        f"{{{{{AWS}.result.x}}}}",
        f"${{a.result['{AWS}']}}",
        f"${{{{a.result.x}}}}{AWS}",
        f"env:{AWS}",
        f"vault:kv/{AWS}",
        f"secret:{AWS}",
        f"vault:kv/aws {AWS}",
        f"%{AWS}%",
        f"${AWS}",
    ],
)
def test_brackets_and_prefixes_hide_no_secret(value: str) -> None:
    assert found_in(value) == [AWS]
    assert AWS in without_placeholders(value)


@pytest.mark.parametrize(
    "value",
    [
        f"key={AWS}",
        f"key:{AWS}",
        f'key="{AWS}"',
        f"'{AWS}'",
        f"({AWS})",
        f"Bearer {AWS}",
        f"https://example.com/?id={AWS}&x=1",
        f"aws_{AWS}",
        f"aws-{AWS}",
        f"{AWS}_old",
        f"{AWS}-2",
        f"{AWS}.",
        f"id\\n{AWS}\\n",
        f"id%3D{AWS}%26x",
        f"id\\u003D{AWS}\\u0026x",
        f"key{AWS}",
        f'{{"key": "{AWS}"}}',
        f"{'lorem ' * 6_000}{AWS}",
    ],
)
def test_what_a_secret_is_glued_to_does_not_matter(value: str) -> None:
    assert found_in(value) == [AWS]


@pytest.mark.parametrize("mark", ["\u200b", "\u200d", "\u200f", "\u2060", "\u2064", "\ufeff", "\u00ad", "\u0336"])
def test_characters_that_cannot_be_seen_hide_no_secret(mark: str) -> None:
    hidden = mark.join(AWS)
    assert found_in(f"é{mark} use {hidden} now") == [hidden]


def test_full_width_letters_hide_no_secret() -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) for char in AWS)
    assert found_in(f"使用 {wide}。") == [wide]


KEY_BODY = "MIIEpAIBAAKCAQEA1c7xW3Kd02LmZq7RtYw3XcVb5Nn1PoIuH6TgEsDfQ9Zk3aB4"


@pytest.mark.parametrize(
    "value",
    [
        f"-----BEGIN PRIVATE KEY-----\n{KEY_BODY}\n{KEY_BODY}\n-----END PRIVATE KEY-----",
        f"-----BEGIN PRIVATE KEY-----\\n{KEY_BODY}\\n{KEY_BODY}\\n-----END PRIVATE KEY-----",
        f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3F\n\n{KEY_BODY}\n",
        f"-----BEGIN PRIVATE KEY----- {KEY_BODY} -----END PRIVATE KEY-----",
        "-----BEGIN EC PRIVATE KEY-----\n" + "\n".join(KEY_BODY[i : i + 16] for i in range(0, 64, 16)),
        f"-----BEGIN PRIVATE KEY-----\nyour-key ... <here>\n{KEY_BODY}\n-----END PRIVATE KEY-----",
        f"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n{KEY_BODY}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----",
    ],
)
def test_private_keys_are_found_however_they_are_broken_into_lines(value: str) -> None:
    assert [hit.name for hit in find_secrets(value)] == ["a private key"]


@pytest.mark.parametrize(
    ("value", "secret"),
    [
        ("Authorization: Basic YWRtaW46aHVudGVyMnh5eg==", "YWRtaW46aHVudGVyMnh5eg=="),
        ("https://ada:k9Xw2Lq@example.com/a", "k9Xw2Lq"),
        ("HTTPS://ada:k9Xw2Lq@example.com/a", "k9Xw2Lq"),
        ("custom+tls://:k9Xw2Lq@example.com", "k9Xw2Lq"),
        ("postgres://app:k9:Xw2Lq@db/shop", "k9:Xw2Lq"),
        ("postgres://app:k9@Xw2Lq@db/shop", "k9@Xw2Lq"),
        ("postgres://app:${PW:-k9Xw2LqPz}@db/shop", "${PW:-k9Xw2LqPz}"),
        ("postgres://app:<k9Xw2LqPz>@db/shop", "<k9Xw2LqPz>"),
        ("postgres://app:{{k9Xw2LqPz}}@db/shop", "{{k9Xw2LqPz}}"),
        ("postgres://app:{k9Xw2LqPz}@db/shop", "{k9Xw2LqPz}"),
        ("server=db; PWD = k9Xw2LqPz", "k9Xw2LqPz"),
        ("postgres://app:changeme-k9Xw2LqPz7@db/shop", "changeme-k9Xw2LqPz7"),
        ("Password=k9Xw2LqPz;Server=db;Database=shop", "k9Xw2LqPz"),
        ("Bearer k9Xw2LqPz7TbVnk9Xw2LqPz7TbVnk9Xw2LqPz7...", "k9Xw2LqPz7TbVnk9Xw2LqPz7TbVnk9Xw2LqPz7..."),
        ("BEARER k9Xw2LqPz7TbVnk9Xw2LqPz7TbVnk9Xw2LqPz7", "k9Xw2LqPz7TbVnk9Xw2LqPz7TbVnk9Xw2LqPz7"),
    ],
)
def test_credentials_in_headers_and_addresses_are_found(value: str, secret: str) -> None:
    assert found_in(value) == [secret]


@pytest.mark.parametrize(
    "value",
    [
        "Your password has expired. Choose a new password with 12 characters.",
        "Use Basic authentication, or Bearer tokens. Basic information: see below.",
        "Basic YWRtaW46cGFzc3dvcmQ=",
        "Rotate every key that starts with -----BEGIN PRIVATE KEY----- since such keys never belong in a repository.",
        "-----BEGIN PRIVATE KEY-----\n${KEY}\n-----END PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\nMIIEpAIBAAKCAQEA1c7xW3Kd02LmZq7RtYw3XcVb5Nn1PoIuH6Tg\n-----END PUBLIC KEY-----",
        "AKIA[A-Z0-9]{16}",
        r"ghp_[A-Za-z0-9]{36}|sk-[a-z0-9]{48}",
        "com.example.shop.OrderService.findCustomerByIdentifier",
        "eyJ.eyJ.sig and a.b.c",
        "cache-key-9f86d081884c7d659a2feaa0c55ad015",
        "https://example.com:8443/a?next=ada@example.com",
        "ssh://git@github.com:22/a/b",
        "Write to https://example.com:443 or ada@example.com",
        "postgres://app:$DB_PASSWORD@db/shop",
        "postgres://app:%DB_PASSWORD%@db/shop",
        "postgres://app:{{secrets.DB_PASSWORD}}@db/shop",
        "postgres://app:${env:DB_PASSWORD}@db/shop",
        "postgres://app:<password>@db/shop",
        "postgres://app:{password}@db/shop",
        "cd /srv; PWD=/srv/shop; ls",
        "vault:kv/shop#key",
        "env:CLIENT_SECRET",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5Er",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "3f2b8c1e-7a4d-4e9b-9c55-0a1b2c3d4e5f",
        "UPDATE t SET a = 1; SELECT pwd FROM users",
        "您的订单已发货 🎉👩\u200d👩\u200d👧",
    ],
)
def test_what_only_talks_about_secrets_raises_no_alarm(value: str) -> None:
    assert found_in(value) == []


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("${NAME}", ""),
        ("a ${NAME} b", "a b"),
        ("{{a.result.password}}", ""),
        ("${a.result[0].password}", ""),
        ("${{ a.result.password }}", ""),
        ("{{ a.result.password | upper }}", "{{ | upper }}"),
        ("env:DB_PASSWORD", ""),
        ("vault:kv/shop#password", ""),
        ("secret:shop/password", ""),
        ("see env:DB_PASSWORD", "see env:DB_PASSWORD"),
        ("${INTERNAL-204417}", "${INTERNAL-204417}"),
        ("${A:-b}", "${A:-b}"),
        ("{{name}}", "{{name}}"),
        ("{{project nightfall.result}}", "{{project nightfall.result}}"),
        ("{{a.result['project nightfall']}}", "{{a.result['project nightfall']}}"),
        ("{{a.result + 'nightfall'}}", "{{ + 'nightfall'}}"),
        ("<name> %NAME% $NAME", "<name> %NAME% $NAME"),
        ('{"a": {"b": 1}}', '{"a": {"b": 1}}'),
    ],
)
def test_only_variables_and_references_are_taken_out(value: str, left: str) -> None:
    blanked = without_placeholders(value)
    assert len(blanked) == len(value)
    assert " ".join(blanked.split()) == left


@pytest.mark.parametrize(
    "value", ["${A}", "a {{b}} c", "${{ c }}", "{{a.result.x}}", "${A:-5}", "{{}} {{x}}", "${a.b}"]
)
def test_a_value_that_the_run_fills_in(value: str) -> None:
    assert has_placeholder(value)


@pytest.mark.parametrize(
    "value", ["", "{}", '{"a":{"b":1}}', "{{", "}} {{", "${", "$5", "$A", "{a}", "<a>", "%A%", "{{}}"]
)
def test_a_value_that_the_run_leaves_alone(value: str) -> None:
    assert not has_placeholder(value)


# ---- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    [
        *("password", "passwd", "pwd", "passphrase", "secret", "client_secret", "clientSecret", "CLIENT-SECRET"),
        *("api_key", "apikey", "apiKey", "APIKey", "API_KEY", "api-key", "x-api-key", "X-API-Key", "stripe.apiKey"),
        *("access_token", "accessToken", "accesstoken", "refresh_token", "auth_token", "bearer_token", "session_token"),
        *("authorization", "Authorization", "Proxy-Authorization", "private_key", "privateKey", "ssh_private_key"),
        *("secret_key", "signing_key", "credentials", "db_password", "dbpassword", "aws_secret_access_key"),
        *("ｐａｓｓｗｏｒｄ", "pass\u200bword", " password "),
    ],
)
def test_names_that_mean_a_secret(key: str) -> None:
    assert names_a_secret(key)


@pytest.mark.parametrize(
    "key",
    [
        *("", "token", "token_count", "max_tokens", "tokens", "next_page_token", "password_reset_url", "secretary"),
        *("passwordless", "api_key_id", "access_key_id", "secret_name", "password_hash", "has_password", "is_secret"),
        *("key", "primary_key", "public_key", "keyword", "author", "credential_id", "passport", "compass", "monkey"),
        *("needsPassword", "show-password", "password_policy"),
    ],
)
def test_names_that_mean_none(key: str) -> None:
    assert not names_a_secret(key)


@pytest.mark.parametrize(
    "value",
    [
        *(
            "hunter2",
            "Bearer abc123",
            "correct horse battery staple",
            "1234",
            "{hunter2}",
            "[hunter2]",
            "${A:-hunter2}",
        ),
        *("{{hunter2!}}", "<hunter2>", "hunter2hunter2${X}", "env: hunter2", "Tr0ub4dor&3"),
    ],
)
def test_literals_under_such_a_name(value: str) -> None:
    assert is_literal_secret(value)


@pytest.mark.parametrize(
    "value",
    [
        *(
            "",
            "  ",
            "${PASSWORD}",
            "Bearer ${API_TOKEN}",
            "{{login.result.token}}",
            "${{ secrets.PASSWORD }}",
            "$PASSWORD",
        ),
        *(
            "{{password}}",
            "%PASSWORD%",
            "env:PASSWORD",
            "vault:kv/shop#key",
            "secret:shop/key",
            "Basic ${A}:${B}",
            "***",
        ),
        *(
            "********",
            "xxxx",
            "<your key>",
            "<password>",
            "YOUR_API_KEY",
            "your-api-key",
            "changeme",
            "REDACTED",
            "TODO",
        ),
        *("true", "False", "yes", "none", "null", "required", "string", "-", "...", "/run/secrets/db", "./keys/id.pem"),
        *("Bearer", "https://vault.example.com/v1/kv", "Choose at least 12 characters."),
    ],
)
def test_what_is_no_literal_secret(value: str) -> None:
    assert not is_literal_secret(value)


# ---- cost -----------------------------------------------------------------------------------------------------------

MILLIONS = {
    "words": lambda n: "lorem ipsum " * (n // 12) + "pwd=",
    "one word": lambda n: "a" * n,
    "secrets": lambda n: f"{AWS} " * (n // 21),
    "connection strings": lambda n: "a=b;" * (n // 4) + "password=",
    "azure": lambda n: "sv=2020-01-01&" * (n // 14) + "sig=",
    "web tokens": lambda n: "-eyJaaaaaaaaaa" * (n // 14),
    "addresses": lambda n: "://a:" * (n // 5),
    "key headers": lambda n: "-----BEGIN PRIVATE KEY-----" * (n // 27),
    "open brackets": lambda n: "{{${" * (n // 4),
    "references": lambda n: "{{a.result.x}}" * (n // 14),
    "unfinished references": lambda n: "{{" + "a.result" * (n // 8),
    "invisible": lambda n: "\u200ba" * (n // 2),
    "chinese": lambda n: "订单，" * (n // 3),
    "dashes": lambda n: "-" * n,
}


@pytest.mark.parametrize("kind", MILLIONS)
def test_five_million_characters_are_searched_in_a_time_that_grows_with_the_length(kind: str) -> None:
    value = MILLIONS[kind](5_000_000)
    started = process_time()
    for _ in find_secrets(value, "note"):
        pass
    without_placeholders(value)
    has_placeholder(value)
    assert process_time() - started < 60


# ---- references to steps and what only looks like one ----------------------------------------------------------------

FORBIDDEN = Settings(policy=read_policy("deny_tokens_regex: ['INTERNAL-[0-9]{6}']").policy)


@pytest.mark.parametrize(
    "value",
    [
        "{{INTERNAL-204417.result}}",
        "${INTERNAL-204417.result.x}",
        "{{nobody.result.INTERNAL-204417}}",
        "a ${{ INTERNAL-204417.result }} b",
    ],
)
def test_a_reference_to_no_step_is_searched_by_the_policys_patterns(value: str) -> None:
    steps = {"goal": "g", "steps": [{"id": "a", "tool": "crm.find", "args": {"x": value}}]}
    calls = [{"tool_name": "crm.find", "args": {"x": value}}]
    beside = {"goal": value, "steps": [{"id": "a", "tool": "crm.find", "args": {}}]}
    for plan in (steps, calls, beside):
        assert "raw_secret" in {finding.rule for finding in analyze(json.dumps(plan), FORBIDDEN).findings}


def test_a_reference_to_a_step_is_exempt() -> None:
    named = {"id": "INTERNAL", "tool": "crm.find", "args": {}}
    user = {"id": "b", "tool": "crm.find", "args": {"x": "{{INTERNAL.result.INTERNAL-204417}}"}}
    plan = json.dumps({"goal": "g", "steps": [named, user]})
    assert "raw_secret" not in {finding.rule for finding in analyze(plan, FORBIDDEN).findings}
