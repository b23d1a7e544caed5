"""Portable builds run with glibc 2.34: Sources/CCompatibility replaces functions of newer versions."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from harness import PATIENCE, ROOT

SOURCE = ROOT / "Sources" / "CCompatibility" / "compatibility.c"
PORTABLE = ROOT / ".build" / "portable" / "release" / "larder"
COMPILER = shutil.which("clang") or shutil.which("cc")
CHECKS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    volatile float large = 2e38f, infinite = INFINITY, none = NAN;
    printf("%g %g %g %g\n", hypotf(3, 4), hypotf(large, large), hypotf(none, infinite), hypotf(-infinite, 1));
    void *places[] = {(void *)main, (void *)printf, (void *)8};
    for (int i = 0; i < 3; i++) {
        struct dl_find_object found = {0};
        int code = _dl_find_object(places[i], &found);
        Dl_info object = {0};
        dladdr(places[i], &object);
        int isInside = found.dlfo_map_start <= places[i] && places[i] < found.dlfo_map_end;
        int isMapped = found.dlfo_map_start <= found.dlfo_eh_frame && found.dlfo_eh_frame < found.dlfo_map_end;
        printf("%d %d %d %d\n", code, isInside, isMapped, found.dlfo_map_start == object.dli_fbase);
    }
}
"""


@pytest.mark.skipif(sys.platform != "linux" or not COMPILER, reason="needs glibc and a C compiler")
def test_replacement_functions_behave_as_in_glibc(tmp_path):
    (tmp_path / "checks.c").write_text(CHECKS)
    printed = []
    for options in ([], ["-DLARDER_PORTABLE", SOURCE]):
        program = tmp_path / "checks"
        command = [COMPILER, "-w", "-fno-builtin", *options, tmp_path / "checks.c", "-o", program, "-lm"]
        subprocess.run(command, check=True, timeout=PATIENCE)
        printed.append(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
    assert printed[0] == printed[1]
    assert printed[1].splitlines()[:3] == ["5 2.82843e+38 inf inf", "0 1 1 1", "0 1 1 1"]


@pytest.mark.skipif(not PORTABLE.exists(), reason="needs `make portable`")
def test_portable_program_needs_glibc_2_34_at_most():
    names = re.findall(rb"\0GLIBC_(\d+)\.(\d+)(?=\0)", pathlib.Path(PORTABLE).read_bytes())
    assert (2, 17) < max(tuple(map(int, name)) for name in names) <= (2, 34)
