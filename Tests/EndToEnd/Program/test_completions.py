"""`larder complete`, which the completion scripts of the shells call, and the bash script in a real bash."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

from harness import GRAPHQL_CATALOG, PATIENCE, binary, environment
from terminal import Terminal


@pytest.fixture
def complete(command):
    """`complete(*words)` returns the candidates for the last word. Candidates that the shell adds are `<files>` or
    `<folders>`."""

    def complete(*words, **options):
        done = command("complete", "--", *words, **options)
        assert (done.code, done.stderr) == (0, ""), done
        pairs = [line.split("\t", 1) for line in done.stdout.decode().splitlines()]
        return [word or f"<{note}>" for word, note in pairs]

    return complete


class TestCommands:
    def test_first_argument_is_completed_to_a_command(self, complete):
        assert {"call", "list", "catalog", "completions", "help"} <= set(complete(""))
        assert complete("ca") == ["call", "catalogs", "catalog", "cache"]
        assert complete("--offline", "doc") == ["doctor"]
        assert "complete" not in complete("")

    def test_second_argument_is_completed_to_a_subcommand(self, complete):
        assert complete("catalog", "s") == ["show", "schema"]
        assert complete("mcp", "") == ["config", "bundle"]
        assert complete("cache", "") == ["stats", "clear", "path", "syncs", "export"]
        assert complete("cache", "stats", "") == []
        assert complete("cache", "clear", "") == ["character", "location", "episode"]
        assert "environment" in complete("help", "e") and "exit-codes" in complete("help", "e")
        assert complete("help", "cha") == ["character"]
        assert complete("completions", "") == ["bash", "zsh", "fish"]
        assert complete("catalog", "import", "") == ["<files>"]
        assert complete("nonsense", "") == complete("catalog", "nonsense", "") == []


class TestOptions:
    def test_values_of_short_options_are_completed(self, complete):
        assert complete("list", "repo", "-c", "github", "-f", "name,lang") == ["name,language"]
        assert complete("list", "character", "-o", "t") == ["table", "tsv"]
        assert complete("list", "character", "--sort", "name,-sta") == ["name,-status"]

    def test_only_options_of_the_typed_command_are_offered(self, complete):
        general = complete("--")
        assert {"--catalog", "--offline", "--help", "--version"} <= set(general)
        mine = complete("list", "character", "--")
        assert {"--page", "--fields", "--catalog"} <= set(mine) and "--host" not in mine and "--live" not in mine
        assert "--host" in complete("mcp", "config", "--") and "--page" not in complete("mcp", "config", "--")

    def test_option_values_are_offered_as_completions(self, complete):
        assert complete("--log-level", "w") == ["warning"]
        assert complete("--log-level=w") == ["--log-level=warning"]
        assert complete("--cache-dir", "") == ["<folders>"]
        assert complete("--catalog", "git") == ["github", "github-graphql", "gitlab", "<files>"]
        assert complete("mcp", "config", "--host", "z") == ["zed"]
        assert complete("--base-url", "") == ["rickandmorty="]
        assert complete("--catalog", "github", "--var", "") == ["GITHUB_API="]
        assert complete("list", "character", "--fields", "name,st") == ["name,status"]
        assert complete("--offline=", "") == complete("") and complete("--offline=") == []

    def test_no_options_are_offered_after_a_double_dash(self, complete):
        assert complete("--", "--off") == []
        assert complete("--", "li") == ["list"]


class TestCatalogNames:
    def test_methods_are_offered_as_completions(self, complete):
        assert complete("call", "character/g") == ["character/get", "character/getMany"]
        assert "rpc.discover" in complete("call", "") and "exit" not in complete("call", "")

    def test_params_are_offered_as_completions(self, complete):
        assert complete("call", "character/get", "") == ["id=", "fields=", "cachePolicy=", "maxAge="]
        assert complete("call", "character/get", "id=1", "i") == []
        assert complete("call", "character/list", "filter.st") == ["filter.status="]
        assert "filter.status=Dead" in complete("call", "character/list", "filter.status=")
        assert complete("call", "character/get", "cachePolicy=l") == ["cachePolicy=localFirst", "cachePolicy=localOnly"]
        assert complete("call", "cache/remove", "resource=l") == ["resource=location"]
        assert complete("call", "nonsense/get", "") == []

    def test_resources_are_offered_as_completions(self, complete):
        for name in ("get", "list", "search", "prefetch"):
            assert complete(name, "") == ["character", "location", "episode"]

    def test_filters_and_their_values_are_offered_as_completions(self, complete):
        assert complete("list", "character", "s") == ["status=", "species="]
        assert complete("list", "character", "status=") == ["status=Alive", "status=Dead", "status=unknown"]
        assert complete("prefetch", "character", "status=D") == ["status=Dead"]
        assert complete("search", "character", "rick", "gender=G") == ["gender=Genderless"]
        assert complete("list", "character", "status=Dead", "st") == []
        github = ["--catalog", "github"]
        assert complete("list", "issue", *github, "state=") == ["state=open", "state=closed", "state=all"]
        # This filter may be given several times.
        assert complete("list", "issue", *github, "labels=bug", "lab") == ["labels="]

    def test_no_filters_are_offered_for_a_list_without_filters(self, complete, home):
        """No field is offered as a filter if the list has no filters, because the fields can only be searched."""
        thing = {"api": "a", "id": "string", "fields": {"title": "string"}, "rest": {"list": {"path": "/things"}}}
        own = home / "own.json"
        apis = {"a": {"baseURL": "https://a.example"}}
        own.write_text(json.dumps({"larder": 1, "apis": apis, "resources": {"thing": thing}}))
        for name in ("list", "prefetch"):
            assert complete("--catalog", own, name, "thing", "ti") == []
        assert complete("--catalog", own, "call", "thing/list", "filter") == []
        assert complete("--catalog", own, "search", "thing", "x", "ti") == ["title="]

    def test_shipped_catalogs_are_offered_as_completions(self, complete):
        for words in (["check"], ["catalog", "show"], ["catalog", "types"]):
            assert complete(*words, "stri") == ["stripe", "<files>"], words

    def test_scope_parameters_are_offered_as_completions(self, complete):
        assert complete("get", "issue", "--catalog=github", "")[:2] == ["owner=", "repo="]
        # A scope parameter may precede the id, and is offered once.
        assert complete("--catalog=github", "get", "issue", "owner=a", "")[0] == "repo="
        assert complete("call", "--catalog", "github", "issue/get", "o") == ["owner="]

    def test_completions_use_the_catalog_that_a_session_would_use(self, complete, home):
        assert complete("list", "iss", env={"LARDER_CATALOG": "github"}) == ["issue"]
        folder = home / "xdg-config" / "larder"
        folder.mkdir(parents=True)
        shutil.copy(GRAPHQL_CATALOG, folder / "catalog.jsonc")
        assert complete("list", "char") == ["character"]
        own = home / "own.json"
        own.write_text((folder / "catalog.jsonc").read_text().replace('"character": {', '"person": {', 1))
        assert complete("--catalog", own, "list", "per") == ["person"]
        assert complete("--catalog", "~/own.json", "list", "per") == ["person"]


class TestRobustness:
    @pytest.mark.parametrize(
        "text", [None, "", "{", '{"larder": 1}', "[1, 2"], ids=["none", "empty", "cut", "bare", "list"]
    )
    def test_commands_are_offered_even_if_the_catalog_is_unreadable(self, complete, home, text):
        path = home / "catalog.json"
        if text is not None:
            path.write_text(text)
        assert complete("--catalog", path, "list", "") == []
        assert complete("--catalog", path, "call", "") == []
        assert complete("--catalog", path, "call", "x", "") == []
        assert "list" in complete("--catalog", path, "")

    def test_completion_reads_no_secret_runs_no_command_and_writes_nothing(self, complete, home):
        pipe, mark = home / "secret", home / "ran"
        os.mkfifo(pipe)
        for secret in ("${file:%s}" % pipe, {"command": ["touch", str(mark)]}):
            api = {"baseURL": "https://api.example.com", "auth": {"bearer": secret}}
            thing = {"api": "a", "id": "string", "rest": {"get": {"path": "/{id}"}}}
            path = home / "catalog.json"
            path.write_text(json.dumps({"larder": 1, "apis": {"a": api}, "resources": {"thing": thing}}))
            assert complete("--catalog", path, "get", "") == ["thing"], secret
            assert "thing/get" in complete("--catalog", path, "call", "thing/"), secret
        assert not mark.exists()
        assert not (home / "xdg-cache").exists() and not (home / "xdg-data").exists()

    def test_invalid_options_do_not_prevent_completion(self, complete):
        assert complete("--memory", "much", "--nonsense", "list", "char") == ["character"]
        assert complete("--shared", "nonsense://", "list", "char") == ["character"]
        assert complete("--replay", "/nowhere", "--record", "/nowhere", "list", "char") == ["character"]
        assert complete("--base-url", "nobody=x", "list", "char") == ["character"]

    def test_completions_with_control_characters_are_omitted(self, complete, home):
        text = GRAPHQL_CATALOG.read_text(encoding="utf-8").replace('["Alive",', '["\\u001b[2J", "two words",', 1)
        path = home / "catalog.json"
        path.write_text(text)
        found = complete("--catalog", path, "list", "character", "status=")
        assert "status=two words" in found and not any("\x1b" in word for word in found)


@pytest.fixture
def bash(home):
    """A bash in which TAB completes larder commands."""
    programs = home / "bin"
    programs.mkdir()
    (programs / "larder").symlink_to(binary())
    env = environment(home, {"TERM": "dumb", "LC_ALL": "C", "PATH": f"{programs}:{os.environ['PATH']}"})
    with Terminal(["bash", "--norc", "--noprofile", "-i"], env) as terminal:
        terminal.type("PS1='> '; source <(larder completions bash); echo set''up\n")
        terminal.wait("setup\r\n")
        yield terminal


class TestBash:
    @pytest.mark.parametrize(
        "typed, completed",
        [
            ("larder compl", "larder completions "),
            ("larder list char", "larder list character "),
            ("larder list character status=A", "larder list character status=Alive "),
            ("larder call character/list filter.st", "larder call character/list filter.status="),
            ("larder list issue --catalog=github state=o", "larder list issue --catalog=github state=open "),
            ("larder list issue --catalog 'github' state=\"o", "larder list issue --catalog 'github' state=\"open\" "),
            ("larder list character --fields name,stat", "larder list character --fields name,status "),
            ("larder check /etc/hostn", "larder check /etc/hostname "),
            ("larder --cache-dir=/us", "larder --cache-dir=/usr/"),
            ("true; A=b larder list char", "A=b larder list character "),
            ("larder list character --log-lev", "larder list character --log-level "),
        ],
    )
    def test_tab_key_completes_the_command_line_in_bash(self, bash, typed, completed):
        bash.type(typed + "\t")
        bash.wait(completed)

    def test_completed_file_name_with_a_space_is_escaped_in_bash(self, bash, home):
        shutil.copy(GRAPHQL_CATALOG, home / "my own.json")
        bash.type(f"larder --catalog {home}/my\t")
        bash.wait("/my\\ own.json ")
        bash.type("list char\t")
        bash.wait("list character ")

    def test_bash_prints_no_error_if_nothing_matches(self, bash):
        bash.type("larder --catalog /nowhere list x\t\x15echo don''e\n")
        assert "larder:" not in bash.wait("done\r\n")

    @pytest.mark.skipif(not shutil.which("shellcheck"), reason="needs shellcheck")
    def test_bash_script_passes_shellcheck(self, command, home):
        path = pathlib.Path(home / "larder.bash")
        path.write_bytes(command("completions", "bash").stdout)
        done = subprocess.run(["shellcheck", "-s", "bash", path], capture_output=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout.decode()
