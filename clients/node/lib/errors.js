"use strict";
// One class a kind of error, so that callers can tell them by `instanceof`.

/** Every error of Larder. `code`, `kind` and `data` are those of the wire; an error of this client has no code. */
class LarderError extends Error {
  constructor(message, code = null, data = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** The name is the class's, and no own property: it would show twice where the error is printed. */
  get name() {
    return this.constructor.name;
  }

  /** What a program branches on, as "notFound"; null where the error has none. */
  get kind() {
    return this.data.kind ?? null;
  }

  /** After how many seconds to try again; null where nobody said. */
  get retryAfter() {
    return this.data.retryAfter ?? null;
  }

  /** What the API itself says. */
  get apiMessage() {
    return this.data.apiMessage ?? null;
  }

  /** The HTTP status, where one came. */
  get status() {
    return this.data.status ?? null;
  }
}

/** The process is gone. `exitCode` or `signal` says how it ended, `stderr` has its last lines. */
class LarderClosed extends LarderError {
  constructor(message, { exitCode = null, signal = null, stderr = "" } = {}) {
    super(stderr ? `${message}:\n${stderr}` : message);
    this.exitCode = exitCode;
    this.signal = signal;
    this.stderr = stderr;
  }
}

/** There is no program to start. */
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
    wire(-31011, "Busy"), wire(-31012, "TooLarge"),
  ]),
};

/** The exception for an error of the wire. A code that is not known here is a LarderError like any other. */
function fromWire(error) {
  return new (byCode.get(error.code) ?? LarderError)(error.message, error.code, error.data ?? {});
}

module.exports = { LarderError, LarderClosed, BinaryNotFound, fromWire, classes };
