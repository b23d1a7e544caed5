"""Malicious Redis servers. They delay no request, take little memory of the process, and no secret that they repeat
is shown."""

import time

import pytest

from harness import eventually
from resp import Resp, bulk, hello

SECRET = "a secret of at least 16 bytes"
# In seconds: far longer than a request may wait, and far shorter than the attacks last.
SOON = 5
LONG = 60
MEGABYTE = 1 << 20


def forever(parts, pause=0.0):
    """Returns an attack that sends the first part once. It then repeats the other parts with pauses until the end of
    the test."""

    def attack(send, ended):
        first, *others = parts
        send(first)
        end = time.monotonic() + LONG
        while not ended.wait(pause) and time.monotonic() < end:
            for part in others:
                send(part)

    return attack


PUSHED = b">2\r\n" + bulk("invalidate") + bulk("x" * 100)
ATTRIBUTE = b"|1\r\n" + bulk("ttl") + b":3600\r\n"
ATTACKS = {
    "silence": forever([b""], pause=0.1),
    "endless pushed messages": forever([b"", PUSHED * 500]),
    "pushed messages now and then": forever([b"", PUSHED], pause=0.01),
    "large pushed messages": forever([b"", b">1\r\n" + bulk("x" * 70_000)], pause=0.02),
    "an endless pushed message": forever([b">100000\r\n", b"+x\r\n"], pause=0.01),
    "endless attributes": forever([b"", ATTRIBUTE * 500]),
    "attributes now and then": forever([b"", ATTRIBUTE], pause=0.01),
    "small pieces of a value": forever([b"$900000\r\n", b"x"], pause=0.02),
    "large pieces of a value": forever([b"$16000000\r\n", b"x" * 70_000], pause=0.03),
    "elements one by one": forever([b"*100000\r\n", b"_\r\n"], pause=0.02),
    "large elements one by one": forever([b"*1000\r\n", bulk("x" * 70_000)], pause=0.03),
}


@pytest.fixture
def level(start, upstream):
    """`level(server, mode, *options)` starts a process that uses that server."""

    def level(server, mode="readwrite", *options, url=None, **env):
        words = ["--shared", url or server.url(), "--shared-mode", mode, *options]
        return start(*words, env={"LARDER_SHARED_SECRET": SECRET, **env})

    return level


def shared(larder):
    return larder.call("cache/stats")["shared"]


def attacked(larder, server):
    """Reads from the API until the server attacks, and three times after that. No read may wait for long."""
    ids = iter(range(1, 58))

    def read():
        begin = time.monotonic()
        assert larder.call("character/get", id=next(ids))["source"] == "remote"
        assert time.monotonic() - begin < SOON

    read()
    # A process that is still connecting does not use the server.
    while not server.attacked.wait(1):
        read()
    for _ in range(3):
        read()


@pytest.mark.parametrize("options", [["read"], ["readwrite"], ["read", "--no-persistence"]])
@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_redis_server_does_not_delay_requests(level, attack, options):
    with Resp(ATTACKS[attack]) as server:
        larder = level(server, *options)
        attacked(larder, server)
        eventually(lambda: shared(larder)["failures"] > 0, "a failure of the server to be counted")


