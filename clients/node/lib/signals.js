"use strict";
// Actions for abort signals. Many calls may share a signal, but Node warns about more than ten listeners of one signal.
// So each signal gets one listener that runs the actions of all calls.

const watched = new WeakMap(); // The actions and the listener of each signal with actions.

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
