import { hash } from "node:crypto";
import type { z } from "zod";
import { EnvelopeError } from "../envelope-error.ts";
import { type EnvelopeHeader, envelopeHeader, type Manifest, manifest as manifestSchema } from "../schema/manifest.ts";
import { cutShort, decompress, headerText, MAX_HEADER_FRAME } from "./frames.ts";

/** So many bytes from the start of a file hold its header. */
export const HEADER_PREFIX = MAX_HEADER_FRAME;

/** Raw lengths above this are refused unless the caller raises the cap. */
export const DEFAULT_MAX_RAW = 1024 ** 3;

/** The header, from the first `HEADER_PREFIX` bytes of a file (or the whole of a shorter one). */
export function readHeader(prefix: Uint8Array): EnvelopeHeader {
  return parse(envelopeHeader, headerText(prefix).json, "header");
}

/**
 * Header and manifest; `prefix` must reach to the end of the manifest, else `TRUNCATED` (its `offset` is what there
 * was). `length` is where the spans begin, in bytes. The manifest's digest and its agreement with the header are
 * checked.
 */
export function readManifest(
  prefix: Uint8Array,
  maxRaw = DEFAULT_MAX_RAW,
): { header: EnvelopeHeader; manifest: Manifest; length: number } {
  const { header, raw, start, end } = unchecked(prefix, maxRaw);
  if (hash("sha256", raw) !== header.manifest.sha256) {
    throw new EnvelopeError(
      "DIGEST_MISMATCH",
      `manifest of run ${header.run}`,
      `bytes ${start} to ${end} were changed`,
      { offset: start },
    );
  }
  const manifest = parse(manifestSchema, raw.toString("utf8"), "manifest");
  for (const key of ["run", "revision", "status", "content"] as const) {
    if (header[key] === manifest[key]) continue;
    throw new EnvelopeError("BAD_HEADER", "header", `its ${key} is ${header[key]}, the manifest's is ${manifest[key]}`);
  }
  return { header, manifest, length: end };
}

/**
 * Whether the manifest's canonical JSON contains `json`, such as a value in quotes. It is neither parsed nor is its digest checked, so
 * this costs a part of `readManifest`. Throws for `prefix` as that does.
 */
export function manifestIncludes(prefix: Uint8Array, json: string, maxRaw = DEFAULT_MAX_RAW): boolean {
  return unchecked(prefix, maxRaw).raw.includes(json);
}

function unchecked(
  prefix: Uint8Array,
  maxRaw: number,
): { header: EnvelopeHeader; raw: Buffer; start: number; end: number } {
  const { json, length: start } = headerText(prefix);
  const header = parse(envelopeHeader, json, "header");
  const end = start + header.manifest.bytes;
  if (header.manifest.raw > maxRaw) throw tooLarge("manifest", header.manifest.raw, maxRaw);
  if (prefix.length < end) throw cutShort(prefix.length, end + header.spans.bytes);
  return { header, raw: decompress(prefix.subarray(start, end), header.manifest.raw, "manifest"), start, end };
}

export function tooLarge(what: string, raw: number, cap: number): EnvelopeError {
  return new EnvelopeError("TOO_LARGE", what, `${raw} bytes, the cap is ${cap}`);
}

function parse<T>(schema: z.ZodType<T>, json: string, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw EnvelopeError.from(error, "BAD_HEADER", what);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new EnvelopeError("BAD_HEADER", what, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "malformed"}`, {
    cause: parsed.error,
  });
}
