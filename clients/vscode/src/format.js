"use strict";
// Formats items as text: one line per item in a list, one line per field in a preview, and the source of a result.

const NAMES = ["name", "title", "label", "subject", "login", "full_name", "tag", "message", "summary", "url"];
const PLACES = new Map([
  ["remote", "the API"], ["memory", "the cache (memory)"], ["persistence", "the cache (disk)"],
  ["shared", "the shared level"],
]);
/**
 * The least age of each unit, the seconds of the unit, and its name.
 *
 * @type {Array<[number, number, string]>}
 */
const UNITS = [[172800, 86400, "d"], [7200, 3600, "h"], [120, 60, "min"], [5, 1, "s"]];

/**
 * Returns the text to insert for a field: strings unchanged, other values as JSON.
 *
 * @param {unknown} value @returns {string}
 */
function text(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** @param {string} text */
function oneLine(text) {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/**
 * Returns a readable name of the item.
 *
 * @param {import("./values").Item} item @returns {string}
 */
function name(item) {
  const field = NAMES.find((one) => typeof item[one] === "string" && item[one] !== "");
  return oneLine(text(field === undefined ? item.id : item[field]));
}

/**
 * Returns the field names of an item: first the fields of the catalog in its order, then all others sorted by name.
 *
 * @param {import("./values").Resource} resource @param {import("./values").Item} item
 */
function fields(resource, item) {
  const rest = Object.keys(item).filter((field) => !resource.fields.includes(field));
  return [...resource.fields.filter((field) => field in item), ...rest.sort()];
}

/**
 * Returns the age of a UTC time as text, for example '3 min old'.
 *
 * @param {string} moment
 */
function age(moment) {
  const passed = (Date.now() - Date.parse(moment)) / 1000;
  if (Number.isNaN(passed)) return "of unknown age";
  for (const [least, seconds, unit] of UNITS) {
    if (passed >= least) return `${Math.floor(passed / seconds)} ${unit} old`;
  }
  return "just now";
}

/**
 * Returns the source and age of a result in one line.
 *
 * @param {import("./values").Provenance} result
 */
function provenance(result) {
  if (!result.source) return "from the cache";
  const line = `from ${PLACES.get(result.source) ?? result.source}, ${age(result.fetchedAt ?? "")}`;
  const old = result.stale ? ", stale" : "";
  return line + old + (result.fallback ? `; the API failed: ${oneLine(result.fallback.message)}` : "");
}

/**
 * Returns the id with which `get` returns the item; null if no field contains the id.
 *
 * @param {import("./values").Resource} resource @param {import("./values").Item} item @returns {string | number | null}
 */
function id(resource, item) {
  const found = resource.idField === null ? null : item[resource.idField] ?? null;
  return found === "" ? null : found;
}

/** @param {import("./values").Resource} resource @param {import("./values").Item} item */
function title(resource, item) {
  return oneLine(`${resource.name} ${text(id(resource, item))}`);
}

module.exports = { text, oneLine, name, id, fields, provenance, title };
