import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WireWriter } from "@reenact/envelope";
import { type Entry, type Journal, JOURNAL_START } from "../journal/journal.ts";
import { createLocalJournal } from "../journal/drivers/local/local-journal.ts";
import type { LocalJournalOptions } from "../journal/drivers/local/local-journal-options.ts";
import { createAllowList } from "./allow-list.ts";
import { digestKey, type Keys, openDoor } from "./keys.ts";
import { listen, type ListenOptions } from "./listen.ts";
import { createReceiver, type Receiver, type ReceiverOptions } from "./receiver.ts";

export interface TestReceiver {
  url: string;
  receiver: Receiver;
  journal: Journal;
  /** Ends it, and gives what its journal has. */
  stop(): Promise<Entry[]>;
}

/** A receiver with a real journal on a free port. */
export async function startReceiver(
  options: Partial<ReceiverOptions> & {
    keys?: Keys;
    hosts?: string[];
    origins?: string[];
    tls?: NonNullable<ListenOptions["tls"]>;
    connections?: number;
    journal?: Partial<LocalJournalOptions>;
    wrap?: (journal: Journal) => Pick<Journal, "append">;
  } = {},
): Promise<TestReceiver> {
  const folder = mkdtempSync(join(tmpdir(), "receiver-"));
  const keys = options.keys ?? openDoor("default");
  const journal = await createLocalJournal({ folder, minFreeBytes: 0, ...options.journal });
  const { hosts = [], origins = [] } = options;
  const allowList = createAllowList({ host: "127.0.0.1", hosts, origins, keysRequired: keys.required });
  const receiver = createReceiver(
    { version: "0.0.0", ...options },
    { journal: options.wrap?.(journal) ?? journal, keys, allowList },
  );
  const server = await listen(
    { host: "127.0.0.1", port: 0, tls: options.tls, ...(options.connections && { connections: options.connections }) },
    (request, response) => {
      if (!receiver.handle(request, response)) response.writeHead(404).end();
    },
  );
  return {
    url: server.url,
    receiver,
    journal,
    stop: async () => {
      receiver.drain();
      await server.close(1000);
      await receiver.close();
      await journal.close();
      const entries: Entry[] = [];
      for await (const entry of journal.read(JOURNAL_START)) entries.push(entry);
      rmSync(folder, { recursive: true, force: true });
      return entries;
    },
  };
}

/** A request with one span of about so many bytes. */
export function traceBytes(size: number, ids: Ids = {}): Buffer {
  return Buffer.from(requestOf([traceSpan(size, ids)]).finish());
}

interface Ids {
  traceId?: Uint8Array;
  spanId?: Uint8Array;
}

export function traceSpan(size: number, ids: Ids = {}): WireWriter {
  return new WireWriter()
    .bytes(1, ids.traceId ?? Buffer.alloc(16, 7))
    .bytes(2, ids.spanId ?? Buffer.alloc(8, 9))
    .string(5, "chat")
    .message(9, new WireWriter().string(1, "input.value").message(2, new WireWriter().string(1, "x".repeat(size))));
}

export function requestOf(spans: WireWriter[]): WireWriter {
  const scope = new WireWriter();
  for (const span of spans) scope.message(2, span);
  return new WireWriter().message(1, new WireWriter().message(2, scope));
}

export const PROTOBUF = { "content-type": "application/x-protobuf" };
export const JSON_TYPE = { "content-type": "application/json" };

export function post(
  url: string,
  body: Uint8Array | string,
  headers: Record<string, string> = PROTOBUF,
): Promise<Response> {
  return fetch(`${url}/v1/traces`, { method: "POST", body: Buffer.from(body), headers });
}

/** A new key, and what a key file has of it. */
export function newKey(): { key: string; sha256: string } {
  const key = randomBytes(32).toString("base64url");
  return { key, sha256: digestKey(key) };
}
