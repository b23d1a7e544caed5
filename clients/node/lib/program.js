"use strict";
// Which program is started, and with what.

/** { program, named, args, env, cwd, log } of the options of `Larder.start`. */
function commandOf({ binary, args = [], env, cwd, stderr = "inherit" }) {
  const named = binary ?? (process.env.LARDER_BIN || undefined);
  return {
    program: named === undefined ? "larder" : String(named),
    named: named !== undefined,
    args: args.map(String),
    env: { ...process.env, ...env },
    cwd,
    log: logOf(stderr),
  };
}

/** Log lines are read in any case, so that the process never waits for somebody who does not read them. */
function logOf(stderr) {
  if (typeof stderr === "function") return stderr;
  if (stderr === "ignore") return () => {};
  if (stderr === "inherit") return (line) => process.stderr.write(`${line}\n`);
  throw new TypeError(`the option 'stderr' is "inherit", "ignore" or a function, not ${String(stderr)}`);
}

module.exports = { commandOf };
