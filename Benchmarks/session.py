"""Processes that answer lines, for the benchmarks that send their requests from Python."""
import json
import os
import subprocess
import time

from bench import Fault


class Program:
    """A process that answers each line of its stdin with a line."""

    def __init__(self, command, **variables):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env={**os.environ, **variables})

    def ask(self, line):
        """Sends a line, and returns the line with the reply. There must be no other request in flight."""
        self.process.stdin.write(line.encode() + b"\n")
        parts = []
        while not parts or not parts[-1].endswith(b"\n"):
            parts.append(self.process.stdout.read(1 << 20))
            if not parts[-1]:
                raise Fault(f"{self.process.args[0]} exited")
        return b"".join(parts)

    def close(self):
        """Closes the stdin of the process, and waits for its exit."""
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        if self.process.wait() != 0:
            raise Fault(f"{self.process.args[0]}: exit code {self.process.returncode}")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Larder(Program):
    """A larder process, with the ids of the replies that have arrived but have not been read by a call yet."""

    def __init__(self, command, **variables):
        super().__init__(command, **variables)
        self.rest, self.early = b"", set()

    def send(self, number, method, **params):
        line = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"
        self.process.stdin.write(line)

    def wait(self, id):
        """Reads replies until the reply with the given id arrives."""
        self.keep_replies()
        while id not in self.early:
            part = self.process.stdout.read(1 << 20)
            if not part:
                raise Fault("larder exited")
            self.rest += part
            self.keep_replies()
        self.early.discard(id)

    def keep_replies(self):
        """Records the ids of the complete replies in the buffer."""
        *lines, self.rest = self.rest.split(b"\n")
        for line in lines:
            if b'"error"' in line[:60]:
                raise Fault(f"error reply: {line[:300]!r}")
            self.early.add(int(line[:60].split(b'"id":')[1].split(b",")[0]))

    def hits(self, count, until=lambda: True, resource="character"):
        """Reads the item 1 from memory at least `count` times and until `until()` is true. Returns the durations in
        us."""
        line = b'{"jsonrpc":"2.0","id":1,"method":"%s/get","params":{"id":1}}\n' % resource.encode()
        write, read, times = self.process.stdin.write, self.process.stdout.read, []
        while len(times) < count or not until():
            if len(times) > 100 * count:
                raise Fault(f"the measurement did not end after {100 * count:,} requests")
            start = time.perf_counter_ns()
            write(line)
            reply = read(1 << 16)
            times.append((time.perf_counter_ns() - start) / 1000)
            if reply.count(b"\n") != 1 or b'"id":1,' not in reply[:30]:
                # The data contains the reply to an earlier request.
                self.rest += reply
                self.wait(1)
        return times


def percentile(times, part):
    return sorted(times)[min(len(times) - 1, int(len(times) * part))]
