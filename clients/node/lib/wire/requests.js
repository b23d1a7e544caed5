"use strict";
// Encodes a message as a line. Values that JSON cannot represent are refused here, in the call that has them. The
// server could not read the id of such a line, so its error could not be assigned to a call.

const MAX_LEVELS = 512; // The server's limit for nested values; the message itself is level 1.
const PARAMS_LEVEL = 2;

// A lone surrogate as `JSON.stringify` escapes it. In a string that contains the letters `\ud800`, the backslash is
// doubled. So an even number of backslashes before the escape belongs to the string.
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*(\\ud[89a-f][\da-f]{2})/;

/** Returns the line of a message. Throws a TypeError if JSON cannot represent the message. */
function lineOf(message) {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  if (message.params) refuseInvalidNumbers(message.params, "params", PARAMS_LEVEL);
  const surrogate = text.includes("\\ud") && LONE_SURROGATE.exec(text);
  if (surrogate) throw new TypeError(`a string in ${message.method} has the lone surrogate ${surrogate[1]}`);
  return `${text}\n`;
}

/** Refuses NaN and infinities. JSON would encode them as null, and a null parameter counts as absent. */
function refuseInvalidNumbers(value, place, level) {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`${place} is ${value}, which JSON cannot represent`);
  } else if (typeof value === "object" && value !== null) {
    if (level > MAX_LEVELS) throw new TypeError(`params are nested too deeply; at most ${MAX_LEVELS} levels are valid`);
    for (const key in value) refuseInvalidNumbers(value[key], `${place}.${key}`, level + 1);
  }
}

module.exports = { lineOf };
