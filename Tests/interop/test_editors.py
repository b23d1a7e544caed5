"""The JSON-RPC clients built into editors, tested by `make interop`. session.py defines the session and the expected
results."""

import shutil

import pytest

from session import HERE, check, drive

VIM = ["vim", "-N", "-es", "-u", "NONE", "-i", "NONE", "-S", str(HERE / "vim.vim")]
EDITORS = {
    "vim-lsp": (VIM, {"LARDER_VIM_MODE": "lsp"}),
    "vim-nl": (VIM, {"LARDER_VIM_MODE": "nl"}),
    "neovim": (["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-S", str(HERE / "neovim.lua")], {}),
    "emacs": (["emacs", "--batch", "-Q", "-l", str(HERE / "emacs.el")], {}),
}


@pytest.mark.parametrize("name", EDITORS)
def test_each_editor_lsp_client_completes_a_session(name, home, upstream, places, command):
    client, variables = EDITORS[name]
    assert shutil.which(client[0]), f"no {client[0]} here: scripts/bootstrap --interop installs it, or says how"
    check(drive(client, home, upstream, places, **variables), command, places)
