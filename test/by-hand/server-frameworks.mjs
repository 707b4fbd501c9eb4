// Records and replays servers that CI is too small for: `node test/by-hand/server-frameworks.mjs [nest] [next]` after a build.
// Installs each into a folder of its own, asks it with a scripted provider, stops that, and replays all runs by the one command.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startChildProvider } from "../provider/child-provider.ts";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bin = here("../../packages/cli/bin/reenact.js");
const FRAMEWORKS = {
  nest: {
    packages: ["@nestjs/core", "@nestjs/common", "@nestjs/platform-express", "reflect-metadata", "rxjs", "openai"],
    build: [],
    start: () => [process.execPath, "main.mjs"],
    ask: [postJson],
  },
  next: {
    packages: ["next", "react", "react-dom", "openai"],
    build: ["node_modules/next/dist/bin/next", "build"],
    start: (port) => [process.execPath, "node_modules/next/dist/bin/next", "start", "-p", port, "-H", "127.0.0.1"],
    ask: [postJson, postAction],
  },
};

async function postJson(url) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/api/chat`, { method: "POST", headers, body: JSON.stringify({ message: "hi" }) });
  if (!(await response.text()).includes("You said: hi")) throw new Error(`no answer: ${response.status}`);
}

/** Sends the form of a server action, as a browser without scripts does. */
async function postAction(url) {
  const [, name] = /name="(\$ACTION_ID_[^"]*)"/.exec(await (await fetch(url)).text()) ?? [];
  const form = new FormData();
  form.set(name, "");
  form.set("message", "hi");
  const { status } = await fetch(url, { method: "POST", body: form });
  if (status !== 200) throw new Error(`the action answered ${status}`);
}

function run(command, options) {
  const [file, ...args] = command;
  const { status } = spawnSync(file, args, { stdio: "inherit", ...options });
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}`);
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return String(port);
}

async function tryOut(name) {
  const { packages, build, start, ask } = FRAMEWORKS[name];
  const folder = mkdtempSync(join(tmpdir(), `by-hand-${name}-`));
  cpSync(here(`${name}-app`), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", REENACT_STORE: join(folder, "store") };
  run(["npm", "install", "--no-audit", "--no-fund", ...packages], { cwd: folder, env });
  if (build.length > 0) run([process.execPath, ...build], { cwd: folder, env });
  const provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  const port = await freePort();
  const command = start(port);
  const asked = { ...env, PORT: port, PROVIDER_URL: provider.url };
  const server = spawn(process.execPath, [bin, "run", "--", ...command], { cwd: folder, env: asked, stdio: "inherit" });
  const ended = once(server, "exit");
  const url = `http://127.0.0.1:${port}`;
  for (let n = 0; n < 200 && !(await fetch(url).catch(() => null)); n++) await sleep(100);
  for (const each of ask) await each(url);
  await sleep(1000);
  server.kill("SIGINT");
  await ended;
  await provider.stop();
  const away = { ...env, PORT: port, PROVIDER_URL: "http://127.0.0.1:1" };
  for (const n of ask.keys())
    run([process.execPath, bin, "replay", n === 0 ? "@last" : `@-${n + 1}`, "--", ...command], {
      cwd: folder,
      env: away,
    });
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`${name}: ${ask.length} of ${ask.length} identical\n`);
}

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(FRAMEWORKS)) await tryOut(name);
