import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { EnvelopeError } from "../envelope-error.ts";
import type { EnvelopeHeader, Manifest, RetentionClass } from "../manifest.ts";
import { joinTraces } from "../otlp/join-traces.ts";
import type { ScannedSpan } from "../otlp/scan-traces.ts";
import { deriveManifest } from "./derive-manifest.ts";
import { compress, headerFrame } from "./frames.ts";
import { readRun } from "./run.ts";

export interface WrittenEnvelope {
  bytes: Uint8Array;
  header: EnvelopeHeader;
  manifest: Manifest;
}

/**
 * Seals the spans of one run. Same spans, same `header.content`, in whatever order they come. Throws `NO_RUN`,
 * `OTHER_RUN`, `BAD_OTLP`.
 */
export function writeEnvelope(input: {
  spans: readonly ScannedSpan[];
  /** from 0; a run whose late spans came after sealing is sealed again with the next one */
  revision?: number;
  /** content digest of the revision before */
  previous?: string;
  class?: RetentionClass;
}): WrittenEnvelope {
  const joined = joinTraces(input.spans);
  const run = readRun(joined.spans.map(({ scanned }) => scanned));
  const manifest = wellFormed(deriveManifest(run, joined, input.revision ?? 0, input.previous));
  const manifestBytes = Buffer.from(rfc8785(manifest));
  const manifestFrame = compress(manifestBytes);
  const spansFrame = compress(joined.bytes);
  const header: EnvelopeHeader = {
    run: run.id,
    revision: manifest.revision,
    status: manifest.status,
    class: input.class ?? "short",
    content: joined.content,
    manifest: { bytes: manifestFrame.length, raw: manifestBytes.length, sha256: hash("sha256", manifestBytes) },
    spans: { bytes: spansFrame.length, raw: joined.bytes.length },
  };
  return { bytes: Buffer.concat([headerFrame(rfc8785(header)), manifestFrame, spansFrame]), header, manifest };
}

function rfc8785(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new EnvelopeError("BAD_HEADER", "manifest", "cannot be written as JSON");
  return text;
}

/** RFC 8785 refuses lone surrogates; the spans keep them, the manifest shows U+FFFD. */
function wellFormed<T>(value: T): T {
  if (typeof value === "string") return value.toWellFormed() as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
      item === undefined ? [] : [[key.toWellFormed(), wellFormed(item)]],
    ),
  ) as T;
}
