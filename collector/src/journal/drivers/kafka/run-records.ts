import { crc32 } from "node:zlib";
import { WireWriter } from "@reenact/envelope";
import { type ScannedScope, scanEntry } from "../../../assemble/scan-entry.ts";
import { decodeMarkChange } from "../../../retain/mark-entry.ts";
import { ENTRY_KIND, type NewEntry } from "../../journal.ts";

/** A record as it goes to the topic. */
export interface RunRecord {
  /** what all records of a run have in common */
  readonly key: string;
  readonly body: Uint8Array;
}

interface Part {
  readonly scope: ScannedScope;
  readonly spans: { offset: number; length: number }[];
}

/**
 * Parts a request by run, since all of a run goes to one partition: each record is a request with the spans of one run, their
 * resource and scope. A request with one run stays as it is.
 */
export function runRecords({ tenant, kind }: Pick<NewEntry, "tenant" | "kind">, body: Uint8Array): RunRecord[] {
  if (kind === ENTRY_KIND.mark) return [{ key: `${tenant}/${decodeMarkChange(body).run}`, body }];
  const runs = kind === ENTRY_KIND.traces ? partsByRun(body) : null;
  if (runs === null) return [{ key: tenant, body }];
  if (runs.size <= 1) return [...runs.keys()].map((run) => ({ key: `${tenant}/${run}`, body }));
  return [...runs].map(([run, parts]) => ({ key: `${tenant}/${run}`, body: requestOf(parts, body) }));
}

/** By run id, else by trace id: a recorder's trace has the id of its run. null: it is no request. */
function partsByRun(body: Uint8Array): Map<string, Part[]> | null {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const runs = new Map<string, Part[]>();
  let scope: ScannedScope | null = null;
  try {
    scanEntry(
      body,
      (found) => (scope = found),
      ({ run, trace, offset, length }) => {
        const id = run ?? bytes.toString("hex", trace, trace + 16);
        const parts = runs.get(id) ?? [];
        runs.set(id, parts);
        const last = parts.at(-1);
        if (last && last.scope === scope) last.spans.push({ offset, length });
        else parts.push({ scope: scope!, spans: [{ offset, length }] });
      },
    );
  } catch {
    // the receiver lets none in; what cannot be read is kept as it is, and said where it is read
    return null;
  }
  return runs.size === 0 ? null : runs;
}

function requestOf(parts: readonly Part[], body: Uint8Array): Uint8Array {
  const at = (from: number, length: number) => body.subarray(from, from + length);
  const request = new WireWriter();
  for (const { scope, spans } of parts) {
    const inner = new WireWriter().bytes(1, at(scope.scope, scope.scopeLength));
    for (const { offset, length } of spans) inner.bytes(2, at(offset, length));
    const resource = new WireWriter().bytes(1, at(scope.resource, scope.resourceLength));
    request.message(1, resource.message(2, inner.string(3, scope.scopeUrl)).string(3, scope.resourceUrl));
  }
  return request.finish();
}

/** The same for ever: runs that are open when the number changes are parted between two owners. */
export const partitionOf = (key: string, partitions: number): number => crc32(key) % partitions;
