"use strict";
// Encodes a message as a line. Values that JSON cannot represent are refused here. The server could not read the id of
// such a message, so its error reply could not be matched to a call.

const MAX_LEVELS = 512; // The server's limit of nested values; the message itself is level 1.
const PARAMS_LEVEL = 2;

// Matches a lone surrogate as `JSON.stringify` escapes it. If a string contains the letters `\ud800` themselves, their
// backslash is doubled. So an escape has an even number of backslashes before it.
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*(\\ud[89a-f][\da-f]{2})/;

/** Returns the line of a message. Throws a TypeError if JSON cannot represent the message. */
function lineOf(message) {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  if (message.params) refuseInvalidNumbers(message.params, "params", PARAMS_LEVEL);
  const surrogate = text.includes("\\ud") && LONE_SURROGATE.exec(text);
  if (surrogate) {
    const what = `a string in ${message.method} has the lone surrogate ${surrogate[1]}`;
    throw new TypeError(`${what}; correct the string`);
  }
  return `${text}\n`;
}

/** Refuses NaN and infinities. `JSON.stringify` encodes them as null, and the server ignores a param that is null. */
function refuseInvalidNumbers(value, place, level) {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`${place} is ${value}, which JSON cannot represent`);
  } else if (typeof value === "object" && value !== null) {
    if (level > MAX_LEVELS) throw new TypeError(`params are nested too deeply; at most ${MAX_LEVELS} levels are valid`);
    for (const key in value) refuseInvalidNumbers(value[key], `${place}.${key}`, level + 1);
  }
}

module.exports = { lineOf };
