// One class a kind of error.

export declare class LarderError extends Error {
  /** The code of the wire; null where the error is this client's own. */
  readonly code: number | null;
  readonly data: Readonly<Record<string, any>>;
  /** What a program branches on, as "notFound". */
  readonly kind: string | null;
  /** After how many seconds to try again, where somebody said so. */
  readonly retryAfter: number | null;
  /** What the API itself says. */
  readonly apiMessage: string | null;
  /** The HTTP status, where one came. */
  readonly status: number | null;
}

/** The process is gone. */
export declare class LarderClosed extends LarderError {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Its last log lines. */
  readonly stderr: string;
}

/** There is no program to start. */
export declare class BinaryNotFound extends LarderError {}

export declare class ParseError extends LarderError {}
export declare class InvalidMessage extends LarderError {}
export declare class MethodNotFound extends LarderError {}
export declare class InvalidParams extends LarderError {}
export declare class InternalError extends LarderError {}
export declare class Cancelled extends LarderError {}

export declare class InvalidRequest extends LarderError {}
export declare class InvalidResponse extends LarderError {}
export declare class NotFound extends LarderError {}
export declare class ServerError extends LarderError {}
export declare class DecodingFailed extends LarderError {}
export declare class Unauthorized extends LarderError {}
export declare class RateLimited extends LarderError {}
export declare class Network extends LarderError {}
export declare class Timeout extends LarderError {}
export declare class NotCached extends LarderError {}
export declare class Busy extends LarderError {}
export declare class TooLarge extends LarderError {}
