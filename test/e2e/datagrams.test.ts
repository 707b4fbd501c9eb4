import dgram from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";

const command = [process.execPath, join(import.meta.dirname, "../programs/sends-datagrams.mjs")];

test("datagrams go out while a run is recorded, and nowhere in a replay, which is identical and says so", async () => {
  const logs = mkdtempSync(join(tmpdir(), "datagrams-"));
  const store = new Store();
  const provider = await startChildProvider({ log: join(logs, "provider.jsonl") });
  const statsd = dgram.createSocket("udp4");
  let heard = 0;
  try {
    statsd.on("message", () => void heard++);
    statsd.bind(0, "127.0.0.1");
    await once(statsd, "listening");
    const env = { PROVIDER_URL: provider.url, STATSD_PORT: String(statsd.address().port) };
    const { summary, stdout } = await store.run(command, { env });
    await expect.poll(() => heard).toBe(4);
    const { report, stdout: again } = await store.replay(summary.run ?? "", command, { env });
    await sleep(200);
    expect(heard).toBe(4);
    expect(again).toBe(stdout);
    expect(report).toMatchObject({ verdict: "identical", refusals: [], sockets: 0 });
    expect(report.notes).toContain(`datagrams went nowhere: udp 127.0.0.1:${env.STATSD_PORT}`);
  } finally {
    statsd.close();
    await provider.stop();
    store.remove();
    rmSync(logs, { recursive: true, force: true });
  }
});
