import type { RedactedPlace, Scrubbed } from "@reenact/capture";
import { digestHeader, Tally } from "@reenact/capture/recorder";
import { escaped, type Difference, type SameText } from "./difference.ts";
import { NOT_COMPARED, transportHeader } from "./transport-headers.ts";

export type Headers = ReadonlyArray<readonly [name: string, value: string]>;

export interface ComparedHeaders {
  /** of headers that are the program's own */
  readonly differences: Difference[];
  /** what redaction has replaced in headers of now that are the program's own and equal the recorded ones */
  readonly places: readonly RedactedPlace[];
  /** lower-case names of headers of the transport or the SDK that differ */
  readonly transport: readonly { readonly name: string; readonly why: string }[];
}

/**
 * Compares the headers of two requests: by lower-case name, values of one name in their order. `scrub` redacts a value
 * of now as the recorder has redacted the recorded one.
 */
export function compareHeaders(
  recorded: Headers,
  now: Headers,
  scrub: (name: string, value: string) => Pick<Scrubbed, "text" | "counts" | "places">,
  same: SameText,
): ComparedHeaders {
  const before = byName(recorded);
  const after = byName(now);
  const differences: Difference[] = [];
  const transport: { name: string; why: string }[] = [];
  const tally = new Tally();
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name), after.get(name)];
    if (NOT_COMPARED.has(name) || isSameList(was, is)) continue;
    const why = transportHeader(name);
    if (why !== null) {
      transport.push({ name, why });
      continue;
    }
    const read = is?.map((raw): ReadValue => ({ raw, scrubbed: scrub(name, raw) }));
    const values = was?.map((value) => withoutBoundary(name, value));
    if (isSameHeader(name, values, read, same)) {
      // the values in a signature differ each time: what redaction finds in one says nothing
      for (const { scrubbed } of (read ?? []).filter((value) => !SIGNED.test(value.scrubbed.text)))
        tally.in("request", "headers", name).add(scrubbed.counts, scrubbed.places);
      continue;
    }
    differences.push({
      of: "header",
      pointer: `/${escaped(name)}`,
      recorded: values?.join(", "),
      now: read?.map(({ scrubbed }) => withoutBoundary(name, scrubbed.text)).join(", "),
    });
  }
  return { differences, places: tally.places, transport };
}

function isSameList(was: readonly string[] | undefined, is: readonly string[] | undefined): boolean {
  return was !== undefined && was.length === is?.length && was.every((value, n) => value === is[n]);
}

/** A value of now. What the scrubber gives makes its places when they are asked for: a copy of it has none. */
interface ReadValue {
  readonly raw: string;
  readonly scrubbed: Pick<Scrubbed, "text" | "counts" | "places">;
}

/** Compares values in their order. */
function isSameHeader(
  name: string,
  recorded: readonly string[] | undefined,
  now: readonly ReadValue[] | undefined,
  same: SameText,
): boolean {
  if (recorded === undefined || recorded.length !== now?.length) return false;
  return now.every(({ scrubbed, raw }, n) => {
    const value = recorded[n] ?? "";
    return (
      sameValue(value, withoutBoundary(name, scrubbed.text), same) ||
      (hasDigest(value) && isSameDigest(name, value, raw))
    );
  });
}

const DIGEST_TOKEN = /DIGEST_[a-z]{4}_[a-z]{16}|DIGEST_MASKED/g;
const hasDigest = (value: string): boolean => value.includes("DIGEST_");

/** Digests of redacted bodies are compared by their places: the bodies are compared themselves. */
function isSameDigest(name: string, recorded: string, now: string): boolean {
  const standIn = (): string => "DIGEST";
  const plain = (value: string): string =>
    (digestHeader(name, value.replace(DIGEST_TOKEN, standIn), standIn) ?? value).replace(DIGEST_TOKEN, standIn);
  return plain(recorded) === plain(now);
}

const SIGNED = /^(AWS4-HMAC-SHA256|AWS4-ECDSA-P256-SHA256|SharedKey|SharedKeyLite) /;

/** A signature covers the time and the body, and is made with a secret that a replay does not have. */
function sameValue(recorded: string, now: string, same: SameText): boolean {
  const scheme = SIGNED.exec(recorded)?.[1];
  return same(recorded, now) || (scheme !== undefined && SIGNED.exec(now)?.[1] === scheme);
}

/** The boundary of a form is drawn anew for every request, and its parts are compared as the body. */
function withoutBoundary(name: string, value: string): string {
  return name === "content-type" ? value.replace(/;\s*boundary=(?:"[^"]*"|[^;]*)/i, "") : value;
}

function byName(headers: Headers): Map<string, string[]> {
  const out = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const values = out.get(key);
    if (values === undefined) out.set(key, [value]);
    else values.push(value);
  }
  return out;
}
