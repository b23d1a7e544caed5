import { Larder } from "larder";

const larder = await Larder.start();
await larder.cache.remove({ resource: "location" }); // Without this, unchanged data would report no change.
const changes = larder.location.observe(15);
await larder.location.get(15);
for await (const change of changes) {
  if (change.gone) break;
  console.log(change.item.name); // -> Bird World
  await larder.cache.remove({ resource: "location" });
}

const progress = ({ message }) => message && console.log(message); // -> page 1 of 1
const { items } = await larder.character.prefetch({ filter: { name: "rick" }, maxPages: 1, progress });
console.log(items); // -> 20
await larder.close();
