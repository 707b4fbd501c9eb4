// What is neither a call nor a tool: timers, clock, chance, files, digests, events, semaphores, back-off.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { call, said, seed, seen } from "./model.mjs";

class Semaphore {
  constructor(n) {
    this.free = n;
    this.queue = [];
  }
  async run(fn) {
    if (this.free === 0) await new Promise((go) => this.queue.push(go));
    else this.free--;
    try {
      return await fn();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.free++;
    }
  }
}

export const SURROUNDINGS = [
  async () => {
    let n = 0;
    await new Promise((done) => {
      const t = setInterval(() => {
        if (++n === 3) {
          clearInterval(t);
          done();
        }
      }, 2);
    });
    said(`interval ${n} ${seen()}`);
  },
  async () => {
    await sleep(1 + Math.floor(Math.random() * 4));
    said(`slept ${seen()}`);
  },
  async (k) => {
    // back-off and jitter
    for (let attempt = 0; ; attempt++) {
      const text = await call(`refused ${seed}-${k}`, { marker: "[[429-then-ok]]" });
      if (!text.startsWith("status") || attempt === 3) return said(`retry ${attempt} ${text}`);
      await sleep(1 + Math.random() * 3);
    }
  },
  async () => {
    const gate = new Semaphore(2);
    const out = [];
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => gate.run(async () => out.push(i + (await call("same question"))))),
    );
    said(`semaphore ${out.join()}`);
  },
  async () => {
    const bus = new EventEmitter();
    const heard = once(bus, "done");
    setImmediate(async () => bus.emit("done", await call("emitted")));
    said(`event ${(await heard)[0]}`);
  },
  async () => {
    const line = [];
    setImmediate(() => line.push("i"));
    process.nextTick(() => line.push("n"));
    queueMicrotask(() => line.push("m"));
    await sleep(2);
    said(`mix ${line.join("")} ${seen()}`);
  },
  async () => said(`clock ${await call(`it is ${new Date().toISOString()} ${Date.now() % 2 ? "odd" : "even"}`)}`),
  async () =>
    said(`ids ${randomUUID()} ${randomBytes(4).toString("hex")} ${crypto.getRandomValues(new Uint8Array(2)).join()}`),
  async () => {
    const [text, answer] = await Promise.all([readFile(import.meta.filename, "utf8"), call("beside a file")]);
    said(`file ${text.length} ${answer}`);
  },
  async () => said(`stat ${await Promise.race([stat(import.meta.filename).then((s) => s.size), call("beside stat")])}`),
  async () => {
    const d = await crypto.subtle.digest("SHA-256", Buffer.from(seen()));
    said(
      `subtle ${Buffer.from(d).toString("hex").slice(0, 8)} ${createHash("sha1").update("x").digest("hex").slice(0, 4)}`,
    );
  },
  async () => {
    const m = await import("node:querystring");
    said(`import ${m.stringify({ a: 1 })} ${seen()}`);
  },
];
