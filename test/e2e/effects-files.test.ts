import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";
import { type Recorded, type Replayed } from "./trial.ts";

const program = join(import.meta.dirname, "../programs/effects/writes-files.mjs");
const folder = mkdtempSync(join(tmpdir(), "effects-files-"));
const cwd = join(folder, "work");
const UMASK = "022";
const store = new Store();
let provider: ChildProvider;
let env: Record<string, string>;
let recorded: Recorded;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  env = { PROVIDER_URL: provider.url };
  mkdirSync(cwd);
  for (const [name, text] of [
    ["old.txt", "old"],
    ["agent.log", "a line of an earlier run\n"],
    ["fixed.bin", "12345678"],
    ["counts.json", '{"runs":1}'],
    ["old-tool.sh", "#!/bin/sh\n"],
    ["template.txt", "template"],
  ] as const)
    writeFileSync(join(cwd, name), text, { mode: 0o644 });
  recorded = await store.run(under(UMASK, ""), { env, cwd });
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

const replay = (edit = "", { umask = UMASK } = {}): Promise<Replayed> =>
  store.replay(recorded.summary.run ?? "", under(umask, edit), { env, cwd });

/** The program under a umask, whatever the one of this process is. */
function under(umask: string, edit: string): string[] {
  return ["sh", "-c", `umask ${umask} && exec "$@"`, "sh", process.execPath, program, edit];
}

test("unchanged code is identical, and finds the files that the recorded run has rewritten as that found them", async () => {
  expect(recorded.stderr).not.toContain("fault");
  const { code, report } = await replay();
  expect({ code, divergence: report.divergence, findings: report.findings }).toEqual({
    code: 0,
    divergence: null,
    findings: [],
  });
  expect(report.notes.filter((note) => note.startsWith("not compared"))).toEqual([]);
  expect(report.notes).toContain(
    "files as the recorded run found them, not as they lie here: agent.log, old.txt, fixed.bin, old-tool.sh, counts.json",
  );
  expect(readFileSync(join(cwd, "state.json"), "utf8")).toBe('{"runs":1}');
});

test.each([
  [
    "content",
    "out/notes.txt: other content (83 bytes now), from line 3 on (now: end); copy.txt: other content (83 bytes now)",
  ],
  ["log", "agent.log: added to it: "],
  ["path", "out/notes.txt was written when recorded, is not now; "],
  ["append", "renamed.txt: other content (4 bytes now)"],
  ["no-copy", "copy.txt was written when recorded, is not now"],
  ["rename", "renamed.txt was written when recorded, is not now; moved.txt is written now"],
  ["truncate", "fixed.bin: other content (2 bytes now)"],
  ["handle", "handle.txt: other content (12 bytes now)"],
  ["bytes", "raw.bin: other content (4 bytes now)"],
  ["extra", "extra.txt is written now"],
  ["counts", "counts.json: other content (10 bytes now)"],
  ["state", "state.json: other content (10 bytes now)"],
  ["mode", "run.sh: permissions 644 now, recorded 755"],
  ["no-chmod", "old-tool.sh: permissions were changed from 644 to 750 when recorded, are not now"],
  ["folder-mode", "private: permissions 755 now, recorded 700"],
  ["copy-chmod", "from-template.txt: permissions 600 now, recorded 644"],
  ["chmod-more", "counts.json: permissions 600 now, recorded 644"],
  ["composite", "sum.txt: other content (6 bytes now)"],
])("%s: the difference is told", async (edit, cause) => {
  const { code, report } = await replay(edit);
  expect(report.divergence?.cause ?? "").toContain(cause);
  expect({ code, verdict: report.divergence?.verdict }).toEqual({ code: 10, verdict: "files-changed" });
});

test("other permissions of new files on this machine are no difference of the program", async () => {
  const { code, report } = await replay("", { umask: "077" });
  expect({ code, verdict: report.verdict }).toEqual({ code: 0, verdict: "identical" });
  expect(report.notes).toContain(
    "not compared: the permissions of run.sh, since new files have others here (umask 077, recorded 022)",
  );
  expect((await replay("mode", { umask: "077" })).report.divergence?.cause).toContain("run.sh: permissions 600 now");
});

test("a file that is no longer removed is told", async () => {
  const { report } = await replay("no-removal");
  expect(report.divergence?.cause).toBe("old.txt was removed when recorded, is not now");
});
