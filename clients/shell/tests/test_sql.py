"""SQL over the cache in larder.sh, with the real program."""

import json

from running import lines

SYNC = 'larder_start "${OPTIONS[@]}"; larder_call character/sync >/dev/null; larder_call episode/sync >/dev/null\n'


def test_larder_sql_prints_each_row_as_an_object(bash):
    done = bash(
        SYNC
        + r"""
        larder_sql 'select id, name, type from character where id < ? and name like ? order by id' 3 '%mor%'
        larder_sql 'select name, length(name), name, "a", null x from (select 1 name, 2 "a")'
        sql="select ? a, ? b, '[\"c\"],[' c union all select 1, '],\"rows\":[', '],\"truncated\":true,'"
        larder_sql "$sql" $'a]\\\n"' '[],"'
        larder_sql 'select * from location'
        larder_stop
        """
    )
    assert lines(done) == [
        {"id": 2, "name": "Morty Smith", "type": ""},
        {"name": 1, "length(name)": 1, "name_2": 1, "a": 2, "x": None},
        {"a": 'a]\\\n"', "b": '[],"', "c": '["c"],['},
        {"a": 1, "b": '],"rows":[', "c": '],"truncated":true,'},
    ]
    assert done.stderr == ""


def test_larder_sql_reports_errors(bash):
    done = bash(
        SYNC
        + """
        larder_sql || echo $?
        larder_sql 'select nme from character' || echo $?
        endless='with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r'
        larder_sql "$endless" || larder_kind $?
        larder_stop
        """
    )
    assert done.stdout == "2\n1\nqueryLimit\n", done
    usage, column, _ = done.stderr.splitlines()
    assert usage.startswith("larder: QUERY is missing") and json.loads(column)["message"].startswith("no such column")


def test_larder_sql_does_not_cut_rows_silently(bash):
    # 100,001 rows would take half a minute.
    done = bash(
        """
        _larder_request() {
            [[ $2 == *'"maxRows":100000}' ]] && echo '{"columns":["n"],"rows":[[1],[2]],"truncated":true,"tables":[]}'
        }
        larder_sql 'select n from numbers'
        """
    )
    assert lines(done) == [{"n": 1}, {"n": 2}]
    assert done.stderr == "larder: there are more rows; only the first 100000 are printed; narrow the query\n"


def test_larder_sql_works_without_larder_start(bash):
    assert lines(bash("larder_sql 'select 6 * ? answer' 7")) == [{"answer": 42}]
