import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, Store } from "../e2e/reenact.ts";
import { getPaths, recordServer } from "../e2e/record-server.ts";
import { scale } from "../scale.ts";
import { type Database, type DatabaseServer } from "./databases.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const preload = pathToFileURL(join(import.meta.dirname, "../e2e/break-hooks.mjs")).href;
const sources = join(import.meta.dirname, "../../packages/hooks/src");

/** Chance, times and process numbers that a server gives. */
const masked = (text: string): string[] =>
  text
    .replaceAll(/\d+\.\d+(?:e-?\d+)?|[\da-f]{8}-[\da-f-]{27}|\b[\da-f]{32}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{3,}\b/g, "N")
    .split("\n");

const FAULTS = ["call", "row", "write", "read"];
/** Every fault in every program, and every run of a server: by hand. */
const isWhole = scale(false, false, true);

/** The tests of one database: its programs with and without the recorder, and their replays with the server stopped. */
export function databaseTests({ name, system, missing, start, programs, edits, redacted }: Database): void {
  const store = new Store();
  let suffix = 0;
  /** of each program: a fresh name for what it makes */
  const environment = (server: DatabaseServer): Record<string, string> => ({
    ...server.env,
    SUFFIX: `s${suffix++}`,
    SCRATCH: store.folder,
  });
  const servers: DatabaseServer[] = [];
  const begin = async (): Promise<DatabaseServer> => {
    const server = await start();
    servers.push(server);
    return server;
  };
  // also those of a test that failed
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    store.remove();
  });
  const whenThere = missing() === null || required ? test : test.skip;

  describe.each(programs.map((program) => join(sources, name, "fixtures", program)))("%s", (program) => {
    const command = [process.execPath, program];
    let server: DatabaseServer;
    let env: Record<string, string>;
    let run: string;
    let recorded: Awaited<ReturnType<Store["run"]>>;
    let plain: Awaited<ReturnType<typeof launch>>;

    beforeAll(async () => {
      if (missing() !== null && !required) return;
      server = await begin();
      plain = await launch(command, { env: environment(server) });
      env = environment(server);
      recorded = await store.run(command, { env });
      run = recorded.summary.run as string;
      await server.stop();
    });

    whenThere("prints what it prints without the recorder, and is recorded whole", () => {
      expect(plain.code, plain.stderr).toBe(0);
      expect(recorded, recorded.stderr).toMatchObject({ code: 0, summary: { complete: true } });
      const [with_, without] = [recorded.stdout, plain.stdout].map((text) =>
        masked(text.replaceAll(/([_:])s\d+/g, "$1s")),
      );
      expect(with_).toEqual(without);
    });

    whenThere("replays identical with its server stopped", async () => {
      const { report, stdout, stderr } = await store.replay(run, command, { env });
      expect(report, stderr).toMatchObject({ verdict: "identical", socketsRefused: 0, findings: [] });
      expect(stdout).toBe(recorded.stdout);
    });

    whenThere("has steps with statement, parameters and rows, and no socket beside them", () => {
      const { steps, facts } = readEnvelope(readFileSync(store.path(run)));
      expect(new Set(steps.map(({ record }) => record.op))).toContain(`db:${system}`);
      expect(facts?.steps).toBe(steps.length);
      expect(facts?.leaks ?? []).toEqual([]);
    });
  });

  whenThere("a changed program is told apart", async () => {
    const server = await begin();
    const command = [process.execPath, join(sources, name, "fixtures", programs[0])];
    const env = environment(server);
    const { summary } = await store.run(command, { env });
    await server.stop();
    for (const [edit, verdict, cause] of edits) {
      const { report } = await store.replay(summary.run as string, command, {
        env: { ...env, EDIT: edit },
        flags: ["--env", "EDIT"],
      });
      expect(report.divergence, edit).toMatchObject({ verdict });
      expect(report.divergence?.cause).toMatch(cause);
    }
  });

  whenThere("a fault in its code leaves what the agent prints as it is without the recorder", async () => {
    const server = await begin();
    for (const [n, program] of programs.entries()) {
      const command = ["--import", preload, join(sources, name, "fixtures", program)];
      const plain = await launch([process.execPath, ...command.slice(2)], { env: environment(server) });
      for (const BREAK of FAULTS.filter((_, at) => programs.length === 1 || at % 2 === n % 2 || isWhole)) {
        const recorded = await store.run([process.execPath, ...command], { env: { ...environment(server), BREAK } });
        expect(recorded.code, `${BREAK} ${recorded.stderr}`).toBe(0);
        const [with_, without] = [recorded.stdout, plain.stdout].map((text) =>
          masked(text.replaceAll(/([_:])s\d+/g, "$1s")),
        );
        expect(with_, BREAK).toEqual(without);
      }
    }
    await server.stop();
  });

  whenThere("connections of a server's start are told in each run, and replay with the database stopped", async () => {
    const server = await begin();
    const address = join(store.folder, `address-${suffix}`);
    const env = environment(server);
    const atAddress = (file: string): string[] => [process.execPath, join(sources, name, "fixtures/server.mjs"), file];
    const command = atAddress(address);
    const { runs } = await recordServer(
      store,
      command,
      { env },
      // more than the pool has connections: a run waits for what others release
      getPaths(
        ["ada", "bob"],
        [1, 2, 3, 4, 5, 6].map((n) => `at-once-${n}`),
      ),
    );
    await server.stop();
    expect(runs).toHaveLength(8);
    // each replay begins with the earlier runs of its process, and looks for some seconds whether the server does more
    const replays = (isWhole ? runs : [...runs.slice(0, 2), ...runs.slice(-2)]).map(async (run, n) => {
      const { report, stderr } = await store.replay(run, atAddress(`${address}-${n}`), { env });
      expect(report.divergence, stderr).toBeNull();
      expect(report, stderr).toMatchObject({ verdict: "identical", socketsRefused: 0 });
    });
    const changed = store.replay(runs[1] ?? "", [...atAddress(`${address}-loud`), "loud"], { env });
    await Promise.all(replays);
    expect((await changed).report.divergence).toMatchObject({ verdict: "changed" });
  });

  whenThere("a request stands in the tool that made it, also where it had to wait for a connection", async () => {
    const server = await begin();
    const command = [process.execPath, join(sources, name, "fixtures/tools.mjs")];
    const env = environment(server);
    const { summary, stdout } = await store.run(command, { env });
    await server.stop();
    const { steps } = readEnvelope(readFileSync(store.path(summary.run as string)));
    for (const tool of ["one", "two"]) {
      const number = steps.find(({ record }) => record.op === `tool:${tool}`)?.record.step;
      expect(number).toBeDefined();
      const own = steps.filter(({ record }) => record.call?.args?.includes(`${tool} of the `) === true);
      expect(own.map(({ record }) => record.under)).toEqual([number, number]);
    }
    const replayed = await store.replay(summary.run as string, command, { env });
    expect(replayed.report, replayed.stderr).toMatchObject({ verdict: "identical", socketsRefused: 0 });
    expect(replayed.stdout).toBe(stdout);
  });

  whenThere("a run that was killed with its connections open replays up to there with the server stopped", async () => {
    const server = await begin();
    const command = [process.execPath, join(sources, name, "fixtures/killed.mjs")];
    const env = environment(server);
    const { summary, stdout } = await store.run(command, { env });
    await server.stop();
    expect(summary).toMatchObject({ status: "aborted" });
    expect(stdout.split("\n").length).toBeGreaterThan(2);
    const file = JSON.stringify(
      readEnvelope(readFileSync(store.path(summary.run as string))).spans,
      (_, value: unknown) => (typeof value === "bigint" ? String(value) : value),
    );
    expect(file).not.toContain("grace.hopper@example.com");
    const replayed = await store.replay(summary.run as string, command, { env });
    expect(replayed.report.divergence, replayed.stderr).toBeNull();
    expect(replayed.report).toMatchObject({ socketsRefused: 0 });
    // the vault has no originals of a step that did not end
    const shown = (text: string): string => text.replaceAll(/EMAIL_\w+/g, "grace.hopper@example.com");
    expect(shown(replayed.stdout)).toBe(stdout);
  });

  whenThere("values that it reads and writes are redacted", async () => {
    const server = await begin();
    const command = [process.execPath, join(sources, name, "fixtures", redacted.program)];
    const env = environment(server);
    const { summary, stdout } = await store.run(command, { env });
    await server.stop();
    const file = JSON.stringify(
      readEnvelope(readFileSync(store.path(summary.run as string))).spans,
      (_, value: unknown) => (typeof value === "bigint" ? String(value) : value),
    );
    for (const value of redacted.values) {
      expect(stdout).toContain(value);
      expect(file).not.toContain(value);
    }
    const replayed = await store.replay(summary.run as string, command, { env });
    expect(replayed.report.verdict).toBe("identical");
  });
}
