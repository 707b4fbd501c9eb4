import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { expect, test } from "vitest";
import { requestOf, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { scanEntry } from "../assemble/scan-entry.ts";
import { columnBytes, spanColumns } from "../assemble/span-columns.ts";
import { whole } from "../assemble/slices.ts";
import { SpanTable } from "../assemble/span-table.ts";
import { RECORD_HEAD, stampRecord, writeRecordHead } from "../journal/drivers/local/record.ts";
import { segmentPath } from "../journal/drivers/local/segment-name.ts";
import { wholeBody } from "../store/object-body.ts";
import type { SealedFrames, SealTask } from "./seal-run.ts";
import { startSealWorker } from "./seal-worker.ts";

const policy = { rules: [], sampleShare: 0, prices: null };
const task = (digit = "1"): SealTask => ({
  run: digit.repeat(32),
  reasons: [],
  columns: spanColumns(new ArrayBuffer(columnBytes(1)), 0, 1),
  previous: null,
  atLeast: "short",
  markList: { marks: [], removed: [] },
  floor: null,
  elsewhere: [],
});

test("a task that is under way when it closes, and one that comes later, are refused", async () => {
  const worker = startSealWorker({ journal: { driver: "local", folder: tmpdir() }, spillFolder: tmpdir(), policy });
  const underWay = expect(worker.seal(task())).rejects.toThrow("the sealing thread ended");
  await worker.close();
  await underWay;
  await expect(worker.seal(task())).rejects.toThrow("the sealing thread is closed");
});

test("runs of one turn come back each with its own envelope; one that cannot be read fails alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reenact-seal-"));
  const runs = Array.from({ length: 9 }, (_, n) =>
    sampleRun(n, { text: (step) => `${n} ${step} `.repeat(n * n * 500) }),
  );
  const tasks = runs.map(({ run, root, steps }, segment): SealTask => {
    const body = Buffer.from(requestOf([root, ...steps]));
    const bytes = new Uint8Array(RECORD_HEAD + body.length);
    const record = new DataView(bytes.buffer);
    bytes.set(body, RECORD_HEAD);
    writeRecordHead(record, 0, { kind: 1, tenantLength: 0, bodyLength: body.length, receivedAt: 0, flags: 0 });
    stampRecord(bytes, record, 0, { segment, salt: 0 });
    if (segment !== 4) writeFileSync(segmentPath(folder, segment), bytes);
    const table = new SpanTable();
    const view = new DataView(body.buffer, body.byteOffset, body.length);
    let [head, group] = [-1, -1];
    scanEntry(
      body,
      (scope) => (group = table.addGroup({ block: segment, record: 0, body: RECORD_HEAD }, scope)),
      (span) => (head = table.add(head, group, RECORD_HEAD, view, span)),
    );
    return { ...task(), run, columns: whole(table.copyColumns(head, steps.length + 1)) };
  });
  const worker = startSealWorker({ journal: { driver: "local", folder }, spillFolder: folder, policy });
  const done = await Promise.allSettled(tasks.map((each) => worker.seal(each)));
  await worker.close();
  rmSync(folder, { recursive: true });
  for (const [n, each] of done.entries()) {
    if (n === 4) {
      expect(each.status).toBe("rejected");
      continue;
    }
    const { frames, header } = (each as PromiseFulfilledResult<SealedFrames>).value;
    const envelope = readEnvelope(Buffer.concat(await Promise.all(frames.map(wholeBody))));
    expect([header.run, envelope.header.run]).toEqual([runs[n]!.run, runs[n]!.run]);
    expect(envelope.steps.map(({ span }) => span.attributes["input.value"])).toEqual(
      [0, 1, 2].map((step) => `${n} ${step} `.repeat(n * n * 500)),
    );
  }
});
