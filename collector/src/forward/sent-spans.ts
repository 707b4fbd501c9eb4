import { hash } from "node:crypto";
import type { ScannedSpan } from "@reenact/envelope";
import type { RunRow } from "../catalog/run-row.ts";

/** The spans of a run that a destination has. */
export interface SentSpans {
  /** Whether nothing changed in the run since all of it was sent. */
  isAll(row: RunRow): boolean;
  /** The spans that were not sent, or not as they are now. */
  lacking(spans: readonly ScannedSpan[]): readonly ScannedSpan[];
}

/** of a digest, in base64: 66 bits tell the spans of a run apart */
const DIGEST = 11;

/** Reads what `sentText` wrote; null: nothing was sent. */
export function readSent(text: string | null): SentSpans {
  const [content = "", digests = ""] = (text ?? "").split(" ");
  const known = new Set<string>();
  for (let at = 0; at < digests.length; at += DIGEST) known.add(digests.slice(at, at + DIGEST));
  return {
    isAll: (row) => content !== "" && content === contentOf(row),
    lacking: (spans) => (known.size === 0 ? spans : spans.filter((span) => !known.has(digestOf(span)))),
  };
}

/** The note of a run of which all spans have been sent. */
export function sentText(row: RunRow, spans: readonly ScannedSpan[]): string {
  return `${contentOf(row)} ${spans.map(digestOf).join("")}`;
}

const contentOf = ({ parts }: RunRow) => parts.map(({ content }) => content.slice(0, 16)).join("+");

const digestOf = ({ span }: ScannedSpan) => hash("sha256", span, "base64url").slice(0, DIGEST);
