import { EnvelopeError } from "../envelope-error.ts";
import { headerFrame, headerText } from "../file/frames.ts";
import { type Envelope, readEnvelope, type ReadOptions } from "../file/read-envelope.ts";
import { readHeader } from "../file/read-manifest.ts";
import type { EnvelopeHeader, RetentionClass } from "../schema/manifest.ts";
import canonicalize from "canonicalize";
import type { PackEntry } from "./pack-index.ts";

/** Reads and checks the envelope that `entry` of a pack's index names, from exactly its bytes. */
export function readPackedEnvelope(bytes: Uint8Array, entry: PackEntry, options: ReadOptions = {}): Envelope {
  const envelope = readEnvelope(bytes, options);
  for (const key of ["run", "revision", "content"] as const) {
    if (envelope.header[key] === entry[key]) continue;
    const why = `its ${key} is ${envelope.header[key]}, the pack's index says ${entry[key]}`;
    throw new EnvelopeError("BAD_HEADER", `run ${entry.run}`, why);
  }
  return envelope;
}

export interface WalkedEnvelope {
  readonly header: EnvelopeHeader;
  readonly offset: number;
  readonly length: number;
}

/**
 * The envelopes of a pack without its index, from the start up to the footer or to the damage, which is `error`. Headers
 * are read, the frames behind them are not.
 */
export function walkPack(pack: Uint8Array): { envelopes: WalkedEnvelope[]; error: EnvelopeError | null } {
  const envelopes: WalkedEnvelope[] = [];
  let offset = 0;
  while (offset < pack.length) {
    const rest = pack.subarray(offset);
    if (rest[0] === 0x51 && rest[1] === 0x2a && rest[2] === 0x4d && rest[3] === 0x18) return { envelopes, error: null };
    try {
      const header = readHeader(rest);
      const length = headerText(rest).length + header.manifest.bytes + header.spans.bytes;
      if (length > rest.length)
        throw new EnvelopeError("TRUNCATED", "pack", `run ${header.run} ends after ${rest.length} of ${length} bytes`, {
          offset: pack.length,
        });
      envelopes.push({ header, offset, length });
      offset += length;
    } catch (error) {
      return { envelopes, error: EnvelopeError.from(error, "DAMAGED", `pack at byte ${offset}`) };
    }
  }
  const why = `it ends after ${pack.length} bytes without a footer`;
  return { envelopes, error: new EnvelopeError("TRUNCATED", "pack", why, { offset: pack.length }) };
}

/** The same envelope in another class: its frames as they are behind a new header. */
export function reclassEnvelope(bytes: Uint8Array, to: RetentionClass): { bytes: Uint8Array; header: EnvelopeHeader } {
  const header: EnvelopeHeader = { ...readHeader(bytes), class: to };
  const json = canonicalize(header);
  if (json === undefined) throw new EnvelopeError("BAD_HEADER", "header", "cannot be written as JSON");
  return { bytes: Buffer.concat([headerFrame(json), bytes.subarray(headerText(bytes).length)]), header };
}
