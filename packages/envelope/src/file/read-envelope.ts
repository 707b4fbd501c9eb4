import { hash } from "node:crypto";
import { EnvelopeError } from "../envelope-error.ts";
import type { EnvelopeHeader, Manifest } from "../schema/manifest.ts";
import { contentDigest } from "../otlp/join-traces.ts";
import { type ScannedSpan, scanTraces, scanWhatIsThere } from "../otlp/scan-traces.ts";
import { cutShort, decompress, decompressWhatIsThere } from "./frames.ts";
import { DEFAULT_MAX_RAW, readManifest, tooLarge } from "./read-manifest.ts";
import { readRun, type Run } from "./run.ts";

export interface Envelope extends Run {
  readonly header: EnvelopeHeader;
  readonly manifest: Manifest;
  /** what was wrong, when read with `damaged: "read-up-to"`; null for a whole envelope */
  readonly damage: EnvelopeError | null;
}

export interface ReadOptions {
  /** "refuse" (default): any damage throws. "read-up-to": whole spans before the damage are read, and the damage is reported. */
  readonly damaged?: "refuse" | "read-up-to";
  /** cap on the raw length of a frame, in bytes; default 1 GiB */
  readonly maxRaw?: number;
  /** attributes of spans that are wanted beside those that a run is read from; default: all */
  readonly attributes?: readonly string[];
}

/**
 * Reads and checks an envelope. Throws a named `EnvelopeError`; header and manifest must be whole even for
 * `damaged: "read-up-to"`.
 */
export function readEnvelope(bytes: Uint8Array, options: ReadOptions = {}): Envelope {
  const cap = options.maxRaw ?? DEFAULT_MAX_RAW;
  const { header, manifest, length: start } = readManifest(bytes, cap);
  if (header.spans.raw > cap) throw tooLarge("spans", header.spans.raw, cap);
  const { scanned, damage } = readSpans(bytes, start, header, manifest);
  if (damage && options.damaged !== "read-up-to") throw damage;
  // Without a single span of the run left there is nothing to read.
  if (damage && scanned.length === 0) throw damage;
  const run = readRun(scanned, header.run, undefined, options.attributes);
  if (run.id !== header.run)
    throw new EnvelopeError("OTHER_RUN", "envelope", `its header names ${header.run}, its spans ${run.id}`);
  if (!damage) return { ...run, header, manifest, damage };
  return {
    ...run,
    header,
    manifest,
    damage,
    complete: false,
    incompleteReasons: [damage.message, ...run.incompleteReasons],
  };
}

interface Found {
  scanned: ScannedSpan[];
  damage: EnvelopeError | null;
}

function readSpans(bytes: Uint8Array, start: number, header: EnvelopeHeader, manifest: Manifest): Found {
  const end = start + header.spans.bytes;
  const frame = bytes.subarray(start, end);
  let damage: EnvelopeError | null = bytes.length < end ? cutShort(bytes.length, end) : null;
  if (bytes.length > end)
    damage = new EnvelopeError("DAMAGED", "envelope", `${bytes.length - end} bytes follow its end`, { offset: end });
  let raw: Buffer | null = null;
  try {
    raw =
      frame.length === header.spans.bytes ? decompress(frame, header.spans.raw, `spans of run ${header.run}`) : null;
  } catch (error) {
    damage ??= EnvelopeError.from(error, "DAMAGED", "spans");
    if (damage.code === "TOO_LARGE") throw damage;
  }
  if (raw === null) return readDamaged(decompressWhatIsThere(frame, header.spans.raw, "spans"), manifest, damage);
  const changed = firstChange(raw, manifest);
  if (changed) return readDamaged(raw, manifest, changed.error);
  const scanned = scanTraces(raw);
  if (contentDigest(scanned) !== header.content) {
    damage ??= new EnvelopeError(
      "DIGEST_MISMATCH",
      `run ${header.run}`,
      `resource or scope in bytes 0 to ${raw.length} of its spans were changed`,
    );
  }
  return { scanned, damage };
}

/** The spans before the first one that is not as the manifest says. */
function readDamaged(raw: Buffer, manifest: Manifest, damage: EnvelopeError | null): Found {
  const changed = firstChange(raw, manifest);
  const { spans, error } = scanWhatIsThere(raw.subarray(0, changed?.offset ?? raw.length));
  const whole = new Set(manifest.spans.slice(0, changed?.at ?? manifest.spans.length).map(({ digest }) => digest));
  const scanned = spans.filter(({ span }) => whole.has(hash("sha256", span).slice(0, 32)));
  const whereItIs = changed && changed.error.code === "DIGEST_MISMATCH" ? changed.error : null;
  return {
    scanned,
    damage: whereItIs && damage?.code !== "TRUNCATED" ? whereItIs : (damage ?? changed?.error ?? error),
  };
}

function firstChange(raw: Buffer, manifest: Manifest): { at: number; offset: number; error: EnvelopeError } | null {
  for (const [at, { id, offset, length, digest }] of manifest.spans.entries()) {
    const end = offset + length;
    if (raw.length < end) {
      return {
        at,
        offset,
        error: new EnvelopeError("TRUNCATED", `run ${manifest.run}`, `span ${id} at bytes ${offset} to ${end} is cut`, {
          offset,
        }),
      };
    }
    if (hash("sha256", raw.subarray(offset, end)).slice(0, 32) === digest) continue;
    const why = `span ${id} at bytes ${offset} to ${end} of the spans was changed`;
    return { at, offset, error: new EnvelopeError("DIGEST_MISMATCH", `run ${manifest.run}`, why, { offset }) };
  }
  return null;
}
