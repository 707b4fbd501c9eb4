import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { encodeTraces } from "@reenact/envelope";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { createScrubber, loadScopeKey } from "@reenact/redaction";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyOf, Laptop, packsIn, sealedIn } from "./laptop.ts";
import type { Ended } from "./reenact.ts";
import { type RunningCollector, startCollector, until } from "./running-collector.ts";

const golden = new URL("../fixtures/envelopes/v1-parallel-calls.reenact", import.meta.url);
const run: Envelope = readEnvelope(readFileSync(golden));
const started = Number(run.root!.startUnixNano / 1_000_000n);
const KEY = "00112233445566778899aabbccddeeff".repeat(2);
const ALICE = "alice@example.com";
/** `a…` to `d…`, a second apart; the second failed, the third is Alice's */
const ids = ["a", "b", "c", "d"].map((digit) => `${digit}${digit}${digit}${digit}`.padEnd(32, "0"));

const laptop = new Laptop();
let here: string;
let collector: RunningCollector;
let server: string[];

beforeAll(async () => {
  here = laptop.folder();
  collector = await startCollector({ retention: { sampleShare: 0 } });
  server = ["--server", collector.address.http];
  const key = loadScopeKey({ env: { REENACT_REDACTION_KEY: KEY }, folder: here, loopback: true, temporary: true });
  if ("error" in key) throw new Error(key.error);
  const alice = createScrubber({ key: key.key }).scrub(ALICE).text;
  expect(alice).not.toContain("alice");
  const facts = [
    {},
    { "reenact.run.status": "failed" },
    { "user.id": alice, "session.id": "s-1" },
    { "session.id": "s-1" },
  ];
  for (const [n, id] of ids.entries()) await collector.send(copyOf(run, id, facts[n], n * 1000));
  await sealedIn(collector, ids.length);
});
afterAll(async () => {
  await collector.stop();
  await laptop.clean();
});

const reenact = (...args: string[]): Promise<Ended> => laptop.reenact(here, args);
async function listed(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ runs: string[]; next: string | null }> {
  const ended = await laptop.reenact(here, ["ls", "--json", ...args], env);
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: "" });
  const { runs, next } = JSON.parse(ended.stdout) as { runs: { run: string }[]; next: string | null };
  return { runs: runs.map((each) => each.run), next };
}
function expectError(ended: Ended, code: string, exit: number): void {
  expect(ended.stderr).toMatch(new RegExp(`^reenact: [^\\n]+\\. Next: [^\\n]+ \\[${code}\\]\\n$`));
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: exit, stdout: "" });
}
/** A server that is none of ours, for one command. */
async function against(handle: RequestListener, ...args: string[]): Promise<Ended> {
  const other = createServer(handle);
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as { port: number };
  try {
    return await reenact(...args, "--server", `http://127.0.0.1:${port}`);
  } finally {
    other.closeAllConnections();
    other.close();
  }
}

test("ls: newest first, filters, pages, by user though the id is a token, by a moment in the zone of this machine", async () => {
  expect((await listed(server)).runs).toEqual(ids.toReversed());
  expect((await listed([...server, "--status", "failed"])).runs).toEqual([ids[1]]);
  expect((await listed([...server, "--session", "s-1"])).runs).toEqual([ids[3], ids[2]]);
  expect((await listed([...server, "--filter", "status:ok -session:s-1"])).runs).toEqual([ids[0]]);
  const first = await listed([...server, "--limit", "3"]);
  const rest = await listed([...server, "--limit", "3", "--after", first.next!]);
  expect([first.runs, rest.runs, rest.next]).toEqual([[ids[3], ids[2], ids[1]], [ids[0]], null]);

  const key = { REENACT_REDACTION_KEY: KEY };
  expect((await listed([...server, "--user", ALICE], key)).runs).toEqual([ids[2]]);
  expect((await listed([...server, "--filter", `user:${ALICE}`], key)).runs).toEqual([ids[2]]);
  expectError(await reenact("ls", ...server, "--user", ALICE), "REEN-REDACTION", 3);
  expectError(await reenact("ls", ...server, "--filter", `user:${ALICE}`), "REEN-REDACTION", 3);
  expect(JSON.stringify(collector.lines)).not.toContain("alice");

  const local = new Date(started).toLocaleString("sv", { timeZone: "Asia/Tokyo" }).replace(" ", "T");
  const zone = { TZ: "Asia/Tokyo" };
  expect((await listed([...server, "--at", `${local}±1500ms`], zone)).runs).toContain(ids[0]);
  expect((await listed([...server, "--at", `${local}±1m`], { TZ: "UTC" })).runs).toEqual([]);
});

