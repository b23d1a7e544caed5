"""The Vim plugin in Vim on a terminal. vim/scenarios.vim contains the scenarios and the expected results."""

import os
import pty
import threading

import pytest

from driving import HERE, scenarios

SCRIPT = "vim/scenarios.vim"
VIM = ["vim", "-N", "-u", "NONE", "-i", "NONE", "-n", "-S", str(HERE / SCRIPT)]


@pytest.fixture
def terminal():
    """A terminal for Vim. Its output is read and discarded, and nothing is typed."""
    ours, theirs = pty.openpty()

    def drain():
        try:
            while os.read(ours, 65536):
                pass
        except OSError:
            pass  # Reading fails when no process has the terminal open.

    reader = threading.Thread(target=drain)
    reader.start()
    yield theirs
    os.close(theirs)
    reader.join()
    os.close(ours)


@pytest.mark.parametrize("name", scenarios(SCRIPT, r"^def Scenario_(\w+)"))
def test_vim_client_passes_each_scenario(name, scenario, terminal):
    scenario(VIM, name, terminal=terminal)
