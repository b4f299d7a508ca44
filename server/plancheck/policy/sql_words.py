"""The words and functions by which SQL is told to read or not: data for `policy.sql`."""

from __future__ import annotations


def split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DATABASES = split_words(
    """db dbs database databases postgres postgresql pg psql mysql mariadb sqlite sqlite3 mssql sqlserver oracle
    bigquery bq snowflake redshift duckdb clickhouse trino presto athena hive databricks synapse cockroach cockroachdb
    supabase vertica teradata db2 singlestore timescale timescaledb impala"""
)
"""Words in the names of tools of a database."""
SEARCHES = split_words("search find lookup browse retrieve list get")
"""Words in the names of tools whose `query` may be anything."""

CHANGES = split_words(
    "insert update delete replace upsert merge drop alter create truncate load vacuum reindex grant revoke"
)
"""Only statements that write begin with these."""

STATEMENTS = CHANGES | split_words(
    """into call exec execute do copy lock share kill set prepare deallocate declare begin commit rollback save
    savepoint attach detach pragma install handler listen notify reset refresh rename import export analyze
    cluster optimize go shutdown waitfor backup restore dbcc checkpoint reconfigure bulk deny revert disable
    enable writetext updatetext receive send move open close raiserror throw setuser conversation signature
    undrop put remove unload abort discard"""
)
"""These begin a statement that does more than reading, or a part of one. T-SQL needs no semicolon in front of them.
They may be names, too: then they stand where a name is expected, and nothing follows that cannot follow a name."""

BATCH_WORDS = split_words("use print fetch readtext goto return while break continue lineno dump")
"""These begin a statement, or a part of one, in the middle of a batch of T-SQL. They are words of prose as well."""

NEVER = split_words(
    """nextval setval outfile dumpfile infile updlock xlock tablock tablockx paglock holdlock xp_cmdshell pg_sleep
    uescape :="""
)
"""With one of these outside of strings nothing is known to read, whatever it parses as."""

BEFORE_NAMES = split_words(
    """select distinct all where and or not by on as when then else case between like ilike in is having from join
    using limit offset over qualify , ( . [ = < > + - * / % | & ^ ~ ! : @"""
)
AFTER_NAMES = split_words(
    """from as and or not is in like ilike between asc desc nulls where group order limit having then else end when
    union join on over collate at , ) . ] = < > + - * / % | & ^ ~ ! : ( ->>"""
)
BEFORE_OPERANDS = split_words("select distinct where and or by on when between like ilike having , ( . = < > + - * / |")
"""Those of `BEFORE_NAMES` behind which no dialect lets a statement begin."""

QUERY_STARTS = split_words("select with values table")
CATALOGUE_STARTS = split_words("show describe desc")
BLOCK_STARTS = split_words("if while begin declare print bulk for loop else explain from flush purge start stop")
"""Besides the others, what SQL can begin with that does something further on."""

READING_PRAGMAS = split_words(
    """table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check
    database_list collation_list function_list module_list pragma_list compile_options integrity_check quick_check
    show_tables database_size version"""
)
READING_SETTINGS = split_words(
    """application_id auto_vacuum busy_timeout cache_size data_version encoding foreign_keys freelist_count
    journal_mode journal_size_limit max_page_count mmap_size page_count page_size query_only recursive_triggers
    schema_version secure_delete synchronous temp_store user_version"""
)
"""A PRAGMA asks for these where nothing stands behind their names, and sets them where something does."""

# ---- functions -------------------------------------------------------------------------------------------------------

WRITING_FUNCTIONS = split_words(
    "setval nextval lo_import lo_export lo_unlink pg_terminate_backend dblink_exec next_value_for"
)
HARMFUL_FUNCTIONS = WRITING_FUNCTIONS | split_words(
    """ai_agg ai_classify ai_embed ai_generate ai_similarity ai_summarize_agg a_i_forecast embed generate generate_bool
    generate_double generate_embedding generate_int generate_table generate_text m_l_forecast m_l_translate
    predict vector_search features_at_time read_csv read_parquet to_file try_to_file secret url file"""
)
"""Functions that sqlglot knows, and that do more than compute."""

