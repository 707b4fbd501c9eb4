import type { Operation, RedactedPlace, Scrubber } from "@reenact/capture";
import {
  type Content,
  digestsOf,
  mimeOf,
  plainJson,
  requestEncoding,
  scrubBody,
  type SentRequest,
  Tally,
  valueOfRoot,
} from "@reenact/capture/recorder";
import { decodeValue, digestRequest, type RequestDigests, textOf } from "@reenact/envelope";
import type { Headers } from "./headers.ts";
import type { AsRecorded } from "./own-secrets.ts";

/** A request of the running agent, redacted and digested as the recorder would. */
export interface Asked {
  readonly method: string;
  /** redacted; empty for a function */
  readonly url: string;
  /** not redacted: they are compared first, and only those that differ are redacted */
  readonly headers: Headers;
  /** of a `fetch` that does not follow redirects */
  readonly redirect?: string;
  /** redacted; other options of a `fetch` that are not the default */
  readonly options?: Readonly<Record<string, string>>;
  /** redacted, of a compressed body what is in it; null for a body that is no text, and where there is none */
  readonly text: string | null;
  /** redacted; of a body that is no text */
  readonly bytes?: Uint8Array;
  readonly digests: RequestDigests;
  /** the body was not sent whole, but so many bytes of it, and is not at hand unless the program has not ended it */
  readonly cut?: number;
  readonly isUnended?: boolean;
  /** values that redaction has replaced */
  readonly redacted: boolean;
  /** where they stood, by the same pointers as in a record; absent: nothing was replaced, or it stands in the record */
  readonly places?: () => readonly RedactedPlace[];
}

export function isRequest(content: Content): content is SentRequest {
  return "method" in content;
}

export function readAsked(
  content: Content,
  operation: Operation | null,
  scrubber: Scrubber,
  asRecorded: AsRecorded = (text) => text,
): Asked {
  if (!isRequest(content)) {
    const args = asRecorded(content.args);
    const text = valueOfRoot(args, content.json, scrubber, new Tally());
    const digests = digestRequest({ text, mime: "application/json" }, null);
    const places = (): readonly RedactedPlace[] => argumentPlaces(scrubber, args);
    return { method: "", url: "", headers: [], text, digests, redacted: text !== args, places };
  }
  const { method, headers, redirect, options } = content;
  const sentTo = scrubber.scrub(asRecorded(content.url), { key: "url" });
  const inUrl = (): readonly RedactedPlace[] => below("/request/url", sentTo.places);
  const address = {
    method,
    url: sentTo.text,
    headers,
    places: inUrl,
    ...(content.cut !== undefined && { cut: content.cut, isUnended: content.isUnended === true }),
    ...(redirect === undefined ? {} : { redirect }),
    ...(options === undefined ? {} : { options: scrubOptions(scrubber, options, asRecorded) }),
  };
  const mime = mimeOf(headers);
  if (content.body === null)
    return { ...address, text: null, digests: digestsOf(operation, null, null, mime), redacted: false };
  const encoding = requestEncoding(headers);
  const raw = encoding !== null ? null : typeof content.body === "string" ? content.body : textOf(content.body);
  if (raw !== null) {
    const body = scrubber.scrub(asRecorded(raw.toWellFormed()), { mime });
    const { text, edits } = body;
    const places = (): readonly RedactedPlace[] => [...inUrl(), ...below("/request/body", body.places)];
    return { ...address, text, digests: digestsOf(operation, text, null, mime), redacted: edits.length > 0, places };
  }
  const sent = typeof content.body === "string" ? Buffer.from(content.body) : content.body;
  const tally = new Tally();
  const { text: whole, bytes, inside } = scrubBody(scrubber, sent, mime, encoding, null, tally);
  const text = inside ?? whole;
  return {
    ...address,
    text,
    ...(text === null && bytes !== null ? { bytes } : {}),
    digests: digestsOf(operation, whole, bytes, mime),
    redacted: Object.keys(tally.counts).length > 0,
    places: () => [...inUrl(), ...below("/request/body", tally.places)],
  };
}

function below(part: string, places: readonly RedactedPlace[] = []): readonly RedactedPlace[] {
  return places.map((place) => ({ ...place, at: part + place.at }));
}

/** As the recorder does it: by the arguments as JSON, of one argument by itself. */
function argumentPlaces(scrubber: Scrubber, typed: string): readonly RedactedPlace[] {
  try {
    const args = decodeValue(typed) as readonly unknown[];
    const json = plainJson(args.length === 1 ? args[0] : args, typed);
    return json === null ? [] : below("/call/args", scrubber.scrub(json, { mime: "application/json" }).places);
  } catch {
    return [];
  }
}

/** As the recorder does it. */
export function scrubOptions(
  scrubber: Scrubber,
  options: NonNullable<Asked["options"]>,
  asRecorded: AsRecorded,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, scrubUrl(scrubber, asRecorded(value))]),
  );
}

/** As the recorder does it. */
export function scrubUrl(scrubber: Scrubber, url: string): string {
  return scrubber.scrub(url, { key: "url" }).text;
}
