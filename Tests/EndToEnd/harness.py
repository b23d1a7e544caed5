"""Drives a larder process through its pipes."""

from __future__ import annotations

import collections
import json
import os
import pathlib
import subprocess
import threading
import time
from typing import Any, Callable, Deque, Dict, List, Optional, Tuple, Union

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GRAPHQL_CATALOG = ROOT / "Fixtures" / "catalogs" / "rickandmorty-graphql.jsonc"
CASSETTES = ROOT / "Fixtures" / "cassettes" / "rickandmorty"
NOTIFIED = "notification "  # the prefix of a notification's method in the index of lines
PATIENCE = 60  # seconds until a missing reply is a failure; not used for measurements

Message = Dict[str, Any]

# The number of pytest-xdist workers, and the number of this worker. A worker that replaces a crashed worker has a new
# number.
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])


def mutation() -> Dict[str, str]:
    """Returns the variables that select a mutant of the binary (Tests/Mutants), for tests that set all variables."""
    return {name: os.environ[name] for name in ("MUTANT", "MUTANT_TRACE") if name in os.environ}


def binary() -> str:
    return os.path.abspath(os.environ.get("LARDER_BIN") or ROOT / ".build" / "release" / "larder")


def environment(home: pathlib.Path, extra: Optional[Dict[str, str]] = None) -> Dict[str, str]:
    """Returns this process's environment without variables that could lead larder to the user's own files."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LARDER_", "XDG_"))}
    places = {f"XDG_{kind}_HOME": str(home / f"xdg-{kind.lower()}") for kind in ("CACHE", "DATA", "CONFIG", "STATE")}
    return {**kept, "HOME": str(home), **places, **(extra or {})}


def run(home: pathlib.Path, *args: str, input: bytes = b"", env: Optional[Dict[str, str]] = None) -> "Finished":
    """Runs larder with exactly the given arguments until it exits."""
    done = subprocess.run(
        [binary(), *args], input=input, capture_output=True, env=environment(home, env), timeout=PATIENCE
    )
    return Finished(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


class Finished:
    def __init__(self, code: int, stdout: bytes, stderr: str):
        self.code, self.stdout, self.stderr = code, stdout, stderr

    @property
    def messages(self) -> List[Any]:
        return [json.loads(line) for line in self.stdout.splitlines()]

    def __repr__(self) -> str:
        return f"<exit code {self.code}\nstdout: {self.stdout[:2000]!r}\nstderr: {self.stderr[:2000]}>"


class RPCError(Exception):
    def __init__(self, error: Message):
        super().__init__(f"{error['code']} {error['message']} {error.get('data')}")
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data: Message = error.get("data") or {}
        self.kind: Optional[str] = self.data.get("kind")


class Larder:
    """A larder process with its own folders.

    `call` sends a request and waits for its reply. With `send` and `wait`, many requests can be in flight.
    """

    def __init__(
        self,
        home: pathlib.Path,
        *args: str,
        upstream: Any = None,
        env: Optional[Dict[str, str]] = None,
        cache_dir: Optional[pathlib.Path] = None,
        data_dir: Optional[pathlib.Path] = None,
        program: Optional[pathlib.Path] = None,
        prepare: Optional[Callable[[], None]] = None,
    ):
        """Starts the process. `prepare` runs in the child before larder starts, to set limits, rights or signals."""
        self.home = home
        command = [str(program or binary()), *args, "--cache-dir", str(cache_dir or home / "cache")]
        command += ["--data-dir", str(data_dir or home / "data")]
        if upstream is not None:
            command += ["--base-url", f"rickandmorty={getattr(upstream, 'url', upstream)}"]
        self.stderr_path = home / "stderr"
        with open(self.stderr_path, "ab") as stderr:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=environment(home, env),
                bufsize=0,
                preexec_fn=prepare,
            )
        self._lines: Deque[Tuple[Optional[str], bytes]] = collections.deque()  # unread lines with their ids
        self.next_id = 0
        self._ended = False
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        rest = b""
        while chunk := self.process.stdout.read(1 << 20):
            *whole, rest = (rest + chunk).split(b"\n")
            with self._changed:
                self._lines.extend((_key(line), line) for line in whole)
                self._changed.notify_all()
        with self._changed:
            if rest:
                self._lines.append((None, rest))
            self._ended = True
            self._changed.notify_all()

    # Writing

    def write(self, data: Union[bytes, str]) -> None:
        view = memoryview(data.encode() if isinstance(data, str) else data)
        while view:
            view = view[self.process.stdin.write(view) :]

    def send(self, method: str, params: Any = None, id: Any = "next") -> Any:
        if id == "next":
            self.next_id += 1
            id = self.next_id
        self.write(request(method, params, id))
        return id

    def cancel(self, id: Any) -> None:
        self.notify("$/cancelRequest", {"id": id})

    def notify(self, method: str, params: Any = None) -> None:
        message = {"jsonrpc": "2.0", "method": method}
        self.write(json.dumps(message if params is None else {**message, "params": params}) + "\n")

    # Reading

    @property
    def left(self) -> List[bytes]:
        """The lines that larder wrote and no test has read."""
        with self._changed:
            return [line for _, line in self._lines]

    def _find(self, wanted: Callable[[Optional[str]], bool]) -> Optional[bytes]:
        for entry in self._lines:
            if wanted(entry[0]):
                self._lines.remove(entry)
                return entry[1]
        return None

    def _take(self, wanted: Callable[[Optional[str]], bool], what: str) -> bytes:
        found: List[bytes] = []

        def ready() -> bool:
            line = self._find(wanted)
            if line is not None:
                found.append(line)
            return bool(found) or self._ended

        with self._changed:
            self._changed.wait_for(ready, PATIENCE)
        if not found:
            state = f"it ended with code {self.process.poll()}" if self._ended else "it runs"
            raise AssertionError(f"no {what}; {state}; left: {self.left[:5]}; stderr: {self.stderr()[-1500:]}")
        return found[0]

    def line(self) -> bytes:
        """Returns the next line of any kind."""
        return self._take(lambda _: True, "line")

    def line_of(self, method: Optional[str]) -> bytes:
        """Returns the next notification with the given method; for None, the next line that is not a notification."""
        if method is None:
            return self._take(lambda found: not (found or "").startswith(NOTIFIED), "reply")
        return self._take(lambda found: found == NOTIFIED + method, f"notification {method}")

    def wait(self, id: Any) -> Message:
        """Returns the reply with exactly the given id: 1, "1" and null differ."""
        key = json.dumps(id)
        return json.loads(self._take(lambda found: found == key, f"reply to id {key}"))

    def notification(self, method: str) -> Message:
        """Returns the params of the next notification with the given method."""
        return json.loads(self.line_of(method))["params"]

    def batch(self) -> List[Message]:
        """Returns the next reply to a batch."""
        return json.loads(self._take(lambda found: found == "[]", "answer to a batch"))

    def call(self, method: str, **params: Any) -> Any:
        reply = self.wait(self.send(method, params or None))
        if "error" in reply:
            raise RPCError(reply["error"])
        return reply["result"]

    def fails(self, method: str, **params: Any) -> RPCError:
        return self.refusal(self.wait(self.send(method, params or None)))

    @staticmethod
    def refusal(reply: Message) -> RPCError:
        assert "error" in reply and "result" not in reply, f"expected an error, got {str(reply)[:300]}"
        return RPCError(reply["error"])

    def alive(self) -> None:
        """Fails unless the process still answers and has written only expected lines."""
        reply = self.wait(self.send("server/status", id="still there?"))
        assert "result" in reply, reply
        assert not self.left, self.left

    # Exit

    def stderr(self) -> str:
        return self.stderr_path.read_text(encoding="utf-8", errors="replace")

    def end_input(self) -> None:
        if not self.process.stdin.closed:
            self.process.stdin.close()

    def close(self) -> int:
        try:
            self.end_input()
            code = self.process.wait(PATIENCE + 10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self._reader.join()
        self.process.stdout.close()
        return code

    def __enter__(self) -> "Larder":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        code = self.close()
        if kind is None:
            assert code >= 0, f"ended by signal {-code}; stderr: {self.stderr()[-1500:]}"


def request(method: str, params: Any = None, id: Any = 1) -> str:
    message = {"jsonrpc": "2.0", "id": id, "method": method}
    return json.dumps(message if params is None else {**message, "params": params}) + "\n"


def eventually(is_so: Callable[[], Any], what: str) -> Any:
    """Waits until `is_so` returns a true value, and returns that value. `what` describes the condition in the failure
    message."""
    deadline = time.monotonic() + PATIENCE
    while not (found := is_so()):
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.01)
    return found


def _key(line: bytes) -> Optional[str]:
    """Returns the key of a line: a reply's id as JSON, `[]` for a batch, a notification's prefixed method; else
    None."""
    try:
        message = json.loads(line)
    except ValueError:
        return None
    if isinstance(message, list):
        return "[]"
    if not isinstance(message, dict):
        return None
    if "id" in message and "method" not in message:
        return json.dumps(message["id"])
    return NOTIFIED + str(message["method"]) if "method" in message else None
