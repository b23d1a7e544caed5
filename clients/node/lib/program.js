"use strict";
// Which program is started, and with what.

/** { program, named, args, env, cwd, log } of the options of `Larder.start`; `named` says by what, if by anything. */
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

/** Log lines are read in any case, so that the process never waits for somebody who does not read them. */
function logOf(stderr) {
  if (typeof stderr === "function") return stderr;
  if (stderr === "ignore") return () => {};
  if (stderr === "inherit") return (line) => process.stderr.write(`${line}\n`);
  throw new TypeError(`the option 'stderr' is "inherit", "ignore" or a function, not ${String(stderr)}`);
}

module.exports = { commandOf };
