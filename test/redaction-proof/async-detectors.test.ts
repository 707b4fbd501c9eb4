import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bin, launch, Store } from "../e2e/reenact.ts";

const AGENT = fileURLToPath(new URL("people-agent.mjs", import.meta.url));
const COMMAND = [process.execPath, AGENT];
const WHO = "Ottilie Vandermeulen";
/** What nobody may find in the store. */
const NAME = /Ottilie|Vandermeulen/;
const TIMEOUT = 60_000;
/** A detector for one name, which does otherwise with texts that begin with the name of one of these. */
const BAD: Readonly<Record<string, string>> = {
  throws: "throw new Error('no')",
  rejects: "return Promise.reject(new Error('no'))",
  outside: "return [{ start: 0, end: 9999 }]",
  backwards: "return [{ start: 5, end: 2 }]",
  late: "return new Promise((resolve) => setTimeout(() => resolve([]), 5000).unref())",
  hangs: "return new Promise(() => {})",
  blocks: "for (;;);",
  ends: "process.exit(3)",
  overlaps: "const at = text.indexOf('Ott'); return [{ start: at, end: at + 9 }, { start: at + 4, end: at + 20 }]",
};
const configOf = (waits: number, detectorMs: number): string => `
  const find = (text) =>
    [...text.matchAll(/Ottilie Vandermeulen/g)].map((m) => ({ start: m.index, end: m.index + m[0].length }));
  const findLater = async (text, signal) => {
    await new Promise((resolve) => setTimeout(resolve, ${waits}));
    switch (text.split(" ", 1)[0]) {
      ${Object.entries(BAD)
        .map(([name, code]) => `case "${name}": { ${code} }`)
        .join("\n")}
    }
    return find(text);
  };
  const names = { name: "names", type: "NAME", findLater };
  export default { redaction: { name: "people", detectorMs: ${detectorMs}, detectors: [names] } };`;

let cwd: string;
let store: Store;
let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => response.end(`page of ${decodeURIComponent(request.url ?? "")}`));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void server.close());
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "reenact-people-"));
  store = new Store();
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
  store.remove();
});

const configure = (waits = 15, detectorMs = 1000): void =>
  writeFileSync(join(cwd, "reenact.config.mjs"), configOf(waits, detectorMs));
const options = (env: Record<string, string> = {}) => ({
  cwd,
  env: { WHO, REENACT_EXIT_MS: "20000", PAGE: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...env },
});
const read = (run: string | null) => readEnvelope(readFileSync(store.path(run ?? "")));

/** Every byte that the recorder has left on the disk, as text. */
function everything(folder: string = store.folder): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}
const textsOf = (run: string): string[] => read(run).steps.map(({ record }) => JSON.stringify(record));

