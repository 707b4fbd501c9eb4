// Real file operations and digests, whose data is not recorded, beside loops that count turns.
import { readFile } from "node:fs";
import { readFile as read, stat } from "node:fs/promises";
import { call, counted, print, said } from "./model.mjs";

for (let i = 0; i < 8; i++) {
  said(`read ${await counted(read(import.meta.filename))}`);
  said(`stat ${await counted(stat(import.meta.filename))}`);
  said(`callback ${await counted(new Promise((resolve) => readFile(import.meta.filename, resolve)))}`);
  said(`digest ${await counted(crypto.subtle.digest("SHA-256", new Uint8Array(200_000)))}`);
}
said(await Promise.race([read(import.meta.filename, "utf8").then((t) => t.length), call("beside")]));
print();
