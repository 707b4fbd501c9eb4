import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { describe, expect, test } from "vitest";
import { redactingExporter } from "./fence/redacting-exporter.ts";
import { type Policy, policySchema, readPolicy } from "./policy.ts";
import { createScrubber } from "./scrubber.ts";

const key = Buffer.alloc(32, 5);
const MAIL = "alice.plant@example.com";
const CARD = "4111 1111 1111 1111";
const of = (policy: Policy) => createScrubber({ key, policy });
const json = (policy: Policy, value: unknown, mime = "application/json"): unknown => {
  const scrubber = of(policy);
  const { text } = scrubber.scrub(JSON.stringify(value), { mime });
  expect(scrubber.scrub(text, { mime }).text).toBe(text);
  return JSON.parse(text);
};

describe("the schema", () => {
  test("fills in, and says in one line what is wrong", () => {
    expect(policySchema.parse({})).toMatchObject({ name: "default", media: "keep", paths: { deny: [] } });
    expect(readPolicy({ name: "x" })).toEqual({ policy: { name: "x" } });
    expect(readPolicy({ of: [] })).toEqual({ error: expect.stringContaining("of") });
    expect(readPolicy({ patterns: [{ type: "ID", pattern: "a+b" }] })).toEqual({
      error: expect.stringMatching(/^patterns\.0: not linear: "\+" at offset 1/),
    });
    expect(readPolicy({ patterns: [{ type: "id", pattern: "ab" }] })).toEqual({
      error: expect.stringContaining("capitals"),
    });
    expect(readPolicy({ detectors: [{ name: "x" }] })).toEqual({ error: expect.stringContaining("detector") });
    expect(readPolicy({ actions: { EMAIL: "hide" } })).toEqual({ error: expect.stringContaining("actions.EMAIL") });
  });

  test("each part of a policy is in the hash of the rule set", () => {
    const policies: Policy[] = [
      {},
      { off: ["EMAIL"] },
      { allow: ["x"] },
      { actions: { EMAIL: "mask" } },
      { paths: { deny: ["a"] } },
      { paths: { allow: ["a"] } },
      { paths: { shapes: [{ path: "a", as: "email" }] } },
      { patterns: [{ type: "ID", pattern: "E-[0-9]{6}" }] },
      { detectors: [{ name: "d", type: "NAME", find: () => [] }] },
      { media: "drop" },
      { capUnits: 2048 },
    ];
    expect(new Set(policies.map((policy) => of(policy).rules)).size).toBe(policies.length);
    expect(of({ name: "other", actions: { EMAIL: "token" } }).rules).toBe(of({}).rules);
  });
});

describe("actions", () => {
  test("mask says the type, drop nothing, in plain text, JSON, under secret names and in URLs", () => {
    const policy: Policy = { actions: { EMAIL: "mask", CARD: "drop", AUTH: "mask", KEY: "mask" } };
    expect(
      json(policy, { a: `to ${MAIL}, ${CARD}.`, password: "hunter2!", t: `https://h/?token=abc&q=${MAIL}` }),
    ).toEqual({
      a: "to EMAIL_MASKED, .",
      password: "AUTH_MASKED",
      t: "https://h/?token=AUTH_MASKED&q=EMAIL_MASKED",
    });
    const keyed = { "x-api-key": "AKIAQ3EGR7TXZ5WKYB4D" };
    expect(json(policy, keyed)).toEqual({ "x-api-key": expect.stringMatching(/^(?:KEY|AUTH)_MASKED$/) });
    expect(of(policy).scrub(MAIL).counts).toEqual({ EMAIL: 1 });
  });
});

describe("paths", () => {
  const policy: Policy = {
    paths: {
      allow: ["metadata/**", "messages/*/name", "x-contact"],
      deny: ["**/diagnosis", "metadata/private", "ages/*"],
      shapes: [
        { path: "contact/email", as: "email" },
        { path: "contact/card", as: "digits" },
      ],
    },
  };

  test("allow is left, deny goes whole whatever it is, deny wins; JSON in strings continues the path", () => {
    const out = json(policy, {
      metadata: { owner: MAIL, deep: [{ x: MAIL }], private: "fine" },
      messages: [{ name: MAIL, content: MAIL, args: JSON.stringify({ diagnosis: "flu" }) }],
      ages: [41, 1234],
      diagnosis: "none",
    }) as { messages: { args: string }[] };
    expect(out).toMatchObject({
      metadata: { owner: MAIL, deep: [{ x: MAIL }], private: expect.stringMatching(/^FIELD_/) },
      messages: [{ name: MAIL, content: expect.stringMatching(/^u_EMAIL_/) }],
      ages: [0, 9999],
      diagnosis: expect.stringMatching(/^FIELD_/),
    });
    expect(JSON.parse(out.messages[0]?.args ?? "")).toEqual({
      diagnosis: expect.stringMatching(/^FIELD_/),
    });
  });

  test("in forms, headers and streams", () => {
    const scrubber = of(policy);
    expect(scrubber.scrub(MAIL, { key: "X-Contact" }).text).toBe(MAIL);
    expect(scrubber.scrub("diagnosis=flu&a=b", { mime: "application/x-www-form-urlencoded" }).text).toMatch(
      /^diagnosis=FIELD_\w+&a=b$/,
    );
    const events = ["fl", "u"].map((delta) => `data: ${JSON.stringify({ type: "d", delta })}\n\n`).join("");
    const denied = of({ paths: { deny: ["delta"] } }).scrub(events, { mime: "text/event-stream" }).text;
    expect(denied).toMatch(/"delta":"FIELD_\w+"[^]*"delta":""/);
  });

  test("shapes that code can parse", () => {
    const out = json(policy, { contact: { email: MAIL, card: CARD } }) as { contact: Record<string, string> };
    expect(out.contact["email"]).toMatch(/^u_EMAIL_[a-z]{4}_[a-z]{16}@redacted\.invalid$/);
    expect(out.contact["card"]).toMatch(/^9\d{3} \d{4} \d{4} \d{4}$/);
  });

  test("one value has one shape wherever it stands", () => {
    const scrubber = of(policy);
    const { contact } = json(policy, { contact: { email: MAIL, card: CARD } }) as { contact: Record<string, string> };
    const elsewhere = JSON.stringify({ messages: [{ content: `write to ${MAIL}, card ${CARD}.` }] });
    expect(scrubber.scrub(elsewhere, { mime: "application/json" }).text).toContain(
      `write to ${contact["email"]}, card ${contact["card"]}.`,
    );
    expect(scrubber.scrub(`write to ${MAIL}.`).text).toBe(`write to ${contact["email"]}.`);
    expect(scrubber.scrub(`write to ${contact["email"]}.`).text).toBe(`write to ${contact["email"]}.`);
  });
});

