"""Kinto in memory: a bucket of the user `somebody`, with a collection of books for each shelf.

With an argument, each answer has the header `Backoff` with this number of seconds. `POST /purge-deleted` runs the
function of the command `kinto purge-deleted`, because another process would not have the records in memory.
"""

import base64
import json
import sys

import kinto
import serve
from kinto.core import scripts
from webob import Request, Response
from world import BOOKS

SETTINGS = {
    "userid_hmac_secret": "for the tests alone",
    "bucket_create_principals": "system.Authenticated",
    **{f"{name}_backend": f"kinto.core.{name}.memory" for name in ("storage", "cache", "permission")},
    "multiauth.policies": "basicauth",
    "paginate_by": "20",
}
if len(sys.argv) > 2:
    SETTINGS["backoff"] = sys.argv[2]
app = kinto.main({}, **SETTINGS)
OWNER = {"Authorization": "Basic " + base64.b64encode(b"somebody:kinto-password").decode()}


def put(path, data):
    request = Request.blank(f"/v1{path}", method="PUT", headers={**OWNER, "Content-Type": "application/json"})
    request.body = json.dumps({"data": data}).encode()
    answer = request.get_response(app)
    assert answer.status_code == 201, answer.text


put("/buckets/library", {})
for shelf in ("poetry", "prose", "maps"):
    put(f"/buckets/library/collections/{shelf}", {})
for book in BOOKS:
    shelf = book["shelf"].split()[0]
    data = {name: book[name] for name in ("title", "year", "author")}
    put(f"/buckets/library/collections/{shelf}/records/book-{book['id']}", {**data, "number": book["id"]})



def purging(environ, start_response):
    request = Request(environ)
    if (request.method, request.path) != ("POST", "/purge-deleted"):
        return app(environ, start_response)
    scripts.purge_deleted({"registry": app.registry}, ["record"], 0)
    return Response(status=204)(environ, start_response)


serve.wsgi(purging)
