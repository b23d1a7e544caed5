"use strict";
// What is done when a signal is given. One signal may be of very many calls, and Node warns of more than ten listeners:
// each signal has one, which knows what all are to do.

const watched = new WeakMap(); // What is to be done, and the listener, by the signal.

function onAbort(signal, act) {
  let watch = watched.get(signal);
  if (!watch) {
    const acts = new Set();
    watch = { acts, listener: () => [...acts].forEach((each) => each()) };
    watched.set(signal, watch);
    signal.addEventListener("abort", watch.listener);
  }
  watch.acts.add(act);
}

function offAbort(signal, act) {
  const watch = watched.get(signal);
  if (!watch?.acts.delete(act) || watch.acts.size > 0) return;
  watched.delete(signal);
  signal.removeEventListener("abort", watch.listener);
}

module.exports = { onAbort, offAbort };
