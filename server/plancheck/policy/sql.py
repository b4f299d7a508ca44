"""Whether SQL reads or writes. It reads only where that is shown: for every database, whatever its dialect.

Two looks have to agree. The first is at lexemes that are the same in all dialects: where a string or a comment ends
elsewhere in another dialect (backslashes, `#`, `$$`, `/*! … */`, nested comments), the text has no lexemes, and a word
that may change something is then taken for one wherever it stands. The second is at the statements as sqlglot parses
them, which is imported when the first text needs it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from plancheck.policy.sql_words import (
    AFTER_NAMES,
    BEFORE_NAMES,
    BEFORE_PARENTHESES,
    CATALOGUE_STARTS,
    CHANGES,
    COMPUTING_FUNCTIONS,
    HARMFUL_FUNCTIONS,
    NEVER,
    PLAIN_FUNCTIONS,
    QUERY_STARTS,
    STATEMENTS,
    WRITING_FUNCTIONS,
    split_words,
)

if TYPE_CHECKING:
    from sqlglot import exp


class Effect(str, Enum):
    READ = "read"
    WRITE = "write"
    UNKNOWN = "unknown"


LONGEST = 100_000
"""SQL longer than this is not looked at: its effect is unknown."""

ARGUMENTS = frozenset({"query", "queries", "sql", "statement", "statements", "stmt", "q"})
"""The names of arguments that hold SQL."""

_MOST_WORK = 20_000
"""How many tokens are parsed at most, over all dialects: about half a second."""
_DEEPEST = 100
_DIALECTS = ("", "postgres", "mysql", "tsql", "sqlite", "oracle", "bigquery", "snowflake", "duckdb")

# ---- lexemes ---------------------------------------------------------------------------------------------------------

_LEXEME = re.compile(
    r"""
    (?P<blank>(?:[ \t\n]|\r\n)+
      | --(?=[ \t\r\n]|$)[^\r\n]*
      | /\*(?!M?!)(?:[^*/]|\*(?!/)|/(?!\*))*\*/)
  | (?P<string>(?<![qQ])'(?!'')[^'\\]*(?:''[^'\\]*)*'(?!'))
  | (?P<quoted>"(?!"")[^"\\]*(?:""[^"\\]*)*"(?!") | `(?:[\w\ .$:*]|-(?!-))+`)
  | (?P<word>[^\W\d]\w*)
  | (?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.]))
  | (?P<mark>->>|:=|-(?!-)|/(?![/*])|\*(?!/)|\$(?!\w*\$)|[+%=<>!~|&^@:?.,()\[\];])
    """,
    re.VERBOSE,
)


class _Lexeme(NamedTuple):
    kind: str
    text: str
    """Words in lower case."""


def _lexemes(sql: str) -> list[_Lexeme] | None:
    """The lexemes without blanks and comments; nothing where dialects may disagree about one of them."""
    lexemes: list[_Lexeme] = []
    position = bracket = 0
    while position < len(sql):
        match = _LEXEME.match(sql, position)
        if match is None or match.lastgroup is None:
            return None
        position = match.end()
        kind, text = match.lastgroup, match[0]
        if kind == "word" and (text := text.lower()) != unicodedata.normalize("NFKC", text):
            return None
        bracket += {"[": 1, "]": -1}.get(text, 0)
        if bracket and kind in ("blank", "string", "quoted") and "]" in text:
            return None  # a name in brackets may end there
        if kind != "blank":
            lexemes.append(_Lexeme(kind, text))
    return lexemes


def _after_blanks(sql: str) -> int:
    position = 0
    while (match := _LEXEME.match(sql, position)) and match.lastgroup == "blank":
        position = match.end()
    return position


def _statements(lexemes: list[_Lexeme]) -> Iterator[list[_Lexeme]]:
    statement: list[_Lexeme] = []
    for lexeme in lexemes:
        if lexeme.text == ";":
            yield statement
            statement = []
        else:
            statement.append(lexeme)
    yield statement


# ---- the first look --------------------------------------------------------------------------------------------------


class _Look(Enum):
    PLAIN = "reads, and needs no parsing"
    READING = "reads, if it parses at all"
    DOUBTFUL = "reads, if it does for each dialect that can parse it"
    NOT_SHOWN = "not known to read"


_BRACES = re.compile(r"\{\{|\$\{|\{%|<%|[#%]\{|\{[^\W\d][\w.\[\]]*\}")
"""Marks of text that is put together at run time."""
_NAMED_PARAMETER = re.compile(r"%\(\w+\)s")
_WORD = re.compile(r"\w+|:=")
_LATER_STATEMENT = re.compile(r";\s*[^\s;]")
_CALL = re.compile(r"\b(\w+)\s*\(")
_LEADING = re.compile(r"(?:[\s(;]|--[^\r\n]*|#[^\r\n]*|/\*(?!M?!)(?:[^*]|\*(?!/))*\*/)*")
_COPY_OUT = re.compile(r"copy\s+\w+(?:\.\w+)?(?:\s*\([\w\s,]*\))?\s+to\s+stdout\b[\w\s,()]*;?", re.IGNORECASE)


def _look(sql: str) -> _Look:
    if _BRACES.search(sql):
        return _Look.NOT_SHOWN
    lexemes = _lexemes(sql)
    if lexemes is None:
        return _look_at_words(sql)
    if any(lexeme.kind == "string" and _NAMED_PARAMETER.search(lexeme.text) for lexeme in lexemes):
        return _Look.NOT_SHOWN
    marks = [lexeme.text for lexeme in lexemes if lexeme.kind == "mark"]
    if marks.count("(") != marks.count(")"):
        return _Look.NOT_SHOWN
    looks = {_look_at_statement(statement) for statement in _statements(lexemes) if statement}
    return next((look for look in reversed(_Look) if look in looks), _Look.NOT_SHOWN)


def _look_at_words(sql: str) -> _Look:
    """The look at a text whose strings and comments depend on the dialect: each of its words may be outside of them."""
    words = {word.lower() for word in _WORD.findall(unicodedata.normalize("NFKC", sql))}
    if _first_word(sql) not in QUERY_STARTS or words & (STATEMENTS | NEVER) or {"next", "value"} <= words:
        return _Look.NOT_SHOWN
    if any(word[0].isdigit() and word.endswith(tuple(STATEMENTS)) for word in words):
        return _Look.NOT_SHOWN  # `1DELETE` is a number and a word
    if "{" in re.sub(r"'\{[^']*\}'", "", sql) or _NAMED_PARAMETER.search(sql) or _LATER_STATEMENT.search(sql):
        return _Look.NOT_SHOWN
    if re.search(r"(?m)^[ \t]*\\|\\[a-z!]+[ \t\r]*$", sql):
        return _Look.NOT_SHOWN  # a command of psql
    if re.search(r"[\"`\]/'](?:\s|--[^\n'\"`\]/]*\n)*\(", sql):
        return _Look.NOT_SHOWN  # a function whose name is in quotes or before a comment
    return _Look.DOUBTFUL if all(map(_computes, _CALL.findall(sql))) else _Look.NOT_SHOWN


def _first_word(sql: str) -> str:
    """The first word after blanks, comments and parentheses, in lower case."""
    start = _LEADING.match(sql)
    word = _WORD.match(sql, start.end() if start else 0)
    return word[0].lower() if word else ""


def _look_at_statement(statement: list[_Lexeme]) -> _Look:
    first = next((lexeme.text for lexeme in statement if lexeme.text != "("), "")
    if first in CATALOGUE_STARTS:
        return _look_at_catalogue_statement(statement)
    if first not in QUERY_STARTS:
        return _Look.NOT_SHOWN
    end = _Lexeme("mark", ")")
    looks = set(map(_look_at_lexeme, [end, *statement], statement, [*statement[1:], end]))
    return next(look for look in reversed(_Look) if look in looks)


def _look_at_catalogue_statement(statement: list[_Lexeme]) -> _Look:
    """`SHOW …` and `DESCRIBE …`, which read as long as nothing is called in them and nothing else begins."""
    words = {lexeme.text for lexeme in statement if lexeme.kind == "word"}
    marks = {lexeme.text for lexeme in statement if lexeme.kind == "mark"}
    reads = len(statement) > 1 and marks <= set(".,=*@%") and words.isdisjoint(STATEMENTS - {"create", "open"} | NEVER)
    return _Look.PLAIN if reads else _Look.NOT_SHOWN


def _look_at_lexeme(before: _Lexeme, lexeme: _Lexeme, after: _Lexeme) -> _Look:
    if lexeme.text in NEVER or (lexeme.text, after.text) == ("next", "value"):
        return _Look.NOT_SHOWN
    if lexeme.kind == "word" and lexeme.text in STATEMENTS:
        may_be_name = before.text in BEFORE_NAMES and after.text in AFTER_NAMES
        return _Look.DOUBTFUL if may_be_name and (before.text, after.text) != ("(", "from") else _Look.NOT_SHOWN
    if after.text != "(":
        return _Look.PLAIN if lexeme.kind != "mark" or lexeme.text in "(),.*=<>" else _Look.READING
    return _look_at_what_is_called(before, lexeme)


def _look_at_what_is_called(before: _Lexeme, lexeme: _Lexeme) -> _Look:
    """The look at what stands before a parenthesis: a function, if it is none of the words that stand there, too."""
    if lexeme.text in BEFORE_PARENTHESES or lexeme.text in ("(", ",", "=", "<", ">", "*"):
        return _Look.PLAIN
    if lexeme.kind == "mark" and lexeme.text != "]":
        return _Look.READING
    if lexeme.kind == "string":
        return _Look.NOT_SHOWN
    if lexeme.text in PLAIN_FUNCTIONS and before.text != ".":
        return _Look.PLAIN
    return _Look.READING if lexeme.kind == "word" and _computes(lexeme.text) else _Look.DOUBTFUL


# ---- limits ----------------------------------------------------------------------------------------------------------

_ATOM = re.compile(r"\w+|-{2,}|[^\w\s]")
_PARSED_ONCE = BEFORE_PARENTHESES | PLAIN_FUNCTIONS - {"date", "year", "month", "day"}
_PREFIXES = split_words("not - + ~ interval distinct all")


def _is_too_deep(sql: str) -> bool:
    """Whether the text is nested more deeply than a recursive parser should be asked to follow."""
    depth = cases = prefixes = 0
    for atom in map(str.lower, _ATOM.findall(sql)):
        depth += (atom in "([{") - (atom in ")]}" and depth > 0)
        cases += (atom == "case") - (atom == "end" and cases > 0)
        prefixes = prefixes + 1 if atom in _PREFIXES else 0
        if max(depth, cases, prefixes) > _DEEPEST:
            return True
    return False


def _work(sql: str) -> int:
    """How many tokens sqlglot looks at to parse the text, or more than are allowed.

    It parses what may be a type, such as `date(…)`, once as a type and then again, and copies the arguments of some
    functions: each level may double the work.
    """
    work, weight = 0, 1
    doubled: list[bool] = []
    previous = ""
    for atom in map(str.lower, _ATOM.findall(sql)):
        if atom in "([{":
            doubled.append(previous.isidentifier() and previous not in _PARSED_ONCE)
            weight <<= doubled[-1]
        elif atom in ")]}" and doubled:
            weight >>= doubled.pop()
        work += weight
        if work > _MOST_WORK:
            break
        previous = atom
    return work


# ---- the second look -------------------------------------------------------------------------------------------------

_PARAMETER = re.compile(r"%\(\w+\)s|%s\b")
_PLACEHOLDER = re.compile(r"\$\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{\{[^{}]*\}\}")
_EXECUTED_COMMENT = re.compile(r"/\*M?!\d*((?:[^*/]|\*(?!/)|/(?!\*))*)\*/")
_WRITING_COMMANDS = split_words("vacuum reindex refresh cluster optimize revoke grant rename import")


def _effects(sql: str) -> Iterator[Effect]:
    """The effect by each dialect that can parse the text, and an unknown one where that would take too long."""
    text = _PARAMETER.sub("?", _PLACEHOLDER.sub("placeholder", sql)).replace("/*+", "/* ")
    texts = {text, _EXECUTED_COMMENT.sub(r" \1 ", text)}
    work_left = _MOST_WORK
    for dialect in _DIALECTS:
        for variant in texts:
            work_left -= _work(variant)
            if work_left < 0:
                yield Effect.UNKNOWN
                return
            effects = {_effect(statement) for statement in _parsed(variant, dialect)}
            if effects:
                yield next(effect for effect in (Effect.WRITE, Effect.UNKNOWN, Effect.READ) if effect in effects)


def _parsed(sql: str, dialect: str) -> list[exp.Expr]:
    """The statements; none where the dialect does not know such SQL."""
    import logging

    import sqlglot
    from sqlglot.errors import SqlglotError

    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it warns of each statement that it does not know
    try:
        return [statement for statement in sqlglot.parse(sql, read=dialect or None) if statement is not None]
    except (SqlglotError, RecursionError, ValueError, TypeError, AttributeError, LookupError, ArithmeticError):
        return []  # its own bugs about SQL that is none show as any of these


def _effect(statement: exp.Expr) -> Effect:
    from sqlglot import exp

    if isinstance(statement, exp.Command):
        return Effect.WRITE if str(statement.this).lower() in _WRITING_COMMANDS else Effect.UNKNOWN
    if isinstance(statement, exp.Copy):
        return Effect.WRITE if statement.args.get("kind") else Effect.UNKNOWN
    effects = {_effect_of_node(node) for node in statement.walk()}
    if Effect.WRITE in effects:
        return Effect.WRITE
    reads = isinstance(statement, (exp.Query, exp.Values, exp.Semicolon)) and effects == {Effect.READ}
    return Effect.READ if reads else Effect.UNKNOWN


def _effect_of_node(node: exp.Expr) -> Effect:
    from sqlglot import exp

    changes = (
        exp.Insert,
        exp.Update,
        exp.Delete,
        exp.Merge,
        exp.Create,
        exp.Drop,
        exp.Alter,
        exp.TruncateTable,
        exp.Into,
        exp.Lock,
        exp.Grant,
        exp.Revoke,
        exp.LoadData,
        exp.Kill,
        exp.NextValueFor,
    )
    if isinstance(node, changes) or (isinstance(node, exp.Anonymous) and node.name.lower() in WRITING_FUNCTIONS):
        return Effect.WRITE
    if isinstance(node, exp.TableAlias) and node.args.get("columns") and not node.this:
        return Effect.UNKNOWN  # a function that was taken for a table with named columns
    if isinstance(node, (exp.Command, exp.QueryTransform)) or (isinstance(node, exp.Func) and not _only_computes(node)):
        return Effect.UNKNOWN
    return Effect.READ


def _only_computes(call: exp.Func) -> bool:
    """Whether a call does nothing but compute: by its name, and where no schema says that it is somebody's own."""
    from sqlglot import exp

    parent = call.parent
    schema = parent.this if isinstance(parent, exp.Dot) and parent.expression is call else None
    if isinstance(parent, exp.Table):
        schema = parent.args.get("db")
    if schema is not None and schema.name.lower() != "pg_catalog":
        return False
    if isinstance(call, exp.Anonymous):
        return _computes(call.name)
    return HARMFUL_FUNCTIONS.isdisjoint(name.lower() for name in call.sql_names())


def _computes(function: str) -> bool:
    from sqlglot import Dialect

    name = function.lower()
    if name in PLAIN_FUNCTIONS or name in COMPUTING_FUNCTIONS or name in BEFORE_PARENTHESES:
        return True
    if name in HARMFUL_FUNCTIONS:
        return False
    return any(name.upper() in Dialect.get_or_raise(dialect).parser_class.FUNCTIONS for dialect in _DIALECTS)


# ---- the effect ------------------------------------------------------------------------------------------------------

_EXPLAIN = re.compile(
    r"(?:explain|describe|desc)\b"
    r"(?P<options>(?:\s+(?:analyze|analyse|verbose|extended|query\s+plan|format\s*=\s*\w+)\b|\s*\([\w\s,]*\))*)"
    r"(?=[\s(]*(?:select|with|values|insert|update|delete|merge|replace|call|exec|execute)\b)",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def effect_of(sql: str) -> Effect:
    """What running the SQL does: it writes if any of its statements does, and reads only if all are shown to."""
    text = sql.removeprefix("\ufeff")
    if len(text) > LONGEST or not re.sub(r"[\t\r\n]", "", text).isprintable() or _is_too_deep(text):
        return Effect.UNKNOWN
    explained = _EXPLAIN.match(text, _after_blanks(text))
    if explained is None:
        return _effect_of_statements(text)
    query = text[explained.end() :]
    effect = _effect_of_statements(query)
    runs = re.search(r"analy[sz]e", explained["options"], re.IGNORECASE) or ";" in query
    return Effect.UNKNOWN if effect is Effect.WRITE and not runs else effect


def _effect_of_statements(sql: str) -> Effect:
    look = _look(sql)
    if look is _Look.PLAIN or _COPY_OUT.fullmatch(sql.strip()):
        return Effect.READ
    found: set[Effect] = set()
    for effect in _effects(sql):
        found.add(effect)
        if effect is Effect.WRITE or (effect is Effect.READ and look is _Look.READING):
            return effect
    if found == {Effect.READ} and look is _Look.DOUBTFUL:
        return Effect.READ
    return Effect.WRITE if _starts_with_a_change(sql) else Effect.UNKNOWN


def _starts_with_a_change(sql: str) -> bool:
    """Whether a statement that no dialect could parse begins as only statements that write do."""
    lexemes = _lexemes(sql)
    if lexemes is None:
        return _first_word(sql) in CHANGES
    return any(statement[0].text in CHANGES for statement in _statements(lexemes) if statement)


# ---- what looks like SQL ---------------------------------------------------------------------------------------------

_NAME = r"""(?:[\w.$@#]|"[^"]*"|`[^`]*`|\[[^\]]*\]|\{\{[^{}]*\}\}|\$\{[^{}]*\})+"""
_OBJECT = (
    r"(?:table|view|index|database|schema|role|user|function|procedure|trigger|sequence|type|domain|extension|column|policy"
    r"|server|tablespace|materialized|temp|temporary|unique|external|stage|task|warehouse|publication|subscription|event"
    r"|login|or\s+replace|or\s+alter|global|system|session|rule|aggregate|language)\b"
)
_END = r"\s*(?:;|$)"
_BEGINNINGS = rf"""
    select\b\s*[-*/('"`\[@:?$%{{+~\d]
    select\s+(?:distinct|all|top|case|null|not|exists|cast|interval|array)\b
    select\s+{_NAME}(?:\s*[(,=<>|+*/:;#~!%&^-]|\s+(?:as|from|into|where|union|limit|order|for|is|in)\b|{_END})
    with\s+(?:recursive\s+)?{_NAME}\s*(?:\([^()]*\)\s*)?as\b
    values\s*(?:\(|row\b)
    table\s+{_NAME}{_END}
    insert\s+(?:\w+\s+){{0,2}}into\b
    (?:replace|upsert|merge)\s+into\b
    merge\s+{_NAME}[^;]*?\susing\b
    update\s+(?:only\s+|top\s*\()?{_NAME}[^;]*?\sset\b
    delete\s+(?:{_NAME}\s+)?(?:from|where)\b
    (?:create|alter|drop|undrop|rename|reindex|refresh|cluster|optimize)\s+(?:if\s+)?{_OBJECT}
    comment\s+on\s+{_OBJECT}
    truncate\s+(?:table\b|only\b|{_NAME}{_END})
    (?:grant|revoke|deny)\s(?:[^;]*?\son\b|\s*{_NAME}\s+(?:to|from)\b)
    call\s+(?:{_NAME}\s*\(|\w+[_.][\w.]*{_END})
    exec(?:ute)?(?:\s*\(|\s+immediate\b|\s+(?:sp|xp)_\w|\s+{_NAME}\s*(?:[(@'\d]|{_END}))
    do\s*(?:\$|'|language\b|\{{)
    begin\b(?:{_END}|\s+(?:tran|transaction|work|read|isolation|try|declare)\b|[^\w\s])
    (?:commit|rollback|abort|vacuum|shutdown|checkpoint|savepoint|release)(?:\s+{_NAME})?{_END}
    start\s+transaction\b
    pragma\s+{_NAME}(?:\s*[=(]|{_END})
    attach\s+(?:database\b|['"])
    (?:detach|install|load|use|listen|unlisten)\s+{_NAME}{_END}
    load\s+(?:data|xml|extension|')
    copy\s+(?:\(|into\b|{_NAME}\s*(?:\([^()]*\)\s*)?(?:from|to)\s+(?:stdin|stdout|program|['@]))
    prepare\s+{_NAME}\s*(?:\(|\s(?:as|from)\b)
    deallocate\s
    declare\s+(?:@|{_NAME}\s+(?:cursor|\w+{_END}))
    set\s+(?:@|(?:global|session|local|role|names|transaction|password|nocount|constraints)\b)
    set\s+{_NAME}\s*(?:=|to\b[^;]*{_END})
    reset\s+(?:(?:all|role|session|query|master)\b|\w*[_.])
    (?:lock|unlock)\s+tables?\b
    analy[sz]e(?:{_END}|\s+(?:table\b|verbose\b|{_NAME}{_END}))
    notify\s+{_NAME}(?:\s*,|{_END})
    handler\s+{_NAME}\s+(?:open|read|close)\b
    kill\s+(?:query\s+|connection\s+)?\d
    discard\s+all\b
    go\s*\n
    delimiter\s
    waitfor\s+(?:delay|time)\b
    dbcc\s
    (?:backup|restore)\s+(?:database|log)\b
    explain\s+(?:analy[sz]e\b|query\s+plan\b|plan\s+for\b|\()
    (?:explain|describe|desc)\s+(?:extended\s+)?(?:select|with|insert|update|delete)\b
    (?:describe|desc)\s+(?:table\s+)?{_NAME}{_END}
    show\s+(?:(?:full|global|session|create|open|all)\s+)*(?:tables?|columns|databases|schemas|index|indexes|keys|view)\b
    show\s+(?:\w+\s+)?(?:variables|status|grants|processlist|functions|procedures|engines?|warnings|errors|roles)\b
    show\s+\w*_\w*{_END}
    \\[a-z!]
    /\*M?!
"""
_SQL = re.compile("|".join(line.strip() for line in _BEGINNINGS.strip().splitlines()), re.IGNORECASE)
"""How SQL begins, by its first word and by what must follow it: prose begins with `update`, `with` or `do`, too."""

_COMMENT = re.compile(r"/\*(?!M?!)(?:[^*/]|\*(?!/)|/(?!\*))*\*/")
_BEGINNING = 1_000
"""How many characters of a text, without comments, are enough to see whether it is SQL."""


def starts_like_a_change(text: str) -> bool:
    """Whether the first word of a text, which may as well be prose, begins statements that change something."""
    beginning = re.sub(r"/\*.*?\*/|\*/", " ", unicodedata.normalize("NFKC", text[:_BEGINNING]), flags=re.DOTALL)
    return _first_word(beginning) in CHANGES | _BLOCKS


_BLOCKS = frozenset({"if", "while", "begin", "declare", "print", "bulk", "call", "exec", "execute", "do"})


def looks_like_sql(text: str) -> bool:
    """Whether a text starts like SQL and not like prose, behind comments, parentheses and invisible characters."""
    normal = unicodedata.normalize("NFKC", text[:LONGEST])
    visible = re.sub(r"\s{2,}", " ", "".join(char for char in normal if char.isprintable() or char.isspace()))
    if "/*" in visible and "*/" not in visible:
        return True  # a comment that goes on beyond what is looked at, or to the end
    start = _LEADING.match(visible)
    beginning = visible[start.end() if start else 0 :]
    if not beginning:
        return len(text) > LONGEST
    return _SQL.match(_COMMENT.sub(" ", beginning)[:_BEGINNING]) is not None
