"""Serves an application on a free port of 127.0.0.1 and prints the port.

The process exits at the end of its input, so that no server is left when the tests are killed.
"""

import os
import socket
import sys
import threading


def _end_with_the_input():
    sys.stdin.buffer.read()
    os._exit(0)


def _announce(port):
    threading.Thread(target=_end_with_the_input, daemon=True).start()
    print(port, flush=True)


def wsgi(app):
    from werkzeug.serving import WSGIRequestHandler, make_server

    class Handler(WSGIRequestHandler):
        protocol_version = "HTTP/1.1"

    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Handler)
    _announce(server.server_port)
    server.serve_forever()


def asgi(app, log_level="warning", **settings):
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0))
    # Connections made before the application is ready wait in the listener's queue.
    _announce(listener.getsockname()[1])
    uvicorn.Server(uvicorn.Config(app, log_level=log_level, **settings)).run(sockets=[listener])
