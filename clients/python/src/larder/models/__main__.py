"""Prints the module. All arguments are larder's: `python -m larder.models --catalog api.jsonc`."""

import sys

from ..client import Larder
from ..errors import LarderError
from .document import module

_USAGE = "usage: python -m larder.models [OPTION OF larder ...] > MODULE.py\n\n"


def main() -> int:
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(_USAGE + (__doc__ or ""))
        return 0
    try:
        # Nothing is asked of an API, and nothing is kept.
        with Larder(["--no-persistence", *sys.argv[1:]]) as larder:
            print(module(larder.call("rpc.discover")), end="")
    except LarderError as error:
        # What the process had to say stands there already; `LarderClosed` repeats it below its own first line.
        print(f"larder.models: {error.message.partition(chr(10))[0]}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
