import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cassettesIn, type Exchange } from "./cassettes.ts";
import type { Group } from "./group.ts";

const program = (name: string): string => fileURLToPath(new URL(`programs/${name}`, import.meta.url));

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: unknown;
}

/** Customer-service runs of a file of tau-bench: its agent's loop on the `openai` SDK, answered by what the model said then. */
export const tauBench = (folder: string): Group => ({
  name: "recorded runs of tau-bench",
  async open() {
    const runs = readJson<{ task_id: number; trial: number; traj: Message[] }[]>(join(folder, "gpt-4o-airline.json"));
    const tools = readJson<unknown>(join(folder, "airline-tools.json"));
    const work = mkdtempSync(join(tmpdir(), "reenact-fidelity-"));
    const server = await listening((request, response) => {
      const at = Number(/^\/(\d+)\//.exec(request.url ?? "")?.[1]);
      void bodyOf(request).then((body) => {
        const { messages } = JSON.parse(body.toString()) as { messages: unknown[] };
        const message = runs[at]?.traj[messages.length];
        response.setHeader("content-type", "application/json");
        response.end(
          JSON.stringify({ id: "c", object: "chat.completion", model: "gpt-4o", choices: [{ index: 0, message }] }),
        );
      });
    });
    return {
      programs: runs.map(({ task_id: task, trial, traj }, at) => {
        const file = join(work, `${at}.json`);
        writeFileSync(file, JSON.stringify({ traj, tools }));
        return {
          name: `task ${task}, trial ${trial}`,
          command: [process.execPath, program("tau-bench.mjs"), file],
          env: { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${server.url}/${at}/v1` },
        };
      }),
      stop: server.stop,
      close: () => rmSync(work, { recursive: true, force: true }),
    };
  },
});

/** Exchanges with real providers that other projects have recorded, sent again by `fetch` and by `node:http` in turn. */
export const exchanges = (folder: string): Group => ({
  name: `recorded exchanges of ${basename(folder)}`,
  async open() {
    const cassettes = cassettesIn(folder);
    const work = mkdtempSync(join(tmpdir(), "reenact-fidelity-"));
    const server = await listening((request, response) => {
      const [, cassette, at] = /^\/(\d+)\/(\d+)\//.exec(request.url ?? "") ?? [];
      const exchange = cassettes[Number(cassette)]?.exchanges[Number(at)];
      request.resume().on("end", () => answer(exchange, response));
    });
    return {
      programs: cassettes.map(({ name, exchanges: all }, at) => {
        const file = join(work, `${at}.json`);
        writeFileSync(
          file,
          JSON.stringify(all.map(({ method, path, headers, body }) => ({ method, path, headers, body }))),
        );
        return {
          name,
          command: [process.execPath, program("exchanges.mjs"), file],
          env: { PROVIDER_URL: `${server.url}/${at}` },
        };
      }),
      stop: server.stop,
      close: () => rmSync(work, { recursive: true, force: true }),
    };
  },
});

function answer(exchange: Exchange | undefined, response: ServerResponse): void {
  if (exchange === undefined) return void response.writeHead(500).end();
  const { status, type, parts } = exchange.response;
  response.writeHead(status, type === "" ? {} : { "content-type": type });
  const [first, ...rest] = parts;
  if (first !== undefined) response.write(Buffer.from(first, "base64"));
  const next = (): void => {
    const part = rest.shift();
    if (part === undefined) return void response.end();
    response.write(Buffer.from(part, "base64"), () => setImmediate(next));
  };
  next();
}

async function listening(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}
