"use strict";
// Splits the bytes of a pipe into lines.

const LINE_END = 10;

/** Calls `accept` with each complete line, without its line end. An incomplete line is kept until its end arrives. */
class Lines {
  constructor(accept) {
    this.accept = accept;
    this.parts = []; // The chunks of an incomplete line, which are joined when its end arrives.
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
    // Decoding all lines at once is safe: in UTF-8, no character contains the byte of a line end.
    const text = whole.toString("utf8");
    for (let from = 0; from < text.length; ) {
      const to = text.indexOf("\n", from);
      if (to > from) this.accept(text.slice(from, to));
      from = to + 1;
    }
  }

  /** Calls `accept` with the text after the last line end, unless this text is empty. */
  finish() {
    const rest = Buffer.concat(this.parts).toString("utf8");
    this.parts = [];
    if (rest) this.accept(rest);
  }
}

module.exports = { Lines };
