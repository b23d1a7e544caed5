"""Client libraries from PyPI. session.py defines the session; Tests/EndToEnd/requirements.txt pins the versions."""

import re
import sys

import pytest

from harness import ROOT
from session import HERE, check, drive


@pytest.mark.parametrize("script", ["pygls_client.py", "pylsp_jsonrpc_client.py", "jsonrpcclient_client.py"])
def test_each_json_rpc_library_completes_a_session(script, home, upstream, places, command):
    check(drive([sys.executable, str(HERE / script)], home, upstream, places), command, places)


def test_documented_library_versions_match_the_tested_versions():
    pinned = (ROOT / "Tests" / "EndToEnd" / "requirements.txt").read_text(encoding="utf-8")
    section = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8").partition("## Tested with")[2]
    found = re.findall(r"\b(pygls|lsprotocol|python-lsp-jsonrpc|jsonrpcclient)\b (\d\S+)", section)
    assert len(found) == 4
    assert all(f"{name}=={version}\n" in pinned for name, version in found)
