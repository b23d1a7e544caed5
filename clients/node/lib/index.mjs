// Each name is listed, so that Node checks `import { Larder }` before it runs the module.
import larder from "./index.js";

export const {
  Larder, LarderError, LarderClosed, BinaryNotFound,
  ParseError, InvalidMessage, MethodNotFound, InvalidParams, InternalError, Cancelled,
  InvalidRequest, InvalidResponse, NotFound, ServerError, DecodingFailed, Unauthorized, RateLimited, Network, Timeout,
  NotCached, Busy, TooLarge, NotReplayed, NotSynced, QueryLimit,
} = larder;
