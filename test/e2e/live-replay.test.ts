import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startChildProvider } from "../provider/child-provider.ts";
import { ownBench } from "./own-bench.ts";
import { bin, launch } from "./reenact.ts";

const bench = ownBench();
const program = join(import.meta.dirname, "../programs/continued-agent.mjs");
const command = [process.execPath, program];
let run: string;
let prices: string;

const env = (more: Record<string, string | undefined> = {}) => ({
  PROVIDER_URL: bench.provider.url,
  OPENAI_API_KEY: "sk-proj-0123456789abcdefghijklmnop",
  ANTHROPIC_API_KEY: "sk-ant-api03-0123456789abcdefghijklmn",
  ...more,
});

/** Bodies of the requests that have reached the provider since. */
function requests(since = 0): Record<string, unknown>[] {
  const all = bench.provider.log().flatMap((entry) => (entry.event === "request" ? entry : []));
  return all.slice(since).map(({ text = "{}" }) => JSON.parse(text) as Record<string, unknown>);
}

/** Replays with these flags; `sent`: what reached the provider meanwhile. */
async function replayed(flags: readonly string[], options: { args?: string[]; env?: Record<string, string> } = {}) {
  const before = requests().length;
  const ended = await bench.store.replay(run, [...command, ...(options.args ?? [])], {
    env: env(options.env),
    flags,
  });
  return { ...ended, sent: requests(before) };
}

const said = (stdout: string): string[] => JSON.parse(stdout) as string[];
const answers = (report: { calls: { answer?: string }[] }) => report.calls.map(({ answer }) => answer);
let stdout: string;

beforeAll(async () => {
  prices = join(bench.folder, "prices.json");
  const models = { "gpt-": { input: 1.25, output: 10 }, claude: { input: 3, output: 15 } };
  writeFileSync(prices, JSON.stringify({ version: "test", models }));
  const recorded = await bench.store.run(command, { env: env() });
  run = recorded.summary.run ?? "";
  stdout = recorded.stdout;
  expect([recorded.code, recorded.summary.steps]).toEqual([0, 4]);
});

describe("--until", () => {
  test("ends behind the answer of a step, and what came so far is judged", async () => {
    const { code, report, sent } = await replayed(["--until", "2"]);
    expect([code, report.verdict, report.recorded, sent]).toEqual([0, "identical", 2, []]);
    expect(report.stopped).toEqual({ reason: "until", message: "ended behind step 2, as --until asks" });
  });

  test("behind the last step, whose answer is read when the program ends", async () => {
    const { code, report } = await replayed(["--until", "4"]);
    expect([code, report.verdict, report.recorded, report.stopped?.reason]).toEqual([0, "identical", 4, "until"]);
  });
});

describe("--live llm", () => {
  test("nothing goes out while each request is as recorded, and an edit that changes none is named", async () => {
    const { code, report, sent, stdout: now } = await replayed(["--live", "llm", "--set", "prompt.1=one"]);
    expect(report.notes).toEqual(["--set prompt.1 had no effect: no request went out that it changes"]);
    expect([code, report.verdict, report.live, report.costUsd, sent]).toEqual([0, "identical", 0, 0, []]);
    expect(now).toBe(stdout);
  });

  test("a changed model: edited requests go out, tools are served, and the cost is counted", async () => {
    const {
      code,
      report,
      sent,
      stdout: now,
    } = await replayed(["--live", "llm", "--set", "model=gpt-6", "--prices", prices]);
    expect(sent.map(({ model }) => model)).toEqual(["gpt-6", "gpt-6", "gpt-6"]);
    expect([code, report.verdict, report.recorded, report.edited, report.live]).toEqual([0, "continued", 1, 3, 0]);
    expect(answers(report)).toEqual(["edited", "recorded", "edited", "edited"]);
    expect(report.costUsd).toBeGreaterThan(0);
    expect(report.continued).toMatchObject({ behind: 0, outcome: "ended" });
    expect(said(now)[1]).toBe("seen a");
    expect(said(now)[0]).not.toBe(said(stdout)[0]);
  });

  test("one edited prompt: what does not depend on it stays recorded", async () => {
    const { report, sent } = await replayed(["--live", "llm", "--set", "prompt.1=uno"]);
    // the second request holds the first answer, the third one only the question
    expect(sent).toHaveLength(2);
    expect(JSON.stringify(sent[0])).toContain("uno");
    expect(answers(report)).toEqual(["edited", "recorded", "live", "recorded"]);
    expect(report.costUsd).toBeNull();
    expect(report.notes.join()).toContain("the cost of step 1 (openai.chat) is not known: there is no list of prices");
  });
});

