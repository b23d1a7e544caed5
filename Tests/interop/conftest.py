import pathlib
import sys

ENDTOEND = pathlib.Path(__file__).resolve().parent.parent / "EndToEnd"
sys.path.insert(0, str(ENDTOEND))
sys.path.append(str(ENDTOEND / "MCP"))

from fixtures import *  # noqa: E402,F401,F403
