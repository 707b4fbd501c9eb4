// web-server.mjs: processor time of a request, and memory, of a web server that calls no model, with and without the recorder, asked in turn.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { median } from "./statistics.mjs";

const REQUESTS = 3000;
const ROUNDS = 7;
const AT_ONCE = 8;
const KINDS = { hello: undefined, ordinary: "x".repeat(500) };

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const store = mkdtempSync(join(tmpdir(), "reenact-web-"));
const register = import.meta.resolve("@reenact/node/register");
process.stdout.write("| handler | plain, µs · MB | recorded, µs · MB |\n|---|---:|---:|\n");
try {
  for (const [kind, body] of Object.entries(KINDS)) {
    const servers = [await start(kind, []), await start(kind, ["--import", register])];
    for (let round = -1; round < ROUNDS; round++)
      for (const server of servers) {
        const took = await load(server.port, body);
        // the first round only warms
        if (round >= 0) server.took.push(took);
      }
    const cells = [];
    for (const { took, port, child } of servers) {
      const { rss } = await usage(port);
      cells.push(`${median(took).toFixed(1)} · ${Math.round(rss / 1e6)}`);
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
    }
    process.stdout.write(`| ${kind} | ${cells.join(" | ")} |\n`);
  }
} finally {
  agent.destroy();
  rmSync(store, { recursive: true, force: true });
}

async function start(kind, execArgv) {
  const env = { ...process.env, REENACT_STORE: store };
  const child = fork(fileURLToPath(new URL("web-server-handlers.mjs", import.meta.url)), [kind], { execArgv, env });
  const port = await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { child, port, took: [] };
}

/** Microseconds of the server's process per request. */
async function load(port, body) {
  const before = await usage(port);
  let left = REQUESTS;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await ask(port, "/", body);
    }),
  );
  return ((await usage(port)).cpu - before.cpu) / REQUESTS;
}

async function usage(port) {
  return JSON.parse(await ask(port, "/usage"));
}

function ask(port, path, body) {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, agent, method: body === undefined ? "GET" : "POST" });
    asked.once("error", reject);
    asked.once("response", (response) => resolve(text(response)));
    asked.end(body);
  });
}
