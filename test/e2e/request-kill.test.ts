import { once } from "node:events";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const program = fileURLToPath(new URL("../programs/request-server.mjs", import.meta.url));

test.each(["SIGINT", "SIGKILL"] as const)(
  "a server that %s ends has left its answered requests whole",
  async (signal) => {
    const { store, provider } = bench;
    const address = join(bench.folder, `address-${signal}`);
    const register = import.meta.resolve("@reenact/node/register");
    const server = spawn(process.execPath, ["--import", register, program, address], {
      env: { ...process.env, NODE_OPTIONS: undefined, REENACT_STORE: store.folder, PROVIDER_URL: provider.url },
      stdio: "ignore",
    });
    const ended = once(server, "exit");
    try {
      await vi.waitFor(() => expect(existsSync(address)).toBe(true), { timeout: 20_000 });
      const body = JSON.stringify({ message: `before ${signal}` });
      const response = await fetch(readFileSync(address, "utf8"), { method: "POST", body });
      expect(await response.text()).toContain(signal);
      // as long as a person takes
      await sleep(2000);
    } finally {
      server.kill(signal);
    }
    await ended;
    const command = [process.execPath, program, address];
    const { report } = await store.replay("@last", command, { env: { PROVIDER_URL: "http://127.0.0.1:1" } });
    expect(report).toMatchObject({ verdict: "identical", recorded: 1 });
  },
);
