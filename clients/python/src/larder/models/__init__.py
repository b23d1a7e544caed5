"""The names that generated modules import.

`python -m larder.models --catalog api.jsonc > api.py` prints typed dataclasses and typed clients for a catalog."""

from ..aio.client import AsyncLarder
from ..aio.iterators import AsyncObservation, AsyncPages
from ..aio.resources import AsyncResourceOf
from ..calls import CachePolicy, Calls, Duration, present
from ..client import Larder
from ..iterators import Observation, Pages
from ..resources import ResourceOf
from ..results import ItemResult, ListResult, PageToken, Prefetched, Progress
from ..synced import Synced

__all__ = [
    "AsyncLarder",
    "AsyncObservation",
    "AsyncPages",
    "AsyncResourceOf",
    "CachePolicy",
    "Calls",
    "Duration",
    "ItemResult",
    "Larder",
    "ListResult",
    "Observation",
    "PageToken",
    "Pages",
    "Prefetched",
    "Progress",
    "ResourceOf",
    "Synced",
    "present",
]
