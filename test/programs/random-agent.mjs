// A random concurrent agent, fixed by its seed: `node random-agent.mjs <seed>`. It never names its branches.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";

const base = process.env.PROVIDER_URL;
const seed = Number(process.argv[2]);

function random(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const plan = random(seed);
const board = [];
const said = (line) => void board.push(line);
/** what others have said so far goes into later prompts */
const seen = () => `${board.length}|${board.at(-1)?.slice(0, 40) ?? ""}`;

function ask(prompt, { stream = false, signal, marker = "" } = {}) {
  return fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "echo-random",
      stream,
      messages: [{ role: "user", content: `${prompt} ${marker}` }],
    }),
    signal,
  });
}

async function call(prompt, options) {
  const response = await ask(prompt, options);
  const body = await response.json();
  return response.ok ? body.choices[0].message.content : `status ${response.status}`;
}

async function* pieces(prompt, options) {
  const response = await ask(prompt, { ...options, stream: true });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith("data: {")) continue;
      const text = JSON.parse(line.slice(6)).choices[0]?.delta?.content;
      if (text) yield text;
    }
  }
}

async function whole(prompt, options) {
  let text = "";
  for await (const piece of pieces(prompt, options)) text += piece;
  return text;
}

const outcome = (promise) =>
  promise.then(
    (v) => String(v),
    (e) => `${e.name}: ${e.message}`,
  );

const slow = tool("slow", async (x) => {
  await sleep(3);
  return `slow ${x} ${Math.random() < 0.5}`;
});
const instant = tool("instant", async (x) => `instant ${x}`);
const synchronous = tool("synchronous", (x) => ({ x, at: Date.now() % 7 }));
const throwing = tool("throwing", async (x) => {
  await turn();
  throw new RangeError(`bad ${x}`);
});
const fetching = tool("fetching", async (x) => {
  const r = await ask(`inner ${x}`);
  return (await r.text()).length > 0 ? `fetched ${x} ${Math.floor(Math.random() * 99)}` : "";
});
const structured = tool(
  "structured",
  async (x) =>
    new Map([
      ["x", x],
      ["at", new Date(Date.now())],
      ["error", new TypeError("kept")],
    ]),
);
const cached = { value: 0 };
const shared = tool("shared", async () => cached);

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

const constructs = [
  async (k) => said(`call ${await call(`same question ${seen()}`)} ${k}`),
  async (k) => said(`repeat ${await call("same question")} ${k}`),
  async (k) => said(`stream ${await whole(`stream ${seen()}`)} ${k}`),
  async () => {
    const parts = await Promise.all([whole("same stream"), whole("same stream"), whole(`third ${seen()}`)]);
    said(`streams ${parts.join("+")}`);
  },
  async () => {
    // merged as they come
    const line = [];
    await Promise.all(
      ["a", "b"].map(async (name) => {
        for await (const piece of pieces("merged")) line.push(name + piece);
      }),
    );
    said(`merged ${line.join("")}`);
  },
  async () => {
    let n = 0;
    for await (const piece of pieces("broken off early")) {
      n += piece.length;
      if (n > 4) break;
    }
    said(`broke after ${n}`);
  },
  async () => {
    const response = await ask("never read", { stream: true });
    said(`unread ${response.status}`);
  },
  async () => said(`cut ${await outcome(whole("cut", { marker: "[[cut]]" }))}`),
  async () =>
    said(`all ${(await Promise.all([call("q1"), call("q1"), Promise.race([call("q2"), sleep(4, "late")])])).join()}`),
  async () => said(`race ${await Promise.race([call(`ra ${seen()}`), call(`rb ${seen()}`)])}`),
  async () => said(`any ${await outcome(Promise.any([throwing(1), call("any"), throwing(2)]))}`),
  async () => {
    const all = await Promise.allSettled([slow(1), throwing(2), call("settled")]);
    said(`settled ${all.map((s) => s.status + (s.value ?? s.reason?.message)).join()}`);
  },
  async (k) => said(`slow ${await slow(k)}`),
  async (k) => said(`instant ${await instant(k)}`),
  async (k) => {
    const v = synchronous(k);
    said(`sync ${v.x} ${v.at}`);
  },
  async (k) => said(`threw ${await outcome(throwing(k))}`),
  async (k) => said(`fetching ${await fetching(k)}`),
  async (k) => {
    const m = await structured(k);
    said(`map ${m.get("x")} ${m.get("at") instanceof Date} ${m.get("error").name}`);
  },
  async () => {
    const [a, b] = await Promise.all([shared(), shared()]);
    said(`shared ${a === b}`);
  },
  async () => said(`time-out ${await outcome(Promise.race([call(`t ${seen()}`), sleep(5).then(() => "TIMEOUT")]))}`),
  async () => {
    const stop = new AbortController();
    const p = outcome(call("abort me", { signal: stop.signal }));
    setTimeout(() => stop.abort(), 3);
    said(`abort ${(await p).slice(0, 40)}`);
  },
  async () => {
    const stop = new AbortController();
    let n = 0;
    const p = outcome(
      (async () => {
        for await (const piece of pieces("abort stream", { signal: stop.signal })) n += piece.length;
        return n;
      })(),
    );
    setTimeout(() => stop.abort(new Error("enough")), 6);
    said(`abort stream ${await p} ${n > 0}`);
  },
  async () => {
    const stop = new AbortController();
    const all = [1, 2, 3].map((i) => outcome(call(`storm ${i}`, { signal: stop.signal })));
    await sleep(2);
    stop.abort();
    said(`storm ${(await Promise.all(all)).map((s) => s.slice(0, 12)).join()}`);
  },
  async () => said(`deadline ${(await outcome(call("deadline", { signal: AbortSignal.timeout(6) }))).slice(0, 14)}`),
  async () => {
    const stop = new AbortController();
    said(
      `any signal ${(await outcome(call("any signal", { signal: AbortSignal.any([stop.signal, AbortSignal.timeout(7)]) }))).slice(0, 14)}`,
    );
  },
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
    async function* three() {
      for (let i = 0; i < 3; i++) {
        await sleep(1);
        yield await instant(i);
      }
    }
    for await (const x of three()) said(`generated ${x}`);
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
  async () => said(`chance ${Math.random() < 0.5 ? await call(`heads ${Math.random()}`) : await slow("tails")}`),
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
  async () => {
    const r = await ask("cloned");
    const c = r.clone();
    const [a, b] = await Promise.all([r.text(), c.json()]);
    said(`clone ${a.length > 0} ${b.choices[0].message.content}`);
  },
];

const width = 2 + Math.floor(plan() * 3);
const branches = Array.from({ length: width }, () =>
  Array.from({ length: 2 + Math.floor(plan() * 3) }, () => constructs[Math.floor(plan() * constructs.length)]),
);
const leave = plan() < 0.1;

if (leave) {
  // ends with calls in flight
  void Promise.all(
    branches.map(async (steps, w) => {
      for (const [k, step] of steps.entries()) await step(`${w}.${k}`);
    }),
  ).catch((e) => said(String(e)));
  await sleep(12);
  void outcome(call("in flight"));
  console.log(board.join("\n"));
  process.exit(7);
}
await Promise.all(
  branches.map(async (steps, w) => {
    for (const [k, step] of steps.entries()) await step(`${w}.${k}`);
  }),
);
console.log(board.join("\n"));
process.exitCode = board.length % 3;
