import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { bin, type Ended, launch, Store } from "./reenact.ts";
import { difference, type Recorded } from "./trial.ts";

const program = join(import.meta.dirname, "../programs/asks-human.mjs");
const logs = mkdtempSync(join(tmpdir(), "input-"));
const store = new Store();
let provider: ChildProvider;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(logs, "provider.jsonl") });
  env = { PROVIDER_URL: provider.url };
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(logs, { recursive: true, force: true });
});

/** In a terminal of its own; what is typed, once its question has been asked, line by line. */
const TERMINAL = `
import os, pty, re, sys
typed = sys.argv[1].split("|")
pid, master = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen = b""
while True:
    try:
        part = os.read(master, 4096)
    except OSError:
        break
    if not part:
        break
    part = re.sub(rb"\\x1b\\[[0-9;]*[A-Za-z]", b"", part)
    seen += part
    if typed and part.rstrip().endswith((b"?", b")")):
        os.write(master, (typed.pop(0) + "\\n").encode())
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

async function replayed(recorded: Recorded, ...args: string[]): Promise<void> {
  const again = await store.replay(recorded.summary.run ?? "", [process.execPath, program, ...args], { env });
  expect(again.report.calls.map(({ verdict }) => verdict)).toEqual(["exact", "exact", "exact", "exact", "exact"]);
  // what recording prints to ask is not asked again
  expect(difference({ ...recorded, stderr: "" }, again)).toBeNull();
}

test("a handler answers, with any value; a replay does not call it", async () => {
  const recorded = await store.run([process.execPath, program, "handler"], { env });
  expect(recorded.stdout).toContain('approved: {"name":"approve","question":"Do it? (true)","at":7,"approved":true}');
  expect(recorded.summary).toMatchObject({ status: "ok", steps: 5, complete: true });
  await replayed(recorded, "handler");
  // the answers are those of the record: without a handler, too
  await replayed(recorded);
});

test("a pipe answers line by line; at its end the question fails, and does so again", async () => {
  const recorded = await store.run([process.execPath, program], { env, input: "yes\n" });
  expect(recorded.stdout).toContain('approved: "yes"');
  expect(recorded.stdout).toContain('name: "no answer to input \\"name\\": standard input has ended"');
  expect(recorded.stderr).toBe("Do it? (true) Who are you? ");
  await replayed(recorded);
});

const python = await launch(["python3", "-c", "import pty"]).catch((): Ended | null => null);

test.skipIf(python?.code !== 0)("a terminal answers, one line for each question", async () => {
  const command = [process.execPath, bin, "run", "--quiet", "--store", store.folder, "--", process.execPath, program];
  const recorded = await launch(["python3", "-c", TERMINAL, "yes, do|Ann", ...command], { env });
  expect(recorded).toMatchObject({ code: 0 });
  const said = recorded.stdout.replaceAll("\r", "");
  expect(said).toContain("Do it? (true) yes, do\n");
  expect(said).toContain('approved: "yes, do"\n');
  expect(said).toContain('Who are you? Ann\nname: "Ann"\n');
  const again = await store.replay("@last", [process.execPath, program], { env });
  expect(again).toMatchObject({ code: 0, stderr: "", report: { verdict: "identical", socketsRefused: 0 } });
  expect(again.stdout.split("\n").every((line) => said.includes(line))).toBe(true);
});

test("a flag is a fact of the run, which is kept then, as a failed one is", async () => {
  const command = [process.execPath, program, "flag"];
  const flagged = await store.run(command, { env, input: "yes\nAnn\n" });
  const plain = await store.run([process.execPath, program], { env, input: "yes\nAnn\n" });
  const shown = JSON.parse((await store.command("show", flagged.summary.run ?? "", "--json")).stdout) as {
    manifest: { flags: string[]; status: string };
  };
  expect(shown.manifest).toMatchObject({
    flags: ["looks wrong"],
    status: "ok",
    user: expect.stringMatching(/^EMAIL_\w+$/) as string,
    session: "talk-1",
  });
  expect((await store.command("show", flagged.summary.run ?? "")).stdout).toContain("⚑ looks wrong\n");
  const { runs } = JSON.parse((await store.command("ls", "--json")).stdout) as {
    runs: { run: string; class: string; status: string }[];
  };
  const classOf = (run: string | null): unknown => runs.find((row) => row.run === run);
  expect(classOf(flagged.summary.run)).toMatchObject({ class: "keep", status: "ok" });
  expect(classOf(plain.summary.run)).toMatchObject({ class: "short", status: "ok" });
});

test("standard input that the program reads by itself is told, and a replay reads its own", async () => {
  const reader = join(import.meta.dirname, "../programs/reads-lines.mjs");
  for (const how of ["loop", "data", "pipe", "readline", "file"]) {
    const command = [process.execPath, reader, how];
    const recorded = await store.run(command, { env, input: "first\nsecond\n" });
    const shown = (await store.command("show", recorded.summary.run ?? "")).stdout;
    expect(shown, how).toMatch(/^ *! not recorded: standard input \(.*\): a replay reads its own$/m);
    expect(shown, how).toContain("! ask with input() of @reenact/node, whose answers are served");
    const again = await store.replay(recorded.summary.run ?? "", command, { env, input: "first\nsecond\n" });
    expect(difference(recorded, again), how).toBeNull();
    const without = await store.replay(recorded.summary.run ?? "", command, { env, input: "" });
    expect(without.report.verdict, how).toBe("diverged");
    expect(without.report.notes, how).toContain(
      "standard input is not recorded: the agent read it then, and reads this replay's own now",
    );
  }
  const quiet = await store.run([process.execPath, reader, "none"], { env });
  expect((await store.command("show", quiet.summary.run ?? "")).stdout).not.toContain("not recorded");
});