PLAIN_FUNCTIONS = split_words(
    """count sum avg min max lower upper length trim ltrim rtrim substr substring replace concat coalesce nullif ifnull
    round abs floor ceil ceiling now date year month day row_number rank dense_rank lag lead first_value
    last_value cast extract date_trunc greatest least"""
)
READING_IF_EMPTY = split_words("last_insert_id")
"""Functions that change something if they are given anything."""
SAMPLING_METHODS = split_words("system bernoulli")
"""They are no functions behind TABLESAMPLE, and elsewhere `system` runs a command."""
PLAIN_SCHEMAS = split_words("pg_catalog safe")
"""What may stand before the name of a function that the database itself has."""

BEFORE_PARENTHESES = split_words(
    "in and or not from as over on using values exists by join then when else select where union all any"
)
COMPUTING_FUNCTIONS = split_words(
    """age array_agg array_dims array_fill array_lower array_ndims array_positions array_replace array_to_json
    array_upper bit_and bit_or bool_and bool_or cardinality char_length clock_timestamp col_description
    convert_from convert_to current_setting currval date_part every format_type formattime get_byte host hstore
    isfinite json_agg json_array json_array_elements json_array_elements_text json_array_length json_build_array
    json_build_object json_each json_each_text json_extract_path json_object json_object_agg json_object_keys
    json_populate_record json_quote json_query json_to_record json_to_recordset json_tree json_typeof json_valid
    json_value json_contains json_unquote json_length json_search json_depth json_merge_patch json_array_agg
    json_objectagg json_arrayagg json_strip_nulls jsonb jsonb_agg jsonb_array_elements jsonb_array_elements_text
    jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path
    jsonb_extract_path_text jsonb_object jsonb_object_agg jsonb_object_keys jsonb_path_exists jsonb_path_match
    jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls
    jsonb_to_record jsonb_to_recordset jsonb_typeof julianday justify_days lower_inf make_date make_interval
    make_time make_timestamp make_timestamptz masklen network num_nonnulls num_nulls numrange obj_description
    object_name object_schema_name octet_length pg_column_size pg_database_size pg_get_constraintdef pg_get_expr
    pg_get_functiondef pg_get_indexdef pg_get_viewdef pg_indexes_size pg_postmaster_start_time pg_relation_size
    pg_size_pretty pg_table_is_visible pg_table_size pg_total_relation_size pg_typeof plainto_tsquery
    phraseto_tsquery printf quote quote_ident quote_literal quote_nullable regexp_match regexp_matches
    regexp_split_to_array regexp_split_to_table regexp_substr row row_to_json scale similarity sha224 sha256
    sha384 sha512 split_part sqlite_version statement_timestamp string_agg string_to_table strip strftime
    time_format timediff timeofday timezone to_ascii to_json to_jsonb to_regclass to_tsquery to_tsvector total
    transaction_timestamp trunc ts_headline ts_rank ts_rank_cd tsrange tstzrange daterange int4range int8range
    txid_current_snapshot unixepoch upper_inf websearch_to_tsquery width_bucket word_similarity xmlagg xpath
    zeroblob total_changes likely unlikely instr hex nvl nvl2 ifnull iif adddate addtime subdate subtime dayname
    dayofmonth dayofweek dayofyear field find_in_set format from_days from_unixtime inet_aton inet_ntoa last_day
    makedate maketime microsecond monthname period_add period_diff quarter sec_to_time str_to_date time_to_sec
    timestampadd timestampdiff to_days unix_timestamp utc_date utc_time weekday week weekofyear yearweek bin
    conv crc32 oct mid ord elt export_set uuid user schema database version connection_id current_user choose
    datalength datename datepart db_name isdate isjson isnumeric len nchar newid parse patindex quotename
    replicate str string_escape stuff switchoffset sysdatetime sysutcdatetime todatetimeoffset try_convert
    try_parse concat_ws listagg median rownum sysdate to_char to_date to_number to_timestamp add_months
    months_between regexp_count cube rollup st_area st_asgeojson st_astext st_buffer st_contains st_distance
    st_dwithin st_intersects st_length st_makepoint st_point st_setsrid st_transform st_within st_x st_y
    ratio_to_report ntile percent_rank cume_dist time_bucket date_bin approx_count_distinct
    corr covar_pop regr_slope stddev variance mode tuple quarter digest hmac object_definition object_id schema_id
    schema_name type_name type_id col_name col_length db_id objectproperty columnproperty databasepropertyex
    serverproperty decimal numeric number varchar varchar2 nvarchar char varbinary float double int integer bigint
    bit datetime2"""
)
"""Functions that only compute and that sqlglot does not know by name in every dialect."""
