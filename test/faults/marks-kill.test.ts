import { randomBytes, randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { scanTraces } from "@reenact/envelope";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { expect, test } from "vitest";
import { copyOf } from "../e2e/laptop.ts";
import { scale } from "../scale.ts";
import { CollectorProgram } from "./collector-program.ts";

const golden = new URL("../fixtures/envelopes/v1-parallel-calls.reenact", import.meta.url);
const run: Envelope = readEnvelope(readFileSync(golden));
const kills = scale(2, 10, 200);
const AT_ONCE = 4;

interface Served {
  readonly run: string;
  readonly bytes: number;
  readonly class: string;
  readonly flags: readonly string[];
}

test(
  `a collector is killed ${kills} times while runs are flagged: each flag that was answered is there, and its run kept`,
  { timeout: kills * 20_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "marks-kill-"));
    const collector = new CollectorProgram(folder, {
      REENACT_COLLECTOR_RETENTION_SAMPLE_SHARE: "0",
      REENACT_COLLECTOR_PACK_AGE: "300ms",
    });
    const flags = new Map<string, string[]>();
    const rest = new Map<string, Uint8Array>();
    let refused = 0;
    const post = async (path: string, type: string, body: Uint8Array | string): Promise<number> => {
      try {
        const sent = typeof body === "string" ? body : Buffer.from(body);
        const response = await fetch(collector.url + path, {
          method: "POST",
          headers: { "content-type": type },
          body: sent,
        });
        await response.arrayBuffer();
        return response.status;
      } catch {
        return 0;
      }
    };
    const spans = (body: Uint8Array) => post("/v1/traces", "application/x-protobuf", body);

    /** In two requests, the root in the second; flagged before, between and behind. False: the collector is dead. */
    async function live(id: string): Promise<boolean> {
      const [first, ...others] = pieces(id);
      rest.set(id, Buffer.concat(others));
      flags.set(id, []);
      if ((await spans(first!)) !== 200) return false;
      for (let n = 0; n < 3; n++) {
        await sleep(randomInt(60));
        if (n === randomInt(3)) void spans(rest.get(id)!);
        const name = `${id.slice(0, 4)} ${n}`;
        const status = await post(`/api/v1/runs/${id}/flag`, "application/json", JSON.stringify({ reason: name }));
        if (status === 200) flags.get(id)!.push(name);
        else refused++;
      }
      return refused === 0;
    }

    try {
      for (let round = 0; round < kills; round++) {
        await collector.start();
        refused = 0;
        const lives = Array.from({ length: AT_ONCE }, async () => {
          while (await live(randomBytes(16).toString("hex")));
        });
        await sleep(randomInt(300, 1500));
        // a busy machine may not have come to the first flag
        for (let n = 0; n < 200 && [...flags.values()].flat().length === 0; n++) await sleep(100);
        await collector.kill();
        await Promise.all(lives);
      }
      await collector.start();
      for (const body of rest.values()) expect(await spans(body)).toBe(200);
      let wanted = [...flags].filter(([, said]) => said.length > 0);
      const marked = wanted.reduce((sum, [, said]) => sum + said.length, 0);
      for (let n = 0; n < 300 && wanted.length > 0; n++) {
        await sleep(100);
        const runs = await keptRuns(collector.url);
        const kept = new Map(runs.filter(({ bytes }) => bytes > 0).map((each) => [each.run, each.flags]));
        wanted = wanted.filter(([id, said]) => !said.every((name) => kept.get(id)?.includes(name)));
        for (const said of kept.values()) expect(new Set(said).size).toBe(said.length);
      }
      process.stderr.write(
        `marks: ${kills} kills, ${marked} flags of ${flags.size} runs taken, ${wanted.length} lost\n`,
      );
      for (const [id] of wanted)
        for (const path of [`runs/${id}`, `runs/${id}/marks`, "unsealed"]) {
          const answer = await fetch(`${collector.url}/api/v1/${path}`);
          process.stderr.write(`marks: ${path} answers ${answer.status} ${await answer.text()}\n`);
        }
      expect(wanted).toEqual([]);
      expect(marked).toBeGreaterThan(0);
    } finally {
      await collector.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

async function keptRuns(url: string): Promise<Served[]> {
  const found: Served[] = [];
  for (let after = ""; ;) {
    const answer = await fetch(`${url}/api/v1/runs?limit=1000&filter=class:keep${after}`);
    const page = (await answer.json()) as { runs: Served[]; next: string | null };
    found.push(...page.runs);
    if (page.next === null) return found;
    after = `&after=${encodeURIComponent(page.next)}`;
  }
}

/** The run's spans as requests of one each, the root last. */
function pieces(id: string): Uint8Array[] {
  const copy = {
    ...run,
    spans: run.spans.toSorted((a, b) => Number(a.span === run.root) - Number(b.span === run.root)),
  };
  expect(scanTraces(copyOf(copy, id))).toHaveLength(run.spans.length);
  return copy.spans.map((each) => copyOf({ ...run, spans: [each] }, id));
}
