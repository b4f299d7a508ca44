"""Whether SQL reads or writes. It reads only where that is shown: for every database, whatever its dialect.

Two looks have to agree. The first is at lexemes that are the same in all dialects: where a string or a comment ends
elsewhere in another dialect (backslashes, `#`, `$$`, `/*! … */`, nested comments), the text has no lexemes, and a word that
may change something is then taken for one wherever it stands. The second is at the statements as sqlglot parses them,
which is imported when the first text needs it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

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

_MOST_WORK = 40_000
"""How many tokens are parsed at most, over all dialects: about half a second."""
_DEEPEST = 100
_DIALECTS = ("", "postgres", "mysql", "tsql", "sqlite", "oracle", "bigquery", "snowflake", "duckdb")

# ---- words -----------------------------------------------------------------------------------------------------------


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CHANGES = _words("insert update delete replace upsert merge drop alter create truncate load vacuum reindex grant revoke")
"""Only statements that write begin with these."""

_STATEMENTS = _CHANGES | _words(
    """into call exec execute do copy lock share kill set prepare deallocate declare begin commit rollback save savepoint
    attach detach pragma install handler listen notify reset refresh rename import export analyze cluster optimize go
    shutdown waitfor backup restore dbcc checkpoint reconfigure bulk deny revert disable enable writetext updatetext
    receive send move open close raiserror throw setuser conversation signature undrop put remove unload abort discard"""
)
"""These begin a statement that does more than reading, or a part of one. T-SQL needs no semicolon in front of them. They
may be names, too: then they stand where a name is expected, and nothing follows that cannot follow a name."""

_NEVER = _words(
    "nextval setval outfile dumpfile infile updlock xlock tablock tablockx paglock holdlock xp_cmdshell pg_sleep :="
)
"""With one of these outside of strings nothing is known to read, whatever it parses as."""

_BEFORE_NAMES = _words(
    """select distinct all where and or not by on as when then else case between like ilike in is having from join using
    limit offset over qualify , ( . [ = < > + - * / % | & ^ ~ ! : @ ?"""
)
_AFTER_NAMES = _words(
    """from as and or not is in like ilike between asc desc nulls where group order limit having then else end when union
    join on over collate at , ) . ] = < > + - * / % | & ^ ~ ! : ( ->>"""
)
_QUERY_STARTS = _words("select with values")
_CATALOGUE_STARTS = _words("show describe desc")

# ---- functions -------------------------------------------------------------------------------------------------------

_WRITING_FUNCTIONS = _words("setval nextval lo_import lo_export lo_unlink pg_terminate_backend dblink_exec next_value_for")
_HARMFUL_FUNCTIONS = _WRITING_FUNCTIONS | _words(
    """ai_agg ai_classify ai_embed ai_generate ai_similarity ai_summarize_agg a_i_forecast embed generate
    generate_bool generate_double generate_embedding generate_int generate_table generate_text m_l_forecast m_l_translate
    predict vector_search features_at_time read_csv read_parquet to_file try_to_file secret url file"""
)
"""Functions that sqlglot knows, and that do more than compute."""

_PLAIN_FUNCTIONS = _words(
    """count sum avg min max lower upper length trim ltrim rtrim substr substring replace concat coalesce nullif ifnull
    round abs floor ceil ceiling now date year month day row_number rank dense_rank lag lead first_value last_value
    cast extract date_trunc greatest least"""
)
_BEFORE_PARENTHESES = _words("in and or not from as over on using values exists by join then when else select where union all any")
_COMPUTING_FUNCTIONS = _words(
    """age array_agg array_dims array_fill array_lower array_ndims array_positions array_replace array_to_json array_upper
    bit_and bit_or bool_and bool_or cardinality char_length clock_timestamp col_description convert_from convert_to
    current_setting currval date_part every format_type formattime get_byte host hstore isfinite json_agg json_array
    json_array_elements json_array_elements_text json_array_length json_build_array json_build_object json_each
    json_each_text json_extract_path json_object json_object_agg json_object_keys json_populate_record json_quote json_query
    json_to_record json_to_recordset json_tree json_typeof json_valid json_value json_contains json_unquote json_length
    json_search json_depth json_merge_patch json_array_agg json_objectagg json_arrayagg json_strip_nulls
    jsonb jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object
    jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_object jsonb_object_agg jsonb_object_keys
    jsonb_path_exists jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set
    jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof julianday justify_days lower_inf make_date
    make_interval make_time make_timestamp make_timestamptz masklen network num_nonnulls num_nulls numrange obj_description
    object_name object_schema_name octet_length pg_column_size pg_database_size pg_get_constraintdef pg_get_expr
    pg_get_functiondef pg_get_indexdef pg_get_viewdef pg_indexes_size pg_postmaster_start_time pg_relation_size
    pg_size_pretty pg_table_is_visible pg_table_size pg_total_relation_size pg_typeof plainto_tsquery phraseto_tsquery
    printf quote quote_ident quote_literal quote_nullable regexp_match regexp_matches regexp_split_to_array
    regexp_split_to_table regexp_substr row row_to_json scale similarity sha224 sha256 sha384 sha512 split_part sqlite_version
    statement_timestamp string_agg string_to_table strip strftime time_format timediff timeofday timezone to_ascii
    to_json to_jsonb to_regclass to_tsquery to_tsvector total transaction_timestamp trunc ts_headline ts_rank ts_rank_cd
    tsrange tstzrange daterange int4range int8range txid_current_snapshot unixepoch upper_inf websearch_to_tsquery
    width_bucket word_similarity xmlagg xpath zeroblob total_changes likely unlikely instr hex nvl nvl2 ifnull iif
    adddate addtime subdate subtime dayname dayofmonth dayofweek dayofyear field find_in_set format from_days from_unixtime
    inet_aton inet_ntoa last_day makedate maketime microsecond monthname period_add period_diff quarter sec_to_time
    str_to_date time_to_sec timestampadd timestampdiff to_days unix_timestamp utc_date utc_time weekday week weekofyear
    yearweek bin conv crc32 oct mid ord elt export_set uuid user schema database version connection_id current_user
    choose datalength datename datepart db_name isdate isjson isnumeric len nchar newid parse patindex quotename replicate
    str string_escape stuff switchoffset sysdatetime sysutcdatetime todatetimeoffset try_convert try_parse concat_ws
    listagg median rownum sysdate to_char to_date to_number to_timestamp add_months months_between regexp_count cube rollup
    st_area st_asgeojson st_astext st_buffer st_contains st_distance st_dwithin st_intersects st_length st_makepoint
    st_point st_setsrid st_transform st_within st_x st_y ratio_to_report ntile percent_rank cume_dist system bernoulli
    time_bucket date_bin approx_count_distinct corr covar_pop regr_slope stddev variance mode tuple quarter"""
)
"""Functions that only compute and that sqlglot does not know by name in every dialect."""

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
        if bracket and kind in ("string", "quoted") and "]" in text:
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
_COPY_OUT = re.compile(r"\s*copy\s+\w+(?:\.\w+)?(?:\s*\([\w\s,]*\))?\s+to\s+stdout\b[\w\s,()]*;?\s*", re.IGNORECASE)


def _look(sql: str) -> _Look:
    if _BRACES.search(sql):
        return _Look.NOT_SHOWN
    lexemes = _lexemes(sql)
    if lexemes is None:
        return _look_at_words(sql)
    if any(lexeme.kind == "string" and _NAMED_PARAMETER.search(lexeme.text) for lexeme in lexemes):
        return _Look.NOT_SHOWN
    looks = {_look_at_statement(statement) for statement in _statements(lexemes) if statement}
    return next((look for look in reversed(_Look) if look in looks), _Look.NOT_SHOWN)


def _look_at_words(sql: str) -> _Look:
    """The look at a text whose strings and comments depend on the dialect: each of its words may be outside of them."""
    words = {word.lower() for word in _WORD.findall(unicodedata.normalize("NFKC", sql))}
    if _first_word(sql) not in _QUERY_STARTS or words & (_STATEMENTS | _NEVER) or {"next", "value"} <= words:
        return _Look.NOT_SHOWN
    if any(word[0].isdigit() and word.endswith(tuple(_STATEMENTS)) for word in words):
        return _Look.NOT_SHOWN  # `1DELETE` is a number and a word
    if "{" in re.sub(r"'\{[^']*\}'", "", sql) or _NAMED_PARAMETER.search(sql) or _LATER_STATEMENT.search(sql):
        return _Look.NOT_SHOWN
    if re.search(r"(?m)^\s*\\|\\[a-z!]+\s*$", sql):
        return _Look.NOT_SHOWN  # a command of psql
    return _Look.DOUBTFUL if all(map(_computes, _CALL.findall(sql))) else _Look.NOT_SHOWN


def _first_word(sql: str) -> str:
    """The first word after blanks, comments and parentheses, in lower case."""
    start = _LEADING.match(sql)
    word = _WORD.match(sql, start.end() if start else 0)
    return word[0].lower() if word else ""


def _look_at_statement(statement: list[_Lexeme]) -> _Look:
    first = next((lexeme.text for lexeme in statement if lexeme.text != "("), "")
    if first in _CATALOGUE_STARTS:
        plain = all(lexeme.kind != "mark" or lexeme.text in ".,=*@%" for lexeme in statement)
        return _Look.PLAIN if plain and len(statement) > 1 else _Look.NOT_SHOWN
    if first not in _QUERY_STARTS:
        return _Look.NOT_SHOWN
    look = _Look.PLAIN
    end = _Lexeme("mark", ")")
    for before, lexeme, after in zip([end, *statement], statement, [*statement[1:], end]):
        if lexeme.kind == "word":
            if lexeme.text in _NEVER or (lexeme.text, after.text) == ("next", "value"):
                return _Look.NOT_SHOWN
            if lexeme.text in _STATEMENTS:
                if before.text not in _BEFORE_NAMES or after.text not in _AFTER_NAMES:
                    return _Look.NOT_SHOWN
                look = _Look.DOUBTFUL
        if lexeme.text == ":=":
            return _Look.NOT_SHOWN
        if look is _Look.PLAIN and not _is_plain(before, lexeme, after):
            look = _Look.READING
    return look


def _is_plain(before: _Lexeme, lexeme: _Lexeme, after: _Lexeme) -> bool:
    """Whether no parsing is needed to see that a lexeme is harmless."""
    if lexeme.kind == "word" and after.text == "(":
        if lexeme.text in _PLAIN_FUNCTIONS:
            return before.text != "."
        return lexeme.text in _BEFORE_PARENTHESES
    if lexeme.kind in ("quoted", "mark") and after.text == "(":
        return lexeme.kind == "mark" and lexeme.text in "(,=<>*"
    return lexeme.kind != "mark" or lexeme.text in "(),.*=<>"


# ---- limits ----------------------------------------------------------------------------------------------------------

_ATOM = re.compile(r"\w+|[^\w\s]")
_PREFIXES = _words("not - + ~ interval distinct all")


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

    It parses what may be a type, such as `date(…)`, once as a type and then again: each level doubles the work.
    """
    work, weight = 0, 1
    doubled: list[bool] = []
    previous = ""
    for atom in map(str.lower, _ATOM.findall(sql)):
        if atom in "([{":
            doubled.append(_is_type(previous))
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
_EXECUTED_COMMENT = re.compile(r"/\*M?!\d*((?:[^*]|\*(?!/))*)\*/")
_WRITING_COMMANDS = _words("vacuum reindex refresh cluster optimize revoke grant rename import")


def _effects(sql: str) -> Iterator[Effect]:
    """The effect by each dialect that can parse the text, and an unknown one where that would take too long."""
    text = _PARAMETER.sub("?", _PLACEHOLDER.sub("placeholder", sql))
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


def _is_type(word: str) -> bool:
    from sqlglot import Dialect, Parser

    known = (Dialect.get_or_raise(name).tokenizer_class.KEYWORDS.get(word.upper()) for name in _DIALECTS)
    return any(token in Parser.TYPE_TOKENS for token in known)


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
    if isinstance(statement, exp.Kill) or _changes(statement):
        return Effect.WRITE
    if not isinstance(statement, (exp.Query, exp.Values, exp.Semicolon)) or statement.find(exp.QueryTransform):
        return Effect.UNKNOWN
    if any(alias.args.get("columns") and not alias.this for alias in statement.find_all(exp.TableAlias)):
        return Effect.UNKNOWN  # a function that was taken for a table with named columns
    return Effect.READ if all(map(_only_computes, statement.find_all(exp.Func))) else Effect.UNKNOWN


def _changes(statement: exp.Expr) -> bool:
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
        exp.NextValueFor,
    )
    if statement.find(*changes) is not None:
        return True
    return any(call.name.lower() in _WRITING_FUNCTIONS for call in statement.find_all(exp.Anonymous))


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
    return _HARMFUL_FUNCTIONS.isdisjoint(name.lower() for name in call.sql_names())


