"use strict";
// The Node client: next to this folder in the package, next to the extension's folder in the repository.
const { existsSync } = require("node:fs");
const path = require("node:path");

const packed = path.join(__dirname, "..", "node");
const folder = existsSync(packed) ? packed : path.join(__dirname, "..", "..", "node");

module.exports = /** @type {typeof import("../../node")} */ (require(folder));
