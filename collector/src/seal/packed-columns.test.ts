import { expect, test } from "vitest";
import { columnBytes, spanColumns, type SpanGroup } from "../assemble/span-columns.ts";
import { packColumns, unpackColumns } from "./packed-columns.ts";

test("columns of several runs come out as they went in", () => {
  const group = (n: number): SpanGroup => ({
    block: 7,
    record: 4_000_000_000 + n,
    resource: 1,
    resourceLength: 2,
    scope: 3,
    scopeLength: 4,
    resourceUrl: n === 0 ? "" : "r",
    scopeUrl: "u",
  });
  const all = [1, 0, 3, 2].map((count) => {
    const columns = spanColumns(new ArrayBuffer(columnBytes(count)), 0, count);
    for (let n = 0; n < count; n++) {
      columns.id[n] = 2n ** 63n + BigInt(n * 5 + count);
      columns.start[n] = BigInt(n + 11);
      columns.group[n] = n % 2;
      columns.offset[n] = n * 1000 + count;
      columns.length[n] = n * 77 + 1;
    }
    return { ...columns, groups: Array.from({ length: Math.min(2, count) }, (_, n) => group(n)) };
  });
  const packed = packColumns(all);
  const arrived = structuredClone(packed, { transfer: [packed.buffer] });
  expect(unpackColumns(arrived)).toEqual(all);
  // what is copied beside the buffer does not grow with the groups
  expect({ ...arrived, buffer: null }).toEqual({
    buffer: null,
    runs: [1, 0, 3, 2].map((count) => ({ count, groups: Math.min(2, count) })),
    urls: ["", "u", "r"],
  });
});
