import os

from hypothesis import settings

from fixtures import *  # noqa: F401,F403

# The examples are the same in each run. LARDER_FUZZ=1000 generates 1000 new ones for each test.
_examples = int(os.environ.get("LARDER_FUZZ", "0"))
settings.register_profile(
    "larder", deadline=None, database=None, derandomize=not _examples, max_examples=_examples or 60
)
settings.load_profile("larder")
