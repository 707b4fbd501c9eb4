import { existsSync, readFileSync } from "node:fs";
import { ATTR, decodeSpan, type ScannedSpan } from "@reenact/envelope";
import { readEnvelope, writeEnvelope, type WrittenEnvelope } from "@reenact/envelope/file";
import type { StoreLayout } from "../store-layout.ts";
import { withLock } from "./lock.ts";
import { isMade, rootThatDied, stepThatDied } from "./made-span.ts";
import type { SpoolContent, SpooledRun } from "./spooled-run.ts";
import { writeWhole } from "./write-whole.ts";

export interface SealedRun {
  /** 32 hex */
  readonly run: string;
  /** the file, absolute */
  readonly path: string;
  readonly header: WrittenEnvelope["header"];
  readonly manifest: WrittenEnvelope["manifest"];
  /** the process died before the run had ended */
  readonly died: boolean;
  /** what of the spool could not be read, one line each */
  readonly damage: readonly string[];
}

/** Writes one run into the store. What an earlier revision holds is kept; null: nothing is known of the run. */
export function sealRun(layout: StoreLayout, spool: SpoolContent, run: SpooledRun): SealedRun | null {
  const path = layout.envelope(run.run);
  return withLock(`${path}.lock`, () => {
    const before = existsSync(path) ? readEnvelope(readFileSync(path)) : null;
    const real = [...(before?.spans.map((s) => s.scanned) ?? []), ...run.spans];
    const { spans, died } = completed(real, spool, run);
    if (spans.length === 0) return null;
    const next = before === null ? {} : { revision: before.header.revision + 1, previous: before.header.content };
    const known = before?.header.class ?? "short";
    const written = writeEnvelope({
      spans,
      ...next,
      class: (manifest) => ({ class: known === "short" && isKept(manifest) ? "keep" : known }),
    });
    const { header, manifest } = written;
    if (before === null || header.content !== before.header.content) writeWhole(path, written.bytes);
    const same = before !== null && header.content === before.header.content;
    return {
      run: run.run,
      path,
      header: same ? before.header : header,
      manifest: same ? before.manifest : manifest,
      died,
      damage: spool.damage,
    };
  });
}

/** A run that went wrong, or that somebody has marked, is kept. */
function isKept({ status, flags }: WrittenEnvelope["manifest"]): boolean {
  return status === "failed" || status === "aborted" || flags.length > 0;
}

/** Adds what the process did not live to write, and drops what was made so before and has come since. */
function completed(
  known: ScannedSpan[],
  spool: SpoolContent,
  run: SpooledRun,
): { spans: ScannedSpan[]; died: boolean } {
  const written = new Set(known.filter((s) => !isMade(s)).map((s) => s.spanId));
  const spans = known.filter((s) => (written.has(s.spanId) ? !isMade(s) : true));
  const there = new Set(spans.map((s) => s.spanId));
  const death = { at: spool.alive, origin: spool.origin };
  for (const facts of run.begun.values()) if (!there.has(facts.spanId)) spans.push(stepThatDied(run, facts, death));
  const root = spans.find((s) => ATTR.root in decodeSpan(s.span).attributes);
  if (root !== undefined && !isMade(root)) return { spans, died: false };
  if (run.facts === null) return { spans, died: true };
  const steps = spans.filter((s) => s !== root);
  return { spans: [...steps, rootThatDied(run.facts, spool.early, countOf(steps), death)], died: true };
}

function countOf(spans: readonly ScannedSpan[]): number {
  let highest = -1;
  for (const { span } of spans) {
    const text = decodeSpan(span).attributes[ATTR.record];
    const step = typeof text === "string" ? (JSON.parse(text) as { step?: unknown }).step : undefined;
    if (typeof step === "number" && step > highest) highest = step;
  }
  return highest + 1;
}
