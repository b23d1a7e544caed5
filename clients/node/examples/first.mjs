import { Larder } from "larder";

const larder = await Larder.start();
const { item, source, stale } = await larder.location.get(15);
console.log(item.name, source, stale); // -> Bird World remote false
console.log((await larder.location.get(15, { maxAge: "5m" })).source); // -> memory

const { items, missing } = await larder.character.getMany([1, 2, 3, 99999]);
console.log(items.map(({ name }) => name).join(", "), missing); // -> Rick Sanchez, Morty Smith, Summer Smith [ 99999 ]

const page = await larder.character.list({ filter: { name: "rick" } });
console.log(page.items.length, page.page.next); // -> 20 2

console.log((await larder.character.search("san ri")).items[0].name); // -> Rick Sanchez
console.log(await larder.recents.add("rick")); // -> [ 'rick' ]
await larder.close();
