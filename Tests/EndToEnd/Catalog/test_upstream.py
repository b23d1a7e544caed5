"""The local copy of the public API, which other tests use."""

import json
import threading
import urllib.error
import urllib.request

import pytest


def ask(upstream, path, body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(upstream.url + path, data, headers)) as answer:
            return answer.status, json.load(answer), dict(answer.headers)
    except urllib.error.HTTPError as error:
        with error:
            text = error.read()
            return error.code, json.loads(text) if text else None, dict(error.headers)


def test_simulated_api_serves_items(upstream):
    assert ask(upstream, "/api/character/1")[1]["name"] == "Rick Sanchez"
    assert ask(upstream, "/api/character/99999")[:2] == (404, {"error": "Character not found"})
    assert [item["id"] for item in ask(upstream, "/api/character/2,1,99999")[1]] == [2, 1]


def test_simulated_api_serves_pages(upstream):
    _, body, _ = ask(upstream, "/api/character?page=2&gender=male")
    assert body["info"]["prev"].endswith("/api/character?page=1&gender=male") and body["info"]["pages"] == 3
    assert all(item["gender"] == "Male" for item in body["results"])
    assert ask(upstream, "/api/character?page=4")[:2] == (404, {"error": "There is nothing here"})


def test_simulated_api_answers_304_to_a_known_etag(upstream):
    _, _, headers = ask(upstream, "/api/character/1")
    assert headers["ETag"].startswith('W/"')
    assert ask(upstream, "/api/character/1", headers={"If-None-Match": headers["ETag"]})[0] == 304


def test_simulated_api_answers_304_to_a_known_last_modified_date(upstream):
    upstream.validate("Last-Modified")
    _, _, headers = ask(upstream, "/api/character/1")
    assert "ETag" not in headers
    known = {"If-Modified-Since": headers["Last-Modified"]}
    assert ask(upstream, "/api/character/1", headers=known)[0] == 304
    upstream.edit("character", 1, name="Pickle Rick")
    assert ask(upstream, "/api/character/1", headers=known)[0] == 200
    upstream.validate("ETag", "Last-Modified")
    assert ask(upstream, "/api/character/1", headers={**known, "If-None-Match": '"other"'})[0] == 200
    upstream.validate()
    assert "ETag" not in ask(upstream, "/api/character/1")[2]


def test_simulated_api_resolves_nested_graphql_relations(upstream):
    query = "{character(id: 1) {id episode {id} location {name residents {id origin {name}}}}}"
    status, body, _ = ask(upstream, "/graphql", {"query": query})
    character = body["data"]["character"]
    assert status == 200 and "errors" not in body
    assert character["id"] == "1" and character["episode"][-1]["id"] == "51"
    assert len(character["location"]["residents"]) > 1
    assert ask(upstream, "/graphql", {"query": "{nothing}"})[0] == 400


@pytest.mark.parametrize("times", [1, 2])
def test_faults_of_the_simulated_api_can_be_set_over_http(upstream, times):
    ask(upstream, "/_fault", {"match": "/api/character/1", "status": 503, "times": times})
    assert [ask(upstream, "/api/character/1")[0] for _ in range(3)] == [503] * times + [200] * (3 - times)
    assert len(ask(upstream, "/_log")[1]) == 3


def test_http_request_makes_the_simulated_api_hold_back_replies(upstream):
    ask(upstream, "/_fault", {"match": "/api/character/1", "hold": "mine"})
    got = []
    thread = threading.Thread(target=lambda: got.append(ask(upstream, "/api/character/1")[0]))
    thread.start()
    upstream.held("mine").wait()
    assert got == []
    ask(upstream, "/_release", {"hold": "mine"})
    thread.join()
    assert got == [200]


def test_data_of_the_simulated_api_can_be_edited_over_http(upstream):
    ask(upstream, "/_edit", {"resource": "character", "id": 1, "set": {"name": "Pickle Rick"}})
    assert ask(upstream, "/api/character/1")[1]["name"] == "Pickle Rick"
    ask(upstream, "/_reset", {})
    assert ask(upstream, "/api/character/1")[1]["name"] == "Rick Sanchez"
