// Calls and streams: alone, in parallel, merged, raced, cut, broken off, aborted, under deadlines.
import { setTimeout as sleep } from "node:timers/promises";
import { ask, call, outcome, pieces, said, seen, whole } from "./model.mjs";

export const CALLS = [
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
    const r = await ask("cloned");
    const c = r.clone();
    const [a, b] = await Promise.all([r.text(), c.json()]);
    said(`clone ${a.length > 0} ${b.choices[0].message.content}`);
  },
];
