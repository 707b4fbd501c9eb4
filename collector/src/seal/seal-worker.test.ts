import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import type { SealTask } from "./seal-run.ts";
import { startSealWorker } from "./seal-worker.ts";

const policy = { rules: [], sampleShare: 0, prices: null };
const task = (): SealTask => ({
  run: "1".repeat(32),
  reasons: [],
  columns: {
    groups: [],
    group: new Uint32Array(1),
    offset: new Uint32Array(1),
    length: new Uint32Array(1),
    id: new BigUint64Array(1),
    start: new BigUint64Array(1),
  },
  previous: null,
  atLeast: "short",
  marks: [],
  elsewhere: [],
});

test("a task that is under way when it closes, and one that comes later, are refused", async () => {
  const worker = startSealWorker({ journalFolder: tmpdir(), spillFolder: tmpdir(), policy });
  const underWay = expect(worker.seal(task())).rejects.toThrow("the sealing thread ended");
  await worker.close();
  await underWay;
  await expect(worker.seal(task())).rejects.toThrow("the sealing thread is closed");
});
