"use strict";
// From the bytes of a pipe to the lines in them.

const LINE_END = 10;

/** Calls `accept` with each whole line, without its end; what lacks one waits for the next bytes. */
class Lines {
  constructor(accept) {
    this.accept = accept;
    this.parts = []; // A line may take many reads; they are joined once, when its end is there.
  }

  push(chunk) {
    const end = chunk.lastIndexOf(LINE_END);
    if (end < 0) {
      this.parts.push(chunk);
      return;
    }
    let whole = end + 1 === chunk.length ? chunk : chunk.subarray(0, end + 1);
    if (this.parts.length > 0) {
      whole = Buffer.concat([...this.parts, whole]);
      this.parts = [];
    }
    if (end + 1 < chunk.length) this.parts.push(chunk.subarray(end + 1));
    // Decoded at once: a line's end is never inside of a character in UTF-8.
    const text = whole.toString("utf8");
    for (let from = 0; from < text.length; ) {
      const to = text.indexOf("\n", from);
      if (to > from) this.accept(text.slice(from, to));
      from = to + 1;
    }
  }

  /** What came after the last line's end. */
  finish() {
    const rest = Buffer.concat(this.parts).toString("utf8");
    this.parts = [];
    if (rest) this.accept(rest);
  }
}

module.exports = { Lines };
