"use strict";
// Loads the Node client. Its folder is next to `src` in the package, and next to the extension's folder in the
// repository.
const { existsSync } = require("node:fs");
const path = require("node:path");

const packed = path.join(__dirname, "..", "node");
const folder = existsSync(packed) ? packed : path.join(__dirname, "..", "..", "node");

module.exports = /** @type {typeof import("../../node")} */ (require(folder));
