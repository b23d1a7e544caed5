"use strict";
// A message as the line that is written. What JSON has no word for is refused here, in the call that has it: the server
// could not read the line's id, and its refusal would be nobody's.

const LEVELS = 512; // What the server reads; the message itself is the first.
const CALL = 2; // The level of params.

// Half of a pair of surrogates, as `JSON.stringify` writes it. A text that has these very letters has its backslash
// doubled: an even number of them before the last one is so many backslashes of the text.
const HALF = /(?<!\\)(?:\\\\)*(\\ud[89a-f][\da-f]{2})/;

/** Throws a TypeError where a message cannot be written. */
function lineOf(message) {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  if (message.params) refuseNonNumbers(message.params, "params", CALL);
  const half = text.includes("\\ud") && HALF.exec(text);
  if (half) throw new TypeError(`a text in ${message.method} has ${half[1]} alone, half of a character`);
  return `${text}\n`;
}

/** JSON has no NaN: it would leave as null, and a null parameter counts as absent. */
function refuseNonNumbers(value, place, level) {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`${place} is ${value}, which JSON has no number for`);
  } else if (typeof value === "object" && value !== null) {
    if (level > LEVELS) throw new TypeError(`params are nested deeper than the ${LEVELS} levels of a message`);
    for (const key in value) refuseNonNumbers(value[key], `${place}.${key}`, level + 1);
  }
}

module.exports = { lineOf };
