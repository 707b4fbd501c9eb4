import { readdirSync, readFileSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { decodeResource, type ScannedSpan } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { indexRun } from "../catalog/index-run.ts";
import { rowOf } from "../catalog/row-of.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { MOST_LISTED, type OpenRuns } from "./unpacked-runs.ts";

/** A folder of sealed runs that a recorder has written, one file a run. */
export interface LocalFolder {
  readonly folder: string;
  /** who sees them */
  readonly tenant: string;
}

interface Known {
  /** of the file as it was read */
  readonly version: string;
  /** null: it cannot be read; the command line tells of it */
  readonly found: { readonly row: RunRow; readonly text: string } | null;
}

/** Files are read for so long in one look, milliseconds; those that are left come with the next looks. */
const LOOK_MS = 400;
const ENDING = ".reenact";

/**
 * Runs of a local folder beside those that the collector has received, as rows that are in no pack. They are read from their files, and
 * nothing is written there. A run that the collector has, too, is the collector's. The newest files come first.
 */
export function withLocalRuns(open: OpenRuns, { folder, tenant: owner }: LocalFolder): OpenRuns {
  const known = new Map<string, Known>();

  /** Path of the run's file; null: none is there. */
  function pathOf(tenant: string, run: string): string | null {
    if (tenant !== owner || !/^[0-9a-f]{32}$/.test(run)) return null;
    const path = join(folder, `${run}${ENDING}`);
    return statSync(path, { throwIfNoEntry: false }) === undefined ? null : path;
  }

  function rowsHere(prefix: string): RunRow[] {
    const files = filesIn(folder, prefix).toSorted((a, b) => b.stat.mtimeMs - a.stat.mtimeMs);
    const end = performance.now() + LOOK_MS;
    if (prefix === "") forgetOthers(files);
    return files.slice(0, MOST_LISTED).flatMap(({ run, stat }) => {
      const version = `${stat.mtimeMs} ${stat.size}`;
      let there = known.get(run);
      if (there?.version !== version && performance.now() < end) {
        there = { version, found: readOne(join(folder, `${run}${ENDING}`), owner, stat.mtimeMs) };
        known.set(run, there);
      }
      return there?.found?.row ?? [];
    });
  }

  function forgetOthers(files: readonly { readonly run: string }[]): void {
    const there = new Set(files.map(({ run }) => run));
    for (const run of known.keys()) if (!there.has(run)) known.delete(run);
  }

  return {
    ...open,
    async rows(tenant, prefix = "", local = true) {
      const received = await open.rows(tenant, prefix);
      if (tenant !== owner || !local) return received;
      const ids = new Set(received.map(({ run }) => run));
      return [...received, ...rowsHere(prefix).filter(({ run }) => !ids.has(run))].slice(0, MOST_LISTED);
    },
    async spans(tenant, run) {
      const received = await open.spans(tenant, run);
      const path = received === null ? pathOf(tenant, run) : null;
      return path === null ? received : spansIn(path);
    },
    async envelope(tenant, run) {
      const path = pathOf(tenant, run);
      return path === null ? null : readFileSync(path);
    },
    async texts(tenant, runs) {
      const texts = await open.texts(tenant, runs);
      return texts.map((text, at) => (text === "" ? textOf(tenant, runs[at]!) : text));
    },
  };

  function textOf(tenant: string, run: string): string {
    return tenant === owner ? (known.get(run)?.found?.text ?? "") : "";
  }
}

/** None where the folder is not there yet. */
function filesIn(folder: string, prefix: string): { readonly run: string; readonly stat: Stats }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const run = name.slice(0, -ENDING.length);
    if (!name.startsWith(prefix) || !name.endsWith(ENDING) || !/^[0-9a-f]{32}$/.test(run)) return [];
    // it may be deleted meanwhile
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return stat === undefined ? [] : [{ run, stat }];
  });
}

const spansIn = (path: string): ScannedSpan[] => readEnvelope(readFileSync(path)).spans.map(({ scanned }) => scanned);

function readOne(path: string, tenant: string, received: number): Known["found"] {
  try {
    const { header, manifest, spans } = readEnvelope(readFileSync(path));
    const resource = spans[0] ? decodeResource(spans[0].scanned.resource) : {};
    const index = indexRun(
      spans.map(({ span }) => span),
      resource,
    );
    const sealed = { tenant, class: header.class, rule: manifest.rule ?? null, received, parts: [] };
    return { row: rowOf(manifest, index, sealed), text: index.text };
  } catch {
    return null;
  }
}
