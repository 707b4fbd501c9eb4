import { parentPort, workerData } from "node:worker_threads";
import { openCatalogReader } from "../../catalog/open-catalog.ts";
import { errorFields } from "../../log.ts";
import { withLocalRuns } from "../local-runs.ts";
import { createOpenRuns } from "../open-runs.ts";
import { unpackColumns } from "../../seal/packed-columns.ts";
import { openJournalBytes } from "../../journal/open-journal-bytes.ts";
import type { ReadStore } from "../../store/object-store.ts";
import { StoreError } from "../../store/store-error.ts";
import { openStoreToRead } from "../../store/open-store.ts";
import type { OpenFacts } from "../unpacked-runs.ts";
import { createReadApp } from "./read-app.ts";
import type { Fact, FromReader, ReadThreadData, ToReader } from "./read-messages.ts";
import { createAnswers } from "./send-answer.ts";

/** Milliseconds. */
const TIDY_EVERY = 5_000;

const port = parentPort!;
const { catalog, journal, store: address, s3, times, local, making } = workerData as ReadThreadData;
const send = (message: FromReader, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);

let lastFact = 0;
const facts = new Map<number, (result: never) => void>();
function fact<Result>(name: Fact, args: readonly unknown[]): Promise<Result> {
  const id = ++lastFact;
  const told = new Promise<Result>((resolve) => facts.set(id, resolve));
  send({ is: "fact", id, fact: name, args });
  return told;
}

const bytes = openJournalBytes(journal);
// also while nobody asks: what the journal has deleted must not stay on the disk because it is open here
setInterval(() => bytes.tidy(), TIDY_EVERY).unref();
const received = createOpenRuns(
  {
    async views(tenant, prefix) {
      const { rows } = await fact<{ rows: ReturnType<OpenFacts["views"]> }>("views", [tenant, prefix]);
      return rows;
    },
    async columns(tenant, run) {
      const { columns } = await fact<{ columns: Parameters<typeof unpackColumns>[0] | null }>("columns", [tenant, run]);
      return columns && unpackColumns(columns);
    },
    async texts(tenant, runs) {
      const { texts } = await fact<{ texts: readonly string[] }>("texts", [tenant, runs]);
      return texts;
    },
  },
  {
    bytes({ offset, length, ...record }) {
      const into = new Uint8Array(length);
      bytes.read(record, offset, into);
      return into;
    },
  },
);

const open = local === null ? received : withLocalRuns(received, local);

let opening: Promise<ReadStore> | null = null;
function store(): Promise<ReadStore> {
  opening ??= openStoreToRead(address, s3).then(
    (opened) => opened.store,
    (cause: unknown) => {
      throw new StoreError("UNAVAILABLE", address, "cannot be read", { cause });
    },
  );
  opening.catch(() => (opening = null));
  return opening;
}

const app = createReadApp({
  catalog: openCatalogReader(catalog),
  store: { getRange: async (key, offset, length) => (await store()).getRange(key, offset, length) },
  open,
  times,
  log: (level, event, fields = {}) => {
    // a structured clone of an error would lose its code
    const { error } = fields;
    send({
      is: "log",
      level,
      event,
      fields: error instanceof Error ? { ...fields, error: errorFields(error) } : fields,
    });
  },
});
const answers = createAnswers(app, { send, making });

port.on("message", (message: ToReader) => {
  switch (message.is) {
    case "answer":
      // tells the asking thread of every failure itself
      void answers.begin(message);
      break;
    case "more":
      answers.more(message.id);
      break;
    case "cancel":
      answers.cancel(message.id);
      break;
    case "call": {
      const { id, method, args } = message;
      const call = open[method] as (...args: readonly unknown[]) => Promise<unknown>;
      call(...args).then(
        (result) => send({ is: "called", id, result }),
        (error: unknown) => send({ is: "end", id, error: String(error) }),
      );
      break;
    }
    case "fact":
      facts.get(message.id)?.(message.result as never);
      facts.delete(message.id);
  }
});
