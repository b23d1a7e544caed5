"""Random and hostile texts for the member `sql` of `cache/query`.

`Tests/Hostile/SQL/statements.py SEED NUMBER` prints a statement.
"""

import json
import random
import sys

TABLES = ["character", "location", "episode", "larder_tables", "larder_columns"]
COLUMNS = ["id", "name", "status", "species", "episode", "type", "created", "_id", "_json", "_stale", "*", "rowid"]
HIDDEN = [
    "sqlite_schema", "sqlite_master", "sqlite_temp_master", "main.items", "main.character", "temp.character",
    "sqlite_stmt", "sqlite_sequence", "dbstat", "pragma_database_list", "pragma_table_info('character')",
    "pragma_function_list", "json_each('[1]')", "generate_series(1, 9)", "fsdir('.')", "bytecode('select 1')",
    "sqlite_dbpage", "carray(1, 1)", "fts5vocab", "stat4", "items", "resources", "larder",
]  # fmt: skip
FUNCTIONS = [
    "abs", "avg", "changes", "char", "coalesce", "count", "date", "edit", "eval", "fts3_tokenizer", "fts5", "glob",
    "group_concat", "hex", "iif", "instr", "json", "json_array", "json_each", "json_extract", "json_group_array",
    "json_object", "json_set", "lag", "last_insert_rowid", "length", "like", "likelihood", "load_extension", "lower",
    "ltrim", "match", "max", "min", "nth_value", "ntile", "nullif", "printf", "quote", "random", "randomblob",
    "readfile", "regexp", "replace", "round", "row_number", "sha3", "shell", "soundex", "sqlite_compileoption_get",
    "sqlite_log", "sqlite_offset", "strftime", "substr", "sum", "total", "total_changes", "trim", "typeof", "unicode",
    "upper", "writefile", "zeroblob",
]  # fmt: skip
WORDS = (
    "abort add all alter analyze and as asc attach begin between by case cast check collate column commit conflict "
    "constraint create cross current_time database default deferred delete desc detach distinct drop each else end "
    "escape except exclusive exists explain filter for foreign from full glob group having if immediate in index "
    "indexed inner insert instead intersect into is isnull join key left like limit match materialized natural not "
    "notnull null of offset on or order outer over partition plan pragma primary query range recursive references "
    "reindex release rename replace restrict returning right rollback row rows savepoint select set table temp then "
    "to transaction trigger union unique update using vacuum values view virtual when where window with without"
).split()
SIGNS = [
    "(", ")", ",", ";", ".", "*", "+", "-", "/", "%", "=", "==", "<>", "<", "<=", "<<", "||", "->", "->>", "&", "|",
    "~", "?", "?1", "?999", ":a", "@a", "$a", "'", '"', "`", "[", "]", "--", "/*", "*/", "\\", "{", "#", "!", "\t",
]  # fmt: skip
VALUES = [
    "0", "1", "-1", "2.5", "1e308", "1e999", "9223372036854775807", "9223372036854775808", "0x7fffffffffffffff", "''",
    "'a'", "'it''s'", "x'00ff'", "x'0'", "null", "true", "'[1,2]'", "'{\"a\":1}'", "'$.a'", "'%'", "\u00e9",
    "'\u65e5\u672c'", "'\U0001f600'", "\u202e", "1_000", "nan", "infinity",
]  # fmt: skip
VALID = [
    "select * from character order by id limit 5",
    "select name, count(*) from character group by 1 having count(*) > 1 order by 2 desc",
    "select c.name, l.name from character c join location l on l._id = c.id where c.status = 'Alive'",
    "select e.name, c.value from episode e, json_each(e.characters) c where e.id < 4",
    "with recursive r(n) as (select 1 union all select n + 1 from r where n < 20) select n, n * n from r",
    "select name, row_number() over (partition by species order by id) from character",
    "select id, sum(id) over (order by id rows between 2 preceding and 1 following) from episode",
    "select id from character union select id from location except select id from episode order by 1",
    "select case when id % 2 then upper(name) else lower(name) end from character where name like '%rick%'",
    "select (select max(id) from episode), exists (select 1 from location where id = 3)",
    "select name from larder_tables where rows > 0",
    "select table_name, group_concat(name) from larder_columns group by 1",
    "select json_object('id', id, 'name', name), json_extract(_json, '$.origin.name') from character limit 3",
    "select distinct substr(created, 1, 4), typeof(_fetched_at) from location where _stale in (0, 1)",
    "select printf('%05d %s', id, trim(name)) from character where _id = '7'",
    "with a as materialized (select id from character), b(x) as (values (1), (2)) select * from a, b limit 9",
    "select count(*) filter (where id > 3), avg(id), total(id) from episode natural join character",
    "select * from character left join episode on episode.id = character.id where episode.name is not null",
    "select hex(char(65, 8364)), quote(name), cast(id as text) collate nocase from location limit 2 offset 1",
    "select ?1, :name, @b, $c",
]
WRITES = [
    "insert into {} values (1)", "insert or replace into {} (id) values (1)", "insert into {} select * from character",
    "insert into {} default values", "replace into {} (id) values (1)", "update {} set id = 1",
    "update {} set _json = '{{}}' where 1", "update or ignore {} set name = writefile('a', 'b')", "delete from {}",
    "delete from {} where id = 1 returning *", "create table {} (a)",
    "create table if not exists x as select * from {}",
    "create temp table x as select * from {}", "create view x as select * from {}", "create index x on {} (id)",
    "create trigger x after insert on {} begin delete from character; end", "create virtual table x using fts5({})",
    "create virtual table x using dbstat", "create virtual table x using larder({})", "drop table {}",
    "drop table if exists {}", "drop view {}", "drop index {}", "alter table {} rename to x",
    "alter table {} add column x", "alter table {} drop column id", "attach '{}' as x", "attach ':memory:' as x",
    "attach 'file:stolen?mode=rwc' as x", "detach {}", "detach main", "vacuum", "vacuum into '{}'", "vacuum main",
    "reindex", "reindex {}", "analyze", "analyze {}", "begin", "begin exclusive", "commit", "end", "rollback",
    "savepoint {}", "release {}", "pragma {}", "pragma journal_mode = delete", "pragma writable_schema = 1",
    "pragma query_only = 0", "pragma user_version = 7", "pragma temp_store = file", "pragma main.synchronous = off",
    "pragma table_info({})", "pragma wal_checkpoint(truncate)", "pragma integrity_check", "pragma optimize",
    "pragma cache_size = 1000000000", "pragma mmap_size = 1000000000000", "select load_extension('{}')",
    "select load_extension('libc.so.6', 'system')", "select writefile('stolen', name) from {}",
    "select readfile('/etc/passwd') from {}", "select edit('{}')", "select eval('delete from {}')",
    "select fts3_tokenizer('{}', x'00')", "select fts5('{}')", "select * from {}", "select * from main.{}",
    "select * from temp.{}", "select sql from {}", "select * from pragma_{}", "select * from pragma_table_list",
    "select * from pragma_journal_mode('delete')", "select * from {}, pragma_user_version",
    "select * from dbstat('{}')",
    "select count(*) from sqlite_schema", "with x as (select 1) insert into {} select * from x",
    "with x as (select 1) update {} set id = 1", "with x as (select 1) delete from {}", "values (writefile('{}', 1))",
    "select * from {} where id in (select writefile('stolen', 1))", "select last_insert_rowid(), changes() from {}",
    "select sqlite_log(1, '{}')", "select * from character order by load_extension('{}')",
    "select * from character where name match '{}'", "select * from bytecode('delete from {}')",
]  # fmt: skip
PREFIXES = [
    "explain ", "explain query plan ", "EXPLAIN\n", "/* select */ ", "-- select\n", "; ", "select 1; ", "\ufeff", "\f",
    "with x as (select 1) ", "(", "select * from (", "select 1 union ", "begin; ", "return ", "prepare ",
]  # fmt: skip
SUFFIXES = ["", ";", "; --", "; select 1", ";;", " -- x", " /* x", " limit 1", ")", " returning *", "\u0000"]
LARGEST = 1_000_000
COUNT = "with recursive r(n) as (select 1 union all select n + 1 from r{})"