describe("--live-after", () => {
  test("continues with real calls into a run of its own, which replays by itself", async () => {
    const { code, report, sent, stdout: now } = await replayed(["--live-after", "3", "--prices", prices]);
    expect([code, report.verdict, report.recorded, report.live, sent.length]).toEqual([0, "continued", 3, 1, 1]);
    expect(said(now).slice(0, 3)).toEqual(said(stdout).slice(0, 3));
    expect(report.continued).toEqual({ behind: 3, why: "--live-after 3", outcome: "ended" });
    const child = await bench.store.replay(report.run ?? "", command, { env: env() });
    expect(child.stdout).toBe(now);
    expect(child.report).toMatchObject({ verdict: "identical", recorded: 4, live: 0 });
    const shown = (await bench.store.command("show", report.run ?? "")).stdout;
    expect(shown.match(/(?<=^ +\d .* {2})(?:recorded|live)$/gm)).toEqual(["recorded", "recorded", "recorded", "live"]);
  });

  test("parallel calls, streams and timers are under way when the record is left", async () => {
    const parallel = [...command, "parallel"];
    const recorded = await bench.store.run(parallel, { env: env() });
    const own = recorded.summary.run ?? "";
    for (const after of ["1", "3"]) {
      const before = requests().length;
      const {
        code,
        report,
        stdout: now,
        stderr,
      } = await bench.store.replay(own, parallel, {
        env: env(),
        flags: ["--live-after", after],
      });
      expect([code, report.verdict, stderr], JSON.stringify(report.divergence)).toEqual([0, "continued", ""]);
      expect(requests(before)).toHaveLength(5 - Number(after));
      const { first, isForward, hasTicked } = JSON.parse(now) as Record<string, unknown>;
      expect([isForward, hasTicked]).toEqual([true, true]);
      const recordedFirst = (JSON.parse(recorded.stdout) as { first: string[] }).first;
      expect((first as string[])[0]).toBe(recordedFirst[0]);
      const again = await bench.store.replay(report.run ?? "", parallel, { env: env() });
      expect([again.report.verdict, again.stdout], JSON.stringify(again.report.divergence)).toEqual(["identical", now]);
    }
  });

  test("a call that the record does not have is refused behind it, and the verdict says broken", async () => {
    const { code, report, sent } = await replayed(["--live-after", "3"], { args: ["more"] });
    expect([code, report.verdict, report.continued?.outcome, sent.length]).toEqual([10, "diverged", "broken", 1]);
    expect(report.divergence).toMatchObject({ step: 5, verdict: "refused" });
    expect(report.divergence?.cause).toContain("--live look runs the real one");
    const live = await replayed(["--live-after", "3", "--live", "look"], { args: ["more"] });
    expect([live.code, live.report.verdict, live.report.live]).toEqual([0, "continued", 2]);
  });

  test("no later call is paid once one was refused, though the program goes on", async () => {
    const { code, report, sent } = await replayed(["--live-after", "3"], { args: ["dares"] });
    expect([code, report.verdict, sent.length]).toEqual([10, "diverged", 1]);
    expect(answers(report).slice(3)).toEqual(["live", "refused", "refused"]);
    expect(report.divergence).toMatchObject({ step: 5 });
    const live = await replayed(["--live-after", "3", "--live", "look"], { args: ["dares"] });
    expect([live.report.verdict, live.sent.length]).toEqual(["continued", 2]);
  });

  test("nothing else gets out, and nothing goes out behind a call that was not as recorded", async () => {
    const other = await replayed(["--live-after", "3", "--env", "REACHES"], {
      env: { REACHES: "http://127.0.0.1:9/" },
    });
    expect([other.code, other.report.continued?.outcome]).toEqual([10, "broken"]);
    // another result of the tool than recorded: step 2 asks for something else
    for (const after of ["2", "4"]) {
      const early = await replayed(["--live-after", after], { args: ["mail"] });
      expect([early.code, early.report.verdict, early.report.live, early.sent]).toEqual([10, "diverged", 0, []]);
      expect(early.report.divergence?.step).toBe(2);
    }
  });

  test("a failed run that goes on well is fixed", async () => {
    const recorded = await bench.store.run([...command, "fails"], { env: env() });
    const { code, report } = await bench.store.replay(recorded.summary.run ?? "", command, {
      env: env(),
      flags: ["--live-after", "4"],
    });
    expect([code, report.verdict, report.continued?.outcome, report.live]).toEqual([0, "continued", "fixed", 0]);
    const still = await bench.store.replay(recorded.summary.run ?? "", [...command, "fails"], {
      env: env(),
      flags: ["--live-after", "4"],
    });
    expect([still.code, still.report.continued?.outcome]).toEqual([10, "broken"]);
    expect(still.report.divergence?.cause).toMatch(/^it ended with exit code 1: Error: ./);
  });
});

