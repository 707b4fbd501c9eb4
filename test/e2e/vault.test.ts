import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { textBelow } from "../redaction-proof/places.ts";
import { bin, launch, Store } from "./reenact.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NODE = fileURLToPath(new URL("../../packages/node/dist/index.js", import.meta.url));
const TIMEOUT = 60_000;
const EMAIL = "Ferdinand.Okonkwo@north.harbour.test";
const CARD = "5555 5555 5555 4444";
const PASSWORD = "vq7-Tangerine-88-Lock";
const KEY = "sk-proj-Mw3kQ9zX5tB1nV7cR2yL8hG4pJ6dF0sA1eU9iO3bT5nK7";
const RAW = /okonkwo|5555[ -]?5555/i;

const PROGRAM = `
import { createHash } from "node:crypto";
import { tool } from ${JSON.stringify(NODE)};
const look = tool("look", async () => ({ email: ${JSON.stringify(EMAIL)}, card: ${JSON.stringify(CARD)},
  other: ${JSON.stringify(CARD.replaceAll(" ", "-"))}, password: ${JSON.stringify(PASSWORD)}, key: ${JSON.stringify(KEY)} }));
const list = tool("list", async function* () { yield ${JSON.stringify(EMAIL)}; yield { contact: ${JSON.stringify(EMAIL)} }; });
const fail = tool("fail", async () => { throw new Error("no account of ${EMAIL}"); });
const put = tool("put", async (value) => "ok");
const user = await look();
await put([user.email.split("@")[1], user.card.length, user.card === user.other, createHash("sha256").update(user.email).digest("hex")]);
let said = 0;
for await (const each of list()) said += typeof each === "string" ? each.length : each.contact.length;
await put(said);
await fail().catch((error) => put(error.message.length));
await put((process.env.CONTACT ?? "").split("@")[1] ?? "none");
if (process.env.PAGE) {
  for (const path of ["/json", "/gzip", "/lines", "/text", "/broken", "/large"]) {
    const response = await fetch(process.env.PAGE + path);
    const owner = response.headers.get("x-owner") ?? "";
    await put([response.statusText.length, owner.indexOf("@"), createHash("sha256").update(Buffer.from(await response.arrayBuffer())).digest("hex")]);
  }
}
if (process.env.HANG) { console.log("hangs"); setInterval(() => {}, 1000); }
else console.log("to", user.email);
`;

