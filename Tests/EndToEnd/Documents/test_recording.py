"""The terminal picture in the documents matches the output of a real terminal."""

import importlib.machinery
import importlib.util
import pathlib

from harness import ROOT

LOADER = importlib.machinery.SourceFileLoader("recording", str(pathlib.Path(__file__).with_name("recording")))
SPEC = importlib.util.spec_from_loader("recording", LOADER)


def test_documented_terminal_image_matches_the_current_output(home):
    recording = importlib.util.module_from_spec(SPEC)
    LOADER.exec_module(recording)
    picture = (ROOT / "docs" / "images" / "terminal.svg").read_text(encoding="utf-8")
    assert recording.svg(home) == picture, "Tests/EndToEnd/Documents/recording > docs/images/terminal.svg"
