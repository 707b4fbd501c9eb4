import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { scale } from "../scale.ts";

const program = fileURLToPath(new URL("web-server.mjs", import.meta.url));
const preload = fileURLToPath(new URL("../../packages/node/dist/register.js", import.meta.url));
const requests = scale(1000, 20_000, 100_000);
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

function ask(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent, host: "127.0.0.1" }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve(text));
    }).on("error", reject);
  });
}

async function load(port: number, count: number): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await ask(port, "/");
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

describe("a plain web server under the recorder", () => {
  it(
    `makes no run of ${requests} requests, writes nothing, and its memory stays flat`,
    { timeout: 600_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "web-server-"));
      const env = { ...process.env, NODE_OPTIONS: "", VITEST: undefined, REENACT_STORE: join(folder, ".reenact") };
      const child = spawn(process.execPath, ["--expose-gc", "--import", preload, program], {
        cwd: folder,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const errors: string[] = [];
      child.stderr.on("data", (text: Buffer) => errors.push(text.toString()));
      const [first] = (await once(child.stdout, "data")) as [Buffer];
      const port = Number(first.toString());
      await load(port, 500);
      const before = Number(await ask(port, "/memory"));
      await load(port, requests);
      const after = Number(await ask(port, "/memory"));
      child.kill("SIGTERM");
      const [code] = (await once(child, "exit")) as [number];
      process.stderr.write(
        `web server: heap ${(before / 1e6).toFixed(1)} MB before, ${(after / 1e6).toFixed(1)} MB after ${requests} requests\n`,
      );
      expect(code).toBe(0);
      expect(errors.join("")).toBe("");
      expect(existsSync(join(folder, ".reenact"))).toBe(false);
      expect(readdirSync(folder)).toEqual([]);
      expect(after - before).toBeLessThan(2e6);
      rmSync(folder, { recursive: true, force: true });
    },
  );
});
