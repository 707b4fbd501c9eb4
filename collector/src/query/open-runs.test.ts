import { expect, test } from "vitest";
import type { SpanColumns } from "../assemble/span-columns.ts";
import { createOpenRuns } from "./open-runs.ts";

const columns: SpanColumns = {
  groups: [
    { block: 1, record: 0, resource: 0, resourceLength: 1, scope: 1, scopeLength: 1, resourceUrl: "", scopeUrl: "" },
  ],
  group: Uint32Array.of(0),
  offset: Uint32Array.of(2),
  length: Uint32Array.of(1),
  id: BigUint64Array.of(1n),
  start: BigUint64Array.of(1n),
};

/** A run whose segment is deleted when it is read; `packed`: its columns are gone then. */
function deletedSegment(packed: boolean) {
  let isDeleted = false;
  return createOpenRuns(
    { views: () => [], texts: () => [], columns: async () => (isDeleted && packed ? null : [columns]) },
    {
      bytes() {
        isDeleted = true;
        throw new Error("the segment is deleted");
      },
    },
  );
}

test("a run that is packed while it is read is one that is in a pack", async () => {
  expect(await deletedSegment(true).spans("acme", "1")).toBeNull();
  expect(await deletedSegment(true).lines("acme", "1", 0, 10)).toBeNull();
});

test("a run that cannot be read and is in no pack is an error", async () => {
  await expect(deletedSegment(false).spans("acme", "1")).rejects.toThrow("the segment is deleted");
});
