"use strict";
// The exports of the package. `require` and, through index.mjs, `import` share one copy.
const errors = require("./errors.js");
const { Larder } = require("./larder.js");

module.exports = { Larder, ...errors.classes };
