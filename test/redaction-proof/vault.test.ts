import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReplayReport } from "@reenact/replay";
import { startReceiver } from "../e2e/otlp-receiver.ts";
import { launch, Store } from "../e2e/reenact.ts";
import { agents, isVerbatim, PERSON } from "./value-agents.mjs";

const PROGRAM = fileURLToPath(new URL("value-agents.mjs", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TIMEOUT = 60_000;
/** What nobody may find outside a vault, and nowhere in clear. */
const RAW = Object.entries(PERSON).flatMap(([name, value]) =>
  name === "note" ? [] : [value, value.replaceAll(/[ -]/g, "")],
);
const SECRET = PERSON.secret;

interface Line {
  name: string;
  verdict: string;
  report: ReplayReport;
}

let server: Server;
let store: Store;
let env: Record<string, string>;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    if (request.url === "/person") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(PERSON, null, 2));
      return;
    }
    response.setHeader("content-type", "text/event-stream");
    for (const content of JSON.stringify({ ...PERSON, secret: undefined }).match(/.{1,7}/g) ?? [])
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  store = new Store();
  env = {
    API: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    DATABASE: join(store.folder, "person.db"),
    REENACT_STORE: store.folder,
  };
  const recorded = await store.run([process.execPath, PROGRAM, "record"], { env, cwd: ROOT });
  expect([recorded.code, recorded.stderr]).toEqual([0, ""]);
}, TIMEOUT);

afterAll(() => {
  server.close();
  store.remove();
});

async function replayed(vault: "with" | "without"): Promise<{ lines: Line[]; stderr: string; stdout: string }> {
  const ended = await launch([process.execPath, PROGRAM, "replay", store.folder, vault], { env, cwd: ROOT });
  expect(ended.code).toBe(0);
  return {
    ...ended,
    lines: ended.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line),
  };
}

/** Every byte below a folder, but for a file of the program's own. */
function everything(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("person.db"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

describe("agents that use a value of an answer", { timeout: TIMEOUT }, () => {
  test("all replay exactly with the vault, and nothing of theirs is printed or written raw", async () => {
    const { lines, stderr, stdout } = await replayed("with");
    expect(lines.map(({ name }) => name).toSorted()).toEqual(Object.keys(agents).toSorted());
    expect(lines.length).toBeGreaterThanOrEqual(140);
    for (const source of ["tool", "api", "stream", "database", "database of a tool"])
      expect(lines.filter(({ name }) => name.startsWith(`${source}: `)).length).toBeGreaterThanOrEqual(30);
    const others = lines.filter(({ verdict }) => verdict !== "identical");
    expect(others.map(({ name, report }) => [name, report.divergence])).toEqual([]);
    for (const raw of RAW) expect([stdout, stderr, everything(store.folder)].join("\n")).not.toContain(raw);
  });

  test("without it those that hand a value on do, and each of the others says what was redacted, and where", async () => {
    const { lines } = await replayed("without");
    const verbatim = lines.filter(({ name }) => isVerbatim(name));
    expect(verbatim.filter(({ verdict }) => verdict !== "identical").map(({ name }) => name)).toEqual([]);
    const diverged = lines.filter(({ verdict }) => verdict !== "identical");
    expect(diverged.length).toBeGreaterThan(30);
    const silent = diverged.filter(
      ({ report }) =>
        !/step 1's answer was redacted at \/\S+ by rule \S+.*; open the vault to replay exactly/.test(
          report.divergence?.cause ?? "",
        ),
    );
    expect(silent.map(({ name, report }) => [name, report.divergence?.cause])).toEqual([]);
  });

  test("unseal prints originals and no secret, and leaves an audit line", async () => {
    const names = readdirSync(join(store.folder, "vault")).filter((name) => name.endsWith(".vault"));
    const printed: string[] = [];
    let [run, values]: [string, Record<string, string>] = ["", {}];
    for (const name of names) {
      if (printed.some((text) => text.includes(PERSON.email)) && printed.some((text) => text.includes(PERSON.card)))
        break;
      run = name.slice(0, 32);
      const { stdout, code } = await store.command("unseal", run, "--json");
      expect(code).toBe(0);
      ({ values } = JSON.parse(stdout) as { values: Record<string, string> });
      printed.push(stdout);
    }
    expect(printed.join()).toContain(PERSON.email);
    expect(printed.join()).toContain(PERSON.card);
    expect(printed.join()).not.toContain(SECRET);
    const audit = readFileSync(join(store.folder, "vault", "audit.log"), "utf8")
      .trim()
      .split("\n");
    expect(JSON.parse(audit.at(-1) ?? "")).toMatchObject({ action: "unseal", run, count: Object.keys(values).length });
  });

  test("what goes to a collector holds no original and no vault, though this machine keeps one", async () => {
    const receiver = await startReceiver();
    const own = new Store();
    try {
      const command = [process.execPath, "--import", "@reenact/node/register", PROGRAM, "record"];
      const sent = { ...env, DATABASE: join(own.folder, "person.db"), REENACT_STORE: own.folder };
      const ended = await launch(command, { env: { ...sent, REENACT_ENDPOINT: receiver.url }, cwd: ROOT });
      expect([ended.code, ended.stderr]).toEqual([0, ""]);
      expect(receiver.taken().length).toBeGreaterThan(100);
      const wire = receiver.requests.map(({ body }) => body.toString("latin1")).join("\n");
      expect(readdirSync(join(own.folder, "vault")).length).toBeGreaterThan(60);
      for (const raw of RAW) {
        expect(wire).not.toContain(raw);
        expect(everything(own.folder)).not.toContain(raw);
      }
      for (const file of readdirSync(join(own.folder, "vault")))
        expect(wire).not.toContain(readFileSync(join(own.folder, "vault", file), "latin1").slice(-40));
    } finally {
      await receiver.stop();
      own.remove();
    }
  });

  test("what is exported holds no original and no vault", async () => {
    const run =
      readdirSync(join(store.folder, "vault"))
        .find((name) => name.endsWith(".vault"))
        ?.slice(0, 32) ?? "";
    const { stdout } = await store.command("export", run, "--json", "-o", "-");
    expect(stdout.length).toBeGreaterThan(1000);
    for (const raw of [...RAW, "RNCTVLT"]) expect(stdout).not.toContain(raw);
  });
});
