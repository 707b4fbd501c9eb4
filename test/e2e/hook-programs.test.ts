import { existsSync, mkdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { HOOKS } from "@reenact/hooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen } from "../../examples/scripted-provider/listen.ts";
import { Store } from "./reenact.ts";

const sources = join(import.meta.dirname, "../../packages/hooks/src");
// those of databases and queues need their servers: test/services
const programs = HOOKS.filter(({ wire, jobs }) => !wire && !jobs).map(({ name }) => ({
  name,
  program: join(sources, name, "fixtures/program.mjs"),
}));

/** What the programs may ask; each answer is another one. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/text": (response) => void response.end(`text ${process.hrtime.bigint()}`),
  "/error": (response) => void response.writeHead(500).end(`error ${process.hrtime.bigint()}`),
  "/hang": () => {},
  "/stream": (response) => {
    response.write("one ");
    setTimeout(() => response.end(`two ${process.hrtime.bigint()}`), 20);
  },
};

let store: Store;
beforeAll(() => {
  store = new Store();
});
afterAll(() => store.remove());

/** Those whose model says what a script of theirs holds are tried by tests of their own. */
const alone = programs.filter(({ program }) => existsSync(program) && !existsSync(join(program, "../script.mjs")));

test.each(alone)(
  "$name: its program is recorded, and replays the same without running a recorded tool",
  async ({ name, program }) => {
    const server = await listen((request, response) => ANSWERS[request.url ?? ""]?.(response));
    const scratch = join(store.folder, name.replaceAll("/", "-"));
    mkdirSync(scratch);
    const env = { SERVER_URL: `http://127.0.0.1:${server.port}`, SCRATCH: scratch };
    const command = [process.execPath, program];
    const recorded = await store.run(command, { env });
    await server.stop();
    expect(recorded).toMatchObject({ code: 0, summary: { complete: true } });
    const bodies = recorded.stderr.split("\n").filter((line) => line === "ran").length;
    // a body that runs is one step, however often its tool is wrapped
    if (bodies > 0) expect(recorded.summary.steps).toBe(bodies);
    expect(recorded.summary.steps).toBeGreaterThan(0);
    expect(recorded.stdout).not.toBe("");
    const replayed = await store.replay(recorded.summary.run as string, command, { env });
    expect(replayed.report.verdict, replayed.stderr).toBe("identical");
    expect(replayed.stdout).toBe(recorded.stdout);
    expect(replayed.stderr).not.toMatch(/^ran$/m);
  },
);