test("show and export read a run there; nothing is written here", async () => {
  const shown = await reenact("show", "@last", ...server, "--json");
  expect(JSON.parse(shown.stdout)).toMatchObject({ schemaVersion: 1, manifest: { run: ids[3] } });
  expect(JSON.parse((await reenact("show", "@failed", ...server, "--json")).stdout)).toMatchObject({
    manifest: { run: ids[1], status: "failed" },
  });
  const spans = await reenact("export", ids[0]!.slice(0, 4), ...server, "--json", "--as-is");
  expect(spans.stdout).toContain(ids[0]!);
  const packs = ["--from", join(collector.folder, "store")];
  expect((await listed([...packs, "--status", "failed"])).runs).toEqual([ids[1]]);
  expect((await listed([...packs, "--limit", "2"])).runs).toEqual([ids[3], ids[2]]);
  expect((await reenact("show", "@-2", ...packs, "--json")).stdout).toContain(ids[2]!);
  expect((await reenact("ls")).stdout).toBe("");
});

test("REENACT_SERVER stands beside the store: its runs are listed and found, and a run that is here is not fetched", async () => {
  const cwd = laptop.folder();
  const ask = (url: string, ...args: string[]) => laptop.reenact(cwd, args, { REENACT_SERVER: url });
  const url = server[1]!;
  expect((await ask(url, "rehydrate", ids[0]!.toUpperCase(), "--only")).stdout).toBe(`${ids[0]}\n`);
  const { stdout } = await ask(url, "ls", "--json");
  expect((JSON.parse(stdout) as { runs: { run: string }[] }).runs.map((each) => each.run)).toEqual(ids.toReversed());
  expect((await ask(url, "show", "@-2", "--json")).stdout).toContain(ids[2]!);
  const away = "http://127.0.0.1:1";
  expect((await ask(away, "show", ids[0]!, "--json")).stdout).toContain(ids[0]!);
  expectError(await ask(away, "show", ids[1]!), "REEN-SERVER", 5);
  expectError(await ask("nowhere", "ls"), "REEN-USAGE", 3);
});

test("keep and flag are taken for a run that is still open", async () => {
  const other = await startCollector({ assemble: { idle: 600_000 } });
  const at = ["--server", other.address.http];
  const id = "e".repeat(32);
  const open = run.spans.find(({ span }) => span !== run.root)!;
  await other.send(encodeTraces({ ...open.span, traceId: id, attributes: { "reenact.run.id": id } }, open.scanned));
  await until("the open run", async () => (await other.get<{ runs: unknown[] }>("/api/v1/runs")).runs.length > 0);
  expect((await reenact("keep", "eeee", ...at, "--reason", "ticket 1")).stdout).toBe(
    "run eeeeee  noted: it is kept for ever when it is sealed\n",
  );
  await reenact("flag", "eeee", "by mistake", ...at);
  expect((await reenact("unflag", "eeee", "by mistake", ...at)).stdout).toBe(
    "run eeeeee  noted: it loses the flag when it is sealed\n",
  );
  const flagged = await reenact("flag", "eeee", "wrong row", ...at, "--json");
  expect(JSON.parse(flagged.stdout)).toMatchObject({ class: "keep", flags: ["ticket 1", "wrong row"], applied: false });
  await other.send(copyOf(run, id));
  await sealedIn(other, 1);
  const { run: sealed } = await other.get<{ run: unknown }>("/api/v1/runs/eeee");
  expect(sealed).toMatchObject({ class: "keep", rule: "pinned", flags: ["ticket 1", "wrong row"] });

  expectError(await reenact("unflag", "eeee", ...at), "REEN-USAGE", 3);
  expectError(await reenact("unflag", "eeee", "no such", ...at), "REEN-USAGE", 3);
  expect((await reenact("unflag", "eeee", "ticket 1", ...at)).stdout).toBe(
    "run eeeeee  class keep (flagged)  flags: wrong row\n",
  );
  const plain = await reenact("unflag", "eeee", ...at, "--json");
  expect(JSON.parse(plain.stdout)).toMatchObject({ class: "short", rule: null, flags: [], applied: true });
  expectError(await reenact("unflag", "eeee", ...at), "REEN-USAGE", 3);
  for (const place of [at, ["--from", join(other.folder, "store")]]) {
    const shown = await reenact("show", id, ...place, "--json");
    expect(JSON.parse(shown.stdout)).toMatchObject({ manifest: { class: "short", flags: [] } });
  }
  await other.stop();
});