def _computes(function: str) -> bool:
    from sqlglot import Dialect

    name = function.lower()
    if name in _PLAIN_FUNCTIONS or name in _COMPUTING_FUNCTIONS or name in _BEFORE_PARENTHESES:
        return True
    if name in _HARMFUL_FUNCTIONS:
        return False
    return any(name.upper() in Dialect.get_or_raise(dialect).parser_class.FUNCTIONS for dialect in _DIALECTS)


# ---- the effect ------------------------------------------------------------------------------------------------------

_EXPLAIN = re.compile(
    r"(?:explain|describe|desc)\b"
    r"(?P<options>(?:\s+(?:analyze|analyse|verbose|extended|query\s+plan|format\s*=\s*\w+)\b|\s*\([\w\s,]*\))*)"
    r"\s*(?=\(*\s*(?:select|with|values|insert|update|delete|merge|replace|call|exec|execute)\b)",
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
    if look is _Look.PLAIN or _COPY_OUT.fullmatch(sql):
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
        return _first_word(sql) in _CHANGES
    return any(statement[0].text in _CHANGES for statement in _statements(lexemes) if statement)


# ---- what looks like SQL ---------------------------------------------------------------------------------------------


def looks_like_sql(text: str) -> bool:
    """Whether a text starts like SQL and not like prose."""
    return False
