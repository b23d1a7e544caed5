"""A fast start: a small binary with few relocations and libraries, and few threads."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from harness import ROOT, binary

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs ELF and /proc")


@pytest.fixture(scope="module")
def options():
    """The options of `make build`. Skips the test if the binary was built without them."""
    environment = {name: value for name, value in os.environ.items() if name != "LARDER_SYMBOLS"}
    lines = subprocess.run(
        [ROOT / "scripts" / "build-options"], capture_output=True, text=True, check=True, env=environment, timeout=120
    ).stdout.splitlines()
    manifest = ROOT / ".build" / "release.yaml"
    built = manifest.read_text() if manifest.exists() and "LARDER_BIN" not in os.environ else ""
    if not all(f'"{line.split()[-1]}"' in built for line in lines):
        pytest.skip("this binary was not built by `make build`")
    return lines


def readelf(*arguments):
    if shutil.which("readelf") is None:
        pytest.skip("needs readelf")
    done = subprocess.run(["readelf", "-W", *arguments, binary()], capture_output=True, text=True, check=True)
    return done.stdout


def test_binary_has_at_most_14_megabytes(options):
    if "-Xlinker -s" not in options:
        pytest.skip("this toolchain does not strip symbols")
    assert os.path.getsize(binary()) <= 14_000_000
    sections = readelf("-S")
    assert ".text" in sections and ".symtab" not in sections and ".debug_info" not in sections


def test_binary_has_at_most_1000_relocations(options):
    """Counts the relocations that are not packed, because packed relocations are stored as bit maps and are cheap."""
    if not any("pack-relative-relocs" in line for line in options):
        pytest.skip("this toolchain or C library has no packed relocations")
    dynamic = readelf("-d")
    assert "(RELR)" in dynamic
    sizes = re.findall(r"\((?:RELASZ|RELSZ|PLTRELSZ)\)\s+(\d+) \(bytes\)", dynamic)
    assert sizes and sum(map(int, sizes)) // 24 <= 1000


def test_binary_does_not_link_libcurl_or_the_cpp_runtime(options):
    """The C++ runtime is linked statically if a static library exists."""
    needed = set(re.findall(r"Shared library: \[([a-z0-9_+]+)", readelf("-d")))
    taken = {name for name in ("libstdc++", "libgcc_s", "libyaml") if any(f"=*/{name}.so" in line for line in options)}
    assert "libc" in needed and not needed & taken
    assert "libcurl" not in needed


def test_process_has_three_threads_after_a_cached_read(start):
    """After a cached read, a process has three threads: the input reader, the signal thread and the event loop."""

    def threads(larder):
        tasks = pathlib.Path(f"/proc/{larder.process.pid}/task")
        return sorted((task / "comm").read_text().strip() for task in tasks.iterdir())

    three = ["larder", "larder-loop", "larder-signals"]

    with start() as larder:
        larder.call("character/get", id=1)
    with start() as larder:
        assert larder.call("character/get", id=1)["source"] == "persistence"
        assert threads(larder) == three
        assert larder.call("character/get", id=1)["source"] == "memory"
        assert threads(larder) == three


def test_threads_of_the_process_share_one_heap(start):
    """With several heaps, glibc would reserve 64 MiB of address space for each thread, and threads would not share
    freed memory."""
    with start() as larder:
        larder.call("character/get", id=1)
        larder.call("recents/add", text="rick")
        larder.call("rpc.discover")
        areas = pathlib.Path(f"/proc/{larder.process.pid}/maps").read_text().splitlines()
    begins = [int(area.split("-")[0], 16) for area in areas if " rw" in area and len(area.split()) == 5]
    assert begins and not [begin for begin in begins if begin % (64 << 20) == 0]
