import { Buffer } from "buffer";
import { Decompress, decompress } from "fzstd";

/** Node's, of which only those are asked for that compression is given. */
export const constants: Readonly<Record<string, number>> = {
  ZSTD_c_compressionLevel: 100,
  ZSTD_c_windowLog: 101,
  ZSTD_c_contentSizeFlag: 200,
  ZSTD_c_checksumFlag: 201,
  ZSTD_d_windowLogMax: 100,
  ZSTD_e_flush: 1,
  ZSTD_e_end: 2,
};

interface Options {
  /** a frame that holds more is an error, before its bytes are there */
  readonly maxOutputLength: number;
  /** `ZSTD_e_flush`: of a frame that is cut, the blocks before the cut */
  readonly finishFlush: number;
}

export function zstdDecompressSync(frame: Uint8Array, { maxOutputLength, finishFlush }: Options): Buffer {
  const claimed = contentSize(frame);
  if (claimed !== null && claimed > maxOutputLength) throw tooLarge(claimed);
  if (finishFlush !== constants["ZSTD_e_flush"]) return Buffer.from(decompress(frame, new Uint8Array(maxOutputLength)));
  const blocks: Uint8Array[] = [];
  let length = 0;
  const stream = new Decompress((block) => {
    length += block.length;
    if (length > maxOutputLength) throw tooLarge(length);
    blocks.push(block.slice());
  });
  stream.push(frame, false);
  return Buffer.concat(blocks, length);
}

const tooLarge = (bytes: number): Error =>
  Object.assign(new Error(`holds ${bytes} bytes`), { code: "ERR_BUFFER_TOO_LARGE" });

/** A browser describes a run and writes no file: only the length of what this gives is looked at. */
export const zstdCompressSync = (bytes: Uint8Array): Uint8Array => bytes;

export function createZstdCompress(): never {
  throw new Error("nothing is compressed here");
}

/** What the head of a frame says of its content (RFC 8878 §3.1.1.1); null: it says nothing. */
function contentSize(frame: Uint8Array): number | null {
  if (frame.length < 5) return null;
  const head = frame[4]!;
  const isSingle = (head & 0x20) !== 0;
  const bytes = [isSingle ? 1 : 0, 2, 4, 8][head >> 6]!;
  const at = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][head & 3]!;
  if (bytes === 0 || frame.length < at + bytes) return null;
  let size = 0;
  for (let n = bytes - 1; n >= 0; n--) size = size * 256 + frame[at + n]!;
  return bytes === 2 ? size + 256 : size;
}
