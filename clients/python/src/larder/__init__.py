"""Client for the Larder data service, for example `with Larder() as larder: larder.character.get(1).item`."""

from .aio.client import AsyncLarder
from .aio.iterators import AsyncObservation, AsyncPages
from .aio.resources import AsyncResource
from .calls import CachePolicy, Duration
from .client import Larder
from .errors import (
    BinaryNotFound,
    Busy,
    Cancelled,
    DecodingFailed,
    InternalError,
    InvalidMessage,
    InvalidParams,
    InvalidRequest,
    InvalidResponse,
    LarderClosed,
    LarderError,
    MethodNotFound,
    Network,
    NoReply,
    NotCached,
    NotFound,
    NotReplayed,
    ParseError,
    RateLimited,
    ServerError,
    Timeout,
    TooLarge,
    Unauthorized,
)
from .iterators import Observation, Pages
from .resources import Resource
from .results import (
    Change,
    Explanation,
    Fallback,
    GetMany,
    ItemResult,
    ListResult,
    PageInfo,
    Prefetched,
    Progress,
    SearchResult,
    Sources,
)
from .synced import SyncChange, Synced

__version__ = "0.2.0"

__all__ = [
    "AsyncLarder",
    "AsyncObservation",
    "AsyncPages",
    "AsyncResource",
    "BinaryNotFound",
    "Busy",
    "CachePolicy",
    "Cancelled",
    "Change",
    "DecodingFailed",
    "Duration",
    "Explanation",
    "Fallback",
    "GetMany",
    "InternalError",
    "InvalidMessage",
    "InvalidParams",
    "InvalidRequest",
    "InvalidResponse",
    "ItemResult",
    "Larder",
    "LarderClosed",
    "LarderError",
    "ListResult",
    "MethodNotFound",
    "Network",
    "NoReply",
    "NotCached",
    "NotFound",
    "NotReplayed",
    "Observation",
    "PageInfo",
    "Pages",
    "ParseError",
    "Prefetched",
    "Progress",
    "RateLimited",
    "Resource",
    "SearchResult",
    "ServerError",
    "Sources",
    "SyncChange",
    "Synced",
    "Timeout",
    "TooLarge",
    "Unauthorized",
]
