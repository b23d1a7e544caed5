"""Runs a command and returns what it cost. The program `spawn` starts it, because a child of Python would inherit
Python's peak memory."""
import dataclasses
import json
import subprocess

from bench import Fault, program


@dataclasses.dataclass
class Run:
    seconds: float
    ended: float  # The exit on the monotonic clock, in seconds.
    memory: float  # The peak memory in MiB.
    written: float  # The bytes written in KiB; negative if the system does not count them.
    output: str


def run(*command):
    done = subprocess.run([program("spawn"), *map(str, command)], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Fault(f"{' '.join(map(str, command))}: failed")
    *output, line = done.stdout.splitlines()
    cost = json.loads(line)
    return Run(cost["ms"] / 1000, cost["ended_us"] / 1e6, cost["max_rss_kib"] / 1024, cost["written"] / 1024,
               "\n".join(output))