let cwd: string;
let store: Store;
let server: Server;
let page: string;
beforeAll(async () => {
  const body = JSON.stringify(
    { to: EMAIL, spelled: EMAIL.toLowerCase(), cards: [CARD, CARD.replaceAll(" ", "")] },
    null,
    2,
  );
  server = createServer((request, response) => {
    response.setHeader("x-owner", EMAIL);
    switch (request.url) {
      case "/gzip":
        response.setHeader("content-type", "application/json").setHeader("content-encoding", "gzip");
        return void response.end(gzipSync(body));
      case "/large":
        response.setHeader("content-type", "application/json");
        return void response.end(JSON.stringify(Array.from({ length: 3000 }, (_, n) => ({ n, to: `p${n}.${EMAIL}` }))));
      case "/lines":
        response.setHeader("content-type", "application/x-ndjson");
        for (const piece of `${body.replaceAll("\n", "")}\n`.match(/[^]{1,11}/g) ?? []) response.write(piece);
        return void response.end();
      case "/text":
        response.statusMessage = `Hello ${EMAIL}`;
        return void response.end(`\ufeffwrite to "${EMAIL}" \u00e9 or 'caf\\u00e9'`);
      case "/broken":
        response.setHeader("content-type", "application/json");
        return void response.end(`{"to": "${EMAIL.replace("@", "\\u0040")}", "cut": `);
      default:
        response.setHeader("content-type", "application/json");
        return void response.end(body);
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  page = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "reenact-vault-"));
  writeFileSync(join(cwd, "agent.mjs"), PROGRAM);
  store = new Store();
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
  store.remove();
});

const COMMAND = [process.execPath, "agent.mjs"];
const options = (env: Record<string, string> = {}) => ({ cwd, env: { CONTACT: "ida@west.quay.test", ...env } });
const record = (env: Record<string, string> = {}) => store.run(COMMAND, options(env));
const vaultOf = (run: string | null): string => join(store.folder, "vault", `${run}.vault`);

async function command(...args: string[]) {
  const ended = await launch([process.execPath, bin, ...args, "--store", store.folder], { cwd });
  return { ...ended, line: ended.stderr.trim() };
}

describe("a vault in a store of this machine", { timeout: TIMEOUT }, () => {
  test("serves results, yields, errors, variables and bodies of every coding as they were", async () => {
    const { summary } = await record({ PAGE: page });
    const run = summary.run ?? "";
    expect(statSync(vaultOf(run)).mode & 0o777).toBe(0o600);
    expect(statSync(join(store.folder, "vault.key")).mode & 0o777).toBe(0o600);
    const { report, stdout, stderr } = await store.replay(run, COMMAND, options({ PAGE: page, CONTACT: "" }));
    expect(report).toMatchObject({ verdict: "identical", byPlace: 0, divergence: null });
    expect([stdout, stderr]).toEqual([`to ${EMAIL}\n`, ""]);
    expect(JSON.stringify(report)).not.toMatch(RAW);
    const closed = await store.replay(run, COMMAND, { ...options({ PAGE: page }), flags: ["--no-vault"] });
    expect(closed.report.verdict).toBe("diverged");
    expect(closed.report.divergence?.cause).toMatch(
      /step 1's answer was redacted at \/email by rule email.*; open the vault to replay exactly/,
    );
    for (const text of [textBelow(store.folder), JSON.stringify(closed.report)]) {
      expect(text).not.toMatch(RAW);
      expect(text).not.toContain(PASSWORD);
    }
  });

  test("a crash on a token names the vault that was left closed", async () => {
    const program = `
      import { agent, tool } from ${JSON.stringify(NODE)};
      const look = tool("look", async () => ({ email: "${EMAIL}" }));
      const send = tool("send", async () => "sent");
      await agent("a", async () => send({ to: (await look({})).email.split("@")[1].toUpperCase() }))();
    `;
    writeFileSync(join(cwd, "agent.mjs"), program);
    const run = (await record()).summary.run ?? "";
    expect((await store.replay(run, COMMAND, options())).report.verdict).toBe("identical");
    const closed = await store.replay(run, COMMAND, { ...options(), flags: ["--no-vault"] });
    expect(closed.report.divergence?.cause).toMatch(
      /ended with TypeError.*step 1's answer was redacted at \/email by rule email.*open the vault to replay exactly.*--no-vault/,
    );
  });

  test("unseal shows originals and no secret, with an audit line; vault rm erases them, and the run replays as redacted", async () => {
    const run = (await record()).summary.run ?? "";
    const shown = await command("unseal", run);
    expect(shown.stdout).toMatch(/^EMAIL_[a-z]{4}_[a-z]{16} {2}\S+@north\.harbour\.test$/m);
    const whole = (await command("unseal", run.slice(0, 6), "--json")).stdout;
    for (const secret of [PASSWORD, KEY]) expect(shown.stdout + whole).not.toContain(secret);
    expect(whole).toContain("ida@west.quay.test");
    const out = join(cwd, "out.json");
    await command("unseal", run, "--json", "-o", out);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect((await command("vault", "rm", run)).code).toBe(0);
    expect(existsSync(vaultOf(run))).toBe(false);
    const gone = await command("unseal", run);
    expect([gone.code, gone.stdout]).toEqual([3, ""]);
    expect(gone.line).toMatch(/were erased.*Next: .*\[REEN-NO-VAULT\]$/);
    expect((await command("vault", "rm", run)).line).toMatch(/nothing to erase.*\[REEN-NO-VAULT\]$/);
    const log = readFileSync(join(store.folder, "vault", "audit.log"), "utf8")
      .trim()
      .split("\n");
    expect(log.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual([
      "unseal",
      "unseal",
      "unseal",
      "erase",
    ]);
    const { report } = await store.replay(run, COMMAND, options());
    expect(report.divergence?.cause).toContain("were erased");
  });

  test("a changed file, another key and one that others can read are each said", async () => {
    const run = (await record()).summary.run ?? "";
    const whole = readFileSync(vaultOf(run));
    for (const at of [2, 40, whole.length - 3]) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(vaultOf(run), changed);
      const { code, line, stdout } = await command("unseal", run);
      expect([code, stdout]).toEqual([3, ""]);
      expect(line).toMatch(/is damaged: .*Next: .*\[REEN-DAMAGED\]$/);
    }
    writeFileSync(vaultOf(run), whole);
    const key = join(store.folder, "vault.key");
    const good = readFileSync(key);
    writeFileSync(key, `${"ab".repeat(32)}\n`);
    expect((await command("unseal", run)).line).toMatch(/does not open the vault.*\[REEN-VAULT-KEY\]$/);
    rmSync(key);
    expect((await command("unseal", run)).line).toMatch(/there is no .*vault\.key.*\[REEN-VAULT-KEY\]$/);
    writeFileSync(key, good, { mode: 0o644 });
    expect((await command("unseal", run)).line).toMatch(/can be read by others.*chmod 600.*\[REEN-VAULT-KEY\]$/);
    expect(existsSync(join(store.folder, "vault", "audit.log"))).toBe(false);
  });

  test("REENACT_VAULT=0, and vault: false, keep nothing; an old one is deleted", async () => {
    await record({ REENACT_VAULT: "0" });
    writeFileSync(join(cwd, "reenact.config.json"), JSON.stringify({ vault: false }));
    await record();
    expect(existsSync(join(store.folder, "vault"))).toBe(false);
    rmSync(join(cwd, "reenact.config.json"));
    const run = (await record()).summary.run ?? "";
    const old = Date.now() / 1000 - 31 * 86_400;
    utimesSync(vaultOf(run), old, old);
    await command("ls");
    expect(existsSync(vaultOf(run))).toBe(false);
    // it is told apart from a run of which nothing was kept
    expect((await command("unseal", run)).line).toMatch(/have expired: their time was over.*\[REEN-NO-VAULT\]$/);
    expect(readFileSync(join(store.folder, "vault", "audit.log"), "utf8")).toContain('"action":"expire"');
  });

  test("masked and dropped values are served by their place; a type of one's own only where it is named", async () => {
    const program = (word: string): string =>
      PROGRAM.replace("const user = await look();", `const user = await look(); await put(${word});`).replace(
        "password:",
        'staff: "badge E-123456", password:',
      );
    const redaction = {
      actions: { EMAIL: "mask", CARD: "drop" },
      patterns: [{ type: "EMPLOYEE_ID", pattern: "\\bE-[0-9]{6}\\b" }],
    };
    const config = (vault: object): void =>
      writeFileSync(join(cwd, "reenact.config.json"), JSON.stringify({ redaction, vault }));
    writeFileSync(join(cwd, "agent.mjs"), program("user.staff.indexOf('1')"));
    config({});
    const closed = (await record()).summary.run ?? "";
    const other = await store.replay(closed, COMMAND, options());
    expect(other.report.divergence?.cause).toMatch(/arguments of tool:put \(step 2\) differ/);
    expect((await command("unseal", closed, "--json")).stdout).not.toContain("123456");
    config({ types: ["EMPLOYEE_ID"] });
    const run = (await record()).summary.run ?? "";
    const { report } = await store.replay(run, COMMAND, options());
    expect([report.verdict, report.divergence]).toEqual(["identical", null]);
    expect((await command("unseal", run, "--json")).stdout).toContain("badge E-123456");
    expect(textBelow(store.folder)).not.toMatch(RAW);
  });

  test("a killed process leaves what had settled", async () => {
    const killed = await launch([process.execPath, "--import", "@reenact/node/register", join(cwd, "agent.mjs")], {
      cwd: ROOT,
      env: { ...options().env, HANG: "1", REENACT_STORE: store.folder },
      onOutput: (pid) => process.kill(pid, "SIGKILL"),
    });
    expect(killed.signal).toBe("SIGKILL");
    const [file = ""] = readdirSync(join(store.folder, "vault"));
    const run = file.slice(0, 32);
    const { stdout } = await command("unseal", run, "--json");
    expect(stdout).toContain(EMAIL);
    // and with its last entry torn
    writeFileSync(vaultOf(run), readFileSync(vaultOf(run)).subarray(0, -5));
    expect((await command("unseal", run, "--json")).stdout).toContain(EMAIL);
    expect(textBelow(store.folder)).not.toMatch(RAW);
  });
});

describe("a vault for a responder", { timeout: TIMEOUT }, () => {
  const elsewhere = { REENACT_ENDPOINT: "http://collector.invalid:4318", REENACT_REDACTION_KEY: "5c".repeat(32) };

  test("where runs leave the machine nothing is kept without one; with one, only the private key opens it", async () => {
    const without = await launch([process.execPath, "--import", "@reenact/node/register", join(cwd, "agent.mjs")], {
      cwd: ROOT,
      env: { ...options().env, ...elsewhere, REENACT_STORE: store.folder },
    });
    expect(without.code).toBe(0);
    expect(existsSync(join(store.folder, "vault"))).toBe(false);
    const file = join(cwd, "responder.key");
    const made = await command("vault", "keygen", file);
    const recipient = made.stdout.trim();
    expect(recipient).toMatch(/^reenact-vault-public:[\w-]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await command("vault", "keygen", file)).line).toMatch(/never replaced.*\[REEN-OUTPUT\]$/);
    await launch([process.execPath, "--import", "@reenact/node/register", join(cwd, "agent.mjs")], {
      cwd: ROOT,
      env: { ...options().env, ...elsewhere, REENACT_STORE: store.folder, REENACT_VAULT_RECIPIENT: recipient },
    });
    expect(existsSync(join(store.folder, "vault.key"))).toBe(false);
    const run = (readdirSync(join(store.folder, "vault"))[0] ?? "").slice(0, 32);
    expect((await command("unseal", run)).line).toMatch(/\[REEN-VAULT-KEY\]$/);
    expect((await command("unseal", run, "--key", file, "--json")).stdout).toContain(EMAIL);
    const copy = join(cwd, "one.vault");
    expect((await command("vault", "export", run, copy)).code).toBe(0);
    expect((await command("unseal", copy, "--key", file, "--json")).stdout).toContain(EMAIL);
    const other = join(cwd, "other.key");
    await command("vault", "keygen", other);
    expect((await command("unseal", copy, "--key", other)).line).toMatch(/does not open.*\[REEN-VAULT-KEY\]$/);
    expect(textBelow(store.folder)).not.toMatch(RAW);
  });

  test("a replay opens it with the private key, on a machine with another redaction key", async () => {
    const file = join(cwd, "responder.key");
    const recipient = (await command("vault", "keygen", file)).stdout.trim();
    writeFileSync(join(cwd, "reenact.config.json"), JSON.stringify({ vault: { recipient, days: 3 } }));
    const run = (await record({ REENACT_REDACTION_KEY: "5c".repeat(32) })).summary.run ?? "";
    rmSync(join(store.folder, "vault.key"));
    const env = { REENACT_REDACTION_KEY: "7d".repeat(32) };
    const opened = await store.replay(run, COMMAND, { ...options(env), flags: ["--vault-key", file] });
    expect(opened.report).toMatchObject({ verdict: "identical", byPlace: 0 });
    const closed = await store.replay(run, COMMAND, options(env));
    expect(closed.report.divergence?.cause).toMatch(
      /open the vault to replay exactly: there is no .*vault\.key.*--vault-key/,
    );
    expect(textBelow(store.folder)).not.toMatch(RAW);
  });
});
