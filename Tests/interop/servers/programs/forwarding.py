"""Runs a server that listens on a Unix socket, and forwards connections from a free port of 127.0.0.1 to it.

The servers cannot report a free port that they have chosen. The paths of their sockets are relative to the working
folder, because a path has at most 107 bytes.
"""

import asyncio
import os
import subprocess
import sys
import threading


def run(command, ready, socket):
    """Runs a server until the end of the input. Prints the port after a line with the text `ready` in the server's
    log, which goes to stderr."""
    none = subprocess.DEVNULL
    server = subprocess.Popen(command, stdin=none, stdout=none, stderr=subprocess.PIPE)
    threading.Thread(target=_end_with_the_input, args=[server], daemon=True).start()
    for line in server.stderr:
        os.write(sys.stderr.fileno(), line)
        if ready in line:
            threading.Thread(target=asyncio.run, args=[_serve(socket)], daemon=True).start()
    sys.exit(f"the server has exited with code {server.wait()}")


def _end_with_the_input(server):
    sys.stdin.buffer.read()
    server.kill()
    os._exit(0)


async def _serve(socket):
    async def connect(reader, writer):
        inner, outer = await asyncio.open_unix_connection(socket)
        await asyncio.gather(_copy(reader, outer), _copy(inner, writer))
        outer.close()
        writer.close()

    listener = await asyncio.start_server(connect, "127.0.0.1", 0)
    print(listener.sockets[0].getsockname()[1], flush=True)
    await listener.serve_forever()


async def _copy(reader, writer):
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()