def size(random, most):
    """Returns a number between 1 and `most`. Small numbers are as frequent as large ones."""
    return int(2 ** random.uniform(0, most.bit_length() - 1))


def token(random):
    return random.choice(random.choice([WORDS, SIGNS, VALUES, FUNCTIONS, TABLES, COLUMNS, HIDDEN]))


def soup(random):
    start = random.choice(["", "", "select ", "with x as (", "select * from ", "values ("])
    between = random.choice([" ", " ", "", "\n", "/**/"])
    return start + between.join(token(random) for _ in range(size(random, 600)))


def kin(random, word):
    """Returns a word that may have the same place."""
    bare = word.strip("(),")
    for group in TABLES, COLUMNS, FUNCTIONS, WORDS, VALUES:
        if bare in group:
            return word.replace(bare, random.choice(group))
    return str(random.choice([0, -1, 2**31, 2**63 - 1, 10**20])) if word.isdigit() else word


def mutated(random):
    parts = random.choice(VALID).split(" ")
    if random.random() < 0.4:
        return " ".join(kin(random, word) if random.random() < 0.3 else word for word in parts)
    for _ in range(random.choice([1, 1, 1, 2, 3, 6])):
        at, other = sorted(random.choices(range(len(parts) + 1), k=2))
        parts[at:other] = random.choice([
            [], [token(random)], parts[at:other] * 2, parts[at:other][::-1], random.choice(VALID).split(" ")[at:other],
            [f"({' '.join(parts[at:other])})"], [" ".join(parts[at:other]).swapcase()],
            [str(random.choice([2**31, 2**63, 10**20, -1])), *parts[at:other]],
        ])
    text = " ".join(parts)
    if text and random.random() < 0.3:
        at = random.randrange(len(text))
        text = text[:at] + random.choice([chr(random.randrange(1, 0xD800)), ""]) + text[at + 1 :]
    return text


