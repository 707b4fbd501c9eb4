import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";
import { bin, type Ended, launch } from "./reenact.ts";

const bench = ownBench();
const command = [process.execPath, join(import.meta.dirname, "../programs/suspended-input.mjs")];
const env = () => ({
  OPENAI_BASE_URL: `${bench.provider.url}/v1`,
  OPENAI_API_KEY: "sk-proj-0123456789abcdefghijklmnop",
});
const sent = (): number => bench.provider.log().filter(({ event }) => event === "request").length;

async function reenact(verb: string, flags: readonly string[], args: readonly string[] = []): Promise<Ended> {
  const own = [process.execPath, bin, verb, "--store", bench.store.folder, ...flags, "--", ...command, ...args];
  return launch(own, { env: env() });
}

interface Row {
  run: string;
  status: string;
  class: string;
  steps: number;
  replayOf: string | null;
}

async function runs(): Promise<Row[]> {
  const { stdout } = await bench.store.command("ls", "--json");
  return (JSON.parse(stdout) as { runs: Row[] }).runs;
}

let first: string;
let second: string;

test("a run is suspended where it asks, its process ends, and it replays", async () => {
  const ended = await reenact("run", ["--suspend"]);
  expect([ended.code, ended.stdout]).toEqual([0, ""]);
  // no warning of Node that a top-level await does not settle
  expect(ended.stderr).toMatch(
    /^looked\n‖ run [0-9a-f]+ {2}suspended\n.*\n {2}it waits for an answer: reenact resume /,
  );
  const [row] = await runs();
  expect(row).toMatchObject({ status: "suspended", class: "keep", steps: 3 });
  first = row?.run ?? "";
  const shown = await bench.store.command("show", first);
  expect(shown.stdout).toContain("Refund A-77: 4200 cents?");
  const before = sent();
  const again = await bench.store.replay(first, command, { env: env() });
  expect([again.report.verdict, again.report.divergence, sent()]).toEqual(["identical", null, before]);
});

test("an answer for another question does not resume it, and nothing is done", async () => {
  const before = sent();
  const { code, stderr, stdout } = await reenact("resume", [first, "--answer", "yes"], ["other"]);
  expect([code, stdout, sent()]).toEqual([10, "", before]);
  expect(stderr).not.toContain("paid");
  expect(stderr).toContain("change: [-Refund-]{+Delete+} A-77: 4200 cents?");
  expect(stderr).toContain("stopped: not resumed: step 3 is not as recorded");
  expect(await runs()).toHaveLength(1);
});

test("resumed in another process: nothing is done twice, all behind the answer is real, and it is suspended again", async () => {
  const before = sent();
  const { code, stderr } = await reenact("resume", [first, "--answer", "yes"]);
  expect([code, sent() - before]).toEqual([0, 1]);
  expect(stderr).toContain("paid\n");
  expect(stderr).not.toContain("looked");
  expect(stderr).toContain("as recorded up to step 3, then on its own (resume)");
  const [row] = await runs();
  expect(row).toMatchObject({ status: "suspended", steps: 6, replayOf: first });
  second = row?.run ?? "";
});

test("what was resumed before is resumed once more only with --again", async () => {
  const refused = await reenact("resume", [first, "--answer", "yes"]);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toMatch(/was resumed before, as run [0-9a-f]+ \(suspended\).*--again/);
  const no = await reenact("resume", [first, "--again", "--answer", "no"]);
  expect(no.code).toBe(0);
  expect(no.stderr).not.toContain("paid");
});

test("the run that was resumed is resumed at its own question, with no call behind it, and replays", async () => {
  const before = sent();
  const { code, stdout, stderr } = await reenact("resume", [second, "--answer", "5"]);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toEqual([expect.any(Number), "paid A-77: 4200 cents", expect.any(Number), 5]);
  expect(stderr).not.toMatch(/looked|paid\n/);
  const [row] = await runs();
  expect(row).toMatchObject({ status: "ok", steps: 6, replayOf: second });
  const again = await bench.store.replay(row?.run ?? "", command, { env: env() });
  expect([again.report.verdict, again.stdout, sent()]).toEqual(["identical", stdout, before]);
});

