"""`larder add`, `remove` and `catalogs`: an API is added in one step, and its catalog is used by name."""

import json
import subprocess

import pytest

from harness import binary, environment
from scripted import serving
from terminal import Terminal

ITEM = {
    "type": "object",
    "required": ["id", "name", "size"],
    "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "size": {"type": "integer"}},
}


def document(*names, servers=None, **more):
    """An OpenAPI document with a list and a get for each name."""
    paths = {}
    for name in names:
        page = {
            "type": "object",
            "properties": {"items": {"type": "array", "items": ITEM}, "total": {"type": "integer"}},
        }

        def answer(schema):
            return {"200": {"description": "", "content": {"application/json": {"schema": schema}}}}

        paths[f"/{name}s"] = {"get": {"responses": answer(page)}}
        own = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
        paths[f"/{name}s/{{id}}"] = {"get": {"parameters": [own], "responses": answer(ITEM)}}
    return {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": paths, **more, **(servers or {})}


class Shop:
    """An API with two products and a document at `place`."""

    def __init__(self):
        self.place, self.described, self.asked = "/openapi.json", document("product"), []
        self.items = [{"id": 1, "name": "one", "size": 1}, {"id": 2, "name": "two", "size": 2}]
        self.page = None

    def answer(self, request):
        self.asked.append(request)
        if request.path == self.place:
            return 200, {}, self.described
        if self.page is not None and request.path == "/docs":
            return 200, {"Content-Type": "text/html"}, self.page.encode()
        if request.path.endswith("s") and request.path.count("/") == 1:
            return 200, {}, {"items": self.items, "total": len(self.items)}
        found = [item for item in self.items if request.path.endswith(f"s/{item['id']}")]
        return (200, {}, found[0]) if found else (404, {}, {"message": "not found"})


@pytest.fixture
def shop():
    shop = Shop()
    with serving(shop.answer) as shop.url:
        yield shop


@pytest.fixture
def added(home):
    return home / "xdg-config" / "larder" / "shop.jsonc"


class TestAdd:
    @pytest.mark.parametrize("place", ["/openapi.json", "/api/openapi.json", "/v3/api-docs"])
    def test_openapi_document_below_the_url_is_found_and_tried(self, command, shop, added, place):
        shop.place = place
        done = command("add", "shop", shop.url)
        assert (done.code, [item["name"] for item in done.messages]) == (0, ["one", "two"]), done
        assert done.stderr.splitlines() == [
            f"larder: found {shop.url}{place}",
            f"larder: added {added}",
            "larder: 2 requests tried, no failures: larder check shop --live shows all",
            "larder: next: larder list product --catalog shop",
        ]
        assert added.stat().st_mode & 0o777 == 0o600 and added.parent.stat().st_mode & 0o777 == 0o700
        assert command("get", "product", "2", "--catalog", "shop").messages == [shop.items[1]]

    def test_openapi_document_linked_from_a_web_page_is_found(self, command, shop):
        shop.place, shop.page = "/secret/place/openapi.json", "<script>load({url: '/secret/place/openapi.json'})"
        done = command("add", "shop", f"{shop.url}/docs")
        assert (done.code, len(done.messages)) == (0, 2) and "/secret/place/openapi.json" in done.stderr, done

    def test_catalog_is_inferred_if_there_is_no_openapi_document(self, command, shop):
        shop.place = None
        done = command("add", "shop", f"{shop.url}/products")
        assert (done.code, len(done.messages)) == (0, 2), done
        assert command("list", "product", "-c", "shop", "--offline").messages == shop.items

    def test_local_document_is_added_as_a_catalog(self, command, shop, home):
        path = home / "api.json"
        path.write_text(json.dumps(document("product", servers={"servers": [{"url": shop.url}]})))
        done = command("add", "shop", path)
        assert (done.code, len(done.messages)) == (0, 2), done

    def test_document_search_sends_requests_only_to_the_origin(self, command, shop):
        shop.place, shop.page = None, "\"https://other.invalid/openapi.json\" '//other.invalid/swagger.json'"
        done = command("add", "shop", f"{shop.url}/docs")
        assert done.code == 1 and "other.invalid" not in done.stderr, done
        assert 20 < len(shop.asked) < 60

    def test_command_line_option_selects_the_resources_to_add(self, command, shop):
        shop.described = document("product", "order", "user")
        done = command("add", "shop", shop.url, "--only", "order", "--no-live")
        assert (done.code, done.stdout) == (0, b""), done
        assert [row["resource"] for row in command("resources", "-c", "shop").messages] == ["order"]
        assert len([request for request in shop.asked if request.path == "/orders"]) == 0

    def test_user_on_a_terminal_chooses_resources(self, shop, home, command):
        shop.described = document(*(f"{letter}thing" for letter in "abcdefghijklmn"))
        env = environment(home, {"TERM": "xterm"})
        with Terminal([binary(), "add", "shop", shop.url], env, columns=120) as terminal:
            terminal.wait("resources to add, separated by spaces (Enter for all 14): ")
            terminal.type("bthing, cthing\n")
            assert terminal.end() == 0
        assert "athing" in terminal.seen and "larder: next: larder list bthing --catalog shop" in terminal.seen
        assert [row["resource"] for row in command("resources", "-c", "shop").messages] == ["bthing", "cthing"]

    @pytest.mark.parametrize("count, is_asked", [(12, False), (13, True)])
    def test_user_chooses_only_among_more_than_12_resources(self, shop, home, command, count, is_asked):
        shop.described = document(*(f"{letter}thing" for letter in "abcdefghijklm"[:count]))
        env = environment(home, {"TERM": "xterm"})
        with Terminal([binary(), "add", "shop", shop.url, "--no-live"], env, columns=120) as terminal:
            if is_asked:
                terminal.wait(f"(Enter for all {count}): ")
                terminal.type("\n")
            assert terminal.end() == 0
        assert ("Enter for all" in terminal.seen) == is_asked
        assert len(command("resources", "-c", "shop").messages) == count

    def test_at_most_12_resources_are_tested(self, command, shop):
        shop.described = document(*(f"{letter}thing" for letter in "abcdefghijklmn"))
        done = command("add", "shop", shop.url)
        assert done.code == 0 and "larder: 24 requests tried, no failures: " in done.stderr, done
        asked = {request.path for request in shop.asked if request.path.endswith("things")}
        assert asked == {f"/{letter}things" for letter in "abcdefghijkl"}

    def test_first_three_failures_are_shown(self, command, shop):
        shop.described = document(*(f"{letter}thing" for letter in "abcd"), "product")

        def failing(request):
            return (404, {}, {"message": "gone"}) if "thing" in request.path else shop.answer(request)

        with serving(failing) as url:
            done = command("add", "shop", url)
        assert (done.code, len(done.messages)) == (0, 2), done
        assert "larder: 6 requests tried, 4 failures: larder check shop --live shows all" in done.stderr
        shown = [line for line in done.stderr.splitlines() if line.startswith("larder:   ")]
        assert [line.split()[1] for line in shown] == [f"{letter}thing/list:" for letter in "abc"], shown

    @pytest.mark.parametrize("has_items, suggested", [(True, "product"), (False, "athing")])
    def test_list_with_items_is_suggested(self, command, shop, has_items, suggested):
        shop.described = document("athing", "product")
        shop.items = shop.items if has_items else []

        def answer(request):
            return (200, {}, {"items": [], "total": 0}) if "athing" in request.path else shop.answer(request)

        with serving(answer) as url:
            done = command("add", "shop", url)
        assert done.code == 0 and f"larder: next: larder list {suggested} --catalog shop" in done.stderr, done

    def test_missing_secrets_are_named_with_their_host(self, command, shop, added):
        schemes = {"key": {"type": "http", "scheme": "bearer"}}
        shop.described = document(
            "product",
            components={"securitySchemes": schemes},
            security=[{"key": []}],
            servers={"servers": [{"url": "https://api.shop.com"}]},
        )
        done = command("add", "shop", shop.url)
        assert done.code == 0 and added.exists(), done
        assert "larder: api.shop.com gets ${env:HOST_API_SHOP_COM_TOKEN}" in done.stderr, done.stderr
        assert "the environment variable 'HOST_API_SHOP_COM_TOKEN' is not set" in done.stderr
        assert done.stderr.endswith("larder: then run: larder check shop --live --fix\n")

    def test_secrets_are_sent_only_to_the_named_host(self, command, shop):
        schemes = {"key": {"type": "http", "scheme": "bearer"}}
        other = shop.url.replace("127.0.0.1", "localhost")
        more = {"components": {"securitySchemes": schemes}, "security": [{"key": []}]}
        shop.described = document("product", servers={"servers": [{"url": other}]}, **more)
        done = command("add", "shop", shop.url, env={"API_TOKEN": "s3cr3t", "LOCALHOST_TOKEN": "s3cr3t"})
        assert done.code == 0 and "not tried: you have not named the host of the secrets" in done.stderr, done
        assert not [request for request in shop.asked if request.path == "/products"]
        shop.described = document("product", servers={"servers": [{"url": other}]})
        done = command("add", "shop", shop.url, "--force")
        assert f"to {other.removeprefix('http://')}, which is not the host of {shop.url}" in done.stderr
        assert len(done.messages) == 2

    def test_secrets_are_sent_to_the_host_in_the_url_of_the_user(self, command, shop):
        schemes = {"key": {"type": "http", "scheme": "bearer"}}
        more = {"components": {"securitySchemes": schemes}, "security": [{"key": []}]}
        shop.described = document("product", **more)
        done = command("add", "shop", shop.url, env={"API_TOKEN": "s3cr3t-s3cr3t"})
        assert (done.code, len(done.messages)) == (0, 2) and "not tried" not in done.stderr, done
        sent = [request.headers.get("authorization") for request in shop.asked if request.path == "/products"]
        assert set(sent) == {"Bearer s3cr3t-s3cr3t"}

    def test_secrets_are_not_sent_to_a_host_that_is_set_only_in_a_file(self, command, shop, home):
        path = home / "api.json"
        schemes = {"key": {"type": "http", "scheme": "bearer"}}
        more = {"components": {"securitySchemes": schemes}, "security": [{"key": []}]}
        path.write_text(json.dumps(document("product", servers={"servers": [{"url": shop.url}]}, **more)))
        done = command("add", "shop", path, env={"API_TOKEN": "s3cr3t-s3cr3t"})
        assert done.code == 0 and "not tried: you have not named the host of the secrets" in done.stderr, done
        assert shop.asked == []

    def test_no_request_is_sent_offline(self, command, shop, home, added):
        path = home / "api.json"
        path.write_text(json.dumps(document("product", servers={"servers": [{"url": shop.url}]})))
        done = command("add", "shop", path, "--offline")
        assert (done.code, done.stdout) == (0, b"") and added.exists() and shop.asked == [], done

    def test_pagination_missing_in_the_draft_is_reported(self, command, shop):
        shop.place = None
        answer = shop.answer
        shop.more = {"has_more": True}

        def with_more(request):
            status, headers, body = answer(request)
            return status, headers, {**body, **shop.more} if isinstance(body, dict) else body

        shop.answer = with_more
        with serving(with_more) as url:
            done = command("add", "shop", f"{url}/products")
        assert done.code == 0, done
        assert "larder:   product: no pagination is declared, but 'has_more' seems to be" in done.stderr, done.stderr

    def test_existing_catalog_is_kept_without_the_option_force(self, command, shop, added):
        assert command("add", "shop", shop.url, "--no-live").code == 0
        before = added.read_bytes()
        shop.described = document("order")
        done = command("add", "shop", shop.url, "--no-live")
        assert done.code == 1 and "use --force to replace it" in done.stderr and added.read_bytes() == before
        assert command("add", "shop", shop.url, "--no-live", "--force").code == 0
        assert added.read_bytes() != before

    @pytest.mark.parametrize("name", ["github", "catalog", "config", "../x", "a.b", "", "-x", "x" * 65])
    def test_invalid_catalog_name_is_refused_before_any_request(self, command, shop, name, added):
        done = command("add", shop.url, "--no-live", "--", name) if name == "-x" else command("add", name, shop.url)
        assert done.code == 1 and "cannot use the name" in done.stderr, done
        assert not shop.asked and not added.parent.exists()

    def test_no_catalog_is_written_if_the_url_is_unreachable(self, command, added):
        done = command("add", "shop", "http://127.0.0.1:1")
        assert done.code == 1 and "the API was not reached" in done.stderr and not added.exists()

    def test_control_characters_of_a_document_are_escaped(self, shop, home):
        shop.described["info"]["title"] = "\x1b[2JShop\u202e"
        shop.items = [{"id": 1, "name": "\x1b[2J", "size": "x\x1b[2J"}]
        env = environment(home, {"TERM": "dumb"})
        with Terminal([binary(), "add", "shop", shop.url], env, columns=120) as terminal:
            terminal.end()
        assert "\x1b" not in terminal.seen and "\u202e" not in terminal.seen


class TestFix:
    def test_add_corrects_types_that_differ_from_the_data(self, command, shop, added):
        shop.items = [{"id": 1, "name": None, "size": 1.5}, {"id": 2, "name": "two", "size": 2}]
        done = command("add", "shop", shop.url)
        assert (done.code, [item["size"] for item in done.messages]) == (0, [1.5, 2]), done
        assert 'larder: mended product.name: "string" is now "string?"' in done.stderr
        assert 'larder: mended product.size: "integer" is now "number"' in done.stderr
        assert '"size": "number"' in added.read_text() and "// Drafted by" in added.read_text()

    def test_option_fix_corrects_a_file_and_keeps_its_layout(self, command, shop, home):
        path = home / "mine.jsonc"
        text = """{ // mine
  "larder": 1, "apis": {"a": {"baseURL": "%s"}},
  "resources": {"product": {"api": "a", "id": "integer",
    "fields": {"id": "integer", "label": {"from": "name", "type": "integer?"}, /* sizes */ "size": ["S", "M"]},
    "rest": {"get": {"path": "/products/{id}"}, "list": {"path": "/products", "items": "items"}}}}}
"""
        path.write_text(text % shop.url)
        done = command("check", path, "--live", "--fix")
        assert done.code == 0, done
        wanted = text.replace('"integer?"', '"string?"').replace('["S", "M"]', '"number"')
        assert path.read_text() in (wanted % shop.url, wanted.replace('"number"', '"integer"') % shop.url)
        assert command("list", "product", "-c", path).messages[0]["label"] == "one"

    def test_option_fix_keeps_the_fields_of_an_object(self, command, shop, home):
        shop.items = [{"id": 1, "maker": None, "sizes": None}, {"id": 2, "maker": {"name": "a"}, "sizes": ["S"]}]
        path = home / "mine.jsonc"
        text = """{"larder": 1, "apis": {"a": {"baseURL": "%s"}}, "resources": {"product": {"api": "a", "id": "integer",
    "fields": {"id": "integer", "maker": {"name": "string" /* of the firm */}, "sizes": ["string"]},
    "rest": {"list": {"path": "/products", "items": "items"}}}}}
""" % shop.url
        path.write_text(text)
        assert command("check", path, "--live", "--fix").code == 0
        assert path.read_text() == text.replace('"maker"', '"maker?"').replace('"sizes"', '"sizes?"')

    @pytest.mark.parametrize("sign", ["link", "body"])
    def test_add_declares_pagination_that_it_detects_in_the_answer(self, command, shop, added, sign):
        answer = shop.answer

        def paged(request):
            status, headers, body = answer(request)
            if request.path != "/products":
                return status, headers, body
            page = int(request.query.get("page", 1))
            body = {**body, "items": [{"id": page, "name": "n", "size": page}]}
            following = f"{url}/products?page={page + 1}" if page < 3 else None
            if sign == "body":
                return status, headers, {**body, "links": {"next": following}}
            return status, {**headers, **({"Link": f'<{following}>; rel="next"'} if following else {})}, body

        with serving(paged) as url:
            done = command("add", "shop", url)
            assert done.code == 0 and "larder: mended product: the list now has " in done.stderr, done.stderr
            assert '"pagination": {"style": ' in added.read_text() and "// Drafted by" in added.read_text()
            done = command("list", "product", "-c", "shop", "--all")
        assert [item["id"] for item in done.messages] == [1, 2, 3], done

    def test_option_fix_keeps_symbolic_links_and_permissions(self, command, shop, home):
        real, link = home / "real.jsonc", home / "link.jsonc"
        text = """{"larder": 1, "apis": {"a": {"baseURL": "%s"}}, "resources": {"product": {"api": "a", "id": "integer",
    "fields": {"id": "integer", "name": "integer"},
    "rest": {"list": {"path": "/products", "items": "items"}}}}}
""" % shop.url
        real.write_text(text)
        real.chmod(0o644)
        link.symlink_to(real)
        assert command("check", link, "--live", "--fix").code == 0
        assert link.is_symlink() and real.stat().st_mode & 0o777 == 0o644
        assert real.read_text() == text.replace('"name": "integer"', '"name": "string"')

    def test_option_fix_writes_no_invalid_catalog(self, command, shop, home):
        path = home / "mine.jsonc"
        text = """{"larder": 1, "apis": {"a": {"baseURL": "%s"}}, "resources": {"product": {"api": "a", "id": "integer",
    "fields": {"id": "integer", "name": {"type": "date", "zone": "UTC"}},
    "rest": {"list": {"path": "/products", "items": "items"}}}}}
""" % shop.url
        path.write_text(text)
        done = command("check", path, "--live", "--fix")
        assert done.code == 1 and "decodingFailed" in done.stdout.decode(), done
        assert path.read_text() == text and "mended" not in done.stderr

    def test_option_fix_requires_live_and_a_catalog_file(self, command):
        assert command("check", "--live", "--fix").code == 64
        assert command("check", "x.jsonc", "--fix").code == 64
        done = command("check", "github", "--live", "--fix")
        assert done.code == 64 and "which --fix cannot change" in done.stderr


class TestCatalogs:
    def test_shipped_and_added_catalogs_are_listed(self, command, shop, added):
        names = [row["catalog"] for row in command("catalogs").messages]
        assert "github" in names and "shop" not in names
        assert command("add", "shop", shop.url, "--no-live").code == 0
        (added.parent / "broken.jsonc").write_text("{")
        (added.parent / "config.jsonc").write_text("{}")
        rows = {row["catalog"]: row for row in command("catalogs").messages}
        host = shop.url.removeprefix("http://")
        assert rows["shop"] == {"catalog": "shop", "origin": "yours", "resources": 1, "hosts": [host]}
        assert rows["github"]["origin"] == "shipped" and rows["github"]["hosts"] == ["api.github.com"]
        assert rows["broken"]["fault"].startswith("broken:1:") and "config" not in rows

    def test_added_catalog_can_be_selected_by_its_name(self, command, shop, home):
        assert command("add", "shop", shop.url, "--no-live").code == 0
        for words in (["check", "shop"], ["catalog", "show", "shop"], ["help", "product", "-c", "shop"]):
            assert command(*words).code == 0
        assert command("list", "product", env={"LARDER_CATALOG": "shop"}).code == 0
        completed = [binary(), "complete", "--", "list", "-c", "sh"]
        done = subprocess.run(completed, env=environment(home), capture_output=True, text=True)
        assert done.stdout.split("\t")[0].strip() == "shop"

    def test_removed_catalog_can_no_longer_be_used(self, command, shop, added):
        assert command("add", "shop", shop.url, "--no-live").code == 0
        done = command("remove", "shop")
        assert done.code == 0 and done.stderr.startswith(f"larder: removed {added}") and not added.exists()
        done = command("remove", "shop")
        assert done.code == 1 and "there is no catalog 'shop'" in done.stderr
        done = command("remove", "github")
        assert done.code == 1 and "is shipped with larder and cannot be removed" in done.stderr
        assert command("remove", "../larder/shop").code == 1
