"use strict";
// What the package gives, to `require` and, through index.mjs, to `import`: one copy of it either way.
const errors = require("./errors.js");
const { Larder } = require("./larder.js");

module.exports = { Larder, ...errors.classes };
