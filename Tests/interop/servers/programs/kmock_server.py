"""kmock, which emulates Kubernetes: it has the pods that clients create."""

import asyncio
import sys

import kmock


async def main():
    emulator = kmock.KubernetesEmulator()
    emulator.resources["v1/pods"] = {"namespaced": True, "verbs": ["list", "get", "create", "patch", "delete"]}
    async with emulator, kmock.Server(emulator, host="127.0.0.1") as server:
        print(server.port, flush=True)
        await asyncio.to_thread(sys.stdin.buffer.read)


asyncio.run(main())
