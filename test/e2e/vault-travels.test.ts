import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { textBelow } from "../redaction-proof/places.ts";
import { bin, launch, Store } from "./reenact.ts";
import { type RunningCollector, startCollector, until } from "./running-collector.ts";

const NODE = fileURLToPath(new URL("../../packages/node/dist/index.js", import.meta.url));
const EMAIL = "Ferdinand.Okonkwo@north.harbour.test";
const PASSWORD = "vq7-Tangerine-88-Lock";
/** Looks into a value that is redacted: it replays exactly only with the vault. */
const PROGRAM = `
import { createHash } from "node:crypto";
import { tool } from ${JSON.stringify(NODE)};
const look = tool("look", async () => ({ email: ${JSON.stringify(EMAIL)}, password: ${JSON.stringify(PASSWORD)} }));
const put = tool("put", async (value) => "ok");
const { email } = await look();
await put(createHash("sha256").update(email).digest("hex"));
`;
const COMMAND = [process.execPath, "agent.mjs"];
const TIMEOUT = 120_000;

let cwd: string;
let store: Store;
let other: Store;
let collector: RunningCollector | null = null;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "reenact-travels-"));
  writeFileSync(join(cwd, "agent.mjs"), PROGRAM);
  [store, other] = [new Store(), new Store()];
});
afterEach(async () => {
  await collector?.stop();
  collector = null;
  rmSync(cwd, { recursive: true, force: true });
  store.remove();
  other.remove();
});

async function command(at: Store, ...args: string[]) {
  const ended = await launch([process.execPath, bin, ...args, "--store", at.folder], { cwd });
  return { ...ended, line: ended.stderr.trim() };
}
const recorded = async (env: Record<string, string> = {}) => (await store.run(COMMAND, { cwd, env })).summary.run ?? "";
async function responder(name: string): Promise<{ file: string; recipient: string }> {
  const file = join(cwd, name);
  return { file, recipient: (await command(store, "vault", "keygen", file)).stdout.trim() };
}

