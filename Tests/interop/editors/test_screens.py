"""The pictures of editors in the documents match the real screens."""

import importlib.machinery
import importlib.util
import re

import pytest

from driving import HERE
from harness import ROOT

LOADER = importlib.machinery.SourceFileLoader("screenshot", str(HERE / "screenshot"))
SPEC = importlib.util.spec_from_loader("screenshot", LOADER)


@pytest.fixture(scope="module")
def screenshot():
    module = importlib.util.module_from_spec(SPEC)
    LOADER.exec_module(module)
    return module


@pytest.mark.parametrize("editor", ["neovim", "emacs"])
def test_documented_editor_screen_matches_the_current_one(editor, home, screenshot):
    document = (ROOT / "docs" / "clients-editors.md").read_text(encoding="utf-8")
    pictures = re.findall(r"^```text\n(Who lives on\n.*?)\n```$", document, re.M | re.S)
    shown = "\n".join(screenshot.take(editor, home)[-1]).rstrip()
    assert len(pictures) == 2 and shown in pictures


def test_documented_neovim_image_matches_the_current_screen(home, screenshot):
    picture = (ROOT / "docs" / "images" / "neovim.svg").read_text(encoding="utf-8")
    assert screenshot.svg(home) == picture, "Tests/interop/editors/screenshot svg > docs/images/neovim.svg"
