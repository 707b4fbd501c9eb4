import type { Assembler } from "./assembler-port.ts";
import type { JournalShare } from "./seal-job.ts";

/** All that this process assembles, as if one assembler had read it. A run is in one of them, since its spans lie in one share. */
export interface Assemblers extends Pick<
  Assembler,
  "open" | "spansOf" | "arrived" | "pendingMarks" | "counts" | "finish" | "stop"
> {
  add(assembler: Assembler): void;
  remove(assembler: Assembler): void;
  shares(): readonly JournalShare[];
}

export function createAssemblers(): Assemblers {
  const all = new Set<Assembler>();

  function first<Found>(find: (each: Assembler) => Found | null): Found | null {
    for (const each of all) {
      const found = find(each);
      if (found !== null) return found;
    }
    return null;
  }

  return {
    add: (assembler) => void all.add(assembler),
    remove: (assembler) => void all.delete(assembler),
    shares: () => Array.from(all, ({ share }) => share),
    open: (tenant, prefix, most) =>
      [...all]
        .flatMap((each) => each.open(tenant, prefix, most))
        .toSorted((a, b) => b.firstReceived - a.firstReceived)
        .slice(0, most),
    async spansOf(tenant, run) {
      const found = await Promise.all(Array.from(all, (each) => each.spansOf(tenant, run)));
      return found.find((each) => each !== null) ?? null;
    },
    arrived: (tenant, run, from, most) => first((each) => each.arrived(tenant, run, from, most)),
    pendingMarks: (tenant, run) => [...all].flatMap((each) => each.pendingMarks(tenant, run)),
    counts() {
      const total = { open: 0, sealing: 0, spans: 0 };
      for (const each of all) {
        const { open, sealing, spans } = each.counts();
        total.open += open;
        total.sealing += sealing;
        total.spans += spans;
      }
      return total;
    },
    finish: async (ms) => void (await Promise.all(Array.from(all, (each) => each.finish(ms)))),
    stop: async () => void (await Promise.all(Array.from(all, (each) => each.stop()))),
  };
}
