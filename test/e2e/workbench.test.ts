import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { type CollectorChild, startCollectorChild } from "./collector-child.ts";
import { bin, launch } from "./reenact.ts";
import { until } from "./running-collector.ts";

const PROGRAM = join(import.meta.dirname, "../programs/refund-desk.mjs");

interface Replay {
  readonly id: string;
  readonly state: string;
  readonly calls: readonly { readonly step: number; readonly verdict: string }[];
  readonly report: {
    readonly verdict: string;
    readonly replay: string;
    readonly next: string;
    readonly divergence: object;
  } | null;
  readonly failure: string | null;
  readonly cancelled: boolean;
}
interface Answer {
  readonly status: number;
  readonly replay: Replay;
  readonly error: { readonly code: string };
}

describe("replays from the pages of reenact up", () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let project: string;
  let run: string;
  let up: CollectorChild;
  let token: string;
  /** its last word is found in the list of processes */
  const command = (): string[] => [process.execPath, "desk.mjs", basename(project)];
  const program = (): string => join(project, "desk.mjs");
  const source = readFileSync(PROGRAM, "utf8");

  beforeAll(async () => {
    provider = await startProvider();
    project = mkdtempSync(join(tmpdir(), "reenact-workbench-test-"));
    // it resolves its packages from where it lies
    writeFileSync(program(), source);
    const modules = join(import.meta.dirname, "../../node_modules");
    await launch(["ln", "-s", modules, join(project, "node_modules")]);
    const facts = join(project, "facts.json");
    const record = [process.execPath, bin, "run", "--json-file", facts, "--", ...command()];
    const { stderr } = await launch(record, { cwd: project, env: { PROVIDER_URL: provider.url } });
    const recorded = JSON.parse(readFileSync(facts, "utf8")) as { run: string; runs: string[] };
    if (recorded.runs.length !== 1) throw new Error(stderr);
    ({ run } = recorded);
    up = await startUp(...command());
    token = tokenOf(up);
  }, 60_000);
  afterAll(async () => {
    await up?.stop();
    await provider?.stop();
    rmSync(project, { recursive: true, force: true });
  });

  const startUp = (...command: string[]): Promise<CollectorChild> =>
    startCollectorChild([bin, "up", "--json", "--port", "0", "--store", ".reenact", "--", ...command], {
      cwd: project,
    });
  const tokenOf = ({ replays }: CollectorChild): string => /#token=(.+)$/.exec(replays ?? "")?.[1] ?? "";

  /** A request with any headers, which `fetch` would not send. */
  function ask(path: string, headers: Record<string, string>, body: string | null, to = up): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const method = body === null ? "GET" : "POST";
    const sent = request(`${to.http}/api/v1/workbench${path}`, { method, headers }, (response) => {
      let text = "";
      response.on("data", (bytes: Buffer) => (text += bytes.toString()));
      response.on("end", () => resolve({ ...(JSON.parse(text) as Answer), status: response.statusCode ?? 0 }));
    });
    sent.on("error", reject);
    sent.end(body ?? undefined);
    return promise;
  }
  const asPage = (more: Record<string, string> = {}) => ({
    "content-type": "application/json",
    "x-reenact-token": token,
    ...more,
  });
  const start = (headers = asPage(), body: object = { run }) => ask("/replays", headers, JSON.stringify(body));
  async function ended(id: string, of = up): Promise<Replay> {
    let last: Replay | null = null;
    await until("the replay has ended", async () => {
      last = (await ask(`/replays/${id}`, {}, null, of)).replay;
      return last.state === "ended";
    });
    return last!;
  }

  test("unchanged code is identical, edited code diverges with its first cause, and each is a run of its own", async () => {
    const { replay } = await start();
    const same = await ended(replay.id);
    expect(same.report).toMatchObject({ verdict: "identical", next: expect.stringMatching(/^reenact show /) });
    expect(same.calls.map(({ verdict }) => verdict)).toEqual(Array(same.calls.length).fill("exact"));
    const runs = readdirSync(join(project, ".reenact/runs"));
    expect(runs).toContain(`${same.report?.replay}.reenact`);

    writeFileSync(program(), source.replace("const amount = 90", "const amount = 91"));
    const other = await ended((await start()).replay.id);
    expect(other.report).toMatchObject({ verdict: "diverged", divergence: { step: 2, recorded: "90", now: "91" } });
    writeFileSync(program(), source);
  });

  test("calls that cannot be written as they come change no verdict", async () => {
    const report = join(project, "unwritten.json");
    const options = ["--json-file", report, "--progress-file", join(project, "no-such-folder/calls.jsonl")];
    await launch([process.execPath, bin, "replay", run, ...options, "--", ...command()], { cwd: project });
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
      verdict: "identical",
      notes: expect.arrayContaining([expect.stringMatching(/^calls were not written as they came: ENOENT/)]),
    });
  });

  test("a call returns what is set in a page: it is in no argument, and no file of it is left", async () => {
    const SECRET = "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";
    const given = { form: "tool", name: "refund", n: 1, value: JSON.stringify(`later ${SECRET}`), isJson: true };
    const before = left();
    const { replay } = await start(asPage(), { run, set: [given] });
    let args = "";
    await until("the replay has ended", async () => {
      args += (await launch(["ps", "-eo", "args"])).stdout;
      return (await ask(`/replays/${replay.id}`, {}, null)).replay.state === "ended";
    });
    const set = await ended(replay.id);
    // the request behind it has another text
    expect(set.report).toMatchObject({ verdict: "diverged", divergence: { step: 3 } });
    expect(args).toContain("--set=tool.refund@1=@");
    expect(args).not.toContain("sk-proj");
    expect(left()).toEqual(before);
    const [made = ""] = readdirSync(join(project, ".reenact/runs")).filter((name) => name.includes(set.report!.replay));
    const shown = await launch([process.execPath, bin, "show", join(project, ".reenact/runs", made), "--raw"]);
    expect(shown.stdout).toContain("later ");
    expect(shown.stdout).not.toContain("sk-proj");

    const wrong = await ended((await start(asPage(), { run, set: [{ ...given, name: "refunds" }] })).replay.id);
    expect(wrong.failure).toMatch(/--set tool\.refunds@1: the run has no such tool or step.*REEN-USAGE/);
    const text = await ended((await start(asPage(), { run, set: [{ ...given, value: "{", isJson: true }] })).replay.id);
    expect(text.failure).toMatch(/cannot read .*REEN-USAGE/);
    for (const bad of [
      { ...given, name: "refund=x" },
      { ...given, form: "env" },
      { ...given, n: 0 },
      { ...given, value: "x".repeat(1024 * 1024 + 1) },
      { ...given, value: "x".repeat(3 * 1024 * 1024) },
    ])
      expect((await start(asPage(), { run, set: [bad] })).status).toBe(400);
  });
  const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("reenact-workbench-"));

  test("a program that never ends shows its calls so far, keeps a second one out, and ends with all its processes when cancelled", async () => {
    const endless = "const hang = () => { for (;;); };\n";
    writeFileSync(program(), `${endless}${source.replace("const amount = 90", "hang(); const amount = 90")}`);
    const { replay } = await start();
    await until("the first call has its verdict", async () => {
      const { calls } = (await ask(`/replays/${replay.id}`, {}, null)).replay;
      return calls.some(({ step, verdict }) => step === 1 && verdict === "exact");
    });
    expect(await start()).toMatchObject({ status: 409, error: { code: "BUSY" } });
    const cancelled = await ask(`/replays/${replay.id}/cancel`, asPage(), "{}");
    expect(cancelled.replay).toMatchObject({ state: "ending", cancelled: true });
    expect(await ended(replay.id)).toMatchObject({ cancelled: true });
    const { stdout } = await launch(["ps", "-eo", "args"]);
    const left = stdout.split("\n").filter((line) => line.includes(basename(project)));
    // of the collector alone
    expect(left).toEqual([expect.stringMatching(/ up --json /)]);
    writeFileSync(program(), source);
    expect((await ended((await start()).replay.id)).report?.verdict).toBe("identical");
  });

  test("a replay ends with the collector that started it, however that ends", async () => {
    writeFileSync(program(), `const hang = () => { for (;;); };\nhang();\n${source}`);
    await start();
    const running = async (): Promise<number> => {
      const { stdout } = await launch(["ps", "-eo", "args"]);
      return stdout.split("\n").filter((line) => line.includes(` ${basename(project)}`) && !line.includes(" up "))
        .length;
    };
    await until("the program runs", async () => (await running()) > 1);
    await up.kill();
    await until("nothing is left", async () => (await running()) === 0);
    writeFileSync(program(), source);
    up = await startUp(...command());
    token = tokenOf(up);
  });

  test("only a page of this machine that knows the token starts something", async () => {
    const body = JSON.stringify({ run });
    const refused: [string, Record<string, string>, string, number][] = [
      ["no token", { "content-type": "application/json" }, body, 403],
      ["a wrong token", asPage({ "x-reenact-token": `${token.slice(1)}${token.at(0)}` }), body, 403],
      ["a page of another origin", asPage({ origin: "https://evil.example" }), body, 403],
      ["a page whose name turned to this address", asPage({ host: "evil.example" }), body, 403],
      ["a proxy on this machine", asPage({ "x-forwarded-for": "203.0.113.9" }), body, 403],
      ["a form", asPage({ "content-type": "text/plain" }), body, 400],
      ["an option in place of a run", asPage(), JSON.stringify({ run: "--live" }), 400],
      ["a command of its own", asPage(), JSON.stringify({ run, command: ["id"] }), 400],
    ];
    for (const [who, headers, sent, status] of refused)
      expect([who, (await ask("/replays", headers, sent)).status]).toEqual([who, status]);
    const preflight = await fetch(`${up.http}/api/v1/workbench/replays`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(403);
    expect(await ask("", {}, null)).toMatchObject({ status: 200, admitted: false, running: null });
    expect(await ask("", { "x-reenact-token": token }, null)).toMatchObject({ admitted: true });
  });

  test("a command that does not exist, a run that is not there, no command at all, and an address that others reach", async () => {
    const args = [process.execPath, bin, "up", "--host", "0.0.0.0", "--token", "12345678", "--port", "0"];
    const open = await launch([...args, "--store", join(project, "open"), "--", "node", "desk.mjs"], { cwd: project });
    expect([open.code, open.stderr]).toEqual([3, expect.stringMatching(/on this machine only.*REEN-USAGE/)]);
    const missing = await ended((await start(asPage(), { run: "f".repeat(32) })).replay.id);
    expect(missing).toMatchObject({ report: null, failure: expect.stringContaining("REEN-") });
    await up.stop();
    up = await startUp("no-such-program");
    token = tokenOf(up);
    const unstarted = await ended((await start()).replay.id);
    expect(unstarted.failure).toMatch(/cannot start no-such-program.*REEN-CANNOT-START/);
    await up.stop();
    up = await startCollectorChild([bin, "up", "--json", "--port", "0", "--store", ".reenact"], { cwd: project });
    expect(await start()).toMatchObject({ status: 404, error: { code: "NO_COMMAND" } });
  });
});