test("a fork behind an answer drops the later ones", async () => {
  const [row] = await runs();
  const fork = [row?.run ?? "", "--fork", "3", "--set", 'input.approve="no"'];
  const dropped = await reenact("replay", fork);
  expect(dropped.code).toBe(10);
  expect(dropped.stderr).toContain("a fork drops the answers behind it; --live rate asks anew");
  const given = await reenact("replay", [...fork, "--set", "input.rate=1"]);
  expect([given.code, JSON.parse(given.stdout)]).toEqual([0, [expect.any(Number), 1]]);
});

test("several questions at the same time are answered by their names", async () => {
  await reenact("run", ["--suspend"], ["several"]);
  const [row] = await runs();
  const run = row?.run ?? "";
  const unnamed = await reenact("resume", [run, "--answer", "yes"], ["several"]);
  expect(unnamed.stderr).toContain(
    "the run asks several questions. Next: --answer approve=<answer> --answer amount=<answer>",
  );
  const part = await reenact("resume", [run, "--answer", "approve=true"], ["several"]);
  expect(part.stderr).toContain("not answered: amount (step 4): How much?");
  const both = await reenact("resume", [run, "--answer", "amount=a=4200", "--answer", "approve=true"], ["several"]);
  expect([both.code, JSON.parse(both.stdout)]).toEqual([0, [expect.any(Number), [true, "a=4200"]]]);
});

test.each([
  [[], "not answered: approve (step 3): Refund A-77: 4200 cents?"],
  [["--answer", "no", "--answer", "approve=yes"], "step 3 is answered twice"],
  [["--answer", "rate=5"], "the run does not ask rate, but approve"],
  [["--answer", "@/no/such"], "cannot read /no/such"],
  [["--answer", "write to jane.roe.4711@example-mail.org"], "holds something that redaction replaces"],
])("%j is refused", async (flags, says) => {
  const { code, stderr } = await reenact("resume", [first, ...flags]);
  expect(code).toBe(3);
  expect(stderr).toContain(says);
});

test("a run that waits for no answer cannot be resumed", async () => {
  await reenact("run", [], ["none"]);
  const { code, stderr } = await reenact("resume", ["@last", "--answer", "yes"], ["none"]);
  expect(code).toBe(3);
  expect(stderr).toContain("is not suspended: it waits for no answer");
});

test("a question in the body of a tool is answered there, and the tool ends", async () => {
  await reenact("run", ["--suspend"], ["inside"]);
  const [suspended] = await runs();
  const { code, stdout, stderr } = await reenact("resume", [suspended?.run ?? "", "--answer", "yes"], ["inside"]);
  expect([code, JSON.parse(stdout)], stderr).toEqual([0, [expect.any(Number), "yes A-77: 4200 cents"]]);
  const [row] = await runs();
  expect(row).toMatchObject({ status: "ok", steps: 4, replayOf: suspended?.run });
});

test("while a run is being resumed, and once that was killed, it is resumed once more only with --again", async () => {
  await reenact("run", ["--suspend"], ["waits"]);
  const [suspended] = await runs();
  const flags = [suspended?.run ?? "", "--answer", "yes"];
  const own = [process.execPath, bin, "resume", "--store", bench.store.folder, ...flags, "--", ...command, "waits"];
  const meanwhile: Promise<Ended>[] = [];
  const killed = await launch(own, {
    env: env(),
    onOutput: (pid) => {
      meanwhile.push(reenact("resume", flags, ["waits"]).finally(() => process.kill(pid, "SIGKILL")));
    },
  });
  expect(killed.signal).toBe("SIGKILL");
  expect(killed.stdout).toContain("paid A-77: 4200 cents\n");
  for (const refused of [await meanwhile[0], await reenact("resume", flags, ["waits"])]) {
    expect([refused?.code, refused?.stdout]).toEqual([3, ""]);
    expect(refused?.stderr).toMatch(/was resumed before.*--again/);
  }
});
