import { z } from "zod";
import { mark } from "./mark.ts";
import { isRemoval, removal, type Statement } from "./said.ts";

const run = z.string().regex(/^[0-9a-f]{32}$/);
const entry = z.union([z.strictObject({ run, mark }), z.strictObject({ run, removal })]);

/** Body of a journal entry with a mark of a run, or the removal of one. */
export function encodeStatement(of: string, said: Statement): Uint8Array {
  return Buffer.from(JSON.stringify({ run: of, [isRemoval(said) ? "removal" : "mark"]: said }));
}

/** Throws for a body that `encodeStatement` did not make. */
export function decodeStatement(body: Uint8Array): { readonly run: string; readonly said: Statement } {
  const read = entry.parse(JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8")));
  return { run: read.run, said: "mark" in read ? read.mark : read.removal };
}
