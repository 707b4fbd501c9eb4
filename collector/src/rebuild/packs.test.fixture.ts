import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import { PackBuilder } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import type { ObjectStore } from "../store/object-store.ts";

const golden = readEnvelope(
  readFileSync(join(import.meta.dirname, "../../../test/fixtures/envelopes/v1-parallel-calls.reenact")),
);

export const runId = (n: number): string => n.toString(16).padStart(32, "0");

/** One copy of the n-th run, with so many marks. */
export interface PackedCopy {
  readonly n: number;
  readonly revision?: number;
  readonly marks?: number;
  /** so many of its spans; default: all */
  readonly spans?: number;
}

/** A pack of these, put into the store; its key. */
export async function putPack(
  store: ObjectStore,
  copies: readonly PackedCopy[],
  place: { class?: RetentionClass; day?: string } = {},
): Promise<string> {
  const { class: kept = "short", day = "2026-11-22" } = place;
  const builder = new PackBuilder({ class: kept, tenant: "default", day });
  const frames: Uint8Array[] = [];
  for (const { n, revision = 0, marks = 0, spans: most } of copies) {
    const spans = golden.spans
      .slice(0, most)
      .map(({ scanned }) => ({ ...scanned, span: renamed(scanned.span, runId(n)) }));
    const previous = revision > 0 && { previous: "0".repeat(64) };
    const { bytes, header, manifest } = writeEnvelope({ spans, class: kept, revision, ...previous });
    const said = Array.from({ length: marks }, (_, at) => ({
      id: at.toString(16).padStart(16, "0"),
      kind: "flag",
      name: `flag ${at}`,
      at,
    }));
    const receipt = { first: 1, last: 2, ...(marks > 0 && { marks: said }) };
    builder.add({ header, manifest, length: bytes.length, receipt, flags: said.map(({ name }) => name) });
    frames.push(bytes);
  }
  const { key, footer } = builder.finish();
  await store.put(key, Buffer.concat([...frames, footer]));
  return key;
}

function renamed(span: Uint8Array, id: string): Uint8Array {
  const copy = Buffer.from(span);
  const [old, fresh] = [Buffer.from(golden.id, "latin1"), Buffer.from(id, "latin1")];
  for (let at = copy.indexOf(old); at !== -1; at = copy.indexOf(old, at + 1)) fresh.copy(copy, at);
  return copy;
}
