import dgram from "node:dgram";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { bin, launch, Store } from "./reenact.ts";

const program = join(import.meta.dirname, "../programs/reaches-outside.cjs");
const folder = mkdtempSync(join(tmpdir(), "outside-"));
const ledger = join(folder, "ledger");
const store = new Store();
const names = dgram.createSocket("udp4");
let packets = 0;
let provider: ChildProvider;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  names.on("message", (query, { port, address }) => {
    packets++;
    const noSuchName = Buffer.from(query);
    noSuchName.writeUInt16BE(0x8183, 2);
    names.send(noSuchName, port, address);
  });
  names.bind(0, "127.0.0.1");
  await once(names, "listening");
  env = { PROVIDER_URL: provider.url, LEDGER: ledger, NAMES: `127.0.0.1:${names.address().port}` };
});

afterAll(async () => {
  names.close();
  await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

test("what a run did outside is not done again by a replay, and the report names each", async () => {
  writeFileSync(ledger, "");
  const recorded = await store.run([process.execPath, program], { env });
  expect(recorded.stdout.match(/done$/gm)).toHaveLength(6);
  expect(readFileSync(ledger, "utf8")).toBe("once\n".repeat(5));
  expect(packets).toBeGreaterThanOrEqual(2);
  packets = 0;

  const { code, stdout, report } = await store.replay(recorded.summary.run ?? "", [process.execPath, program], { env });
  expect(stdout.match(/^\w+ done$/gm)).toHaveLength(5);
  expect(stdout.match(/^\w+ REEN-REFUSED$/gm)).toHaveLength(3);
  expect(readFileSync(ledger, "utf8")).toBe("once\n".repeat(5));
  expect(packets).toBe(0);
  expect([code, report.verdict]).toEqual([10, "diverged"]);
  expect(report.refusals.flatMap(({ kind, count }) => Array.from({ length: count }, () => kind)).toSorted()).toEqual([
    "dns",
    "dns",
    "socket",
  ]);
  for (const { place } of report.refusals) expect(place).toMatch(/reaches-outside\.cjs:\d+:\d+$/);
});

test("a plain connection that was refused is the first cause, also where the order is lost for it", async () => {
  const server = net.createServer((socket) => void socket.end("pong")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const api = JSON.stringify(new URL("../../packages/node/dist/index.js", import.meta.url).href);
  const program = join(folder, "plain.mjs");
  writeFileSync(
    program,
    `import { tool } from ${api}; import net from "node:net"; tool("one", () => 1)();
    const socket = net.connect(${port}, "127.0.0.1").on("error", () => console.log("refused"));
    socket.setEncoding("utf8").on("data", (text) => console.log(text));`,
  );
  const recorded = await store.run([process.execPath, program]);
  expect(recorded.stdout).toBe("pong\n");
  const { report } = await store.replay(recorded.summary.run ?? "", [process.execPath, program]);
  server.close();
  expect(report).toMatchObject({ sockets: 0, socketsRefused: 1 });
  expect(report.divergence).toMatchObject({
    verdict: "leak",
    cause: expect.stringContaining(
      `refused: socket 127.0.0.1:${port} (gRPC and plain sockets are not replayed)`,
    ) as string,
  });
});

test("a refusal that nobody catches prints where the program asked, not our code", async () => {
  const command = [process.execPath, program, "uncaught"];
  const recorded = await store.run(command, { env });
  expect(recorded).toMatchObject({ code: 0, stderr: "" });
  const { stderr } = await store.replay(recorded.summary.run ?? "", command, { env });
  expect(stderr).toContain("RefusedEffect: udp ");
  expect(stderr).toContain("reaches-outside.cjs:");
  expect(Math.max(...stderr.split("\n").map((line) => line.length))).toBeLessThan(500);
});

test("a program that starts another one is told with its own run, and each run with what starts it", async () => {
  const program = join(import.meta.dirname, "../programs/starts-another.mjs");
  const told = async (...args: string[]): Promise<{ stderr: string; name: string | undefined }> => {
    const env = { PROVIDER_URL: provider.url };
    const place = join(folder, `two-${args.length}`);
    const { stderr } = await launch([process.execPath, bin, "run", "--store", place, "--", "node", program, ...args], {
      env,
    });
    const { stdout } = await launch([process.execPath, bin, "ls", "--json", "--store", place]);
    const { runs } = JSON.parse(stdout) as { runs: { run: string; name: string }[] };
    expect(runs.map(({ name }) => name)).toEqual(["asks-by-variable.mjs", "starts-another.mjs"]);
    return { stderr, name: runs.find(({ run }) => stderr.startsWith(`run ${run.slice(0, 6)}`, 2))?.name };
  };
  const well = await told();
  expect(well.name).toBe("starts-another.mjs");
  expect(well.stderr).toMatch(/replay: reenact replay .* -- .*node'? .*starts-another\.mjs'?\n/);
  expect(well.stderr).toMatch(/replay it by itself: reenact replay .* -- node \S*asks-by-variable\.mjs\n/);
  const badly = await told("fails");
  expect(badly.name).toBe("asks-by-variable.mjs");
  expect(badly.stderr).toMatch(/replay: reenact replay .* -- node \S*asks-by-variable\.mjs\n/);
});
