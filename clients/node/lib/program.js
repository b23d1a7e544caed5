"use strict";
// The program to start, with its arguments and environment.

/**
 * Returns the command for the options of `Larder.start`. Its member `named` is the setting that contains the program's
 * path; null if the program is searched on PATH.
 */
function commandOf({ binary, args = [], env, cwd, stderr = "inherit" }) {
  const isGiven = binary !== undefined && binary !== null;
  const program = isGiven ? binary : process.env.LARDER_BIN || "larder";
  return {
    program: String(program),
    named: isGiven ? "the option `binary`" : process.env.LARDER_BIN ? "the variable LARDER_BIN" : null,
    args: args.map(String),
    env: { ...process.env, ...env },
    cwd,
    log: logOf(stderr),
  };
}

/**
 * Returns the function that receives the log lines. Even ignored lines are read, so that the process never blocks on a
 * full pipe.
 */
function logOf(stderr) {
  if (typeof stderr === "function") return stderr;
  if (stderr === "ignore") return () => {};
  if (stderr === "inherit") return (line) => process.stderr.write(`${line}\n`);
  throw new TypeError(`the option 'stderr' must be "inherit", "ignore" or a function, not ${String(stderr)}`);
}

module.exports = { commandOf };