describe("--fork", () => {
  test("a step is made anew with another prompt", async () => {
    const file = join(bench.folder, "prompt.txt");
    writeFileSync(file, "a better question");
    const { report, sent, stdout: now } = await replayed(["--fork", "3", "--set", `prompt.3=@${file}`]);
    expect(answers(report)).toEqual(["recorded", "recorded", "edited", "live"]);
    expect(JSON.stringify(sent[0])).toContain("a better question");
    expect(said(now)[2]).toContain("a better question");
  });

  test("an edited request that is sent again is edited again", async () => {
    const file = join(bench.folder, "again.txt");
    writeFileSync(file, "[[429-then-ok]] anew");
    // the marker comes to the other provider, too, which nobody asks twice
    const { report, sent } = await replayed(["--fork", "3", "--set", `prompt.3=@${file}`], { args: ["retries"] });
    expect(sent.slice(0, 2).map((body) => JSON.stringify(body).includes("anew"))).toEqual([true, true]);
    expect(answers(report)).toEqual(["recorded", "recorded", "edited", "edited", "live"]);
    expect(report.calls.map(({ attempt }) => attempt)).toEqual([0, 0, 0, 1, 0]);
  });

  test("a tool is given another result, and what follows is live", async () => {
    const { report, stdout: now } = await replayed(["--fork", "2", "--set", 'tool.look="nothing"']);
    expect(report).toMatchObject({ verdict: "continued", recorded: 1, edited: 1, given: 1, live: 2 });
    expect(said(now)[2]).toContain("nothing");
  });

  test("a given result is served behind the hand-over, whatever the call asks for", async () => {
    const flags = ["--fork", "1", "--set", 'tool.look="nothing"'];
    const { report, stdout: now } = await replayed(flags, { args: ["mail"] });
    expect(report).toMatchObject({ verdict: "continued", recorded: 0, edited: 1, given: 1, live: 3, refused: 0 });
    expect(said(now)[1]).toBe("nothing");
  });
});

describe("model-drift", () => {
  test("a live answer of another model than recorded is named, unless the request names another one", async () => {
    const drifts = [...command, "drifts"];
    const recorded = await bench.store.run(drifts, { env: env() });
    const forked = async (...flags: string[]) =>
      (await bench.store.replay(recorded.summary.run ?? "", drifts, { env: env(), flags })).report;
    const drifted = await forked("--fork", "1");
    expect(drifted).toMatchObject({ verdict: "continued", live: 3, findings: ["model-drift"] });
    expect(drifted.notes).toContainEqual(
      expect.stringMatching(
        /^step 1 \(openai\.chat\): answered by model (gpt-5-s\w+), and by (?!\1)gpt-5-s\w+ when recorded$/,
      ),
    );
    const edited = await forked("--fork", "1", "--set", "model=gpt-6");
    expect(edited).toMatchObject({ verdict: "continued", edited: 3, findings: [] });
    expect(edited.notes.join()).not.toContain("answered by");
    // step 1 is recorded here
    expect(await forked("--live-after", "1")).toMatchObject({ verdict: "continued", live: 2, findings: [] });
  });
});

describe("to whom", () => {
  test("what a record names as a host gets no key, unless it is asked for", async () => {
    const other = await startChildProvider({ log: join(bench.folder, "other.jsonl") });
    try {
      const recorded = await bench.store.run(command, { env: env({ PROVIDER_URL: other.url }) });
      const heard = (): number => other.log().filter(({ event }) => event === "request").length;
      const before = heard();
      const forked = (...flags: string[]) =>
        bench.store.replay(recorded.summary.run ?? "", command, { env: env(), flags: ["--fork", "1", ...flags] });
      for (const flags of [[], ["--to", `https://${new URL(other.url).host}`]]) {
        const { code, report } = await forked(...flags);
        expect([code, report.stopped?.reason, report.live, heard()]).toEqual([11, "unknown-host", 0, before]);
        expect(report.stopped?.message).toContain(`(in the record it stands in PROVIDER_URL; --env takes yours)`);
        expect(report.stopped?.message).toContain(`--to ${other.url}`);
      }
      const { report } = await forked("--to", new URL(other.url).host);
      expect([report.verdict, heard()]).toEqual(["continued", before + 3]);
    } finally {
      await other.stop();
    }
  });
});

