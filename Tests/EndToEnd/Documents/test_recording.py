"""The terminal pictures in the documents match the output of a real terminal."""

import importlib.machinery
import importlib.util
import pathlib

import pytest

from harness import ROOT

LOADER = importlib.machinery.SourceFileLoader("recording", str(pathlib.Path(__file__).with_name("recording")))
SPEC = importlib.util.spec_from_loader("recording", LOADER)


@pytest.mark.parametrize("name", ["terminal", "watch"])
def test_documented_terminal_image_matches_the_current_output(home, name):
    recording = importlib.util.module_from_spec(SPEC)
    LOADER.exec_module(recording)
    picture = (ROOT / "docs" / "images" / f"{name}.svg").read_text(encoding="utf-8")
    assert recording.svg(home, name) == picture, f"Tests/EndToEnd/Documents/recording {name} > docs/images/{name}.svg"
