import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { joinTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { recordTurns } from "./recorded-run.mjs";

/**
 * A recorded run of so many turns as requests, and copies of it under other ids of the same length. `open`: without its
 * end, so that a collector waits for more.
 */
export function runCopies(turns, { open = false } = {}) {
  const run = recordTurns(turns, "growing");
  const envelope = readEnvelope(readFileSync(run.file));
  run.forget();
  const spans = envelope.spans.filter(({ span }) => !open || span !== envelope.root);
  const requests = batchesOf(spans.map(({ scanned }) => scanned));
  const traces = [...new Set(envelope.spans.map(({ scanned }) => scanned.traceId))];
  return {
    length: requests.reduce((sum, bytes) => sum + bytes.length, 0),
    another() {
      const id = randomBytes(16).toString("hex");
      const ids = [
        [Buffer.from(envelope.header.run, "latin1"), Buffer.from(id, "latin1")],
        ...traces.map((trace) => [Buffer.from(trace, "hex"), randomBytes(16)]),
      ];
      return { id, requests: requests.map((bytes) => renamed(bytes, ids)) };
    },
  };
}

/** Requests of about so many bytes, as a recorder sends them. */
function batchesOf(spans, most = 4e6) {
  const batches = [[]];
  let size = 0;
  for (const span of spans) {
    if (size > most) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1).push(span);
    size += joinTraces([span]).bytes.length;
  }
  return batches.map((batch) => joinTraces(batch).bytes);
}

function renamed(bytes, ids) {
  const copy = Buffer.from(bytes);
  for (const [old, fresh] of ids) replace(copy, old, fresh);
  return copy;
}

function replace(bytes, old, fresh) {
  for (let at = bytes.indexOf(old); at !== -1; at = bytes.indexOf(old, at + old.length)) fresh.copy(bytes, at);
}

/** Sends one request, again while the collector asks for that. */
export async function send(http, body) {
  const headers = { "content-type": "application/x-protobuf" };
  for (;;) {
    const answer = await fetch(`${http}/v1/traces`, { method: "POST", headers, body });
    await answer.arrayBuffer();
    if (answer.status === 200) return;
    if (answer.status !== 503 && answer.status !== 429) throw new Error(`the collector answered ${answer.status}`);
    await sleep(100);
  }
}
