// Folders that are read entry by entry, beside calls and loops that count turns.
import { opendir as open } from "node:fs";
import { mkdir, mkdtemp, opendir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call, counted, print, said } from "./model.mjs";

const folder = await mkdtemp(join(tmpdir(), "open-folder-"));
await mkdir(join(folder, "below"));
for (const name of ["a", "b", "c"]) await writeFile(join(folder, name), name);

async function names(dir) {
  const found = [];
  for await (const entry of dir) found.push(`${entry.name}${entry.isDirectory() ? "/" : ""}`);
  return found.sort().join(" ");
}

async function byHand(dir) {
  let count = 0;
  while ((await dir.read()) !== null) count++;
  await dir.close();
  return count;
}

said(await call("before"));
said(await names(await opendir(folder)));
const asTheyLie = [];
for await (const { name } of await opendir(folder)) asTheyLie.push(name);
said(asTheyLie.join(" "));
said(Math.random());
said(`read ${await counted(byHand(await opendir(folder)))} ${Math.random()}`);
said(await Promise.all([names(await opendir(folder)), call("beside"), byHand(await opendir(folder))]));
for await (const entry of await opendir(folder)) {
  said(typeof entry.name);
  break;
}
const dir = await new Promise((resolve) => open(folder, (_, opened) => resolve(opened)));
await new Promise((resolve) => {
  const next = (_, entry) => (entry === null ? dir.close(resolve) : dir.read(next));
  dir.read(next);
});
said(`after ${Math.random()} ${await call("after")}`);
await rm(folder, { recursive: true });
print();
