"""`python -m larder ARGUMENT...` runs the program larder that the client would start."""

import os
import sys

from .errors import BinaryNotFound
from .process import find_binary


def main() -> None:
    try:
        path = find_binary(None)
        os.execv(path, [path, *sys.argv[1:]])
    except (BinaryNotFound, OSError) as error:
        sys.exit(f"larder: {error}")


if __name__ == "__main__":
    main()
