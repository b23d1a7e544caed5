"""An empty etcd. It listens on a Unix socket, because its JSON gateway needs a known address. This program forwards
connections to a free port of 127.0.0.1 to the socket."""

import asyncio
import shutil
import signal
import subprocess
import sys

PEER, CLIENT = "unix://peer:1", "unix://client:1"  # the files `peer:1` and `client:1` in the working folder
ETCD = [
    *("etcd", "--data-dir", "data", "--unsafe-no-fsync", "--logger", "zap", "--initial-cluster", f"default={PEER}"),
    *("--listen-peer-urls", PEER, "--initial-advertise-peer-urls", PEER),
    *("--listen-client-urls", CLIENT, "--advertise-client-urls", CLIENT),
]


def start():
    """Starts etcd, and returns the process once it is ready. etcd's log goes to stderr."""
    etcd = subprocess.Popen(ETCD, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    for line in etcd.stderr:
        sys.stderr.buffer.write(line)
        if b"serving client traffic" in line:
            return etcd
    sys.exit("etcd does not start")


async def forward(reader, writer):
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()


async def connect(reader, writer):
    inner, outer = await asyncio.open_unix_connection("client:1")
    await asyncio.gather(forward(reader, outer), forward(inner, writer))
    outer.close()
    writer.close()


async def serve(etcd):
    server = await asyncio.start_server(connect, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    log = asyncio.to_thread(shutil.copyfileobj, etcd.stderr, sys.stderr.buffer)
    input = asyncio.to_thread(sys.stdin.buffer.read)
    await asyncio.wait([asyncio.ensure_future(log), asyncio.ensure_future(input)], return_when="FIRST_COMPLETED")
    etcd.send_signal(signal.SIGKILL)


asyncio.run(serve(start()))
