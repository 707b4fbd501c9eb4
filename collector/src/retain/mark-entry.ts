import { z } from "zod";
import { mark } from "./mark.ts";
import { isRemoval, removal, type MarkChange } from "./mark-list.ts";

const run = z.string().regex(/^[0-9a-f]{32}$/);
const entry = z.union([z.strictObject({ run, mark }), z.strictObject({ run, removal })]);

/** Body of a journal entry with a mark of a run, or the removal of one. */
export function encodeMarkChange(of: string, change: MarkChange): Uint8Array {
  return Buffer.from(JSON.stringify({ run: of, [isRemoval(change) ? "removal" : "mark"]: change }));
}

/** Throws for a body that `encodeMarkChange` did not make. */
export function decodeMarkChange(body: Uint8Array): { readonly run: string; readonly change: MarkChange } {
  const read = entry.parse(JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8")));
  return { run: read.run, change: "mark" in read ? read.mark : read.removal };
}
