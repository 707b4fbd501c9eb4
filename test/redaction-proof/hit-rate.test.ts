import type { Operation } from "@reenact/capture";
import { digestsOf } from "@reenact/capture/recorder";
import { type RequestDigests, textOf } from "@reenact/envelope";
import { dialects } from "@reenact/node";
import { createScrubber, type RedactingScrubber, TokenAlignment } from "@reenact/redaction";
import { expect, test } from "vitest";
import { recordedRequests, type RecordedRequest } from "./recorded-requests.ts";

/** Folder with whole corpora; without it the sample in this folder is used. */
const CORPORA = process.env["REENACT_CORPORA"] ?? null;
const then = createScrubber({ key: Buffer.alloc(32, 1) });
const now = createScrubber({ key: Buffer.alloc(32, 2) });

/** A request as the recorder and a replay see it. */
interface Seen {
  /** null: the bytes are no text */
  readonly text: string | null;
  readonly digests: RequestDigests;
}

function seen(request: RecordedRequest, scrubber: RedactingScrubber | null): Seen {
  const operation = operationOf(request);
  const raw = textOf(request.body);
  const { mime } = request;
  const given = raw ?? Buffer.from(request.body).toString("latin1");
  const text = scrubber === null ? given : scrubber.scrub(given, { mime }).text;
  if (raw !== null) return { text, digests: digestsOf(operation, text, null, mime) };
  return { text: null, digests: digestsOf(operation, null, Buffer.from(text, "latin1"), mime) };
}

function operationOf({ method, url, mime, body }: RecordedRequest): Operation | null {
  if (!URL.canParse(url)) return null;
  const head = { method, url: new URL(url), headers: new Map([["content-type", mime]]), body: textOf(body) };
  for (const dialect of dialects) {
    const operation = dialect.recognise(head);
    if (operation !== null) return operation;
  }
  return null;
}

test("a redacted request is found again with another key, and no two become one", async () => {
  const requests = await recordedRequests(CORPORA);
  expect(requests.length).toBeGreaterThan(CORPORA === null ? 200 : 2000);
  const missed: string[] = [];
  const byRaw = new Map<string, string>();
  const collapsed: string[] = [];
  const rawOf = new Map<string, string>();
  let redacted = 0;
  for (const request of requests) {
    const recorded = seen(request, then);
    const asked = seen(request, now);
    if (recorded.text !== asked.text) redacted++;
    const aligned =
      recorded.text === null || asked.text === null || new TokenAlignment().align(recorded.text, asked.text).ok;
    if (!aligned || JSON.stringify(recorded.digests) !== JSON.stringify(asked.digests)) missed.push(request.source);
    const raw = JSON.stringify(seen(request, null).digests);
    const here = JSON.stringify(recorded.digests);
    const before = rawOf.get(here);
    if (before !== undefined && before !== raw) collapsed.push(request.source);
    rawOf.set(here, raw);
    byRaw.set(raw, here);
  }
  expect(missed).toEqual([]);
  expect(collapsed).toEqual([]);
  // as many different requests as there were
  expect(rawOf.size).toBe(byRaw.size);
  // without a redacted value nothing would have been tried
  expect(redacted).toBeGreaterThan(requests.length / 20);
}, 600_000);
