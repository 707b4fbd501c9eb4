import type { CatalogReader } from "./catalog.ts";

/** Most runs of one trace that are looked for. */
const MOST = 100;

/** Sealed runs of ours that have spans in a trace, the one that began first before the others. */
export async function runsOfTrace(
  catalog: Pick<CatalogReader, "find">,
  tenant: string,
  trace: string,
): Promise<readonly string[]> {
  const filter = { is: "one-of", field: "trace", values: [trace] } as const;
  const { rows } = await catalog.find({ tenant, filter }, { limit: MOST });
  return rows.map(({ run }) => run).toReversed();
}
