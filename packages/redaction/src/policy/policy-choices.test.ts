import { describe, expect, test } from "vitest";
import { type Policy, readPolicy } from "../policy.ts";
import { RULES } from "./rules.ts";
import { createScrubber } from "../scrubber.ts";

const key = Buffer.alloc(32, 5);
const of = (policy: Policy) => createScrubber({ key, policy });
const read = (policy: Policy, text: string): string => of(policy).scrub(text).text;

describe("one rule is switched off", () => {
  test("and the others of its type stay on", () => {
    const text = "call +44 20 7946 0404 or (202) 555-0128";
    expect(read({ off: ["phone.national"] }, text)).toMatch(/^call PHONE_\w+ or \(202\) 555-0128$/);
    expect(read({ off: ["phone.international"] }, text)).toMatch(/^call \+44 20 7946 0404 or PHONE_\w+$/);
    expect(read({ off: ["PHONE"] }, text)).toBe(text);
  });

  test("of values under names, of known values, of one key format", () => {
    const body = JSON.stringify({ password: "hunter2!x", note: "mail to jane@example.com" });
    const mime = "application/json";
    expect(of({ off: ["auth.name"] }).scrub(body, { mime }).text).toMatch(
      /^\{"password":"hunter2!x","note":"mail to EMAIL_/,
    );
    const known = createScrubber({
      key,
      policy: { off: ["known"] },
      known: [{ name: "K", value: "zebra-crossing-77" }],
    });
    known.addKnown("another-crossing-78");
    expect(known.scrub("zebra-crossing-77 another-crossing-78").counts).toEqual({});
    const token = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
    expect(read({ off: ["key.github-personal"] }, `see ${token}`)).toBe(`see ${token}`);
    expect(read({ off: ["key.gitlab-personal"] }, `see ${token}`)).not.toContain(token);
  });

  test("every rule of RULES.md can be named, and nothing else", () => {
    expect(readPolicy({ off: RULES.map(({ id }) => id) })).toHaveProperty("policy");
    expect(readPolicy({ off: ["phone.lunar"] })).toEqual({ error: "off.0: no type and no rule of RULES.md" });
  });

  test("it is part of the hash of the rule set", () => {
    expect(of({ off: ["phone.national"] }).rules).not.toBe(of({ off: ["phone.international"] }).rules);
  });
});

describe("what is allowed", () => {
  test("a domain, with the domains below it", () => {
    const allow = { domains: ["example.com", "Müller.example"] };
    const text = "jane@example.com, joe@mail.example.com, jane%40example.com, info@müller.example";
    expect(read({ allow }, text)).toBe(text);
    expect(read({ allow }, "jane (at) example (dot) com")).toBe("jane (at) example (dot) com");
    const others = "jane@notexample.com jane@example.com.evil.example jane@example.org";
    expect(of({ allow }).scrub(others).counts).toEqual({ EMAIL: 3 });
    // of a URL with a password, the password goes
    expect(read({ allow }, "https://jane:hunter2x@example.com/")).not.toContain("hunter2x");
  });

  test("an expression, over the whole value", () => {
    const allow = { patterns: ["\\+1 202 555 01[0-9]{2}"] };
    expect(read({ allow }, "call +1 202 555 0128")).toBe("call +1 202 555 0128");
    expect(read({ allow }, "call +1 212 555 0128")).toMatch(/^call PHONE_/);
  });

  test("values, as a list or beside the others", () => {
    for (const allow of [["ops@example.com"], { values: ["ops@example.com"] }])
      expect(read({ allow }, "ops@example.com dev@example.com")).toMatch(/^ops@example\.com EMAIL_/);
  });

  test("a place that is denied goes all the same", () => {
    const policy: Policy = { allow: { patterns: ["[a-z]{1,20}"] }, paths: { deny: ["note"] } };
    expect(of(policy).scrub('{"note":"flu"}', { mime: "application/json" }).counts).toEqual({ FIELD: 1 });
  });

  test.each([
    [{ domains: ["@example.com"] }, /^allow.*domain is written like example\.com/],
    [{ patterns: ["a+"] }, /^allow.*not linear/],
    [{ hosts: ["example.com"] }, /^allow/],
  ])("%j is refused in one line", (allow, error) => {
    expect(readPolicy({ allow })).toEqual({ error: expect.stringMatching(error) });
  });

  test("each part is in the hash of the rule set", () => {
    const policies: Policy[] = [
      {},
      { allow: ["example.com"] },
      { allow: { domains: ["example.com"] } },
      { allow: { patterns: ["example.com"] } },
    ];
    expect(new Set(policies.map((policy) => of(policy).rules)).size).toBe(policies.length);
    expect(of({ allow: { values: ["x"] } }).rules).toBe(of({ allow: ["x"] }).rules);
  });
});

const SYSTEM = "Write to desk@example.com";
const USER = "I am joe@example.com";

/** Requests of several providers, and where in each the system prompt stands. */
const REQUESTS: readonly [name: string, body: unknown][] = [
  [
    "OpenAI chat",
    {
      model: "m",
      messages: [
        { role: "system", content: SYSTEM },
        { role: "user", content: USER },
      ],
    },
  ],
  [
    "OpenAI chat, developer",
    {
      messages: [
        { role: "developer", content: SYSTEM },
        { role: "user", content: USER },
      ],
    },
  ],
  [
    "OpenAI chat, role behind the content",
    {
      messages: [
        { content: SYSTEM, role: "system" },
        { content: USER, role: "user" },
      ],
    },
  ],
  [
    "OpenAI chat, parts",
    {
      messages: [
        { role: "system", content: [{ type: "text", text: SYSTEM }] },
        { role: "user", content: [{ type: "text", text: USER }] },
      ],
    },
  ],
  ["OpenAI responses, instructions", { model: "m", instructions: SYSTEM, input: USER }],
  [
    "OpenAI responses, input",
    {
      model: "m",
      input: [
        { role: "system", content: [{ type: "input_text", text: SYSTEM }] },
        { role: "user", content: USER },
      ],
    },
  ],
  ["Anthropic", { model: "m", system: SYSTEM, messages: [{ role: "user", content: USER }] }],
  [
    "Anthropic, blocks",
    { model: "m", system: [{ type: "text", text: SYSTEM }], messages: [{ role: "user", content: USER }] },
  ],
  [
    "Gemini",
    { systemInstruction: { parts: [{ text: SYSTEM }] }, contents: [{ role: "user", parts: [{ text: USER }] }] },
  ],
];

describe("the system prompt as a path", () => {
  const scrub = (policy: Policy, body: unknown): string => {
    const scrubber = of(policy);
    const { text } = scrubber.scrub(JSON.stringify(body), { mime: "application/json" });
    expect(scrubber.scrub(text, { mime: "application/json" }).text).toBe(text);
    return text;
  };

  test.each(REQUESTS)("%s: allowed", (_, body) => {
    for (const path of ["messages[role=system]/content", "[role=system]"]) {
      // a prompt in `input` is none of `messages`, where elements are named
      if (path !== "[role=system]" && JSON.stringify(body).includes('"input":[')) continue;
      const text = scrub({ paths: { allow: [path] } }, body);
      expect(text).toContain(SYSTEM);
      expect(text).not.toContain("joe@example.com");
    }
  });

  test.each(REQUESTS)("%s: denied", (_, body) => {
    const text = scrub({ off: ["EMAIL"], paths: { deny: ["[role=system]"] } }, body);
    expect(text).not.toContain(SYSTEM);
    expect(text).toContain(USER);
    // what says what a message is, stays
    expect(text.match(/"(?:role|type)":"[^"]*"/g)).toEqual(JSON.stringify(body).match(/"(?:role|type)":"[^"]*"/g));
  });

  test("other roles, and other names for the list", () => {
    const body = {
      input: [
        { role: "tool", content: USER },
        { role: "user", content: USER },
      ],
    };
    expect(JSON.parse(scrub({ paths: { allow: ["input[role=tool]/content"] } }, body))).toEqual({
      input: [body.input[0], { role: "user", content: expect.stringMatching(/^I am EMAIL_/) }],
    });
    expect(JSON.parse(scrub({ paths: { allow: ["input/*[role=tool]/content"] } }, body))).toMatchObject({
      input: [body.input[0], {}],
    });
  });

  test("a member of this name in another text is no prompt, nor is a name that looks like a path", () => {
    const policy: Policy = { paths: { allow: ["[role=system]"] } };
    for (const body of [
      { system: USER },
      { instructions: USER, id: 7 },
      { "a[role=system]": USER },
      { data: { model: "m", system: USER } },
    ])
      expect(scrub(policy, body)).not.toContain("joe@example.com");
  });

  test("names without a role still match objects that have one", () => {
    const body = { messages: [{ role: "user", content: USER }] };
    expect(scrub({ paths: { allow: ["messages/*/content"] } }, body)).toContain(USER);
    expect(scrub({ paths: { allow: ["messages/0/content"] } }, body)).toContain(USER);
  });

  test("what selects otherwise is refused", () => {
    expect(readPolicy({ paths: { deny: ["messages[name=x]/content"] } })).toEqual({
      error: expect.stringMatching(/^paths\.deny\.0: only \[role=…\]/),
    });
  });
});
