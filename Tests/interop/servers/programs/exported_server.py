"""The tables of a file that `larder cache export` has written: `exported_server.py FOLDER FILE`."""

import sys

import serve
from datasette.app import Datasette

serve.asgi(Datasette([sys.argv[2]], settings={"max_returned_rows": 1000}).app())
