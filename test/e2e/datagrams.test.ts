import dgram from "node:dgram";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const command = [process.execPath, join(import.meta.dirname, "../programs/sends-datagrams.mjs")];
const bench = ownBench();

test("datagrams go out while a run is recorded, and nowhere in a replay, which is identical and says so", async () => {
  const statsd = dgram.createSocket("udp4");
  let heard = 0;
  try {
    statsd.on("message", () => void heard++);
    statsd.bind(0, "127.0.0.1");
    await once(statsd, "listening");
    const env = { PROVIDER_URL: bench.provider.url, STATSD_PORT: String(statsd.address().port) };
    const { summary, stdout } = await bench.store.run(command, { env });
    await expect.poll(() => heard).toBe(4);
    const { report, stdout: again } = await bench.store.replay(summary.run ?? "", command, { env });
    await sleep(200);
    expect(heard).toBe(4);
    expect(again).toBe(stdout);
    expect(report).toMatchObject({ verdict: "identical", refusals: [], socketsRefused: 0 });
    expect(report.notes).toContain(`datagrams were dropped: udp 127.0.0.1:${env.STATSD_PORT}`);
  } finally {
    statsd.close();
  }
});
