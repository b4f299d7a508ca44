"""How SQL begins, and how prose does that begins with the same words.

This is for text of which nothing else says that it is SQL. What must follow the first word tells the two apart; where
it does not (`lock accounts`, `load balancer`), text is possibly SQL.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import IntEnum

from plancheck.policy.sql_lexemes import after_leading, first_word
from plancheck.policy.sql_words import BLOCK_STARTS, CHANGES, QUERY_STARTS, STATEMENTS


class Likeness(IntEnum):
    """How much a text looks like SQL."""

    PROSE = 0
    POSSIBLE = 1
    """It could run, and could as well be prose."""
    CERTAIN = 2


_NAME = r"""(?:[\w.$@#]|"[^"]*"|`[^`]*`|\[[^\]]*\]|\{\{[^{}]*\}\}|\$\{[^{}]*\})+"""
_END = r"(?<!\.)\s*(?:;|$)"
_ENDS = r"(?<!\.)\s*(?:;|--|/\*|$)"
_OBJECT = (
    r"(?:(?:temp|temporary|global|local|unique|external|materialized|clustered|nonclustered|foreign|recursive|transient"
    r"|virtual|public|unlogged|bitmap|fulltext|spatial)\s+)*"
    r"(?:table|view|index|database|schema|role|user|function|procedure|proc|trigger|sequence|type|domain|extension"
    r"|column|policy|server|tablespace|stage|task|warehouse|publication|subscription|event|login|rule|aggregate"
    r"|language|synonym|package|pipe|stream|credential|certificate|assembly|wrapper|collation|cast|operator)\b"
)
_MODIFIER = r"(?:(?:low_priority|high_priority|delayed|quick|ignore|or\s+\w+|top\s*\([^()]*\)(?:\s*percent)?)\s+)*"
_QUERY = r"(?:select\b|values?\s*\(|default\s+values|with\s+\w+\s+as\b|exec(?:ute)?\s|table\s+\w|\(\s*select\b)"
_PRIVILEGE = (
    r"(?:all|select|insert|update|delete|execute|usage|connect|create|references|trigger|truncate|alter|drop|index|view"
    r"|control|ownership|grant\s+option)"
)

_CERTAIN_BEGINNINGS = rf"""
    select\b\s*[-*/('"`\[@:?$%{{+~\d]
    select\s+(?:distinct|all|top|not|null|exists|case|cast|interval|array)\b[^;]*?(?:\bfrom\s|\binto\s|\bend\b|[*(=])
    select\s+(?:null|exists|cast|array){_END}
    select\s+{_NAME}(?:\s*[(,=<>|+*/:;#~!%&^-]|\s+(?:as|from|into|where|union|limit|order|for|is|in)\b|{_END})
    select\s+{_NAME}\s+{_NAME}\s*(?:,|\s(?:from|into|where)\b)
    with\s+(?:recursive\s+)?{_NAME}\s*(?:\([^()]*\)\s*)?as\s*(?:\(|(?:not\s+)?materialized\b|\{{\{{|\$\{{)
    values\s*(?:\(|row\b)
    table\s+{_NAME}{_END}
    from\s+{_NAME}\s+(?:{_NAME}\s+)?(?:select|insert)\s
    insert\s+{_MODIFIER}(?:all\s+|first\s+)?into\s+{_NAME}
    insert\s+{_MODIFIER}{_NAME}\s*(?:\([^()]*\)\s*)?(?:output\s[^;]*?\s)?{_QUERY}
    insert\s+{_MODIFIER}{_NAME}\s+set\s+{_NAME}\s*=
    insert\s+overwrite\s+(?:table|into|local|directory)\b
    (?:replace|upsert)\s+{_MODIFIER}(?:into\s+{_NAME}|{_NAME}\s*(?:\([^()]*\)\s*)?{_QUERY})
    merge\s+{_MODIFIER}into\s+{_NAME}
    merge\s+{_MODIFIER}{_NAME}(?:\s+{_NAME}){{0,2}}\s+using\s(?=[^;]*\bwhen\s)
    update\s[^;]*?\bset\s*(?:[({{$@]|{_NAME}\s*(?:[-+*/|&^]?=|\[))
    delete\s+{_MODIFIER}from\s+(?:only\s+)?{_NAME}(?:\s*[,(]|{_ENDS})
    delete\s+{_MODIFIER}(?:{_NAME}(?:\s*,\s*{_NAME})*\s+)?from\s+{_NAME}(?=[^;]*\b(?:where|returning|limit|join)\s)
    delete\s+{_NAME}\s+(?:where\s[^;]*?(?:[=<>(]|\bis\b|\bin\b|\blike\b)|output\s)
    delete\s+top\s*\(
    (?:create|alter|drop)\s+(?:or\s+(?:replace|alter)\s+)+{_OBJECT}
    (?:create|alter|drop|undrop)\s+{_OBJECT}\s+if\s+(?:not\s+)?exists\b
    create\s+{_OBJECT}\s+{_NAME}\s*(?:\(|(?:as|on|using|with|identified|password|returns|like|clone|for\s+values)\b)
    alter\s+{_OBJECT}\s+{_NAME}\s+(?:add|drop|alter|rename|set|reset|owner|modify|change|enable|disable|with|to|no)\b
    create\s+{_OBJECT}\s+(?:concurrently\s+)?on\s+{_NAME}\s*\(|drop\s+owned\s+by\b
    alter\s+(?:user|role|login)\s+{_NAME}\s+(?:no)?(?:superuser|createdb|createrole|login|replication|bypassrls|password)
    alter\s+(?:system|session)\s+(?:set|reset|kill|flush|switch|archive)\b
    (?:drop|undrop)\s+{_OBJECT}\s+{_NAME}(?:\s*[,(]|\s+(?:cascade|restrict|on|force)\b|{_ENDS})
    rename\s+table\s+{_NAME}\s+to\b
    refresh\s+materialized\s+view\b
    (?:optimize|reindex|repair)\s+(?:table|index|database|schema|system)\s+{_NAME}{_END}
    comment\s+on\s+{_OBJECT}\s+{_NAME}\s+is\b
    truncate\s+(?:table\s+)?(?:only\s+)?{_NAME}\s*(?:,|\b(?:restart|continue|cascade)\b)
    truncate\s+table\s+{_NAME}{_ENDS}
    (?:grant|revoke|deny)\s+(?:\w+\s*,|{_PRIVILEGE}\b)(?=[^;]*\son\s)(?=[^;]*\s(?:to|from)\s)
    call\s+(?:{_NAME}\(|{_NAME}\s*\((?:\s*\)|\s*['\d@?:$]|\s*\w+\s*[,)])|\w+[_.][\w.]*{_END})
    \{{\s*(?:\?\s*=\s*)?call\s
    (?:\w+\.+){{0,3}}[sx]p_\w+\s*['"@\d]
    exec(?:ute)?(?:\s*\(|\s+immediate\b|\s+(?:sp|xp)_\w|\s+{_NAME}\s*[(@']|\s+\w+[_.]\w)
    do\s*(?:\$|'|language\b|\{{)
    begin\s*;|begin\s+(?:tran|transaction)\b
    (?:commit|rollback|abort|vacuum|shutdown|checkpoint)\s*;|shutdown\s+with\b|vacuum\s*\(
    start\s+transaction\b
    pragma\s+{_NAME}(?:\s*[=(]|{_END})
    attach\s+(?:database\s+)?(?:['"]|{_NAME}\s+as\s+{_NAME}{_END})
    load\s+(?:data|xml)\s+(?:\w+\s+){{0,2}}(?:infile|inpath)\b|load\s+'
    load\s+data\s+(?:into|overwrite)\s+{_NAME}\s[^;]*?\bfrom\s+files\b
    install\s+(?:plugin|component)\s
    copy\s*\(|copy\s+into\s+(?:['@]|{_NAME}\s+from\b)
    copy\s+{_NAME}\s*(?:\([^()]*\)\s*)?(?:from|to)\s+(?:stdin|stdout|program|['@])
    prepare\s+{_NAME}\s*(?:\([^()]*\)\s*)?(?:as\s+(?:select|insert|update|delete|with|values)|from\s*['@])
    declare\s+(?:@|{_NAME}\s+cursor\b)
    set\s+(?:@|(?:global|session|local|persist)\s+{_NAME}\s*(?:=|to\s)|{_NAME}\s*:?=)
    set\s+(?:nocount|xact_abort|identity_insert|session\s+authorization|transaction\s+(?:isolation|read))\b
    lock\s+(?:tables?\s+)?{_NAME}\s+(?:nowait|read|write|in\s+(?:access|row|share|exclusive))\b|unlock\s+tables\b
    notify\s+{_NAME}\s*,\s*'
    handler\s+{_NAME}\s+(?:open|read|close)\b
    kill\s+(?:query\s+|connection\s+)?\d+{_END}
    delimiter\s+\S{{1,3}}\s
    waitfor\s+(?:delay|time)\b|dbcc\s+\w|raiserror\s*\(|(?:read|write|update)text\s+\w+\.
    bulk\s+insert\s+{_NAME}\s+from\b
    (?:backup|restore)\s+(?:database|log)\s+{_NAME}\s+(?:to|from|with)\b
    flush\s+(?:tables|privileges|logs|hosts|status|binary)\b|purge\s+(?:binary|master)\s+logs\b
    (?:start|stop)\s+(?:slave|replica|group_replication)\b|change\s+(?:master|replication)\s[^;]*?\bto\b
    reassign\s+owned\b|import\s+foreign\s+schema\b|export\s+data\b[^;]*?\bas\s|unload\s*\(\s*'|put\s+'?file:|remove\s+@
    show\s+(?:(?:full|global|session|create|open|all)\s+)*(?:tables?|columns|databases|schemas|index|indexes|keys|view)\b
    show\s+(?:\w+\s+)?(?:variables|status|grants|processlist|functions|procedures|engines?|warnings|errors|roles)\b
    show\s+\w*_\w*{_END}
    (?:describe|desc)\s+(?:table\s+)?{_NAME}{_END}
    \\!
    /\*M?!
"""
_POSSIBLE_BEGINNINGS = rf"""
    (?:delete|truncate|lock|unlock|detach|install|load|use|listen|unlisten|vacuum|cluster|reindex|notify)\s+{_NAME}{_END}
    (?:lock|unlock|analy[sz]e)\s+tables?\s+{_NAME}{_END}
    delete\s[^;]*?\bfrom\s+{_NAME}
    update\s+statistics\s+{_NAME}{_END}
    (?:create|alter)\s+{_OBJECT}\s+{_NAME}{_END}
    (?:grant|revoke)\s+{_NAME}\s+(?:to|from)\s+{_NAME}{_END}
    exec(?:ute)?\s+{_NAME}(?:\s+\d|{_END})
    begin(?:{_END}|\s+(?:work|read|isolation|try|declare|deferred|immediate|exclusive)\b)
    (?:commit|rollback|abort|vacuum|shutdown|checkpoint|savepoint|release|reconfigure|revert)(?:\s+{_NAME})?{_END}
    (?:vacuum|analy[sz]e)\s+(?:full|freeze|verbose|analy[sz]e)\s+{_NAME}{_END}|cluster{_END}
    (?:\w+\.+){{0,3}}[sx]p_\w+{_END}
    load\s+(?:extension\s+{_NAME}{_END}|data\s+(?:into|overwrite)\b)
    deallocate\s+(?:prepare\s+)?{_NAME}{_END}
    declare\s+{_NAME}\s+\w+{_END}
    set\s+(?:role|names|constraints)\s+{_NAME}{_END}|set\s+{_NAME}\s+to\s+(?:{_NAME}|'[^']*'){_END}
    reset\s+(?:all|role|master|slave|session\s+authorization|query\s+cache|\w+[_.]\w+){_END}
    analy[sz]e(?:{_END}|\s+(?:verbose\s+)?{_NAME}{_END})
    discard\s+all{_END}
    go\s*\n
    print\s*['@]
    fetch\s+(?:(?:next|prior|first|last|all|forward|backward|\d+)\s+)?(?:from|in)\s+{_NAME}{_END}
    \\[a-z]+(?:\s|$)
"""


def _any_of(lines: str) -> re.Pattern[str]:
    return re.compile("|".join(line.strip() for line in lines.strip().splitlines()), re.IGNORECASE)


_CERTAIN, _POSSIBLE = _any_of(_CERTAIN_BEGINNINGS), _any_of(_POSSIBLE_BEGINNINGS)
_INSIDE = re.compile(
    rf"\b(?:(?:(?:insert|merge)\s+into|delete\s+from|truncate\s+table|(?:create|alter|drop)\s+{_OBJECT})\s+"
    rf"(?!(?:the|an?|my|our|your|this|that|its?|their)\b)[^\s,.;]|update\s+{_NAME}\s+set\s|exec(?:ute)?\s+\w+_\w"
    rf"|exec(?:ute)?\s*\(|into\s+{_NAME}(?:\s+from\b|{_END})|for\s+update{_END})",
    re.IGNORECASE,
)
"""What a text that begins like a query or a block may have further inside, without a semicolon before it."""

_EXPLAIN = re.compile(
    r"(?:explain|describe|desc)(?:\s+(?:analy[sz]e|verbose|extended|query\s+plan|plan\s+for|format\s*=\s*\w+)\b"
    r"|\s*\([\w\s,]*\))*\s+(?=\w)",
    re.IGNORECASE,
)
_STARTS = QUERY_STARTS | STATEMENTS | BLOCK_STARTS
_LATER = re.compile(rf";[\s;(]*(?=(?:{'|'.join(sorted(_STARTS))})\b)", re.IGNORECASE)
_MOST_LATER = 50
"""How many later statements of a text are looked at: one with more is taken for SQL."""
_LONGEST_BEGINNING = 5_000
"""How many characters, without comments, are looked at to see whether SQL begins."""
_COMMENT_END = re.compile(r"/\*(?!M?!)|\*/")
_LINE_COMMENT = re.compile(r"--[^\r\n]*")
_BLANKS = re.compile(r"\s{2,}")
_TWO_WORDS = re.compile(r"\w\s+\w")


def likeness_of(text: str) -> Likeness:
    """How much a text looks like SQL, behind comments, parentheses and invisible characters."""
    return max(map(_likeness_without_comments, _readings(_visible(text))))


def _visible(text: str) -> str:
    if not text.isascii() or not text.isprintable():
        normal = unicodedata.normalize("NFKC", text)
        text = "".join(char for char in normal if char.isprintable() or char.isspace())
    return _BLANKS.sub(lambda blanks: "\n" if "\n" in blanks[0] or "\r" in blanks[0] else " ", text)


def _readings(text: str) -> Iterator[str]:
    """The text without its comments: databases differ in what is one, and in whether one may stand in another."""
    readings = [text] if "/*" not in text else [_outside_of_comments(text, depth) for depth in (1, len(text))]
    for reading in readings:
        yield reading
        if "--" in reading:
            yield _LINE_COMMENT.sub(" ", reading)


def _outside_of_comments(text: str, deepest: int) -> str:
    outside: list[str] = []
    depth = start = 0
    for end in _COMMENT_END.finditer(text):
        if depth == 0:
            outside.append(text[start : end.start()])
        depth = min(depth + 1, deepest) if end[0] == "/*" else max(depth - 1, 0)
        start = end.end()
    return " ".join((*outside, text[start:] if depth == 0 else ""))


def _likeness_without_comments(text: str) -> Likeness:
    beginning = text[after_leading(text) :]
    found = _likeness_of_beginning(beginning)
    first = first_word(beginning)
    if found is Likeness.PROSE and first in _STARTS:
        is_cut = len(beginning) > _LONGEST_BEGINNING and first in CHANGES
        found = Likeness.POSSIBLE if is_cut or _INSIDE.search(beginning, len(first)) else found
    return found if found is Likeness.CERTAIN or ";" not in beginning else max(found, _likeness_of_later(beginning))


def _likeness_of_beginning(text: str) -> Likeness:
    beginning = text[:_LONGEST_BEGINNING]
    explained = _EXPLAIN.match(beginning)
    if explained is not None and (found := _likeness_of_beginning(beginning[explained.end() :])) is Likeness.CERTAIN:
        return found
    if _CERTAIN.match(beginning):
        return Likeness.CERTAIN
    return Likeness.POSSIBLE if _POSSIBLE.match(beginning) else Likeness.PROSE


def _likeness_of_later(text: str) -> Likeness:
    """The same of what stands behind the semicolons of a text."""
    found = Likeness.PROSE
    for number, later in enumerate(_LATER.finditer(text)):
        if number == _MOST_LATER:
            return Likeness.CERTAIN
        likeness = _likeness_of_beginning(text[later.end() : later.end() + _LONGEST_BEGINNING])
        if likeness is Likeness.CERTAIN:
            return likeness
        if likeness is Likeness.POSSIBLE and not _TWO_WORDS.search(text, 0, later.start()):
            found = likeness
    return found
