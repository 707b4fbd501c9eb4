import { existsSync, readFileSync } from "node:fs";
import { readEnvelope, writeEnvelope, type WrittenEnvelope } from "@reenact/envelope/file";
import type { StoreLayout } from "../config/store-layout.ts";
import { withLock } from "./lock.ts";
import { completeRun } from "./complete-run.ts";
import type { SpoolContent, SpooledRun } from "./spooled-run.ts";
import { writeNamedLater } from "./write-whole.ts";

export interface SealedRun {
  /** 32 hex */
  readonly run: string;
  /** `REENACT_LAUNCH` of its process */
  readonly launch: string | null;
  /** the file, absolute */
  readonly path: string;
  readonly header: WrittenEnvelope["header"];
  readonly manifest: WrittenEnvelope["manifest"];
  /** the process died before the run had ended */
  readonly died: boolean;
  /** what of the spool could not be read, one line each */
  readonly damage: readonly string[];
}

/**
 * Writes one run into the store; it is on the disk once the folder is synced. What an earlier revision holds is kept; null: nothing is
 * known of the run.
 */
export function sealRun(layout: StoreLayout, spool: SpoolContent, run: SpooledRun): SealedRun | null {
  const path = layout.envelope(run.run);
  return withLock(`${path}.lock`, () => {
    const before = existsSync(path) ? readEnvelope(readFileSync(path)) : null;
    const real = [...(before?.spans.map((s) => s.scanned) ?? []), ...run.spans];
    const { spans, died } = completeRun(real, spool, run);
    if (spans.length === 0) return null;
    const next = before === null ? {} : { revision: before.header.revision + 1, previous: before.header.content };
    const known = before?.header.class ?? "short";
    const written = writeEnvelope({
      spans,
      ...next,
      class: (manifest) => ({ class: known === "short" && isKept(manifest) ? "keep" : known }),
    });
    const { header, manifest } = written;
    if (before === null || header.content !== before.header.content) writeNamedLater(path, written.bytes);
    const same = before !== null && header.content === before.header.content;
    return {
      run: run.run,
      launch: spool.launch,
      path,
      header: same ? before.header : header,
      manifest: same ? before.manifest : manifest,
      died,
      damage: spool.damage,
    };
  });
}

/** A failed run, one that goes on later, and one that was marked, is kept. */
function isKept({ status, flags }: WrittenEnvelope["manifest"]): boolean {
  return status !== "ok" || flags.length > 0;
}
