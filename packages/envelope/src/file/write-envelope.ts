import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { EnvelopeError } from "../envelope-error.ts";
import type { EnvelopeHeader, Manifest, RetentionClass } from "../schema/manifest.ts";
import { type JoinedTraces, joinTraces } from "../otlp/join-traces.ts";
import type { ScannedSpan } from "../otlp/scan-traces.ts";
import { streamTraces } from "../otlp/stream-traces.ts";
import type { RemoteSpans } from "../otlp/traces-layout.ts";
import { deriveManifest } from "./derive-manifest.ts";
import { compress, compressing, headerFrame } from "./frames.ts";
import { readRun, type Run, runReader } from "./run.ts";

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
  const described = describe(run, joined, options);
  const spansFrame = compress(joined.bytes);
  const { frames, header } = withHeader(described, { bytes: spansFrame.length, raw: joined.bytes.length });
  return { bytes: [...frames, spansFrame], header, manifest: described.manifest, run };
}

/**
 * As `sealTraces`, for a run that is not to be in memory: its spans are read one by one, and the pieces of their frame go
 * to `out` in order. Without it are `bytes`, which are the header and the manifest; `spans` is the length of the third.
 */
export async function sealRemote(
  spans: RemoteSpans,
  options: SealOptions,
  out: (piece: Uint8Array) => void,
): Promise<WrittenFrames & { readonly spans: number }> {
  const reader = runReader({ expected: options.run, longest: LONGEST_TEXT, lean: true });
  let frame: ReturnType<typeof compressing> | null = null;
  const sink = {
    begin: (raw: number) => void (frame = compressing(raw, out)),
    write: (piece: Uint8Array) => frame!.write(piece),
  };
  const streamed = await streamTraces(spans, sink, (scanned) => reader.take(scanned));
  const bytes = await frame!.end();
  const run = reader.finish();
  const described = describe(run, streamed, options);
  const { frames, header } = withHeader(described, { bytes, raw: streamed.raw });
  return { bytes: frames, spans: bytes, header, manifest: described.manifest, run };
}

interface Described {
  readonly manifest: Manifest;
  readonly class: RetentionClass;
  readonly content: string;
}

function describe(run: Run, joined: Omit<JoinedTraces, "bytes">, options: SealOptions): Described {
  const derived = completed(deriveManifest(run, joined, options), run, options);
  const chosen =
    typeof options.class === "function" ? options.class(derived, run) : { class: options.class ?? "short" };
  const manifest = wellFormed({ ...derived, ...(chosen.rule !== undefined && { rule: chosen.rule }) });
  return { manifest, class: chosen.class, content: joined.content };
}

function withHeader(
  { manifest, class: kept, content }: Described,
  spans: EnvelopeHeader["spans"],
): { frames: readonly Uint8Array[]; header: EnvelopeHeader } {
  const bytes = Buffer.from(rfc8785(manifest));
  const frame = compress(bytes);
  const { run, revision, status } = manifest;
  const told = { bytes: frame.length, raw: bytes.length, sha256: hash("sha256", bytes) };
  const header: EnvelopeHeader = { run, revision, status, class: kept, content, manifest: told, spans };
  return { frames: [headerFrame(rfc8785(header)), frame], header };
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
