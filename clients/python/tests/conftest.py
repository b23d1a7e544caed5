import pathlib
import sys

_ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(_ROOT / "Tests" / "EndToEnd"), str(_ROOT / "clients" / "python" / "src")]

from fixtures import *  # noqa: E402,F401,F403