describe("originals that travel sealed", { timeout: TIMEOUT }, () => {
  test("an exported run replays exactly in another store, and its vault opens with the recipient's key and no other", async () => {
    const run = await recorded();
    const [one, two] = [await responder("one.key"), await responder("two.key")];
    const out = join(cwd, "run.otlp");
    const exported = await command(store, "export", run, "--otlp", "-o", out, "--vault-for", one.recipient);
    expect([exported.code, exported.stderr]).toEqual([0, ""]);
    expect(statSync(`${out}.vault`).mode & 0o777).toBe(0o600);
    for (const file of [out, `${out}.vault`]) {
      expect(readFileSync(file, "latin1")).not.toMatch(/okonkwo/i);
      expect(readFileSync(file, "latin1")).not.toContain(PASSWORD);
    }
    // the store's own key is no part of it
    expect(readFileSync(`${out}.vault`, "latin1")).not.toContain('"to":"local"');

    const imported = await command(other, "import", out);
    expect(imported.line).toMatch(/sealed originals of run .* --vault-key/);
    expect(existsSync(join(other.folder, "vault", `${run}.vault`))).toBe(true);
    const opened = await other.replay(run, COMMAND, { cwd, flags: ["--vault-key", one.file] });
    expect(opened.report).toMatchObject({ verdict: "identical", divergence: null });
    // the same from the file itself, without a store that knows it
    const file = join(cwd, "run.reenact");
    await command(store, "export", run, "-o", file, "--vault-for", two.recipient);
    const beside = await other.replay(file, COMMAND, { cwd, flags: ["--vault-key", two.file] });
    expect(beside.report).toMatchObject({ verdict: "identical", divergence: null });
    const without = await other.replay(run, COMMAND, { cwd });
    expect(without.report.divergence?.cause).toMatch(/redacted at \/email by rule email.*open the vault/);
    const wrong = await command(other, "unseal", run, "--key", two.file);
    expect(wrong.line).toMatch(/does not open.*\[REEN-VAULT-KEY\]$/);
    const unsealed = await command(other, "unseal", run, "--key", one.file);
    expect(unsealed.stdout).toContain(EMAIL);
    expect(unsealed.stdout).not.toContain(PASSWORD);
    expect(textBelow(join(other.folder, "vault"))).not.toMatch(/okonkwo/i);
    const log = (at: Store) => readFileSync(join(at.folder, "vault", "audit.log"), "utf8");
    expect(log(store)).toContain('"action":"export"');
    expect(log(other)).toMatch(/"action":"import".*\n.*"action":"unseal"/s);
    // erasing in the store that imported the vault leaves nothing to open there
    expect((await command(other, "vault", "rm", run)).code).toBe(0);
    expect((await command(other, "unseal", run, "--key", one.file)).line).toMatch(/were erased.*\[REEN-NO-VAULT\]$/);
  });

  test("vault export --recipient seals a vault that had another recipient, and overwrites no file", async () => {
    const [one, two] = [await responder("one.key"), await responder("two.key")];
    const run = await recorded({ REENACT_VAULT_RECIPIENT: one.recipient });
    rmSync(join(store.folder, "vault.key"));
    const file = join(cwd, "for-two.vault");
    const refused = await command(store, "vault", "export", run, file, "--recipient", two.recipient);
    expect(refused.line).toMatch(/vault\.key.*\[REEN-VAULT-KEY\]$/);
    expect(existsSync(file)).toBe(false);
    const flags = ["--recipient", two.recipient, "--key", one.file];
    expect((await command(store, "vault", "export", run, file, ...flags)).code).toBe(0);
    expect((await command(store, "vault", "export", run, file, ...flags)).line).toMatch(/\[REEN-OUTPUT\]$/);
    expect((await command(other, "unseal", file, "--key", two.file)).stdout).toContain(EMAIL);
    expect((await command(other, "unseal", file, "--key", one.file)).line).toMatch(/does not open/);
    const replayed = await store.replay(run, COMMAND, { cwd, flags: ["--vault", file, "--vault-key", two.file] });
    expect(replayed.report).toMatchObject({ verdict: "identical", byPlace: 0 });
  });

  test.each([
    [
      "a text that is no public key",
      ["--vault-for", "AGE1xyz", "-o", "run.otlp"],
      /no responder's public key.*\[REEN-USAGE\]$/,
    ],
    ["standard output", ["--vault-for", "reenact-vault-public:x"], /beside the first one.*\[REEN-USAGE\]$/],
  ])("export refuses %s", async (_, flags, why) => {
    const run = await recorded();
    const ended = await command(store, "export", run, "--otlp", ...flags);
    expect([ended.code === 0, ended.stdout]).toEqual([false, ""]);
    expect(ended.line).toMatch(why);
    expect(existsSync(join(cwd, "run.otlp.vault"))).toBe(false);
  });

  test("export says that there is no vault, and writes nothing", async () => {
    const run = await recorded({ REENACT_VAULT: "0" });
    const { recipient } = await responder("one.key");
    const ended = await command(store, "export", run, "--otlp", "-o", "run.otlp", "--vault-for", recipient);
    expect(ended.line).toMatch(/\[REEN-NO-VAULT\]$/);
    expect(existsSync(join(cwd, "run.otlp"))).toBe(false);
  });

  test("a run that comes back from the collector is replayed with the vault of the machine that recorded it", async () => {
    collector = await startCollector();
    const run = await recorded({ REENACT_ENDPOINT: collector.address.http });
    const { http } = collector.address;
    await until("the run is there", async () => (await fetch(`${http}/api/v1/runs/${run}`)).ok);
    expect(textBelow(collector.folder)).not.toMatch(/okonkwo/i);
    rmSync(store.path(run), { force: true });
    const link = `${http}/runs/${run}`;
    const here = await store.replay(link, COMMAND, { cwd });
    expect(here.report).toMatchObject({ verdict: "identical", byPlace: 0, divergence: null });
    const elsewhere = await other.replay(link, COMMAND, { cwd });
    expect(elsewhere.report.verdict).toBe("diverged");
    expect(elsewhere.report.divergence?.cause).toMatch(/redacted at \/email by rule email.*open the vault/);
  });
});
