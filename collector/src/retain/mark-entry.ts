import { z } from "zod";
import { type Mark, mark } from "./mark.ts";

const markEntry = z.strictObject({ run: z.string().regex(/^[0-9a-f]{32}$/), mark });

/** Body of a journal entry that says something of a run. */
export function encodeMark(run: string, said: Mark): Uint8Array {
  return Buffer.from(JSON.stringify({ run, mark: said }));
}

/** Throws for a body that `encodeMark` did not make. */
export function decodeMark(body: Uint8Array): { readonly run: string; readonly mark: Mark } {
  return markEntry.parse(JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8")));
}