describe("limits", () => {
  test("--max-cost ends it before the next call, with an exit code of its own", async () => {
    const { code, report, sent } = await replayed(["--fork", "1", "--max-cost", "0.00001", "--prices", prices]);
    expect([code, report.verdict, report.live, sent.length]).toEqual([12, "incomplete", 1, 1]);
    expect(report.stopped?.message).toMatch(
      /^step 3 \(openai.chat\) was not sent: 0\.\d+ dollars were spent of --max-cost/,
    );
    expect(report.costUsd).toBeGreaterThan(0.00001);
  });

  test("a replay that is killed says what is known to be spent", async () => {
    const before = requests().length;
    const log = join(bench.folder, "provider.jsonl");
    // once the third call is sent, whose answer does not count
    const killer = `until [ "$(grep -c '"event":"request"' '${log}')" -ge ${before + 3} ]; do sleep 0.1; done; kill -9 $$`;
    const script = `(${killer}) & exec '${process.execPath}' '${program}' hangs`;
    const { code, report } = await bench.store.replay(run, ["sh", "-c", script], {
      env: env(),
      flags: ["--fork", "1", "--prices", prices],
    });
    expect([code, report.verdict, report.divergence, report.costUsd]).toEqual([11, "incomplete", null, null]);
    expect(report.stopped).toEqual({ reason: "killed", message: "the program was killed by SIGKILL" });
    expect(report.costKnownUsd).toBeGreaterThan(0);
    expect(report.notes).toContainEqual(expect.stringContaining("known of the calls that had ended"));
  });

  test("without the key that the program has read, nothing begins", async () => {
    const before = requests().length;
    const ended = await bench.store
      .replay(run, command, { env: env({ OPENAI_API_KEY: undefined }), flags: ["--live", "llm"] })
      .catch((error: Error) => error.message);
    expect(ended).toContain(
      "exit 3: reenact: no key: the recorded program took its key for OpenAI from OPENAI_API_KEY",
    );
    expect(requests(before)).toEqual([]);
  });

  test("what redaction has replaced goes out to nobody who did not have it", async () => {
    const mail = [...command, "mail"];
    const recorded = await bench.store.run(mail, { env: env() });
    const own = recorded.summary.run ?? "";
    const forked = async (...flags: string[]) => {
      const before = requests().length;
      const ended = await bench.store.replay(own, mail, { env: env(), flags: ["--fork", "3", ...flags] });
      return { ...ended, sent: requests(before) };
    };
    const token = /EMAIL_[a-z]{4}_[a-z]{16}/;
    const sealed = await forked("--no-vault");
    expect([sealed.code, sealed.report.stopped?.reason, sealed.sent]).toEqual([11, "redacted-value", []]);
    expect(sealed.report.stopped?.message).toMatch(
      /^step 3 \(openai.chat\) was not sent: it holds 1 redacted value \(EMAIL_\S+ at \/messages\/3\/content\)/,
    );
    const tokens = await forked("--no-vault", "--send-tokens");
    expect([tokens.report.verdict, JSON.stringify(tokens.sent[0])]).toEqual([
      "continued",
      expect.stringMatching(token),
    ]);

    // with the vault the host that had the value gets it again, and the run that was made is redacted
    const open = await forked();
    expect([open.report.verdict, JSON.stringify(open.sent[0])]).toEqual([
      "continued",
      expect.stringContaining("jane.roe.4711@example-mail.org"),
    ]);
    const shown = await bench.store.command("show", open.report.run ?? "", "--json");
    expect(shown.stdout).toMatch(token);
    expect(shown.stdout).not.toContain("jane.roe");
  });

  test("a request is not edited where nothing is live", async () => {
    const flags = ["--store", bench.store.folder, "--set", "model=gpt-6", "--", ...command];
    const { code, stderr } = await launch([process.execPath, bin, "replay", run, ...flags]);
    expect(code).toBe(3);
    expect(stderr).toContain("a recorded answer does not change with its request. Next: add --live llm");
  });
});
