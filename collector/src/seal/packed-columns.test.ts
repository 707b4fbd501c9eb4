import { expect, test } from "vitest";
import { columnBytes, spanColumns, type SpanGroup } from "../assemble/span-columns.ts";
import { packColumns, unpackColumns } from "./packed-columns.ts";

test("columns of several runs come out as they went in", () => {
  const group: SpanGroup = {
    segment: 7,
    record: 7,
    resource: 1,
    resourceLength: 2,
    scope: 3,
    scopeLength: 4,
    resourceUrl: "",
    scopeUrl: "u",
  };
  const all = [1, 0, 3, 2].map((count) => {
    const columns = spanColumns(new ArrayBuffer(columnBytes(count)), 0, count);
    for (let n = 0; n < count; n++) {
      columns.id[n] = 2n ** 63n + BigInt(n * 5 + count);
      columns.start[n] = BigInt(n + 11);
      columns.group[n] = n % 2;
      columns.offset[n] = n * 1000 + count;
      columns.length[n] = n * 77 + 1;
    }
    return { ...columns, groups: [group] };
  });
  const packed = packColumns(all);
  const arrived = structuredClone(packed, { transfer: [packed.buffer] });
  expect(unpackColumns(arrived)).toEqual(all);
});
