import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Store } from "./reenact.ts";

const NODE = fileURLToPath(new URL("../../packages/node/dist/index.js", import.meta.url));
const COMMAND = [process.execPath, "agent.mjs"];
const CARRIERS = ["input", "output", "arg", "result", "yield", "end", "error", "thrown"];
const canaries = (carrier: string): string[] => ["Lock", "Bolt"].map((end) => `vq7-Tangerine-${carrier}-${end}`);
const found = (text: string): string[] =>
  CARRIERS.filter((carrier) => canaries(carrier).some((canary) => text.includes(canary)));

/** `p` says nothing; what `toJSON` calls it does. */
const PROGRAM = `
import { agent, tool } from ${JSON.stringify(NODE)};
class Account { constructor(p) { this.p = p; } toJSON() { return { id: 7, password: this.p }; } }
class Refused extends Error { constructor(p) { super("refused"); this.p = p; } toJSON() { return { password: this.p }; } }
const lock = process.env.CHANGED ? "Bolt" : "Lock";
const text = (carrier) => "vq7-Tangerine-" + carrier + "-" + lock;
// a changed one is another kind of value too: two values of one kind are compared by their marks
const of = (carrier) => new Account(process.env.CHANGED ? { new: [text(carrier)] } : text(carrier));
const take = tool("take", async (account) => of("result"));
const list = tool("list", async function* () { yield of("yield"); return of("end"); });
const fail = tool("fail", async () => { throw new Refused(text("error")); });
const work = agent("work", async (account) => {
  await take(of("arg"));
  for await (const each of list());
  await fail().catch(() => {});
  if (process.env.THROWS) throw new Refused(text("thrown"));
  return of("output");
});
await work(of("input")).catch(() => {});
`;

let cwd: string;
let store: Store;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "reenact-renamed-"));
  writeFileSync(join(cwd, "agent.mjs"), PROGRAM);
  store = new Store();
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
  store.remove();
});

function raw(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

test.each(["", "1"])(
  "a secret that only toJSON names is in no carrier, and the run replays (throws: %j)",
  { timeout: 120_000 },
  async (THROWS) => {
    const { summary } = await store.run(COMMAND, { cwd, env: { THROWS } });
    const run = summary.run ?? "";
    const { stdout } = await store.command("export", run, "--json");
    expect(stdout).toContain("take");
    expect(found(raw(store.folder) + stdout)).toEqual([]);
    const { report } = await store.replay(run, COMMAND, { cwd, env: { THROWS } });
    expect(report).toMatchObject({ verdict: "identical", divergence: null });
  },
);

test.each(["", "1"])(
  "a replay of changed code prints no secret that only toJSON names (throws: %j)",
  { timeout: 120_000 },
  async (THROWS) => {
    const { summary } = await store.run(COMMAND, { cwd, env: { THROWS } });
    const run = summary.run ?? "";
    const changed = { cwd, env: { THROWS, CHANGED: "1" }, flags: ["--env", "CHANGED"] };
    const { report } = await store.replay(run, COMMAND, changed);
    expect(report.verdict).toBe("diverged");
    const printed = await store.replay(run, COMMAND, { ...changed, flags: [...changed.flags, "--verbose"] });
    expect(found(JSON.stringify(report) + printed.stdout + printed.stderr + raw(store.folder))).toEqual([]);
  },
);
