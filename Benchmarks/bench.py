"""Helpers for the benchmarks: building and running the C programs, and the loopback API."""
import contextlib
import json
import os
import platform
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(os.path.dirname(HERE), ".build", "bench")
PROGRAMS = ["floor", "floor_select", "drive", "curl_easy", "curl_multi", "upstream"]
RESOURCE = "character"
LIMIT = 180  # The maximum duration of one program, in seconds.


class Fault(Exception):
    """A failed measurement. The message states the reason."""


def program(name):
    return os.path.join(BUILD, name)


def build():
    for name in PROGRAMS:
        libraries = ["-lsqlite3"] if name == "floor_select" else ["-lcurl"] if name.startswith("curl_") else []
        compile_c(name, program(name), *libraries)


def build_library(name):
    """Builds a library that LD_PRELOAD can load."""
    compile_c(name, program(name + ".so"), "-shared", "-fPIC")


def compile_c(name, output, *options):
    os.makedirs(BUILD, exist_ok=True)
    compiler = os.environ.get("CC", "cc").split()
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", output]
    if subprocess.run([*compiler, *flags, os.path.join(HERE, "programs", name + ".c"), *options]).returncode != 0:
        raise Fault(f"{name}.c: the build failed: see the output of the compiler above")


@contextlib.contextmanager
def one_core():
    """Binds this process and its children to one core, because waking another core would cost more than the measured
    work."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def measure(*command):
    """Runs a program and parses the JSON line that it prints. A program that takes too long gets SIGTERM."""
    text = " ".join(map(str, command))
    process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        output, _ = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise Fault(f"{text}: not finished after {LIMIT} s")
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
        process.stdout.close()
    if process.returncode != 0:
        raise Fault(f"{text}: exit code {process.returncode}")
    return json.loads(output)


class Upstream:
    """The `upstream` program as the API. `moved()` binds it to the cores of this process."""

    def __enter__(self):
        self.process = subprocess.Popen([program("upstream")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise Fault("the program upstream did not start: run it alone to see its error")
        self.items = f"{self.url}/api/{RESOURCE}"
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def moved(self):
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(self.process.pid, os.sched_getaffinity(0))


def find_larder():
    path = os.environ.get("LARDER_BIN") or os.path.join(os.path.dirname(BUILD), "release", "larder")
    if not os.access(path, os.X_OK) or os.path.isdir(path):
        raise Fault(f"{path} is not an executable file: run `make build`, or name another one in LARDER_BIN")
    return os.path.abspath(path)


def machine():
    model = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        with open("/proc/cpuinfo") as file:
            model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), model)
    load = os.getloadavg()[0]
    return (f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, "
            f"Python {platform.python_version()}, load at start {load:.1f}")
