import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import type { ScannedSpan } from "@reenact/envelope";
import { readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import { PackBuilder } from "@reenact/envelope/pack";

const golden = readEnvelope(readFileSync(join(import.meta.dirname, "fixtures/envelopes/v1-parallel-calls.reenact")));

/** The n-th run: the golden one under an id of its own. */
export const packedRunId = (n: number): string => createHash("sha256").update(`run ${n}`).digest("hex").slice(0, 32);

/** The spans of the n-th run, in a trace of its own. */
export function packedRunSpans(n: number): ScannedSpan[] {
  const id = packedRunId(n);
  const trace = createHash("sha256").update(`trace ${n}`).digest("hex").slice(0, 32);
  return golden.spans.map(({ scanned }) => {
    const span = Buffer.from(scanned.span);
    replace(span, Buffer.from(golden.id, "latin1"), Buffer.from(id, "latin1"));
    replace(span, Buffer.from(scanned.traceId, "hex"), Buffer.from(trace, "hex"));
    return { ...scanned, span, traceId: trace };
  });
}

function replace(bytes: Buffer, old: Buffer, fresh: Buffer): void {
  for (let at = bytes.indexOf(old); at !== -1; at = bytes.indexOf(old, at + old.length)) fresh.copy(bytes, at);
}

/**
 * A folder with sealed runs as a collector leaves them, without their catalog: so many packs of so many runs each. Every
 * `flagged`-th run (0: none) was flagged after it was sealed, and has a copy in a pack of its own below `keep`.
 */
export function fillStore(root: string, size: { packs: number; runs: number; flagged?: number }): { runs: number } {
  const { packs, runs, flagged = 0 } = size;
  const at = Date.now();
  const day = new Date(at).toISOString().slice(0, 10);
  const place = { tenant: "default", day };
  const write = (builder: PackBuilder, frames: readonly Uint8Array[]) => {
    const { key, footer } = builder.finish();
    const path = join(root, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.concat([...frames, footer]));
  };
  for (let pack = 0; pack < packs; pack++) {
    const builder = new PackBuilder({ class: "short", ...place });
    const frames: Uint8Array[] = [];
    for (let n = pack * runs; n < (pack + 1) * runs; n++) {
      const spans = packedRunSpans(n);
      const { bytes, header, manifest } = writeEnvelope({ spans, class: "short" });
      const receipt = { first: at, last: at };
      builder.add({ header, manifest, length: bytes.length, receipt });
      frames.push(bytes);
      if (flagged === 0 || n % flagged !== 0) continue;
      const kept = writeEnvelope({ spans, class: "keep" });
      const copy = new PackBuilder({ class: "keep", ...place });
      const marks = [{ id: "0".repeat(16), kind: "flag", name: "wrong", at }];
      copy.add({ ...kept, length: kept.bytes.length, receipt: { ...receipt, marks }, flags: ["wrong"] });
      write(copy, [kept.bytes]);
    }
    write(builder, frames);
  }
  return { runs: packs * runs };
}