@pytest.mark.parametrize("way", ["the end of input", "SIGTERM"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_redis_server_does_not_delay_the_exit_of_a_session(level, attack, way):
    with Resp(ATTACKS[attack]) as server:
        larder = level(server)
        larder.call("character/get", id=1)
        begin = time.monotonic()
        if way == "SIGTERM":
            larder.process.terminate()
        assert larder.close() == 0
        assert time.monotonic() - begin < SOON


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_redis_server_does_not_delay_the_exit_of_a_command(command, upstream, attack):
    options = ["--base-url", f"rickandmorty={upstream.url}", "--no-persistence", "--shared-mode", "readwrite"]
    with Resp(ATTACKS[attack]) as server:
        begin = time.monotonic()
        done = command(
            "get", "character", "1", *options, "--shared", server.url(), env={"LARDER_SHARED_SECRET": SECRET})
        assert done.code == 0 and time.monotonic() - begin < SOON, done


GREETINGS = {
    "many pushed messages": PUSHED * 50_000,
    "a pushed message": PUSHED,
    "a piece of a value": b"$900000\r\nx",
}


@pytest.mark.parametrize("greeting", GREETINGS)
def test_hostile_redis_reply_to_hello_does_not_delay_requests(level, greeting):
    with Resp(greeting={b"HELLO": GREETINGS[greeting]}) as server:
        larder = level(server)
        begin = time.monotonic()
        assert larder.call("character/get", id=1)["source"] == "remote"
        assert time.monotonic() - begin < SOON
        assert shared(larder)["state"] != "ok"


# The maximum memory for each reply in megabytes, in addition to the memory of an idle process.
FLOODS = {
    "a million elements": (32, b"*1000000\r\n" + b"_\r\n" * 1_000_000),
    "a million strings": (32, b"*1000000\r\n" + b"$1\r\nx\r\n" * 1_000_000),
    "a million pairs": (32, b"%500000\r\n" + b":1\r\n" * 1_000_000),
    "a million pushed elements": (32, b">1000000\r\n" + b"_\r\n" * 1_000_000),
    "a thousand arrays of a thousand": (32, b"*1000\r\n" + (b"*1000\r\n" + b"_\r\n" * 1000) * 1000),
    "a hundred megabytes": (32, b"$100000000\r\n" + b"x" * 100_000_000 + b"\r\n"),
    "seven values of sixteen megabytes": (80, bulk("x" * (16 * MEGABYTE - 1000)) * 7),
}


def peak(larder):
    """Returns the peak memory of the process in bytes."""
    with open(f"/proc/{larder.process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


@pytest.mark.parametrize("flood", FLOODS)
def test_replies_of_a_hostile_redis_server_take_bounded_memory(level, start, flood):
    most, data = FLOODS[flood]

    def attack(send, ended):
        send(data)

    usual = start()
    for id in range(58, 61):
        usual.call("character/get", id=id)
    with Resp(attack) as server:
        larder = level(server)
        attacked(larder, server)
        assert (peak(larder) - peak(usual)) // MEGABYTE < most


# Passwords shorter and longer than the redactor's minimum, and passwords that look like server information.
PASSWORDS = ["hunter2", "SESAME", "4711471", "correct-horse-battery"]


def echoes(password):
    """Yields servers that repeat a password and a secret, in replies to the greeting and to other commands."""
    both = f"{password} {SECRET}"
    lines = {
        "a refused password": f"-WRONGPASS {both}", "an error that is the password": f"-{both}",
        "an error with the password": f"-ERR {both}",
        "a right": f"-NOPERM no permissions to run the '{password}' command",
        "the secret's right": f"-NOPERM no permissions to run the '{SECRET}' command",
        "the keys": f"-NOPERM access key {both}", "an unknown command": f"-ERR unknown command `{password}` {both}",
    }
    for name, line in lines.items():
        yield f"greeting: {name}", {"greeting": {b"HELLO": line.encode() + b"\r\n"}}
        yield f"reply: {name}", {"reply": line.encode() + b"\r\n"}
    yield "blob error", {"reply": b"!%d\r\n%s\r\n" % (len(both), both.encode())}
    for version in (password, f"7.2.4-{password}", f"7.{password}.1", f"7.2.{password}", f"7.2.4{SECRET}"):
        greeting = {b"HELLO": hello(version)}
        yield f"version {version}", {"greeting": greeting, "reply": f"-ERR {both}\r\n".encode()}
    yield "no reply", {"reply": f"${password}\r\n{both}\r\n".encode()}
    yield "no greeting", {"greeting": {b"HELLO": f"{both}\r\n".encode()}}


@pytest.mark.parametrize("password", PASSWORDS)
def test_password_repeated_by_a_redis_server_is_not_shown(level, command, home, password, places, upstream):
    for name, options in echoes(password):
        with Resp(**options) as server:
            env = {"LARDER_SHARED_PASSWORD": password}
            larder = level(server, **env)
            shown = [larder.call("character/get", id=1), larder.call("cache/remove", resource="character")]
            shown += [larder.call("cache/stats"), larder.call("server/status"), larder.stderr()]
            assert larder.close() == 0
            words = ["--shared", server.url(), "--base-url", f"rickandmorty={upstream.url}", *places]
            env = {**env, "LARDER_SHARED_SECRET": SECRET}
            for args in ([], ["--json"]):
                done = command("doctor", *args, *words, env=env)
                shown += [done.stdout.decode(), done.stderr]
        kept = [path.read_bytes().decode("latin-1") for path in home.rglob("*") if path.is_file()]
        for text in (password, SECRET):
            assert text not in str(shown), (name, shown)
            assert not any(text in each for each in kept), name


def test_password_in_the_redis_url_is_not_shown(level, command, places, upstream):
    with Resp(reply=b"-ERR hunter2 " + SECRET.encode() + b"\r\n") as server:
        larder = level(server, url=server.url(":hunter2"))
        larder.call("character/get", id=1)
        shown = [larder.call("cache/stats"), larder.call("server/status"), larder.stderr()]
        words = ["--shared", server.url(":hunter2"), "--base-url", f"rickandmorty={upstream.url}", *places]
        done = command("doctor", *words, env={"LARDER_SHARED_SECRET": SECRET})
        assert "warning  shared level: --shared has a password in its URL" in done.stdout.decode(), done
        shown += [done.stdout.decode(), done.stderr]
        assert "hunter2" not in str(shown) and SECRET not in str(shown), shown