describe("asynchronous detectors in a recorder", { timeout: TIMEOUT }, () => {
  test("every text is waited for, in steps, runs, addresses and output; a replay finds the same", async () => {
    configure();
    const { summary, code, stdout, stderr } = await store.run(COMMAND, options({ EXIT: "1" }));
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(WHO);
    expect(everything()).not.toMatch(NAME);
    const texts = textsOf(summary.run ?? "");
    expect(texts.length).toBe(5);
    expect(texts.join()).not.toContain("UNSCANNED");
    const token = /NAME_[a-z]{4}_[a-z]{16}/.exec(texts[0] ?? "")?.[0] ?? "none";
    // one value, one token: in an address, in arguments, in what a page said
    for (const text of texts.filter((each) => !each.includes("nobody"))) expect(text).toContain(token);
    expect(texts.at(-1)).toContain(`last ${token}`);
    const { report } = await store.replay(summary.run ?? "", COMMAND, options({ EXIT: "1" }));
    expect(report).toMatchObject({ verdict: "identical", refused: 0, findings: [] });
    const changed = await store.replay(summary.run ?? "", [...COMMAND, "else"], options({ EXIT: "1" }));
    expect(changed.report).toMatchObject({ verdict: "diverged" });
  });

  test("so is what a run of a function was given and gave, by name too", async () => {
    configure();
    const { summary } = await store.run(COMMAND, options({ NESTED: "1" }));
    expect(everything()).not.toMatch(NAME);
    const run = summary.runs.find((each) => read(each).facts?.trigger === "function") ?? "";
    const { facts, manifest, steps } = read(run);
    for (const text of [facts?.name, facts?.input, facts?.output]) expect(text).toMatch(/NAME_[a-z]{4}_[a-z]{16}/);
    expect(facts?.redacted?.counts["NAME"]).toBeGreaterThanOrEqual(3);
    const counted = [facts?.redacted, ...steps.map(({ record }) => record.redacted)].map(
      (of) => of?.counts["NAME"] ?? 0,
    );
    expect(manifest.redaction.counts["NAME"]).toBe(counted.reduce((sum, n) => sum + n));
    const { report } = await store.replay(run, COMMAND, options({ NESTED: "1" }));
    expect(report).toMatchObject({ verdict: "identical", refused: 0 });
  });

  test.each([[["throws", "rejects", "outside", "backwards", "overlaps", "late", "hangs"]], [["blocks"]], [["ends"]]])(
    "what one that %j costs is that text; the agent goes on",
    async (words) => {
      // long enough that a busy machine is not late with the good texts
      configure(0, 1000);
      const { summary, code, stdout, stderr } = await store.run(COMMAND, options({ BAD: words.join(",") }));
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(WHO);
      expect(everything()).not.toMatch(NAME);
      const texts = textsOf(summary.run ?? "");
      expect(texts.length).toBe(4 + words.length);
      expect(texts.slice(0, 4).join()).not.toContain("UNSCANNED");
      for (const [at, word] of words.entries())
        expect(texts[4 + at]).toMatch(word === "overlaps" ? /overlaps NAME_[a-z]{4}_[a-z]{16}\\/ : /UNSCANNED_\d+/);
    },
  );

  test("a process that is killed in the wait leaves steps that ended, their payload lost", async () => {
    configure(0, 30_000);
    const killed = await launch([process.execPath, "--import", "@reenact/node/register", AGENT], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      env: {
        ...options().env,
        HANG: "1",
        REENACT_STORE: store.folder,
        REENACT_CONFIG: join(cwd, "reenact.config.mjs"),
      },
      onOutput: (pid) => process.kill(pid, "SIGKILL"),
    });
    expect([killed.stdout, killed.signal]).toEqual(["settled\n", "SIGKILL"]);
    const listed = async (): Promise<string | undefined> =>
      (JSON.parse((await store.command("ls", "--json")).stdout) as { runs: { run: string }[] }).runs[0]?.run;
    await expect.poll(listed, { timeout: 15_000, interval: 500 }).toBeDefined();
    const run = read((await listed()) ?? null);
    expect(run.steps.map(({ record }) => [record.order.settle !== undefined, record.call])).toEqual([
      [true, undefined],
    ]);
    expect(run.incompleteReasons.join()).toMatch(/payload|killed|died/);
    expect(everything()).not.toMatch(NAME);
  });

  test("so does a command that looks through texts", async () => {
    configure();
    writeFileSync(join(cwd, "note.json"), JSON.stringify({ to: `ask ${WHO}`, cc: "bob@example.com" }));
    const command = [process.execPath, bin, "redact", "test", "note.json", "--json", "--store", store.folder];
    const { hits } = JSON.parse((await launch(command, options())).stdout) as {
      hits: { type: string; rule: string }[];
    };
    expect(hits.map(({ type, rule }) => [type, rule])).toEqual([
      ["NAME", "names"],
      ["EMAIL", "email"],
    ]);
  });

  test("a policy in code cannot have them: one line, nothing is recorded", async () => {
    const ended = await launch(COMMAND, {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      env: { ...options().env, IN_CODE: "1", REENACT_STORE: store.folder },
    });
    expect(ended.code).toBe(0);
    expect(ended.stderr.trim().split("\n")).toEqual([expect.stringMatching(/asynchronous detectors.*reenact\.config/)]);
    expect(existsSync(join(store.folder, "runs"))).toBe(false);
  });
});
