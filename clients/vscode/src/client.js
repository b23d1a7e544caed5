"use strict";
// The Node client. In the package it lies beside this folder, in the repository beside the extension's.
const { existsSync } = require("node:fs");
const path = require("node:path");

const packed = path.join(__dirname, "..", "node");
const folder = existsSync(packed) ? packed : path.join(__dirname, "..", "..", "node");

module.exports = /** @type {typeof import("../../node")} */ (require(folder));
