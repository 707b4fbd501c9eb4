import { once } from "node:events";
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
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
    // as long as a person takes
    const { report } = await recordedUntil(signal, () => sleep(2000));
    expect(report).toMatchObject({ verdict: "identical", recorded: 1 });
  },
);

test("request and response are written when the response has gone out", async () => {
  const { report, replay } = await recordedUntil("SIGKILL", async () => {
    const spool = join(bench.store.folder, "spool");
    const holdsRoot = (): boolean =>
      readdirSync(spool).some((file) => file.endsWith(".spool") && readFileSync(join(spool, file)).includes("AGENT"));
    await vi.waitFor(() => expect(holdsRoot()).toBe(true), { timeout: 10_000, interval: 2 });
  });
  expect(report).toMatchObject({ verdict: "identical", recorded: 1 });
  expect(report.notes.join("\n")).toContain("killed right behind its answer");
  expect((await replay("loud")).report.divergence).toMatchObject({ verdict: "output-changed", pointer: "/body" });
});

/** Records one request to a server, which is killed once `wait` resolves, and replays it. */
async function recordedUntil(signal: NodeJS.Signals, wait: () => Promise<unknown>) {
  const { store, provider } = bench;
  const address = join(bench.folder, `address-${crypto.randomUUID()}`);
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
    await wait();
  } finally {
    server.kill(signal);
  }
  await ended;
  const replay = (...more: string[]) =>
    store.replay("@last", [process.execPath, program, address, ...more], {
      env: { PROVIDER_URL: "http://127.0.0.1:1" },
    });
  return { ...(await replay()), replay };
}
