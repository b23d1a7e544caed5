"""Imports one document, and tests each drafted resource against a stand-in server."""

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import tempfile
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from openapi_answers import COUNT, Server, StandIn, taken
from document import Document, load, shape
from expected import units

PATIENCE = 60
COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*')
COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')


@dataclasses.dataclass
class Outcome:
    name: str
    format: str = ""
    accepted: bool = False
    checks: bool = False
    expected: int = 0
    found: int = 0
    drafted: int = 0
    outside: int = 0
    right: int = 0
    right_expected: int = 0
    wrong: list = dataclasses.field(default_factory=list)
    missing: list = dataclasses.field(default_factory=list)
    error: str = ""


def base_path(api):
    """Returns the path of an API's declared URL, without variables that have no default."""
    url = re.sub(r"\$\{[^}]*?:-([^}]*)\}", r"\1", api.get("baseURL", ""))
    return urllib.parse.urlsplit(re.sub(r"\$\{[^}]*\}", "", url)).path


def read_draft(text):
    for noise in (COMMENT, COMMA):
        text = noise.sub(lambda found: found.group(1) or "", text)
    return json.loads(text)


class Trial:
    def __init__(self, program, place, entry, folder):
        self.program, self.place, self.entry = program, place, entry
        self.folder = pathlib.Path(folder)
        self.environment = {**os.environ, "HOME": folder, "XDG_CACHE_HOME": folder, "XDG_CONFIG_HOME": folder}
        self.outcome = Outcome(entry["name"])

    def larder(self, *arguments):
        try:
            return subprocess.run(
                [self.program, *arguments], env=self.environment, capture_output=True, timeout=PATIENCE, text=True,
                stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired as error:
            return subprocess.CompletedProcess(error.cmd, 124, "", f"no answer within {PATIENCE} s")

    def run(self):
        outcome = self.outcome
        document = Document(load(self.place))
        outcome.format = document.format + (" JSON" if self.place.suffix == ".json" else " YAML")
        self.units = units(document, self.entry)
        outcome.expected = len(self.units)
        done = self.larder("catalog", "import", self.place)
        outcome.accepted, outcome.error = done.returncode == 0, done.stderr.strip()[:200]
        drafted = set()
        if outcome.accepted:
            self.draft = self.folder / "draft.jsonc"
            self.draft.write_text(done.stdout)
            self.catalog = read_draft(done.stdout)
            for name in re.findall(r"\$\{(?:env|var):(\w+)", done.stdout):
                self.environment[name] = f"secret-of-{name.lower()}"
            for name in re.findall(r"\$\{var:(\w+)\}", done.stdout):
                self.environment[f"LARDER_VAR_{name}"] = "https://api.example"
            outcome.checks = self.larder("check", self.draft).returncode == 0
            drafted = self.walk(document)
        for unit in self.units:
            if not any(shape(operation.path) in drafted for operation in (unit.listing or unit.get,)):
                outcome.missing.append(unit.name)
        outcome.found = outcome.expected - len(outcome.missing)
        return outcome

    def walk(self, document):
        """Tests each drafted resource, and returns the right paths and the wrong paths."""
        stand_in = StandIn(document, self.units, self.entry)
        self.by_shape = {}
        for kind in stand_in.kinds:
            for operation in (kind.unit.get, kind.unit.listing):
                if operation:
                    self.by_shape[shape(operation.path)] = kind
        self.prefixes = document.prefixes()
        resources = self.catalog["resources"]
        counted = set()
        with Server(stand_in) as server, ThreadPoolExecutor(2) as pool:
            self.redirect(server.port)
            self.options = ["--catalog", str(self.draft), "--json"]
            for name, api in self.catalog["apis"].items():
                path = base_path(api)
                self.options += ["--base-url", f"{name}=http://127.0.0.1:{server.port}{path}"]
            results = list(pool.map(lambda pair: (pair, self.resource(*pair)), resources.items()))
        seen = set()
        for (name, resource), (kind, fault, paths) in results:
            seen |= paths
            if kind is None:
                self.outcome.outside += 1
                continue
            self.outcome.drafted += 1
            if fault:
                self.outcome.wrong.append(f"{name}: {fault}")
                continue
            self.outcome.right += 1
            if id(kind) not in counted:
                counted.add(id(kind))
                self.outcome.right_expected += 1
        self.outcome.wrong += [f"stand-in: {failure}" for failure in stand_in.failures[:3]]
        return seen

    def redirect(self, port):
        """Replaces the URLs of token endpoints by the URL of the stand-in server, and sets the variables that have no
        default value."""
        text = self.draft.read_text()
        text = re.sub(r'("tokenURL": )"[^"]*"', rf'\1"http://127.0.0.1:{port}/token"', text)
        self.draft.write_text(text)
        for name in re.findall(r"\$\{var:(\w+)\}", text):
            is_url = f'"baseURL": "${{var:{name}}}' in text
            self.environment[f"LARDER_VAR_{name}"] = f"http://127.0.0.1:{port}" if is_url else "s1"

    def kind_of(self, api, path):
        """Returns the expected resource that the stand-in server has at a drafted path, or None, and the path as the
        document writes it."""
        base = base_path(self.catalog["apis"].get(api, {})).rstrip("/")
        whole = shape(base + path)
        for prefix in self.prefixes + [base]:
            rest = whole[len(shape(prefix)):] if whole.startswith(shape(prefix)) else None
            if rest in self.by_shape:
                return self.by_shape[rest], rest
        own = shape(path)
        for start in [at for at, letter in enumerate(own) if letter == "/"]:
            if own[start:] in self.by_shape:
                return self.by_shape[own[start:]], own[start:]
        return None, own

    def resource(self, name, resource):
        """Returns the expected resource at the paths of a drafted resource, the fault of the draft or None, and the
        paths."""
        rest, paths, kind = resource.get("rest", {}), set(), None
        scope = [f"{key}={sample(value.get('type') if isinstance(value, dict) else value)}"
                 for key, value in (resource.get("scope") or {}).items()]
        for operation in ("get", "list"):
            template = (rest.get(operation) or {}).get("path")
            if template:
                found, path = self.kind_of(resource.get("api"), template)
                paths.add(path)
                kind = found or kind
        if kind is None:
            return None, None, paths
        fault = None
        # A list whose answer the document does not describe cannot be walked.
        if "list" in rest and self.kind_of(resource.get("api"), rest["list"]["path"])[0] is not None:
            fault = self.list_fault(name, rest["list"], scope, kind)
        if not fault and "get" in rest:
            fault = self.get_fault(name, scope, kind)
        return kind, fault, paths

    def list_fault(self, name, listing, scope, kind):
        needed = []
        for key, value in (listing.get("filters") or {}).items():
            if isinstance(value, dict) and value.get("required"):
                needed.append(f"{key}={sample(value.get('type', 'string'))}")
        cache = str(self.folder / "lists")
        done = self.larder("list", name, "--all", *scope, *needed, *self.options, "--cache-dir", cache)
        if done.returncode:
            return "list: " + done.stderr.strip().splitlines()[0][:160] if done.stderr else "list: failed"
        items = [json.loads(line) for line in done.stdout.splitlines()]
        if kind.unit.listing is None:
            return "a list of what is an item"
        if len(items) != COUNT:
            return f"list: {len(items)} of {COUNT} items ({kind.style.kind} {kind.style.param})"
        if kind.truth:
            ids = [str(value) for value in map(kind.truth.of, items) if value is not None]
            if ids and sorted(ids) != sorted(map(str, kind.ids)):
                return "list: other ids than the API's"
        elif len({json.dumps(item) for item in items}) != COUNT:
            return "list: an item twice"
        return None

    def get_fault(self, name, scope, kind):
        known = kind.ids[1]
        if known is None:
            return None if kind.unit.listing else self._get_any(name, scope, kind)
        if kind.unit.get is None:
            return "a get that the document does not have"
        cache = str(self.folder / "gets")
        done = self.larder("get", name, *scope, *self.options, "--cache-dir", cache, "--", str(known))
        if done.returncode:
            return "get: " + (done.stderr.strip().splitlines() or ["failed"])[0][:160]
        got = kind.truth.of(json.loads(done.stdout))
        return f"get: {got} for {known}" if got is not None and str(got) != str(known) else None

    def _get_any(self, name, scope, kind):
        answer = kind.items[1]
        values = [str(value) for value in answer.values() if type(value) in (str, int)]
        for value in values[:12]:
            done = self.larder(
                "get", name, *scope, *self.options, "--cache-dir", str(self.folder / "gets"), "--", value)
            if done.returncode == 0:
                return None
        return "get: " + (done.stderr.strip().splitlines() or ["failed"])[0][:160] if values else None


def sample(kind):
    if isinstance(kind, list):
        if len(kind) > 1 or kind[0] not in ("string", "integer", "number", "date") and not isinstance(kind[0], list):
            return str(kind[0])
        value = sample(kind[0])
        return json.dumps([int(value) if value.isdigit() else value])
    return {"integer": "1", "number": "1", "boolean": "true", "date": "2024-05-01T10:00:00Z"}.get(kind, "s1")


def run(program, place, entry):
    with tempfile.TemporaryDirectory(prefix="larder-openapi-") as folder:
        return Trial(program, place, entry, folder).run()


__all__ = ["Outcome", "run", "taken"]