test("keep, flag and the plan; a catalog that is made again has the same rows", async () => {
  const kept = await reenact("keep", ids[0]!, ...server, "--reason", "ticket 4711", "--json");
  expect(JSON.parse(kept.stdout)).toEqual({
    schemaVersion: 1,
    run: ids[0],
    class: "keep",
    rule: "pinned",
    flags: ["ticket 4711"],
    applied: true,
  });
  expect((await reenact("flag", "@last", "wrong row", ...server)).stdout).toBe(
    `run ${ids[3]!.slice(0, 6)}  class keep (flagged)  flags: wrong row\n`,
  );
  for (const place of [server, ["--from", join(collector.folder, "store")]]) {
    const shown = await reenact("show", ids[3]!, ...place, "--json");
    expect(JSON.parse(shown.stdout)).toMatchObject({ manifest: { class: "keep", flags: ["wrong row"] } });
  }
  expect((await reenact("show", ids[3]!, ...server)).stdout).toMatch(
    /⚑ wrong row\n[^]*Next: reenact show dddd00 --server http:\S+ --step <n>/,
  );
  const plan = await reenact("retention", ...server);
  expect(plan.stdout).toMatch(/^would go now +\$0\.00 a month\n[^]*stays[^]* keep +3 runs +3 packs [^]*price: /);

  const config = join(here, "collector.json");
  const folders = { data: join(collector.folder, "data"), store: join(collector.folder, "store") };
  writeFileSync(config, JSON.stringify(folders));
  const rebuild = () => reenact("catalog", "rebuild", "--config", config, "--json");
  expectError(await rebuild(), "REEN-STORE", 5);
  const before = await collector.get("/api/v1/runs?limit=1000");
  const packs = packsIn(folders.store);
  const away: Ended[] = [];
  await collector.restart(async () => {
    away.push(await rebuild());
    rmSync(join(folders.data, "catalog.sqlite"));
    away.push(await rebuild());
    const bytes = readFileSync(packs[0]!);
    writeFileSync(packs[0]!, bytes.subarray(0, 100));
    away.push(await rebuild());
    writeFileSync(packs[0]!, bytes);
  });
  server = ["--server", collector.address.http];
  const [same, made, damaged] = away.map(({ stdout }) => JSON.parse(stdout) as object);
  expect(same).toMatchObject({ unreadable: 0, replaced: true, rows: { same: 4, changed: 0, added: 0, gone: 0 } });
  expect(made).toMatchObject({ unreadable: 0, replaced: true, rows: null });
  expect(damaged).toMatchObject({ unreadable: 1, replaced: false });
  expect([away[2]!.code, away[2]!.stderr]).toEqual([3, expect.stringMatching(/\[REEN-DAMAGED\]\n$/) as string]);
  expect(await collector.get("/api/v1/runs?limit=1000")).toEqual(before);
});

