import { createLocalJournal } from "../journal/local-journal.ts";
import { createAllowList } from "./allow-list.ts";
import { openDoor } from "./keys.ts";
import { listen } from "./listen.ts";
import { createReceiver } from "./receiver.ts";

// A program: receiver and journal and nothing else, for measuring what an answer costs and for killing.
//   receive-only.test.fixture.ts <folder> [segments to keep] [URL of a module in the place of the disk]
// Prints one JSON line when it takes spans. Ends on SIGTERM.

const [folder = "", keep = "0", files] = process.argv.slice(2);
const journal = await createLocalJournal({ folder, minFreeBytes: 0, ...(files !== undefined && { files }) });
const keys = openDoor("default");
const allowList = createAllowList({ host: "127.0.0.1", hosts: [], origins: [], keysRequired: false });
const receiver = createReceiver({ version: "0.0.0" }, { journal, keys, allowList });
const server = await listen({ host: "127.0.0.1", port: 0 }, (request, response) => {
  if (!receiver.handle(request, response)) response.writeHead(404).end();
});
process.stdout.write(`${JSON.stringify({ url: server.url, pid: process.pid })}\n`);

// a bench must not fill the disk
if (Number(keep) > 0) {
  setInterval(() => {
    const { segment } = journal.durable();
    journal.release({ segment: segment - Number(keep) + 1, offset: 0 });
  }, 200).unref();
}

process.once("SIGTERM", () => {
  receiver.drain();
  void server
    .close(1000)
    .then(() => receiver.close())
    .then(() => journal.close())
    .then(() => process.exit(0));
});
