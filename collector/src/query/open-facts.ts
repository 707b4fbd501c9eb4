import type { Assembler } from "../assemble/assembler-port.ts";
import type { OpenRunView } from "../assemble/open-run.ts";
import type { SpanColumns } from "../assemble/span-columns.ts";
import { MOST_LISTED, type OpenChanges, type OpenFacts } from "./unpacked-runs.ts";
import { markedRow } from "../retain/marked-row.ts";
import { catalogRow } from "../seal/commit-runs.ts";
import type { WaitingRun } from "../seal/packer.ts";

/** Answers about runs that are in no pack yet, from the memory of assembler and sealing. */
export function createOpenFacts(
  assembler: Pick<Assembler, "open" | "spansOf" | "arrived">,
  sealing: { waiting(tenant: string, run: string): WaitingRun | undefined },
): OpenFacts & OpenChanges {
  const waits = (tenant: string, run: string) => sealing.waiting(tenant, run);

  function sealedRow({ state, tenant, run, marks }: OpenRunView) {
    const sealed = state === "sealing" ? waits(tenant, run) : undefined;
    return sealed ? markedRow({ ...catalogRow(sealed.run), parts: [] }, marks) : null;
  }

  return {
    views(tenant, prefix) {
      const unique = new Map<string, OpenRunView>();
      for (const view of assembler.open(tenant, prefix, MOST_LISTED))
        if (!unique.has(view.run)) unique.set(view.run, view);
      return Array.from(unique.values(), (view) => ({ view, row: sealedRow(view) }));
    },
    columns: (tenant, run) => assembler.spansOf(tenant, run),
    texts: (tenant, runs) => runs.map((run) => waits(tenant, run)?.run.index.text ?? ""),
    order(tenant, run, from, most) {
      const arrived = assembler.arrived(tenant, run, from, most);
      return arrived && { total: arrived.total, ids: arrived.ids.map(hexId) };
    },
    changes: (tenant) =>
      assembler.open(tenant, "", MOST_LISTED).map(({ run, spans, state, marks }) => {
        const packing = state === "sealing" && waits(tenant, run) !== undefined;
        return { run, version: `${spans} ${state} ${packing} ${marks.length}` };
      }),
    frames: (tenant, run) => waits(tenant, run)?.frames ?? null,
  };
}

/** The spans of the chains in the order in which they came; a chain has its last span first. */
export function arrivals(chains: readonly SpanColumns[]): { readonly id: string; readonly start: bigint }[] {
  return chains.flatMap(({ id, start }) =>
    Array.from(id, (each, n) => ({ id: hexId(each), start: start[n]! })).toReversed(),
  );
}

/** 16 hex digits. */
export const hexId = (id: bigint): string => id.toString(16).padStart(16, "0");
