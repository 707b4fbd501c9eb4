import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { EnvelopeError } from "../envelope-error.ts";
import type { EnvelopeHeader, Manifest, RetentionClass } from "../manifest.ts";
import { type JoinedTraces, joinTraces } from "../otlp/join-traces.ts";
import type { ScannedSpan } from "../otlp/scan-traces.ts";
import { deriveManifest } from "./derive-manifest.ts";
import { compress, headerFrame } from "./frames.ts";
import { readRun, type Run } from "./run.ts";

/** No fact of a manifest is a longer text; decoding the payloads would cost more than compressing them. */
const LONGEST_TEXT = 8192;

export interface WrittenEnvelope {
  bytes: Uint8Array;
  header: EnvelopeHeader;
  manifest: Manifest;
}

export interface WrittenFrames {
  /** header, manifest and spans frame: one after another they are the envelope */
  bytes: readonly Uint8Array[];
  header: EnvelopeHeader;
  manifest: Manifest;
  run: Run;
}

export interface SealOptions {
  /** from 0; a run whose late spans came after sealing is sealed again, whole, with the next one */
  readonly revision?: number;
  /** content digest of the revision before */
  readonly previous?: string;
  /** the class, or what chooses it and by which rule */
  readonly class?:
    | RetentionClass
    | ((manifest: Manifest, run: Run) => { class: RetentionClass; rule?: string | undefined });
  /** the run's id, where it is known: spans that carry none are then a run that no recorder of ours made */
  readonly run?: string;
  /** why the run is not complete, beside what its spans say */
  readonly reasons?: readonly string[];
  readonly cost?: (run: Run) => Manifest["cost"];
}

/**
 * Seals the spans of one run. Same spans, same `header.content`, in whatever order they come. Throws `NO_RUN`,
 * `OTHER_RUN`, `BAD_OTLP`.
 */
export function writeEnvelope(input: SealOptions & { spans: readonly ScannedSpan[] }): WrittenEnvelope {
  const { bytes, header, manifest } = sealTraces(joinTraces(input.spans), input);
  return { bytes: Buffer.concat(bytes), header, manifest };
}

/**
 * As `writeEnvelope`, for spans that already lie in their places. The envelope comes as its three frames; in `run` texts
 * of attributes are cut after 8,192 bytes.
 */
export function sealTraces(joined: JoinedTraces, options: SealOptions): WrittenFrames {
  const run = readRun(
    joined.spans.map(({ scanned }) => scanned),
    options.run,
    LONGEST_TEXT,
  );
  const derived = completed(deriveManifest(run, joined, options), run, options);
  const chosen =
    typeof options.class === "function" ? options.class(derived, run) : { class: options.class ?? "short" };
  const manifest = wellFormed({ ...derived, ...(chosen.rule !== undefined && { rule: chosen.rule }) });
  const manifestBytes = Buffer.from(rfc8785(manifest));
  const manifestFrame = compress(manifestBytes);
  const spansFrame = compress(joined.bytes);
  const header: EnvelopeHeader = {
    run: run.id,
    revision: manifest.revision,
    status: manifest.status,
    class: chosen.class,
    content: joined.content,
    manifest: { bytes: manifestFrame.length, raw: manifestBytes.length, sha256: hash("sha256", manifestBytes) },
    spans: { bytes: spansFrame.length, raw: joined.bytes.length },
  };
  return { bytes: [headerFrame(rfc8785(header)), manifestFrame, spansFrame], header, manifest, run };
}

function completed(manifest: Manifest, run: Run, options: SealOptions): Manifest {
  const reasons = options.reasons ?? [];
  const told: Manifest = {
    ...manifest,
    complete: manifest.complete && reasons.length === 0,
    incompleteReasons: [...manifest.incompleteReasons, ...reasons],
  };
  return { ...told, cost: options.cost?.(run) ?? told.cost };
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
