import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bin, launch, Store } from "./reenact.ts";
import type { Recorded, Replayed } from "./trial.ts";

const ORDER = "run_a1B2c3D4e5F6g7H8i9J0k1L2";
const OTHER_ORDER = "run_Z9y8X7w6V5u4T3s2R1q0P9o8";

/** An agent that reads a customer, asks a model about it, and writes to an order. */
const PROGRAM = `
import { gzipSync } from "node:zlib";
const base = process.env.API_URL;
const headers = { "content-type": "application/json", authorization: \`Bearer \${process.env.OPENAI_API_KEY}\`, "x-tenant": "acme" };
const customer = await (await fetch(\`\${base}/customer\`, { headers })).json();
const answer = await (await fetch(\`\${base}/v1/chat/completions\`, {
  method: "POST",
  headers: { ...headers, "openai-beta": "a" },
  body: JSON.stringify({ model: "m", store: false, messages: [{ role: "user", content: \`write to \${customer.email}\` }] }),
})).json();
await (await fetch(\`\${base}/orders/\${customer.order}\`, { method: "PUT", headers, body: JSON.stringify({ previous_response_id: answer.id }) })).text();
const events = gzipSync(JSON.stringify({ kind: "done", count: 1 }));
await (await fetch(\`\${base}/runs/batch\`, { method: "POST", headers: { ...headers, "content-encoding": "gzip" }, body: events })).text();
console.log("done");
`;

const folder = mkdtempSync(join(tmpdir(), "compared-requests-"));
const store = new Store();
let server: Server;
let env: Record<string, string>;
let recorded: Recorded;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on("end", () => {
      const body = request.url?.startsWith("/v1/")
        ? {
            id: "chatcmpl-a1B2c3D4e5F6g7H8i9J0k1L2",
            choices: [{ index: 0, message: { role: "assistant", content: "ok" } }],
          }
        : { email: "ann.lee@example.com", order: ORDER };
      response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = { API_URL: url, OPENAI_API_KEY: "sk-recorded-key-1234567890" };
  recorded = await store.run(program([]), { env });
  expect(recorded.summary).toMatchObject({ steps: 4, complete: true });
});

