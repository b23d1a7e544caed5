"use strict";
// One class for each kind of error, so that callers can distinguish them with `instanceof`.

/** The base class of all errors of the client. An error reply sets `code`, `kind` and `data`. */
class LarderError extends Error {
  constructor(message, code = null, data = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** The name of the class. It is a getter, because Node prints own properties after the error. */
  get name() {
    return this.constructor.name;
  }

  /** The kind of the error, for example "notFound"; null if the error has no kind. */
  get kind() {
    return this.data.kind ?? null;
  }

  /** The seconds to wait before a retry; null if unknown. */
  get retryAfter() {
    return this.data.retryAfter ?? null;
  }

  /** The error message of the API; null if the API sent no message. */
  get apiMessage() {
    return this.data.apiMessage ?? null;
  }

  /** The HTTP status of the API's response; null if there was no response. */
  get status() {
    return this.data.status ?? null;
  }
}

/** The client is closed, or its process exited with `exitCode` or by `signal`. `stderr` contains its last log lines. */
class LarderClosed extends LarderError {
  constructor(message, { exitCode = null, signal = null, stderr = "" } = {}) {
    super(stderr ? `${message}:\n${stderr}` : message);
    this.exitCode = exitCode;
    this.signal = signal;
    this.stderr = stderr;
  }
}

/** The larder program was not found or cannot be started. */
class BinaryNotFound extends LarderError {}

const byCode = new Map();

function wire(code, name) {
  const made = { [name]: class extends LarderError {} }[name];
  byCode.set(code, made);
  return [name, made];
}

const classes = {
  LarderError, LarderClosed, BinaryNotFound,
  ...Object.fromEntries([
    wire(-32700, "ParseError"), wire(-32600, "InvalidMessage"), wire(-32601, "MethodNotFound"),
    wire(-32602, "InvalidParams"), wire(-32603, "InternalError"), wire(-32800, "Cancelled"),
    wire(-31001, "InvalidRequest"), wire(-31002, "InvalidResponse"), wire(-31003, "NotFound"),
    wire(-31004, "ServerError"), wire(-31005, "DecodingFailed"), wire(-31006, "Unauthorized"),
    wire(-31007, "RateLimited"), wire(-31008, "Network"), wire(-31009, "Timeout"), wire(-31010, "NotCached"),
    wire(-31011, "Busy"), wire(-31012, "TooLarge"), wire(-31013, "NotReplayed"),
    wire(-31015, "NotSynced"), wire(-31016, "QueryLimit"),
  ]),
};

/** Returns the exception for a JSON-RPC error object: a plain LarderError if its code is unknown. */
function fromWire(error) {
  return new (byCode.get(error.code) ?? LarderError)(error.message, error.code, error.data ?? {});
}

module.exports = { LarderError, LarderClosed, BinaryNotFound, fromWire, classes };
