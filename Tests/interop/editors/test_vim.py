"""The plugin for Vim, in Vim in a terminal: vim/scenarios.vim says what is done, and what must then be so."""

import os
import pty
import threading

import pytest

from driving import HERE, scenarios

SCRIPT = "vim/scenarios.vim"
VIM = ["vim", "-N", "-u", "NONE", "-i", "NONE", "-n", "-S", str(HERE / SCRIPT)]


@pytest.fixture
def terminal():
    """What Vim draws is read and forgotten; nothing is typed there."""
    ours, theirs = pty.openpty()

    def drain():
        try:
            while os.read(ours, 65536):
                pass
        except OSError:
            pass  # So a terminal ends that nobody has open.

    reader = threading.Thread(target=drain)
    reader.start()
    yield theirs
    os.close(theirs)
    reader.join()
    os.close(ours)


@pytest.mark.parametrize("name", scenarios(SCRIPT, r"^def Scenario_(\w+)"))
def test_vim(name, scenario, terminal):
    scenario(VIM, name, terminal=terminal)
