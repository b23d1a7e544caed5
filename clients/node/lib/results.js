"use strict";
// From the results of the wire to those that callers get.
const { fromWire } = require("./errors.js");

/** The moment becomes a Date, and the reason why something cached stands in becomes an error. */
function provenance(result) {
  if (result.fetchedAt !== undefined) result.fetchedAt = new Date(result.fetchedAt);
  if (result.fallback !== undefined) result.fallback = fromWire(result.fallback);
  return result;
}

module.exports = { provenance };
