import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { joinTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import type { CollectorProcess } from "./collector-processes.ts";

/** The recorded run that all made ones are like. */
export const golden = readEnvelope(
  readFileSync(join(import.meta.dirname, "../fixtures/envelopes/v1-parallel-calls.reenact")),
);

/** A run like the recorded one, with an id of its own, as requests of some of its spans each. */
export function madeRun(id: string): Uint8Array[] {
  const spans = golden.spans.map(({ scanned }) => scanned);
  const third = Math.ceil(spans.length / 3);
  const pieces = [0, 1, 2].map((n) => spans.slice(n * third, (n + 1) * third)).filter((some) => some.length > 0);
  return pieces.map((some) => {
    const body = joinTraces(some).bytes;
    return replaced(
      replaced(Buffer.from(body), Buffer.from(golden.id, "hex"), Buffer.from(id, "hex")),
      Buffer.from(golden.id),
      Buffer.from(id),
    );
  });
}

function replaced(bytes: Buffer, from: Buffer, to: Buffer): Buffer {
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) to.copy(bytes, at);
  return bytes;
}

/** Whether it was answered with 200. */
export async function post(http: string, body: Uint8Array): Promise<boolean> {
  const headers = { "content-type": "application/x-protobuf" };
  const signal = AbortSignal.timeout(15_000);
  try {
    const answer = await fetch(`${http}/v1/traces`, { method: "POST", headers, body: Buffer.from(body), signal });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** The digests of all sealed runs that the process finds. */
export async function contents(http: string, runs: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const left = [...runs];
  async function ask(): Promise<void> {
    for (let run = left.pop(); run !== undefined; run = left.pop()) {
      const bytes = await fetch(`${http}/api/v1/runs/${run}/envelope`)
        .then((answer) => (answer.ok ? answer.arrayBuffer() : null))
        .catch(() => null);
      if (bytes !== null) found.set(run, readEnvelope(new Uint8Array(bytes)).header.content);
    }
  }
  await Promise.all([1, 2, 3, 4].map(ask));
  return found;
}

/** Waits until each run has the content; throws with what is otherwise and what the processes logged of it. */
export async function expectContents(
  http: string,
  expected: ReadonlyMap<string, string>,
  processes: readonly CollectorProcess[],
  withinMs = 60_000,
): Promise<void> {
  for (const end = Date.now() + withinMs; ;) {
    const found = await contents(http, [...expected.keys()]);
    const wrong = [...expected].filter(([run, content]) => found.get(run) !== content);
    if (wrong.length === 0) return;
    if (Date.now() > end) {
      const lines = wrong.slice(0, 5).map(([run, content]) => `${run}: ${found.get(run)} instead of ${content}`);
      const told = processes.flatMap(({ name, logged }) =>
        logged()
          .filter((line) => line.level === "error" || wrong.some(([run]) => line["run"] === run))
          .slice(-20)
          .map((line) => JSON.stringify({ name, ...line })),
      );
      throw new Error(
        [`${wrong.length} of ${expected.size} runs are not as they should be`, ...lines, ...told].join("\n"),
      );
    }
    await pause(500);
  }
}

/** The ids of all runs that the process lists. */
export async function listed(http: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ""; ;) {
    const answer = await fetch(`${http}/api/v1/runs?limit=200${after}`);
    const page = (await answer.json()) as { runs: { run: string }[]; next: string | null };
    ids.push(...page.runs.map(({ run }) => run));
    if (page.next === null) return ids;
    after = `&after=${encodeURIComponent(page.next)}`;
  }
}

/** Whether a request of `madeRun` has the span that ends the run. */
export const isRoot = (body: Uint8Array): boolean => Buffer.from(body).includes("reenact.root");
