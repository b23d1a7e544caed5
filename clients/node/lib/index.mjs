// Each name is listed, so that `import { Larder }` is checked when a module is linked.
import larder from "./index.js";

export const {
  Larder, LarderError, LarderClosed, BinaryNotFound,
  ParseError, InvalidMessage, MethodNotFound, InvalidParams, InternalError, Cancelled,
  InvalidRequest, InvalidResponse, NotFound, ServerError, DecodingFailed, Unauthorized, RateLimited, Network, Timeout,
  NotCached, Busy, TooLarge,
} = larder;
