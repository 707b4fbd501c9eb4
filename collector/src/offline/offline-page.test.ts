import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeResource, encodeScope, encodeTraces, plainSpan, scanTraces } from "@reenact/envelope";
import { readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OfflineTooLarge } from "./offline-answers.ts";
import { offlinePage } from "./offline-page.ts";

const golden = join(import.meta.dirname, "../../../test/fixtures/envelopes/v1-parallel-calls.reenact");
const envelope = readEnvelope(readFileSync(golden));
const folder = mkdtempSync(join(tmpdir(), "offline-page-"));
const SCRIPT = 'const markup = "</script><!-- x";';

beforeAll(() => {
  mkdirSync(join(folder, "assets"));
  writeFileSync(
    join(folder, "index.html"),
    '<script type="module" src="./assets/a.js"></script><link href="./assets/a.css">',
  );
  writeFileSync(join(folder, "assets/a.js"), SCRIPT);
  writeFileSync(join(folder, "assets/a.css"), "p{color:red}");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const dataOf = (html: string) =>
  JSON.parse(/id="offline">(.*)<\/script>\n<script/.exec(html)![1]!) as Record<string, Record<string, string>>;

test("one file with what the page of a run asks for, and a policy that allows nothing else", async () => {
  const { html, steps, left } = await offlinePage(envelope, { folder });
  expect({ steps, left }).toEqual({ steps: 2, left: 0 });
  const scripts = [...html.matchAll(/<script type="module">(.*?)<\/script>/gs)].map(([, text]) => text!);
  expect(scripts).toEqual([String.raw`const markup = "<\/script><\!-- x";`]);
  const digest = hash("sha256", scripts[0]!, "base64");
  expect(html).toContain(`default-src 'none'; script-src 'sha256-${digest}'; style-src 'sha256-`);
  expect(html).not.toMatch(/<script[^>]* src|<link|https?:\/\/(?!localhost)[a-z.]*\/[^"]*\.js/);
  const { answers, values } = dataOf(html);
  const paths = Object.keys(answers!).map((path) => path.replace(envelope.id, "RUN").replaceAll(/[0-9a-f]{16}/g, "ID"));
  expect([...new Set(paths)]).toEqual([
    "/runs/RUN/view?after=0&limit=500",
    "/runs/RUN/steps/ID",
    "/runs/RUN/view/ID",
    "/runs/RUN/context/ID",
  ]);
  expect(Object.values(values!).some((text) => text.includes("Capital of Norway?"))).toBe(true);
});

test("a run that is too long: the list of its steps, and of them as many as have room; else it is refused", async () => {
  const whole = await offlinePage(envelope, { folder });
  const most = JSON.stringify(dataOf(whole.html)["answers"]).length;
  const some = await offlinePage(envelope, { folder, most });
  expect(some.left).toBeGreaterThan(0);
  expect(dataOf(some.html)).toMatchObject({ steps: 2, left: some.left });
  await expect(offlinePage(envelope, { folder, most: 100 })).rejects.toThrow(OfflineTooLarge);
});

test("what JSON and markup write otherwise counts as it is written", async () => {
  const origin = { resource: encodeResource({}), scope: encodeScope("x"), resourceSchemaUrl: "", scopeSchemaUrl: "" };
  const traceId = "c".repeat(32);
  const spans = Array.from({ length: 40 }, (_, n) =>
    plainSpan({
      traceId,
      spanId: (n + 1).toString(16).padStart(16, "0"),
      name: "chat",
      attributes: { "openinference.span.kind": "LLM", "input.value": `${n} ${"<\u0001".repeat(2_000)}` },
    }),
  );
  const { bytes } = writeEnvelope({
    spans: spans.flatMap((span) => scanTraces(encodeTraces(span, origin))),
    run: traceId,
  });
  const { html, left } = await offlinePage(readEnvelope(bytes), { folder, most: 1_000_000 });
  expect(left).toBeGreaterThan(0);
  const [, data] = /id="offline">(.*)<\/script>\n<script/.exec(html)!;
  expect(Buffer.byteLength(data!)).toBeLessThan(1_100_000);
});
