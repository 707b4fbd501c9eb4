import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { type CollectorChild, startCollectorChild } from "./collector-child.ts";
import { bin, launch } from "./reenact.ts";
import { until } from "./running-collector.ts";

const PROGRAM = join(import.meta.dirname, "../programs/refund-desk.mjs");
const MODULES = join(import.meta.dirname, "../../node_modules");
const COMMAND = "test/runs/command.fixture.json";
const FUNCTION = "test/runs/function.fixture.json";

interface Answer {
  readonly status: number;
  readonly error: { readonly code: string };
  readonly admitted: boolean;
  readonly run: {
    readonly id: string;
    readonly state: string;
    readonly files: readonly string[];
    readonly failure: string | null;
    readonly cancelled: boolean;
  };
  readonly tests: readonly {
    readonly file: string;
    readonly command: string | null;
    readonly last: { readonly status: string; readonly cause: string | null; readonly at: number } | null;
  }[];
}

describe("tests that a page of reenact up starts", () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let project: string;
  let up: CollectorChild;
  let token: string;
  const program = (): string => join(project, "desk.mjs");
  const source = readFileSync(PROGRAM, "utf8");

  beforeAll(async () => {
    provider = await startProvider();
    project = mkdtempSync(join(tmpdir(), "reenact-tests-page-"));
    symlinkSync(MODULES, join(project, "node_modules"));
    copyFileSync(PROGRAM, program());
    // its last word is found in the list of processes
    const command = [process.execPath, "desk.mjs", basename(project)];
    const env = { PROVIDER_URL: provider.url };
    await launch([process.execPath, bin, "run", "--quiet", "--", ...command], { cwd: project, env });
    const add = [process.execPath, bin, "test", "add", "@last", "--expect", "same", "--name"];
    await launch([...add, "command", "--", ...command], { cwd: project });
    await launch([...add, "function", "--function", "desk.mjs#desk", "--runner", "vitest"], { cwd: project });
    up = await startCollectorChild([bin, "up", "--json", "--port", "0", "--", ...command], {
      cwd: project,
      // a real call would fail: the provider has no address here
      env: { REENACT_MODE: "live" },
    });
    token = /#token=(.+)$/.exec(up.replays ?? "")?.[1] ?? "";
  }, 60_000);
  afterAll(async () => {
    await up?.stop();
    await provider?.stop();
    rmSync(project, { recursive: true, force: true });
  });

  /** A request with any headers, which `fetch` would not send. */
  function ask(path: string, headers: Record<string, string>, body: string | null): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const method = body === null ? "GET" : "POST";
    const sent = request(`${up.http}/api/v1/tests${path}`, { method, headers }, (response) => {
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
  const start = (...files: string[]) => ask("/runs", asPage(), JSON.stringify({ files }));
  async function ended(): Promise<Answer> {
    let last: Answer | null = null;
    await until("the tests have ended", async () => {
      last = await ask("", asPage(), null);
      return last.run.state === "ended";
    });
    return last!;
  }
  const resultOf = ({ tests }: Answer, file: string) => tests.find((each) => each.file === file)?.last;

  test("a command and a function of the project pass, and fail with cause and both values", async () => {
    const started = await start();
    expect(started).toMatchObject({ status: 200, run: { state: "running", files: [COMMAND, FUNCTION] } });
    const passed = await ended();
    expect(passed.run).toMatchObject({ failure: null, cancelled: false });
    expect([COMMAND, FUNCTION].map((file) => resultOf(passed, file)?.status)).toEqual(["passed", "passed"]);

    writeFileSync(program(), source.replace("const amount = 90", "const amount = 91"));
    await start(FUNCTION);
    const one = await ended();
    expect(resultOf(one, COMMAND)).toEqual(resultOf(passed, COMMAND));
    expect(resultOf(one, FUNCTION)).toMatchObject({
      status: "failed",
      step: 2,
      recorded: "90",
      now: "91",
      replay: null,
    });
    expect(resultOf(one, FUNCTION)?.cause).toMatch(/90|amount|argument/);
    await start(COMMAND);
    const both = await ended();
    expect(resultOf(both, COMMAND)).toMatchObject({ status: "failed", recorded: "90", now: "91" });
    expect(resultOf(both, COMMAND)).toMatchObject({ replay: expect.stringMatching(/^[0-9a-f]{32}$/) as string });
    writeFileSync(program(), source);
  });

  test("a test that never ends keeps others out, and ends with all its processes when it is cancelled", async () => {
    writeFileSync(program(), `for (;;);\n${source}`);
    const { run } = await start(COMMAND);
    const processes = async (): Promise<string[]> =>
      (await launch(["ps", "-eo", "args"])).stdout
        .split("\n")
        .filter((line) => line.includes(basename(project)) && !line.includes(" up --json"));
    await until("the program runs", async () => (await processes()).some((line) => line.includes("desk.mjs")));
    expect(await start(FUNCTION)).toMatchObject({ status: 409, error: { code: "BUSY" } });
    const replay = { run: "f".repeat(32) };
    const other = await fetch(`${up.http}/api/v1/workbench/replays`, {
      method: "POST",
      headers: asPage(),
      body: JSON.stringify(replay),
    });
    expect(other.status).toBe(409);
    const before = resultOf(await ask("", {}, null), COMMAND);
    expect((await ask(`/runs/${run.id}/cancel`, asPage(), "{}")).run).toMatchObject({ state: "ending" });
    const after = await ended();
    expect(after.run).toMatchObject({ cancelled: true, failure: "they were cancelled" });
    // what was cut off is no result
    expect(resultOf(after, COMMAND)).toEqual(before);
    await until("nothing is left", async () => (await processes()).length === 0);
    writeFileSync(program(), source);
  });

  test("only a page of this machine that knows the token starts tests, and only tests of the project", async () => {
    const body = "{}";
    const refused: [string, Record<string, string>, string, number][] = [
      ["no token", { "content-type": "application/json" }, body, 403],
      ["a wrong token", asPage({ "x-reenact-token": `${token.slice(1)}${token.at(0)}` }), body, 403],
      ["a page of another origin", asPage({ origin: "https://evil.example" }), body, 403],
      ["a page whose name turned to this address", asPage({ host: "evil.example" }), body, 403],
      ["a proxy on this machine", asPage({ "x-forwarded-for": "203.0.113.9" }), body, 403],
      ["a form", asPage({ "content-type": "text/plain" }), body, 400],
      ["another file", asPage(), JSON.stringify({ files: ["../elsewhere.fixture.json"] }), 404],
      ["an option", asPage(), JSON.stringify({ files: ["--dir=/"] }), 404],
      ["a command of its own", asPage(), JSON.stringify({ files: [], command: ["id"] }), 400],
    ];
    for (const [who, headers, sent, status] of refused)
      expect([who, (await ask("/runs", headers, sent)).status]).toEqual([who, status]);
    expect((await ask("/runs/0123456789abcdef/cancel", asPage(), "{}")).status).toBe(404);
    expect(await ask("", {}, null)).toMatchObject({ admitted: false });
    expect(await ask("", asPage(), null)).toMatchObject({ admitted: true });
  });
});
