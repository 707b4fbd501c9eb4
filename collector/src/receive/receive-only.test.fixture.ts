import { join } from "node:path";
import { createLocalJournal } from "../journal/drivers/local/local-journal.ts";
import { createAllowList } from "./allow-list.ts";
import { loadKeys, openDoor } from "./keys.ts";
import { listenGrpc } from "./grpc-server.ts";
import { listen } from "./listen.ts";
import { createReceiver } from "./receiver.ts";

// A program: receiver and journal and nothing else, for measuring what an answer costs and for killing.
//   receive-only.test.fixture.ts <folder> [segments to keep] [URL of a module in the place of the disk]
// RECEIVE_GRPC makes it accept gRPC too; RECEIVE_KEYS names a file of API keys and makes it require one of them.
// Prints one JSON line when it takes spans. Ends on SIGTERM.

/** Bytes of a segment, unless an option says otherwise. */
const SEGMENT = 128 * 2 ** 20;
const [folder = "", keep = "0", files] = process.argv.slice(2);
const { RECEIVE_GRPC, RECEIVE_KEYS } = process.env;
const journal = await createLocalJournal({ folder, minFreeBytes: 0, ...(files !== undefined && { files }) });
const keys = RECEIVE_KEYS === undefined ? openDoor("default") : loadKeys(RECEIVE_KEYS);
const allowList = createAllowList({ host: "127.0.0.1", hosts: [], origins: [], keysRequired: keys.required });
const receiver = createReceiver({ version: "0.0.0" }, { journal, keys, allowList });
const server = await listen({ host: "127.0.0.1", port: 0 }, (request, response) => {
  if (!receiver.handle(request, response)) response.writeHead(404).end();
});
const grpc =
  RECEIVE_GRPC === undefined
    ? null
    : await listenGrpc(
        { host: "127.0.0.1", port: 0, bodyBytes: 64 * 2 ** 20, folder: join(folder, "incoming") },
        receiver,
      );
process.stdout.write(`${JSON.stringify({ url: server.url, grpcPort: grpc?.port ?? null, pid: process.pid })}\n`);

// a bench must not fill the disk
if (Number(keep) > 0) {
  let mark = journal.durable();
  setInterval(() => {
    if (journal.bytesAfter(mark) < (Number(keep) - 1) * SEGMENT) return;
    journal.release(mark);
    mark = journal.durable();
  }, 200).unref();
}

process.once("SIGTERM", () => {
  receiver.drain();
  void server
    .close(1000)
    .then(() => grpc?.close(1000))
    .then(() => receiver.close())
    .then(() => journal.close())
    .then(() => process.exit(0));
});
