"use strict";
// Items as text: one line each in a list, one line a field in a preview, and where they came from.

const NAMES = ["name", "title", "label", "subject", "login", "full_name", "tag", "message", "summary", "url"];
const PLACES = new Map([["remote", "the API"], ["persistence", "the file"], ["shared", "the shared level"]]);
/** @type {Array<[number, string]>} */
const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"]];

/**
 * A field's value as it is inserted: texts as they are, all else as JSON.
 *
 * @param {unknown} value @returns {string}
 */
function text(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** @param {string} words */
function oneLine(words) {
  return words.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/**
 * What a person calls the item.
 *
 * @param {import("./values").Item} item @returns {string}
 */
function name(item) {
  const field = NAMES.find((one) => typeof item[one] === "string" && item[one] !== "");
  return oneLine(text(field === undefined ? item.id : item[field]));
}

/**
 * The names of its fields in the catalog's order; what that does not name comes after.
 *
 * @param {import("./values").Resource} resource @param {import("./values").Item} item
 */
function fields(resource, item) {
  const rest = Object.keys(item).filter((field) => !resource.fields.includes(field));
  return [...resource.fields.filter((field) => field in item), ...rest.sort()];
}

/**
 * How long ago a moment was, as '3 minutes ago'.
 *
 * @param {string} moment
 */
function age(moment) {
  const passed = (Date.now() - Date.parse(moment)) / 1000;
  if (Number.isNaN(passed)) return "at an unknown time";
  for (const [seconds, unit] of UNITS) {
    const count = Math.floor(passed / seconds);
    if (count >= 1) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}

/**
 * Where a result came from, in one line.
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
 * The id that the item is asked for by; null where no member of it has that.
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
