import { Larder, LarderError, NotFound } from "larder";

const larder = await Larder.start();
try {
  await larder.character.get(99999);
} catch (error) {
  if (!(error instanceof NotFound)) throw error;
  console.log(error.kind, error.code, error.apiMessage); // -> notFound -31003 Character not found
}

// Cancel the call, for example because the user moved the cursor.
const control = new AbortController();
const call = larder.location.get(15, { signal: control.signal });
control.abort();
console.log(await call.catch((error) => [error.name, error instanceof LarderError])); // -> [ 'AbortError', false ]
await larder.close();
