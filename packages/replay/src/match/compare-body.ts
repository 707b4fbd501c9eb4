import { mimeOf } from "@reenact/capture/recorder";
import { type FormPart, multipartBoundary, parseForm, textOf } from "@reenact/envelope";
import type { RecordedStep } from "../tape/tape.ts";
import type { Asked } from "./asked.ts";
import { type Difference, escaped, jsonDifferences, type SameText, textDifference } from "./difference.ts";
import type { RecordedRequestBody } from "./recorded-request.ts";

const URLENCODED = "application/x-www-form-urlencoded";

/** Every difference between a recorded body and the body of now, both redacted and decompressed. */
export function bodyDifferences(
  step: RecordedStep,
  recorded: RecordedRequestBody,
  asked: Asked,
  same: SameText,
): Difference[] {
  const form = formDifferences(step, recorded, asked, same);
  if (form !== null) return form;
  if (recorded.text === null || asked.text === null) return bytesDifferences(recorded, asked);
  if (same(recorded.text, asked.text)) return [];
  const json = jsonDifferences(recorded.text, asked.text, same);
  if (json !== null) return json;
  const mime = mimeOf(asked.headers);
  if (mime === URLENCODED) return pairDifferences(recorded.text, asked.text, same);
  return [textDifference(recorded.text, asked.text)];
}

/** Null unless both are forms that can be taken apart. The boundary is no part of the comparison. */
function formDifferences(
  step: RecordedStep,
  recorded: RecordedRequestBody,
  asked: Asked,
  same: SameText,
): Difference[] | null {
  const before = partsOf(step.record.exchange?.request.headers ?? [], recorded);
  const after = partsOf(asked.headers, { text: asked.text, bytes: asked.bytes ?? null });
  if (before === null || after === null) return null;
  const found: Difference[] = [];
  for (let n = 0; n < Math.max(before.length, after.length); n++) {
    const [a, b] = [before[n], after[n]];
    if (a !== undefined && b !== undefined && samePart(a, b, same)) continue;
    const pointer = `/${escaped(a?.name ?? b?.name ?? String(n))}`;
    found.push({ pointer, recorded: shownPart(a), now: shownPart(b) });
  }
  return found;
}

function partsOf(headers: Asked["headers"], body: RecordedRequestBody): FormPart[] | null {
  const boundary = multipartBoundary(mimeOf(headers));
  if (boundary === null) return null;
  const bytes = body.bytes ?? (body.text === null ? null : Buffer.from(body.text));
  return bytes === null ? null : parseForm(bytes, boundary);
}

function samePart(a: FormPart, b: FormPart, same: SameText): boolean {
  if (!same(a.name, b.name) || !same(a.filename ?? "", b.filename ?? "") || a.type !== b.type) return false;
  const [was, is] = [textOf(a.bytes), textOf(b.bytes)];
  return was === null || is === null ? Buffer.compare(a.bytes, b.bytes) === 0 : same(was, is);
}

const SHOWN = 200;

function shownPart(part: FormPart | undefined): unknown {
  if (part === undefined) return undefined;
  const text = textOf(part.bytes);
  const content = text === null || text.length > SHOWN ? `${part.bytes.length} bytes` : text;
  const named = [part.name, part.filename, part.type].filter((each) => each !== null).join(", ");
  return `${named}: ${content}`;
}

/** Of two bodies of which one is no text: how long each is, and from which byte on they differ. */
function bytesDifferences(recorded: RecordedRequestBody, { text, bytes }: Asked): Difference[] {
  const was = recorded.bytes ?? Buffer.from(recorded.text ?? "");
  const is = bytes ?? Buffer.from(text ?? "");
  const shorter = Math.min(was.length, is.length);
  let at = 0;
  while (at < shorter && was[at] === is[at]) at++;
  if (at === shorter && was.length === is.length) return [];
  const shown = ({ length }: Uint8Array): string =>
    length === 0 ? "nothing" : `${length} bytes, different from byte ${at} on`;
  return [{ pointer: "", recorded: shown(was), now: shown(is) }];
}

/** Of two lists of `name=value`: the order of different names is no difference. */
export function pairDifferences(recorded: string, now: string, same: SameText): Difference[] {
  const left = pairsOf(now);
  const found: Difference[] = [];
  for (const [name, value] of pairsOf(recorded)) {
    const at = left.findIndex((pair) => pair[0] === name);
    const other = at === -1 ? undefined : left.splice(at, 1)[0]?.[1];
    if (other === undefined || !same(value, other))
      found.push({ pointer: `/${escaped(name)}`, recorded: value, now: other });
  }
  for (const [name, value] of left) found.push({ pointer: `/${escaped(name)}`, recorded: undefined, now: value });
  return found;
}

/** In what two such lists differ that have no difference and are other texts. */
export function otherwiseWritten(recorded: string, now: string): "order" | "encoding" {
  const [names, namesNow] = [pairsOf(recorded), pairsOf(now)].map((pairs) => pairs.map(([name]) => name));
  return names?.every((name, n) => name === namesNow?.[n]) === true ? "encoding" : "order";
}

/** A note for two urlencoded forms without a difference that are other texts; null for other bodies. */
export function formNote(recorded: RecordedRequestBody, { text, headers }: Asked, same: SameText): string | null {
  if (recorded.text === null || text === null || same(recorded.text, text) || mimeOf(headers) !== URLENCODED)
    return null;
  return `the ${otherwiseWritten(recorded.text, text)} of the form's fields in the body differs`;
}

const pairsOf = (text: string): [name: string, value: string][] =>
  text === ""
    ? []
    : text.split("&").map((pair) => {
        const at = pair.indexOf("=");
        return at === -1 ? [decoded(pair), ""] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
      });

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
