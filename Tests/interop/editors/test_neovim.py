"""The Neovim plugin in Neovim. Two files of the folder neovim contain the scenarios and the expected results."""

import pytest

from driving import HERE, scenarios

SCRIPTS = ("neovim/scenarios.lua", "neovim/moves.lua")
PATTERN = r"^function scenarios\.(\w+)"
NEOVIM = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", str(HERE / "neovim" / "driver.lua")]


@pytest.mark.parametrize("name", [name for script in SCRIPTS for name in scenarios(script, PATTERN)])
def test_neovim_client_passes_each_scenario(name, scenario):
    scenario(NEOVIM, name)
