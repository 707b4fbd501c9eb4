// Files that a program writes and watches itself, in each of the ways that Node has.
import fs from "node:fs";
import { mkdtemp, rm, watch, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call, print, said } from "./model.mjs";

const folder = await mkdtemp(join(tmpdir(), "watched-files-"));
const file = join(folder, "notes and more.txt");
await writeFile(file, "start");

const changed = new Promise((resolve) => {
  const watcher = fs.watch(file, (event, name) => {
    watcher.close();
    resolve(`${event} ${name} ${watcher.constructor.name}`);
  });
});
fs.writeFileSync(file, await call("one"));
said(await changed);
said(Math.random());

const grown = new Promise((resolve) => {
  fs.watchFile(file, { interval: 20 }, (now, before) => {
    fs.unwatchFile(file);
    resolve(now.size > before.size);
  });
});
fs.appendFileSync(file, await call("two"));
// on a busy machine Node's first look at the file comes late, and sees no change
const more = setInterval(() => fs.appendFileSync(file, "more"), 50);
said(await grown);
clearInterval(more);

const stop = new AbortController();
const made = (async () => {
  const names = new Set();
  try {
    for await (const { filename } of watch(folder, { signal: stop.signal })) {
      names.add(filename);
      if (names.size === 2) stop.abort();
    }
  } catch (error) {
    return `${[...names].join(" ")} ${error.name} ${error.code}`;
  }
})();
await Promise.all([
  call("three").then((answer) => writeFile(join(folder, "a"), answer)),
  call("four", { wait: 30 }).then((answer) => writeFile(join(folder, "b"), answer)),
]);
said(await made);

try {
  fs.watch(join(folder, "absent"));
} catch (error) {
  said(error.code);
}
await rm(folder, { recursive: true });
said(await call("five"));
print();
