"""Chooses the tests of the larder program for a mutant, because a run cannot afford all tests that reach the mutant."""

import collections
import itertools
import re

# The maximum numbers of tests: of the tests that a name relates to the mutant, and of all others.
MAX_RELATED, MAX_OTHERS = 150, 250
# Words of folders and suffixes, which relate nothing.
COMMON = {"sources", "tests", "test", "swift", "end", "to", "source", "data", "larder", "in", "of", "is", "the", "a"}


def words(name):
    """Returns the words of a path or an identifier, in lower case and without a plural `s`."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    return {part.lower().rstrip("s") for part in parts} - COMMON


def choose(file, tests, breadth):
    """Returns two lists of pytest ids for a mutant of `file`, the likeliest tests first.

    The first list has tests whose names share words with the path of the file. The second list takes the other tests
    from each test file in turn, because tests of one file are alike. `breadth` is the number of mutants that a test
    reaches: a test that reaches few of them checks a special case. Each list may be empty.
    """
    wanted = words(file)
    shared = {test: len(wanted & words(test)) for test in tests}
    order = sorted(tests, key=lambda test: (-shared[test], breadth[test], test))
    related = [test for test in order if shared[test]][:MAX_RELATED]
    by_file = collections.defaultdict(list)
    for test in sorted(set(tests) - set(related), key=lambda test: (breadth[test], test)):
        by_file[test.split("::")[0]].append(test)
    turns = itertools.chain(*itertools.zip_longest(*by_file.values()))
    others = [test for test in turns if test is not None][:MAX_OTHERS]
    return [each for each in (related, others) if each]