def expression(random, depth):
    if depth == 0 or random.random() < 0.05:
        return random.choice([*VALUES[:12], "id", "name", "_json", "1", "?"])
    part = expression(random, depth - 1)
    return random.choice([
        f"({part})", f"-{part}", f"not {part}", f"~({part})", f"{random.choice(FUNCTIONS)}({part})", f"({part}) + 1",
        f"{part} in (1, 2)", f"case when {part} then {part if depth < 8 else 1} end", f"(select {part})",
        f"exists (select {part})", f"cast({part} as text)", f"({part}) || 'a'", f"coalesce({part}, {part[:50]})",
        f"{part} between 1 and 2", f"{part} is not distinct from 1", f"{part} collate nocase",
    ])  # fmt: skip


def nested(random):
    count = size(random, 2000)
    few = size(random, 9)
    chain = ", ".join(f"c{index + 1} as (select * from c{index} where 1)" for index in range(count))
    doubled = ", ".join(f"c{index + 1} as (select a.x from c{index} a, c{index} b)" for index in range(few))
    opened, closed = random.choice([
        ("(", ")"), ("not ", ""), ("- ", ""), ("~", ""), ("(select ", ")"), ("upper(", ")"), ("hex(", ")"),
        ("case when 1 then ", " end"), ("exists (select ", ")"), ("coalesce(1, ", ")"), ("1 + ", ""), ("'a' || ", ""),
        ("1 in (", ")"), ("cast(", " as text)"), ("json_array(", ")"), ("1, ", ""), ("max(1, ", ")"), ("+", ""),
    ])  # fmt: skip
    depth = random.choice([few, 99, count])
    return random.choice([
        f"select {opened * count}1{closed * count}",
        f"select {expression(random, min(count, 150))} from {random.choice(TABLES)}",
        "select * from " + "(select * from " * count + "character" + ")" * count,
        "select * from " + "(" * count + "character" + ")" * count,
        f"with c0 as (select 1 x), {chain} select * from c{count}",
        f"with c0 as (select 1 x), {doubled} select count(*) from c{few}",
        "with " * count + "select 1",
        "select 1 " + random.choice(["union ", "union all ", "intersect "]) + "select 1 union ".join([""] * count)
        + "select 1",
        f"select json('{'[' * count}{']' * count}'), json_valid('{'{' * count}')",
        "select " + "1 in (select " * depth + "1" + ")" * depth,
        "select * from character c where " + "exists (select 1 from episode where " * depth + "1" + ")" * depth,
        "select 1 from " + " left join ".join(["character"] * size(random, 80)),
    ])  # fmt: skip


def write(random):
    target = random.choice([*TABLES, *HIDDEN, "stolen.sqlite", "x"])
    text = random.choice(WRITES).format(target)
    text = random.choice([text, text.upper(), text.replace(" ", random.choice(["\n", "/**/", "  ", "\t"]))])
    text += random.choice(SUFFIXES)
    for _ in range(random.choice([0, 0, 1, 1, 2])):
        text = random.choice(PREFIXES) + text
    return text


