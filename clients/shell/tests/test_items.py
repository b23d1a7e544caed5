"""Lines and tables of larder.sh, with the real program."""

from running import lines


def test_larder_lines_prints_each_item(bash):
    done = bash(
        """
        larder_start "${OPTIONS[@]}"
        larder_lines character/list filter.name=rick fields='["id","origin"]'
        larder_lines character/getMany ids=[2,1] fields='["name"]'
        larder_lines character/get id=1 fields='["name"]'
        larder_lines recents/add text='a, "b" ] \\ {'
        larder_lines recents/clear
        larder_lines character/get id=99999 || echo $?
        larder_stop
        """
    )
    *page, morty, rick, one, text, code = lines(done)
    assert len(page) > 5 and all(set(item) == {"id", "origin"} for item in page)
    assert (morty["name"], rick, one) == ("Morty Smith", one, {"name": "Rick Sanchez"})
    assert text == 'a, "b" ] \\ {' and code == 13


def test_larder_lines_prints_all_items_of_a_page(bash):
    done = bash('larder_start "${OPTIONS[@]}"; larder_call character/list; larder_lines character/list; larder_stop')
    page, *items = lines(done)
    assert items == page["items"]


def test_larder_lines_prints_a_result_without_items_as_one_line(bash):
    done = bash(
        """
        larder_start "${OPTIONS[@]}"
        larder_lines character/prefetch maxPages=1
        larder_call cache/stats; larder_lines cache/stats
        larder_lines character/list filter.name=nobody-has-it
        larder_stop
        """
    )
    prefetched, stats, same = lines(done)
    assert (prefetched["pages"], prefetched["items"]) == (1, 20) and same == stats


def test_larder_lines_does_not_split_items_that_are_not_an_array(bash):
    done = bash(
        r"""
        for result in '{"items":7,"a":[1]}' '{"recents":null}' '{"items":{"id":1}}' '{"items":"[1,2]"}'; do
            _larder_items "$result"
            printf '%s\n' "${_larder_parts[@]}"
        done
        """
    )
    assert lines(done) == [{"items": 7, "a": [1]}, {"recents": None}, {"items": {"id": 1}}, {"items": "[1,2]"}]


def test_larder_table_prints_fields_in_columns(bash):
    done = bash(
        """
        larder_start "${OPTIONS[@]}"
        larder_table id,name,origin.name character/getMany ids=[1,8]
        larder_table name character/get id=99999 || echo $?
        larder_table name || echo $?
        larder_table name,none character/list || echo $?
        larder_stop
        """
    )
    assert done.returncode == 0, done
    assert done.stdout == (
        "id  name              origin.name\n"
        "1   Rick Sanchez      Earth (C-137)\n"
        "8   Adjudicator Rick  unknown\n"
        "13\n2\n1\n"
    )


def test_larder_table_works_without_larder_start(bash):
    done = bash('larder_table id,name character/list filter.name=nobody-has-it "${OPTIONS[@]}"')
    assert (done.returncode, done.stdout) == (0, "id  name\n"), done


def test_larder_table_escapes_control_characters(bash):
    done = bash(
        r"""
        item='{"a.b":"x\"y\\z\u001b[2J'$'\x7f''\n","n":null,"o":{"p":[1,{"q":"}"}]}}'
        _larder_items '{"items":['"$item"'],"source":"memory"}'
        [[ ${_larder_parts[0]} == "$item" ]] || echo 'another item'
        for path in a.b n o.p none o.p.q; do
            _larder_field "$item" $path; _larder_text "$_larder_json"; printf '%s\n' "$_larder_json"
        done
        """
    )
    assert done.stdout.splitlines() == ['x"y\\z\\u001b[2J\\u007f\\n', "", '[1,{"q":"}"}]', "", ""], done
