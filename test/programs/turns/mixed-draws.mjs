// Draws of every kind, interleaved, within and across deliveries.
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { call, print, said } from "./model.mjs";

function everything() {
  const values = [Math.random(), Date.now(), Math.random(), performance.now(), randomUUID(), new Date().toISOString()];
  return [
    ...values,
    randomBytes(3).toString("hex"),
    randomInt(1000),
    process.hrtime().join(),
    performance.mark("here").startTime,
    performance.measure("since", "here").duration,
    process.memoryUsage().rss,
    process.cpuUsage().user,
    `${hostname()} ${process.pid} ${process.kill(process.pid, 0)}`,
    crypto.randomUUID(),
    Math.random(),
  ];
}

for (let i = 0; i < 3; i++) {
  said(everything().join());
  said(await call(`${everything()[0]}`));
  await Promise.all([
    sleep(1).then(() => said(everything().join())),
    call("beside").then(() => said(everything().join())),
  ]);
}
print();
