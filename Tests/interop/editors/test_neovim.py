"""The plugin for Neovim, in Neovim: two files of its folder say what is done, and what must then be so."""

import pytest

from driving import HERE, scenarios

SCRIPTS = ("neovim/scenarios.lua", "neovim/moves.lua")
PATTERN = r"^function scenarios\.(\w+)"
NEOVIM = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", str(HERE / "neovim" / "driver.lua")]


@pytest.mark.parametrize("name", [name for script in SCRIPTS for name in scenarios(script, PATTERN)])
def test_neovim(name, scenario):
    scenario(NEOVIM, name)
