import os

from hypothesis import settings

from fixtures import *  # noqa: F401,F403

# The same examples each time; LARDER_FUZZ=1000 looks for new ones.
_examples = int(os.environ.get("LARDER_FUZZ", "0"))
settings.register_profile(
    "larder", deadline=None, database=None, derandomize=not _examples, max_examples=_examples or 60
)
settings.load_profile("larder")