def bomb(random):
    limit = random.choice(["", f" limit {size(random, 10**7)}"])
    rows, big = COUNT.format(limit), f"hex(zeroblob({size(random, LARGEST)}))"
    pad, columns = size(random, 10_000_000), size(random, 700)
    joined = ", ".join(f"{random.choice(TABLES[:3])} t{index}" for index in range(size(random, 70)))
    numbers = ", ".join(str(index) for index in range(size(random, 12_000)))
    pattern = "".join(random.choice(["%", "_", "0", "a", "%0", "[0-9]", "*", "?"]) for _ in range(size(random, 60)))
    frame = random.choice(["rows", "groups"]) + f" between {size(random, 10**6)} preceding and current row"
    value = random.choice(["n", f"printf('%0{size(random, 3000)}d', n)", "random()", "-n", "n % 7", f"length({big})"])
    aggregate = random.choice([
        "count(*)", "max({})", "sum({})", "group_concat({})", "count(distinct {})", "json_group_array({})", "total({})",
        "json_group_object(n, {})", "length(group_concat({}))", "min({})", "avg({})",
    ]).format(value)  # fmt: skip
    return random.choice([
        f"{rows} select {aggregate} from r",
        f"{rows} select {value} from r order by {value} desc limit 3",
        f"{rows} select {aggregate} from r group by n % {size(random, 100_000)} limit 5",
        f"{rows} select distinct {value} from r limit {size(random, 100)} offset {size(random, 10**9)}",
        f"{rows} select max(x) from (select {aggregate} over (order by n {frame}) x from r)",
        f"{rows} select max(x) from (select nth_value(n, {size(random, 10**6)}) over (order by -n) x from r)",
        f"{rows.replace(' all', '')} select count(*) from r",
        f"{rows}, s as (select n from r) select count(*) from s, s t, s u",
        f"{rows}, s(x) as materialized (select {big} || n from r) select count(*), max(length(x)) from s",
        f"{rows} select length(x) from (select {big} || n x from r) order by x limit 3 offset 1000",
        f"{rows} select count(distinct {big} || n) from r",
        f"{rows} select count(*) from r, json_each('[{numbers}]')",
        f"{rows} select sum(length(json_array({value}, {value}))) from r",
        f"{rows} select count(*) from json_tree((select json_group_array(n) from r))",
        f"select count(*) from {joined}",
        f"select max(t0.name) from {joined} where t0.id + 0 = -1",
        f"select printf('%{pad}d', 1)", f"select length(printf('%.{pad}f', 1.5))", f"select length(zeroblob({pad}))",
        f"select printf('%*c', {pad}, 'a')", f"select char({numbers})", f"select length(hex(hex({big})))",
        f"select length(replace({big}, '0', '{'a' * size(random, 60)}'))", f"select {big} like '{pattern}'",
        f"select count(*) from character a, character b where a._json || b._json like '{pattern}'",
        f"select {big} glob '{pattern}'", f"select instr({big}, '1'), trim({big}, '0')", f"select quote({big})",
        f"select count(*) from character where id in ({numbers})", f"values ({'), ('.join(numbers.split(', '))})",
        f"select {', '.join(['id'] * columns)} from character", f"select {', '.join(['?'] * columns)}",
        f"select * from character order by {', '.join(['name'] * columns)}",
        f"select 1 {'union select 1 ' * min(columns, 100)}",
        f"select length(strftime('{'%Y' * size(random, 20_000)}'))",
        f"select sum(a.id) from {joined} join character a using (id)", f"select {' + '.join(numbers.split(', '))}",
        f"select {big} from character limit 2", f"{rows} select n from r",
        "select '" + "a" * size(random, 70_000) + "'",
    ])  # fmt: skip


RAW = [
    b"\xff", b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\xf0\x9f", b"\xef\xbb\xbf",
    b"\\ud800", b"\\udc00\\ud800", b"\\ud83d\\ude00", b"\\u0000", b"\\u00", b"\\uZZZZ", b"\\x41", b"\\", b"\x00",
    b"\x1b",
    b"\\u0000; delete from character", b"\\u000a", b"\\u0027", b"\\u0022", b'"', b"\xef\xbf\xbf", b"\\ufeff", b"\\b",
    b"\x7f", b"\xe2\x80\xae", b"\\/", b"\\u2028",
]  # fmt: skip


def damaged(random):
    """Returns the JSON string of a statement with invalid escapes, invalid UTF-8 or NULs."""
    data = bytearray(json.dumps(random.choice([mutated, write])(random), ensure_ascii=False).encode())
    for _ in range(random.randint(1, 3)):
        at = random.randint(1, len(data) - 1)
        data[at:at] = random.choice(RAW)
    return bytes(data).replace(b"\n", b" ")


KINDS = {"soup": soup, "mutated": mutated, "nested": nested, "write": write, "bomb": bomb, "damaged": damaged}
WEIGHTS = [18, 25, 15, 18, 14, 10]
MORE = [
    {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {"maxRows": 1}, {"maxRows": 100_000}, {"maxRows": 0}, {"maxRows": 10**9},
    {"params": [1]}, {"params": ["a", None, 2.5]}, {"params": {"a": 1}}, {"params": ["a" * 1000] * 50},
    {"coverage": "synced"},
]  # fmt: skip


def statement(seed, number):
    """Returns the kind of a statement, the JSON of its text, and further params."""
    chance = random.Random(f"{seed}/{number}")
    (kind,) = chance.choices(list(KINDS), WEIGHTS)
    text = KINDS[kind](chance)
    data = text if kind == "damaged" else json.dumps(text, ensure_ascii=chance.random() < 0.5).encode()
    return kind, data, chance.choice(MORE)


if __name__ == "__main__":
    print(*statement(*sys.argv[1:]))