describe("patterns and detectors", () => {
  const patterns = [{ type: "EMPLOYEE_ID", pattern: "\\bE-[0-9]{6}\\b", ignoreCase: true }];

  test("a pattern is found wherever a rule looks, and counted under its type", () => {
    const scrubber = of({ patterns });
    const { text, counts } = scrubber.scrub(JSON.stringify({ a: "for e-123456.", b: JSON.stringify(["E-123456"]) }));
    expect(text).not.toMatch(/123456/);
    expect(counts).toEqual({ EMPLOYEE_ID: 2 });
    expect(scrubber.inspect("x E-123456").hits).toEqual([
      { type: "EMPLOYEE_ID", rule: "custom-employee_id", start: 2, end: 10 },
    ]);
  });

  test("one that is not linear stops the scrubber from being made", () => {
    expect(() => of({ patterns: [{ type: "X", pattern: "(?:a|a){1,30}b" }] })).toThrow(/too many ways/);
  });

  test("a function of the user's; one that throws or points elsewhere costs the text", () => {
    const find = (text: string) => [...text.matchAll(/Jane Roe/g)].map((m) => ({ start: m.index, end: m.index + 8 }));
    const found = of({ detectors: [{ name: "names", type: "NAME", find }] });
    expect(found.scrub(`ask Jane Roe at ${MAIL}`).text).toMatch(/^ask NAME_\w+ at EMAIL_\w+$/);
    for (const broken of [
      () => {
        throw new Error("no");
      },
      () => [{ start: 0, end: 999 }],
    ])
      expect(of({ detectors: [{ name: "b", type: "NAME", find: broken }] }).scrub("abc def").text).toBe("UNSCANNED_7");
  });
});

describe("asynchronous detectors", () => {
  const later = (ms: number) => ({
    name: "model",
    type: "NAME",
    findLater: async (text: string) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      const at = text.indexOf("Jane Roe");
      return at === -1 ? [] : [{ start: at, end: at + 8 }];
    },
  });

  test("are waited for, and what they were not asked about is replaced", async () => {
    const scrubber = of({ detectors: [later(5)] });
    expect(scrubber.scrub("ask Jane Roe").text).toBe("UNSCANNED_12");
    await scrubber.prepare?.("ask Jane Roe");
    expect(scrubber.scrub("ask Jane Roe").text).toMatch(/^ask NAME_/);
    const body = JSON.stringify({ messages: [{ content: "Jane Roe here", role: "user" }] });
    await scrubber.prepare?.(body, { mime: "application/json" });
    expect(scrubber.scrub(body, { mime: "application/json" }).text).toMatch(/"content":"NAME_\w+ here","role":"user"/);
  });

  test("too late: replaced", async () => {
    const scrubber = of({ detectors: [later(5000)], detectorMs: 20 });
    await scrubber.prepare?.("ask Jane Roe");
    expect(scrubber.scrub("ask Jane Roe").text).toBe("UNSCANNED_12");
  });

  test("an exporter behind fence 2 gets what they found", async () => {
    const exporter = new InMemorySpanExporter();
    const guarded = redactingExporter(exporter, of({ detectors: [later(5)] }));
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: guarded })] });
    provider
      .getTracer("t")
      .startSpan("ask Jane Roe", { attributes: { who: "Jane Roe", n: 1 } })
      .end();
    await expect.poll(() => exporter.getFinishedSpans().length).toBe(1);
    const [span] = exporter.getFinishedSpans();
    expect(span?.name).toMatch(/^ask NAME_/);
    expect(span?.attributes).toMatchObject({ who: expect.stringMatching(/^NAME_\w+$/), n: 1 });
  });
});

describe("media", () => {
  const picture = Buffer.from(Array.from({ length: 900 }, (_, i) => (i * 37) % 256)).toString("base64");

  test("kept by default; dropped where the policy says so, and counted", () => {
    const body = JSON.stringify({ source: { type: "base64", data: picture }, signature: picture });
    expect(of({}).scrub(body, { mime: "application/json" }).text).toBe(body);
    const { text, counts } = of({ media: "drop" }).scrub(body, { mime: "application/json" });
    expect(JSON.parse(text)).toEqual({ source: { type: "base64", data: "UNSCANNED_1200" }, signature: picture });
    expect(counts).toEqual({ MEDIA: 1 });
    expect(of({ media: "drop" }).scrub("\x89PNG....", { mime: "image/png" }).counts).toEqual({ MEDIA: 1 });
  });
});
