"""What an editor tells about a key or a value of a policy or a configuration."""

from __future__ import annotations

from collections.abc import Iterator

from plancheck.analysis.rules import RULES
from plancheck.ide.described.file import DescribedFile, NamedThing, TokenAt, key_path
from plancheck.ide.described.tools import KnownTools
from plancheck.ide.hover import Hover, rule_page
from plancheck.ide.tools import described
from plancheck.ide.words import count, listed
from plancheck.markdown import code, plain
from plancheck.policy.described import DescribedKey, Named, ValueForm


def hover_in(file: DescribedFile, offset: int, tools: KnownTools) -> Hover | None:
    token = file.token_at(offset)
    if token is None:
        return None
    thing = file.name_at(offset) or (file.owner_of(token.entry) if not token.is_key else None)
    parts = (_named(file, thing, tools) if thing is not None else "", *_of_token(file, token))
    text = "\n\n".join(filter(None, parts))
    return Hover(text, token.span) if text else None


def key_page(key: DescribedKey, form: ValueForm) -> str:
    """A key: what it means, what it may be, and what holds without it."""
    lines = [f"**{code(key.name)}**", f"{key.summary}.", f"It is {form.written}."]
    lines += _words(form)
    if key.without:
        lines.append(f"Without it: {key.without}.")
    return "\n\n".join(lines)


def _words(form: ValueForm) -> Iterator[str]:
    rows = [f"- {code(word)}: {meaning[:1].lower()}{meaning[1:]}" for word, meaning in form.words.items() if meaning]
    if rows:
        yield "\n".join(rows)


def _of_token(file: DescribedFile, token: TokenAt) -> Iterator[str]:
    word = token.entry.scalar
    if not token.is_key and token.form is not None and isinstance(word, str) and word in token.form.words:
        meaning = token.form.words[word]
        yield f"**{code(word)}**" + (f"\n\n{meaning}." if meaning else "")
    around = file.table.form(token.entry.path[:-1]) if token.is_key else None
    if around is not None and token.key is None:
        name = str(token.entry.path[-1])
        if around.key_words.get(name.lower()):
            yield f"**{code(name)}**\n\n{around.key_words[name.lower()]}."
        if around.members is not None and token.form is not None and around.key_names is not Named.ARGUMENT:
            yield f"It is {token.form.written}."
    if token.key is not None:
        form = file.table.form(key_path(token.entry.path))
        if form is not None:
            yield key_page(token.key, form)


def _named(file: DescribedFile, thing: NamedThing, tools: KnownTools) -> str:
    if thing.kind is Named.RULE:
        return _rule(thing.name)
    if thing.kind is Named.TOOL:
        return tool_page(thing.name, tools)
    return _argument(file, thing, tools)


def _rule(name: str) -> str:
    rule = RULES.get(name)
    if rule is None:
        return rule_page(name)
    severity = code(rule.severity.word)
    usual = severity if rule.is_on else f"{code('off')}, and {severity} where it is asked for"
    options = [f"{code(option.name)} ({option.default:,} by default)" for option in rule.options]
    more = [f"Its options: {listed(options)}."] if options else []
    return "\n\n".join([rule_page(name), f"By default it is {usual}.", *more])


def tool_page(name: str, tools: KnownTools) -> str:
    """A tool: how many plans use it, and what a catalogue says about it."""
    used = tools.uses.get(name, 0)
    lines = [f"**{code(name)}**: " + (f"used by {count(used, 'plan')}." if used else _unused(tools))]
    found = tools.described(name)
    if found is not None:
        lines += described(found[0])
    elif tools.catalogues:
        lines.append("It is not in the catalogue of tools.")
    return "\n\n".join(lines)


def _unused(tools: KnownTools) -> str:
    return "no plan uses it." if tools.is_complete else "none of the plans that were looked at uses it."


def _argument(file: DescribedFile, thing: NamedThing, tools: KnownTools) -> str:
    """The key of a bound, of a limit or of recipients: which arguments it is about."""
    section = str(thing.entry.path[-2]) if len(thing.entry.path) > 1 else ""
    values = [entry.scalar for entry in file.entries if entry.path[:-1] == thing.entry.path]
    head = f"**{code(thing.name)}**"
    if section == "bounds" and len(values) == 2:
        head += f" must be from {code(str(values[0]))} to {code(str(values[1]))}."
    elif section == "recipients":
        head += f" may be {listed([code(str(value)) for value in values])}." if values else " may be nobody."
    elif thing.entry.scalar is not None:
        head += f" needs a human above {code(str(thing.entry.scalar))}."
    about = [
        f"- the argument {code(argument)} of {code(tool)}, which {_used(tools.uses.get(tool, 0))}"
        for tool, argument in tools.limited(thing.name)
    ]
    if about:
        return "\n\n".join([head, "It is about:\n" + "\n".join(about)])
    return f"{head}\n\nNo plan and no catalogue has a tool that {code(plain(thing.name))} could be about."


def _used(plans: int) -> str:
    return f"{count(plans, 'plan')} {'uses' if plans == 1 else 'use'}" if plans else "no plan uses"
