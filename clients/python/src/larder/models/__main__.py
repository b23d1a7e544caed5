"""Prints a typed Python module for a catalog. All options of `larder` are accepted, for example `--catalog`."""

import sys

from ..client import Larder
from ..errors import LarderError
from .document import module

_USAGE = "usage: python -m larder.models [LARDER OPTION ...] > MODULE.py\n\n"


def main() -> int:
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(_USAGE + (__doc__ or ""))
        return 0
    try:
        # Generating the module needs neither a request to an API nor a cache file.
        with Larder(["--no-persistence", *sys.argv[1:]]) as larder:
            print(module(larder.call("rpc.discover")), end="")
    except LarderError as error:
        # Only the first line is printed, because the further lines of a `LarderClosed` error repeat the log, which is
        # already on stderr.
        print(f"larder.models: {error.message.partition(chr(10))[0]}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
