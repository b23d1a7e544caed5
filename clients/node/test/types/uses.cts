// Compiled, not run: uses the package through `require`.
import larder = require("larder");

async function first(): Promise<string> {
  const one: larder.Larder = await larder.Larder.start();
  return (await one.character.get(1)).item.name;
}
export = first;