afterAll(() => {
  server.close();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;

/** The command of the program with these places replaced, each of which stands in it once. */
function program(edits: readonly (readonly [string, string])[]): string[] {
  const text = edits.reduce((out, [find, replace]) => {
    expect(out.split(find)).toHaveLength(2);
    return out.replace(find, replace);
  }, PROGRAM);
  const file = join(folder, `agent-${files++}.mjs`);
  writeFileSync(file, text);
  return [process.execPath, file];
}

const replayed = (
  edits: readonly (readonly [string, string])[],
  other: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<Replayed> => store.replay(recorded.summary.run ?? "", program(edits), { env: { ...env, ...other }, flags });

describe("an edit of a request is found, at its step and place", () => {
  test.each([
    ["an id in a URL", "/orders/${customer.order}", `/orders/${OTHER_ORDER}`, 3, "changed", "URL", ""],
    ["an id in a body", "answer.id }", `"${OTHER_ORDER}" }`, 3, "changed", null, "/previous_response_id"],
    ["a beta header", '"openai-beta": "a"', '"openai-beta": "b"', 2, "params", "header", "/openai-beta"],
    ["a tenant", '"x-tenant": "acme"', '"x-tenant": "other"', 1, "changed", "header", "/x-tenant"],
    [
      "another credential",
      "process.env.OPENAI_API_KEY",
      '"sk-another-key-0987654321"',
      1,
      "changed",
      "header",
      "/authorization",
    ],
    [
      "what fetch does with a redirect",
      "/customer`, { headers }",
      '/customer`, { headers, redirect: "manual" }',
      1,
      "changed",
      "redirect",
      "",
    ],
    ["a field beside the prompt", "store: false", "store: true", 2, "params", null, "/store"],
    ["a compressed body", "count: 1", "count: 2", 4, "changed", null, "/count"],
    ["a redacted value", "${customer.email}", "bob.ray@example.com", 2, "changed", null, "/messages/0/content"],
  ] as const)("%s", async (_, find, replace, step, verdict, of, pointer) => {
    const { code, report } = await replayed([[find, replace]]);
    expect(code).toBe(10);
    expect(report.divergence).toMatchObject({ step, verdict, of, pointer });
  });
});

test("calls that were made one after the other and now are made at once are found", async () => {
  const order = (number: number): string => `fetch(\`\${process.env.API_URL}/orders/${number}\`).then((r) => r.text())`;
  const ask = `fetch(\`\${process.env.API_URL}/v1/chat/completions\`, { method: "POST", headers: { "content-type": "application/json" }, body: '{"model":"m","messages":[]}' }).then((r) => r.text())`;
  const written = (body: string): string[] => {
    const file = join(folder, `agent-${files++}.mjs`);
    writeFileSync(file, `await ${ask};\n${body}\nconsole.log("done");\n`);
    return [process.execPath, file];
  };
  const { summary } = await store.run(written(`await ${order(1)}; await ${order(2)};`), { env });
  const { code, report } = await store.replay(
    summary.run ?? "",
    written(`await Promise.all([${order(1)}, ${order(2)}]);`),
    { env },
  );
  expect(code).toBe(10);
  expect(report.divergence).toMatchObject({ step: 3, verdict: "reordered" });
  expect(report.divergence?.cause).toMatch(
    /was called before the answer of .* \(step 2\) was received; when recorded, after it$/,
  );
});

describe("what changes nothing raises no alarm", () => {
  test.each([
    ["the same program", [], {}],
    ["the order of keys", [['model: "m", store: false', 'store: false, model: "m"']], {}],
    ["a key of the caller's own", [], { OPENAI_API_KEY: "sk-my-own-key-5555555555" }],
    ["a placeholder for the key", [], { OPENAI_API_KEY: "none" }],
  ] as const)("%s", async (_, edits, other) => {
    const { code, report, stdout } = await replayed(edits, other);
    expect([code, report.verdict, report.divergence, stdout]).toEqual([0, "identical", null, "done\n"]);
  });
});

describe("values that redaction has replaced are compared in what the program leaves behind", () => {
  test.each([
    ["standard output", 'console.log("done");', 'console.log("done ann@example.com");', "output-changed"],
    [
      "a file",
      'console.log("done");',
      '(await import("node:fs")).writeFileSync(process.env.OUT, "to ann@example.com");',
      "files-changed",
    ],
    [
      "the name of a file",
      'console.log("done");',
      '(await import("node:fs")).writeFileSync(process.env.OUT + "-ann@example.com", "text");',
      "files-changed",
    ],
  ])("%s", async (_, find, replace, verdict) => {
    const edit = [[find, replace]] as const;
    const other = { ...env, OUT: join(folder, "written.txt") };
    const { summary } = await store.run(program(edit), { env: other });
    const same = await store.replay(summary.run ?? "", program(edit), { env: other });
    expect(same.report).toMatchObject({ verdict: "identical", divergence: null });
    const changed = [[find, replace.replace("ann@", "bob@")]] as const;
    const { report } = await store.replay(summary.run ?? "", program(changed), { env: other });
    expect(report.divergence).toMatchObject({ verdict });
    const key = { REENACT_REDACTION_KEY: "ffeeddccbbaa9988".repeat(4) };
    const elsewhere = { env: { ...other, ...key } };
    const closed = await store.replay(summary.run ?? "", program(edit), { ...elsewhere, flags: ["--no-vault"] });
    expect(closed.report.verdict).toBe("identical (1 value by place)");
  });
});

test.runIf(existsSync("/usr/bin/script"))("a run that was recorded to a pipe replays on a terminal", async () => {
  const edit = [['console.log("done");', 'console.log("done", 17, [{ a: 1 }], !!process.stdout.isTTY);']] as const;
  const { summary, stdout } = await store.run(program(edit), { env });
  expect(stdout).toBe("done 17 [ { a: 1 } ] false\n");
  const json = join(folder, "terminal.json");
  const line = [process.execPath, bin, "replay", summary.run ?? "", "--store", store.folder, "--json-file", json, "--"];
  const command = [...line, ...program(edit)].map((word) => `'${word}'`).join(" ");
  await launch(["/usr/bin/script", "-qec", command, "/dev/null"], { env });
  expect(JSON.parse(readFileSync(json, "utf8"))).toMatchObject({ verdict: "identical", divergence: null });
});

describe("redaction is named", () => {
  test("under another key a value of the program's own is compared by place, and counted", async () => {
    const edit = [["${customer.email}", "${customer.email} for desk@example.org"]] as const;
    const { summary } = await store.run(program(edit), { env });
    const other = { ...env, REENACT_REDACTION_KEY: "ffeeddccbbaa9988".repeat(4) };
    const open = await store.replay(summary.run ?? "", program(edit), { env: other });
    expect(open.report).toMatchObject({ verdict: "identical", byPlace: 0 });
    const closed = { env: other, flags: ["--no-vault"] };
    const { code, report, stderr } = await store.replay(summary.run ?? "", program(edit), closed);
    expect([code, report.verdict, report.byPlace]).toEqual([0, "identical (1 value by place)", 1]);
    expect(report.notes.join("\n")).toContain("1 redacted value was compared by place only");
    expect(stderr).not.toContain("sk-");
  });

  test("under another key what an answer held is compared by its recorded token", async () => {
    const other = { REENACT_REDACTION_KEY: "ffeeddccbbaa9988".repeat(4) };
    expect((await replayed([], other)).report.verdict).toBe("identical");
    const edit = [["${customer.email}", "bob.ray@example.com"]] as const;
    expect((await replayed(edit, other)).report.verdict).toBe("diverged");
    const { report } = await replayed(edit, other, ["--no-vault"]);
    // one token of another key fits any value at this place: it is counted
    expect(report.verdict).toBe("identical (1 value by place)");
  });

  test("a value that code computes from a redacted one says which step, place and rule", async () => {
    // recorded with the domain of the address, which a replay cannot know
    const edit = [["${customer.email}", "${customer.email.split('@')[1]}"]] as const;
    const again = await store.run(program(edit), { env });
    const { report } = await store.replay(again.summary.run ?? "", program(edit), { env, flags: ["--no-vault"] });
    expect(report.verdict).toBe("diverged");
    expect(report.divergence?.cause).toMatch(/step 1's answer was redacted at \/email by rule email/);
    expect(report.divergence?.cause).toContain("paths.allow");
  });

  test("an output that code makes of a redacted value says that it was redacted", async () => {
    const edit = [['console.log("done");', 'console.log(customer.email.endsWith("example.com"));']] as const;
    const again = await store.run(program(edit), { env });
    expect(again.stdout).toBe("true\n");
    const { report } = await store.replay(again.summary.run ?? "", program(edit), { env, flags: ["--no-vault"] });
    expect(report.divergence?.cause).toMatch(/step 1's answer was redacted at \/email by rule email/);
  });
});
