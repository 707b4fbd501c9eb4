import { BadBody, type BodyEncoding, decompress } from "./body-encoding.ts";
import { transcodeJson } from "./json-traces.ts";
import type { OtlpEncoding } from "./otlp-answer.ts";

export interface PackedBody {
  bytes: Uint8Array;
  encoding: BodyEncoding;
  type: OtlpEncoding;
}

export interface UnpackedBody {
  /** protobuf, plain */
  bytes: Uint8Array;
  /** of the bytes, where it is known */
  crc?: number | undefined;
  /** spans left out on the way, and why */
  rejected: number;
  why: string;
}

/** Blocks. Throws `BadBody`. */
export function unpackBody({ bytes, encoding, type }: PackedBody, limit: number): UnpackedBody {
  const plain = encoding === "identity" ? { bytes } : decompress(bytes, encoding, limit);
  if (type === "protobuf") return { ...plain, rejected: 0, why: "" };
  const { body, rejected, why } = transcodeJson(plain.bytes);
  if (body.length > limit) throw new BadBody("tooLarge", `more than ${limit} bytes as protobuf`);
  return { bytes: body, rejected, why };
}
