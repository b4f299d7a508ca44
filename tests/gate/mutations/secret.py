"""Secrets and forbidden words in other places: they are looked for in every string of the document."""

from __future__ import annotations

import re
from random import Random

from gate.mutations.document import Members, Value, replaced, value_at, walk, write

_TOKEN = re.compile(r"AKIA[0-9A-Z]{16}|INTERNAL-[0-9]{6}")
_ENCLOSED = (
    "[{}]",
    "{{{}}}",
    "{{{{{}}}}}",
    "{{{{ {} }}}}",
    "<{}>",
    "({})",
    "'{}'",
    '"{}"',
    "`{}`",
    "${{KEY:-{}}}",
    "${{{{ secrets.KEY || '{}' }}}}",
)
_EMBEDDED = (
    "use {} here",
    "key={}",
    "${{HOME}} {}",
    "vault:kv/shop {}",
    "https://example.org/?key={}&page=2",
    "first line\n{}\nlast line",
    "Schlüssel: {}, danke",
    '{{"key": "{}"}}',
)
_HIDING_PLACES = ("note", "why", "extra", "trace", "header", "hint")


def secret_in_a_key(plan: Value, random: Random) -> Value | None:
    """A key is read, logged and sent like any other text."""
    return _moved(plan, random, "{}", as_key=True)


def secret_enclosed(plan: Value, random: Random) -> Value | None:
    """Brackets, braces and quotes around a secret do not turn it into a reference."""
    return _moved(plan, random, random.choice(_ENCLOSED))


def secret_in_longer_text(plan: Value, random: Random) -> Value | None:
    """Whoever reads the text finds the secret in it, a harmless variable in front of it or not."""
    return _moved(plan, random, random.choice(_EMBEDDED))


def secret_in_a_list(plan: Value, random: Random) -> Value | None:
    """Lists and objects around a secret hide it from nobody."""
    return _moved(plan, random, "{}", levels=random.randint(1, 12))


def secret_in_the_plan(plan: Value, random: Random) -> Value | None:
    """The goal, the context and the metadata go wherever the plan goes."""
    token = _token(plan)
    if token is None or not isinstance(plan, Members):
        return None
    key = random.choice(("goal", "context", "meta"))
    text = random.choice(_EMBEDDED).format(token)
    without = _without(plan, token)
    assert isinstance(without, Members)
    others = Members(tuple(pair for pair in without.pairs if pair[0] != key))
    return others.inserted(
        random.randint(0, len(others.pairs)), key, text if key == "goal" else Members((("by", text),))
    )


def _moved(plan: Value, random: Random, form: str, *, as_key: bool = False, levels: int = 0) -> Value | None:
    """Taken out wherever it was, and put into any object of the plan, beside `args` as well as in them."""
    token = _token(plan)
    objects = [path for path, value in walk(plan) if isinstance(value, Members)]
    if token is None or not objects:
        return None
    text = form.format(token)
    path = random.choice(objects)
    without = _without(plan, token)
    home = value_at(without, path)
    assert isinstance(home, Members)
    key = text if as_key else random.choice([place for place in _HIDING_PLACES if place not in home.keys] or ["more"])
    value = Members(()) if as_key else _within(text, levels, random)
    return replaced(without, path, home.inserted(random.randint(0, len(home.pairs)), key, value))


def _token(plan: Value) -> str | None:
    found = _TOKEN.search(write(plan))
    return found[0] if found else None


def _without(value: Value, token: str) -> Value:
    if isinstance(value, Members):
        return Members(tuple((key.replace(token, "none"), _without(member, token)) for key, member in value.pairs))
    if isinstance(value, list):
        return [_without(item, token) for item in value]
    return value.replace(token, "none") if isinstance(value, str) else value


def _within(text: str, levels: int, random: Random) -> Value:
    value: Value = text
    for _ in range(levels):
        value = [value] if random.random() < 0.5 else Members((("a", value),))
    return value
