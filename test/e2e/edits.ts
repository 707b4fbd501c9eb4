import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ownBench } from "./own-bench.ts";
import type { Replayed } from "./trial.ts";

/** What each program begins with. */
const PRELUDE = `
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";
import { agent, tool } from "@reenact/node";
const base = process.env.PROVIDER_URL;
const headers = { "content-type": "application/json" };
const bodyOf = (content, more) => JSON.stringify({ model: "scn-ok", messages: [{ role: "user", content }], ...more });
const ask = (content, more = {}, init = {}) => fetch(base + "/v1/chat/completions", { method: "POST", headers, body: bodyOf(content, more), ...init });
const call = async (content) => (await (await ask(content)).json()).choices[0].message.content.length;
const post = (content, timeout) => new Promise((resolve, reject) => {
  const request = http.request(base + "/v1/chat/completions", { method: "POST", headers, timeout }, (answer) => answer.resume().on("end", resolve));
  request.on("error", reject).end(bodyOf(content));
});
const sdk = (options) => new OpenAI({ apiKey: "none", baseURL: base + "/v1", ...options }).chat.completions.create({ model: "scn-ok", messages: [{ role: "user", content: "s" }] });
const save = tool("save", async (x) => { await sleep(5); return x; });
`;

/** Stands in the report of every run of an `agent()` call. */
const OUTSIDE_AGENTS =
  "not compared: what the process does outside its agent() calls, requests and jobs (output, files, exit code), and output inside them";

let files = 0;

/** Records a program, replays it, which must be identical, and replays another one in its place. */
export function edits(): {
  /** `flags`: of the replay of the other program */
  edited(before: string, after: string, flags?: readonly string[]): Promise<Replayed>;
} {
  const bench = ownBench();
  return {
    async edited(before, after, flags = []) {
      const file = join(import.meta.dirname, `../programs/edited-${process.pid}-${files++}.mjs`);
      const command = [process.execPath, file];
      const env = { PROVIDER_URL: bench.provider.url };
      try {
        writeFileSync(file, `${PRELUDE}${before}`);
        const { summary } = await bench.store.run(command, { env });
        expect(summary).toMatchObject({ complete: true });
        const unchanged = await bench.store.replay(summary.run ?? "", command, { env });
        expect(unchanged.report).toMatchObject({ verdict: "identical", divergence: null });
        const notes = unchanged.report.notes.filter((note) => note !== OUTSIDE_AGENTS);
        expect(notes).toEqual([]);
        writeFileSync(file, `${PRELUDE}${after}`);
        return await bench.store.replay(summary.run ?? "", command, { env, flags: ["--timeout", "30", ...flags] });
      } finally {
        rmSync(file, { force: true });
      }
    },
  };
}
