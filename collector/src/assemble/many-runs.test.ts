import { expect, test } from "vitest";
import { createMemoryJournal } from "../journal/memory-journal.test.fixture.ts";
import { type Entry, ENTRY_KIND, type Journal, JOURNAL_START, type Position } from "../journal/journal.ts";
import { createAssembler } from "./assembler.ts";
import { requestOf, sampleRun } from "./sample-spans.test.fixture.ts";

const RUNS: Readonly<Record<string, number>> = { small: 2_000, ci: 10_000, full: 100_000 };
const runs = RUNS[process.env["TEST_SCALE"] ?? "small"] ?? 2_000;
const SPANS = 30;
const LIMIT = 512 * 1024 ** 2;

const positionAt = (offset: number) => String(offset).padStart(12, "0") as Position;

/** A journal whose bodies are made when they are read, so that the table is all that stays. */
function endless(bodies: Iterable<Uint8Array>): Journal {
  return {
    ...createMemoryJournal(),
    async *read(): AsyncGenerator<Entry> {
      let offset = 0;
      for (const body of bodies) {
        const place = { block: 1, record: offset, body: offset };
        const position = positionAt(offset);
        offset += body.length;
        yield {
          position,
          next: positionAt(offset),
          tenant: "acme",
          kind: ENTRY_KIND.traces,
          receivedAt: Date.now(),
          body,
          place,
        };
      }
    },
  };
}

function* openRuns() {
  for (let n = 0; n < runs; n += 4) {
    const batch = Array.from({ length: 4 }, (_, at) =>
      sampleRun(n + at, { steps: SPANS + 1, text: () => "" }).steps.slice(0, SPANS),
    );
    yield requestOf(batch.flat());
  }
}

test(`${runs} open runs of ${SPANS} spans take their share of 512 MB`, { timeout: 600_000 }, async () => {
  const assembler = createAssembler({
    journal: endless(openRuns()),
    seal: () => new Promise(() => {}),
    runsOfTrace: async () => [],
    mark: async () => true,
  });
  const memory = () => {
    globalThis.gc?.();
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    return arrayBuffers + heapUsed;
  };
  const before = memory();
  const began = performance.now();
  await assembler.run(JOURNAL_START);
  const grown = memory() - before;
  expect(assembler.counts()).toEqual({ open: runs, sealing: 0, spans: runs * SPANS });
  const tick = performance.now();
  assembler.tick();
  const tickMs = performance.now() - tick;
  process.stderr.write(
    `assemble: ${runs} open runs of ${SPANS} spans: +${(grown / 1e6).toFixed(0)} MB (rss ${(process.memoryUsage().rss / 1e6).toFixed(0)}), ` +
      `${(((tick - began) / runs / SPANS) * 1000).toFixed(1)} µs a span with making it, a tick takes ${tickMs.toFixed(1)} ms\n`,
  );
  // Of a small table the first pages are the most; of any one, garbage that has not been collected.
  expect(grown).toBeLessThan((LIMIT * runs) / 100_000 + 48 * 1024 ** 2);
  await assembler.stop();
});
