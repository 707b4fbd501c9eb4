import { isUtf8 } from "node:buffer";
import type { Scrubber } from "@reenact/capture";
import { redactionPackage } from "../own-code/lazy-packages.ts";

export interface ContentFacts {
  /** of the redacted content */
  sha256: string;
  bytes: number;
  /** see `TextFacts` */
  tokens?: string;
  keys?: Record<string, number>;
  marks?: string;
  more?: string;
  lines?: string[];
}

export interface ContentView {
  scrubber: Scrubber;
  limits: { keep: number };
  translate?: ((token: string) => string) | undefined;
  /** there is no more time */
  isLate(): boolean;
}

/** Files with more lines than this get no digests of lines. */
const MOST_LINES = 500;
const DIGITS = 8;
/** Lines are redacted in groups of this many characters, since a line can name the values in the next ones. */
const TOGETHER = 64 * 1024;

/**
 * Digest of a content after redaction; of a text also of its lines. Bytes that are no text are scrubbed as bytes. Null:
 * there was not enough time.
 */
export function contentFacts(content: Uint8Array, view: ContentView): ContentFacts | null {
  const { scrubber, limits, translate } = view;
  const { BlockReader, StreamDigest } = redactionPackage();
  const isText = isUtf8(content);
  const marks: string[] = [];
  let areKnown = true;
  const take = (out: { readonly text: string; readonly marks?: readonly string[] | null }): string => {
    if (out.marks === null) areKnown = false;
    marks.push(...(out.marks ?? []));
    return out.text;
  };
  const blocks = new BlockReader(scrubber);
  // what it is given has been scrubbed; the marks are handed over with the next line of it
  const digest = new StreamDigest(
    { kid: scrubber.kid, scrub: (text) => ({ text, edits: [], counts: {}, marks: marks.splice(0) }) },
    isText ? limits.keep : 0,
  );
  if (!isText) {
    const text = Buffer.from(content).toString("latin1");
    digest.write(take(scrubber.scrub(text, { mime: "application/octet-stream" })));
    const { lines: _, more: __, ...facts } = digest.end(translate);
    return { ...facts, bytes: content.length };
  }
  for (const text of groupsOf(Buffer.from(content).toString("utf8").split("\n"))) {
    if (view.isLate()) return null;
    digest.write(take(blocks.read(text)));
  }
  const { lines, more = "", marks: known, ...facts } = digest.end(translate);
  return {
    ...facts,
    ...(known !== undefined && areKnown && { marks: known }),
    ...(lines.length > 0 && { lines }),
    ...(more !== "" && more.length <= MOST_LINES * DIGITS && { more }),
  };
}

/** Lines in groups. A key block is not cut. */
function* groupsOf(lines: string[]): Generator<string> {
  let group: string[] = [];
  let units = 0;
  let isInBlock = false;
  for (const [index, line] of lines.entries()) {
    group.push(line);
    units += line.length + 1;
    if (line.includes("-----BEGIN ")) isInBlock = true;
    if (line.includes("-----END ")) isInBlock = false;
    const isLast = index === lines.length - 1;
    if (!isLast && (units < TOGETHER || (isInBlock && units < 2 * TOGETHER))) continue;
    yield group.join("\n") + (isLast ? "" : "\n");
    group = [];
    units = 0;
  }
}