test("what a server may answer: each has its own words and exit code", async () => {
  expectError(await reenact("show", "dead0000", ...server), "REEN-NO-RUN", 3);
  expectError(await reenact("ls", ...server, "--filter", "colour:red"), "REEN-USAGE", 3);
  expectError(await reenact("ls", ...server, "--after", "nonsense"), "REEN-USAGE", 3);
  expectError(await reenact("ls", "--server", "http://127.0.0.1:1"), "REEN-SERVER", 5);
  expectError(await reenact("ls", "--server", "collector"), "REEN-USAGE", 3);
  expectError(await reenact("keep", ids[0]!), "REEN-USAGE", 3);
  const json = (status: number, body: unknown): RequestListener => {
    return (_, response) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const html: RequestListener = (_, response) => void response.end("<html>hello</html>");
  expectError(await against(html, "ls"), "REEN-NOT-A-COLLECTOR", 3);
  expectError(await against(html, "probe"), "REEN-NOT-A-COLLECTOR", 3);
  expectError(await against(json(404, {}), "retention"), "REEN-NOT-A-COLLECTOR", 3);
  expectError(await against(json(200, { schemaVersion: 2 }), "ls"), "REEN-NEWER-VERSION", 3);
  expectError(await against(json(401, {}), "ls"), "REEN-UNAUTHORISED", 4);
  expectError(await against(json(502, {}), "ls"), "REEN-SERVER", 5);
  const said: string[] = [];
  const moved: RequestListener = (request, response) => {
    said.push(String(request.headers.authorization));
    response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
  };
  expectError(await against(moved, "ls", "--token", "abc"), "REEN-NOT-A-COLLECTOR", 3);
  expect(said).toEqual(["Bearer abc"]);
});

test("a run whose pack was lost before its time: the pack is named, and how long it was to be kept", async () => {
  const lost = packsIn(join(collector.folder, "store")).find((path) => path.includes("/short/"))!;
  const bytes = readFileSync(lost);
  rmSync(lost);
  const ended = await reenact("show", ids[2]!, ...server);
  writeFileSync(lost, bytes);
  expectError(ended, "REEN-PACK-MISSING", 5);
  expect(ended.stderr).toMatch(/is not in the store: v1\/runs\/short\/.*to be kept until \d{4}-\d\d-\d\d/);
});

test("probe: all came back, some is missing or wrong, nothing arrived", async () => {
  const whole = await reenact("probe", ...server, "--sealed", "--json");
  expect(whole.code, whole.stderr).toBe(0);
  expect(JSON.parse(whole.stdout)).toMatchObject({
    written: 10,
    notfound: 0,
    missing: 0,
    incorrect: 0,
    store: { conditionalWrites: "supported", tagging: "unsupported", objectLock: "unsupported" },
  });
  expect((await listed(server)).runs).toEqual(ids.toReversed());

  /** Acknowledges everything and gives back what `answer` makes of it. */
  const forgetful = (answer: (body: Buffer) => Buffer | null): RequestListener => {
    let body: Buffer = Buffer.alloc(0);
    const type = { "content-type": "application/x-protobuf" };
    return (request, response) => {
      if (request.method === "GET") {
        const back = answer(body);
        const error = { schemaVersion: 1, error: { code: "NOT_FOUND", message: "no run", next: "" } };
        if (back !== null) response.writeHead(200, type).end(back);
        else response.writeHead(404).end(JSON.stringify(error));
        return;
      }
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        body = Buffer.concat(pieces);
        response.writeHead(200, type).end();
      });
    };
  };
  const probe = ["probe", "--timeout", "0.3", "--json"];
  const nothing = await against(
    forgetful(() => null),
    ...probe,
  );
  expect([nothing.code, nothing.stderr]).toEqual([6, expect.stringMatching(/\[REEN-NOTHING-ARRIVED\]\n$/) as string]);
  expect(JSON.parse(nothing.stdout)).toMatchObject({ notfound: 10, missing: 0, incorrect: 0, readMs: null });
  const wrong = await against(
    forgetful((body) => Buffer.from(body.toString("latin1").replaceAll("probe 3", "probe 0"), "latin1")),
    ...probe,
  );
  expect([wrong.code, JSON.parse(wrong.stdout)]).toMatchObject([1, { notfound: 0, missing: 0, incorrect: 1 }]);
});
