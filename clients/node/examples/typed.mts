import { Larder } from "larder";
import type { Character, Resources } from "./catalog.js";

const larder = await Larder.start<Resources>();
const { item } = await larder.character.get(1); // `item` is a Character, and get("one") is an error
const alive: boolean = item.status === "Alive";
for await (const page of larder.episode.pages({ filter: { name: "pilot" } })) {
  const names: string[] = page.items.map((episode) => episode.name);
  console.log(names, alive);
}

// The type of one resource, without the other types of the catalog.
const loose: Larder = await Larder.start();
const rick: Character = (await loose.resource<Character>("character").get(1)).item;
console.log(rick.name);
