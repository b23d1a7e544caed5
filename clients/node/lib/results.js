"use strict";
// Converts JSON-RPC results for callers.
const { fromWire } = require("./errors.js");

/** Converts `fetchedAt` and `syncedAt` to Dates, and `fallback`, the API error of a cached result, to a LarderError. */
function provenance(result) {
  if (result.fetchedAt !== undefined) result.fetchedAt = new Date(result.fetchedAt);
  if (result.syncedAt !== undefined) result.syncedAt = new Date(result.syncedAt);
  if (result.fallback !== undefined) result.fallback = fromWire(result.fallback);
  return result;
}

/** Converts `syncedAt` and `wholeAt` to Dates. A time is null if no run has set it. */
function syncTimes(result) {
  for (const name of ["syncedAt", "wholeAt"]) if (result[name] !== null) result[name] = new Date(result[name]);
  return result;
}

module.exports = { provenance, syncTimes };
