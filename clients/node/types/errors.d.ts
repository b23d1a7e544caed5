// One class for each kind of error.

export declare class LarderError extends Error {
  /** The JSON-RPC error code; null for an error of the client itself. */
  readonly code: number | null;
  readonly data: Readonly<Record<string, any>>;
  /** The kind of the error, for example "notFound"; null if the error has no kind. */
  readonly kind: string | null;
  /** The seconds to wait before a retry; null if unknown. */
  readonly retryAfter: number | null;
  /** The error message of the API; null if the API sent no message. */
  readonly apiMessage: string | null;
  /** The HTTP status of the API's response; null if there was no response. */
  readonly status: number | null;
}

/** The client is closed, or the larder process has exited. */
export declare class LarderClosed extends LarderError {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The last log lines of the process. */
  readonly stderr: string;
}

/** The larder program was not found or cannot be started. */
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
export declare class NotReplayed extends LarderError {}
export declare class NotSynced extends LarderError {}
export declare class QueryLimit extends LarderError {}
