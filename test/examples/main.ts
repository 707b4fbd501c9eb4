/**
 * The command behind `npm run examples`: installs each example in an empty folder, our packages from the tarballs that npm
 * would publish, and does what its README says, against a scripted provider. Needs a build and the npm registry.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { type Script, startProvider } from "../../examples/scripted-provider/provider.ts";
import { editorHelp } from "./editor-help.ts";
import { type Ended, freshProject, packAll, type Project } from "./fresh-project.ts";

/** Where the example's model answers: the variables that the OpenAI SDK reads. */
type ProviderEnvironment = Record<"OPENAI_API_KEY" | "OPENAI_BASE_URL", string>;

interface Example {
  /** below `examples` */
  readonly folder: string;
  /** what its README says, with the provider running; `stop` takes the provider away */
  try(project: Project, env: ProviderEnvironment, stop: () => Promise<void>): Promise<void>;
}

function ended(result: Ended, status: number, said: RegExp): void {
  assert.equal(result.status, status, `exit code ${result.status}:\n${result.stdout}\n${result.stderr}`);
  assert.match(result.stdout + result.stderr, said);
}

/** Records the agent, takes the provider away, and replays. */
async function recordAndReplay(
  project: Project,
  env: ProviderEnvironment,
  stop: () => Promise<void>,
  program = "agent.mjs",
): Promise<void> {
  const recorded = await project.run("reenact", ["run", "--", "node", program], env);
  ended(recorded, 0, /A-1002 is cancelled/);
  assert.match(recorded.stderr, /\(2 llm, 1 tools?\).*complete/);
  await stop();
  const replayed = await project.run("reenact", ["replay", "@last", "--", "node", program]);
  ended(replayed, 0, /✓ identical/);
  assert.equal(replayed.stdout, recorded.stdout);
}

/** Starts the server of a project under a command of reenact, waits for its address, and sends it one request. */
async function served(
  project: Project,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Ended & { answer: string }> {
  const child = spawn(join(project.folder, "node_modules/.bin/reenact"), [...args, "--", "node", "server.mjs"], {
    cwd: project.folder,
    env: { ...process.env, PORT: "0", ...env },
  });
  const out = buffer(child.stdout);
  const err = buffer(child.stderr);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line")) as [string];
  const url = /http:\/\/\S+/.exec(line)?.[0];
  assert.ok(url, `no address in: ${line}`);
  const body = JSON.stringify({ customer: "c-17", question: "Is the lamp in stock?" });
  const response = await fetch(url, { method: "POST", body });
  const answer = await response.text();
  if (args[0] === "run") child.kill("SIGTERM");
  const [status] = (await once(child, "exit")) as [number | null];
  return { status: status ?? -1, stdout: String(await out), stderr: String(await err), answer };
}

const EXAMPLES: readonly Example[] = [
  { folder: "frameworks/ai-sdk", try: recordAndReplay },
  { folder: "frameworks/langgraph", try: recordAndReplay },
  {
    folder: "typescript",
    async try(project, env, stop) {
      // an outer `npm --silent` would hide which script runs
      ended(await project.run("npm", ["run", "check", "--loglevel=notice"]), 0, /> tsc/);
      await recordAndReplay(project, env, stop, "agent.ts");
      project.install("typescript@5.9");
      for (const word of ["tool", "agent", "identify", "flag"])
        assert.match(editorHelp(project.folder, "agent.ts", word), /[a-z]{3,}/, `no help for ${word}() in an editor`);
    },
  },
  {
    folder: "server",
    async try(project, env, stop) {
      const recorded = await served(project, ["run"], env);
      assert.match(recorded.answer, /^Yes: .*"left":3/);
      await stop();
      ended(
        await project.run("reenact", ["replay", "@last", "--", "node", "server.mjs"], { PORT: "0" }),
        0,
        /✓ identical/,
      );
      const asked = await served(project, ["replay", "@last", "--no-call"], {});
      ended(asked, 0, /✓ identical/);
      assert.equal(asked.answer, recorded.answer);
    },
  },
  {
    folder: "nodesdk",
    async try(project, env) {
      const bodies: Buffer[] = [];
      const receiver = createServer((request, response) => {
        void buffer(request).then((body) => {
          bodies.push(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body);
          response.end();
        });
      });
      await once(receiver.listen(0, "127.0.0.1"), "listening");
      const { port } = receiver.address() as AddressInfo;
      const ran = await project.run("node", ["agent.mjs"], {
        ...env,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
        REENACT_REDACTION_KEY: "11".repeat(32),
      });
      receiver.close();
      ended(ran, 0, /dana\.whitfield@example\.com/);
      const sent = Buffer.concat(bodies).toString("latin1");
      assert.match(sent, /openinference\.span\.kind/);
      assert.match(sent, /asks where her lamp is/);
      assert.match(sent, /EMAIL_/);
      assert.doesNotMatch(sent, /dana\.whitfield/);
    },
  },
  {
    folder: "test-in-ci",
    async try(project, env, stop) {
      ended(await project.run("reenact", ["run", "--", "node", "agent.mjs"], env), 0, /A-1002 is cancelled/);
      const add = ["test", "add", "@last", "--name", "cancel-order", "--", "node", "agent.mjs"];
      ended(await project.run("reenact", add), 0, /with the code of now:\n✓ cancel-order: identical/);
      rmSync(join(project.folder, ".reenact"), { recursive: true });
      await stop();
      ended(await project.run("npm", ["test"]), 0, /1 passed, 0 failed/);
      ended(await project.run("node", ["--test", "test/runs/cancel-order.test.mjs"]), 0, /pass 1/);
      appendFileSync(join(project.folder, "prompt.txt"), "Answer in one short sentence.\n");
      ended(await project.run("npm", ["test"]), 1, /system prompt at \/messages\/0\/content/);
      ended(await project.run("reenact", ["test", "accept", "cancel-order"]), 0, /leaves the record at step 1/);
      ended(await project.run("npm", ["test"]), 0, /as accepted/);
    },
  },
];

const only = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), "reenact-tarballs-"));
let failed = 0;
try {
  const tarballs = packAll(scratch);
  for (const example of EXAMPLES.filter(({ folder }) => only.length === 0 || only.includes(folder))) {
    const from = performance.now();
    const project = freshProject(example.folder, tarballs);
    const file = pathToFileURL(join(project.folder, "script.mjs")).href;
    const { script } = (await import(file)) as { script: Script };
    const provider = await startProvider({ script });
    try {
      const env = { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${provider.url}/v1` };
      await example.try(project, env, () => provider.stop());
      console.log(`✓ ${example.folder}  ${Math.round((performance.now() - from) / 1000)} s`);
    } catch (error) {
      failed++;
      console.error(`✗ ${example.folder}\n${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await provider.stop().catch(() => undefined);
      project.remove();
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (failed > 0) process.exitCode = 1;
