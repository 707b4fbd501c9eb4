import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeTraces } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import type { ReplayReport } from "@reenact/replay";
import { type CollectorChild, collectorBin, startCollectorChild } from "./collector-child.ts";
import { bin, type Ended, launch } from "./reenact.ts";
import { until } from "./running-collector.ts";

/** What a developer's machine lacks of production. */
const WITHOUT = { REENACT_REDACTION_KEY: undefined, REENACT_STORE: undefined, REENACT_SERVER: undefined };

/** Temporary folders and processes of a test, and their end. */
export class Laptop {
  readonly #undo: (() => Promise<unknown> | void)[] = [];

  later(undo: () => Promise<unknown> | void): void {
    this.#undo.push(undo);
  }

  async clean(): Promise<void> {
    for (const each of this.#undo.splice(0).toReversed()) await each();
  }

  folder(): string {
    const made = mkdtempSync(join(tmpdir(), "reenact-laptop-"));
    this.later(() => rmSync(made, { recursive: true, force: true }));
    return made;
  }

  /** A collector's program over folders below `cwd`. */
  async collector(cwd: string, env: Record<string, string> = {}, preload?: string): Promise<CollectorChild> {
    const folders = { REENACT_COLLECTOR_DATA: join(cwd, "data"), REENACT_COLLECTOR_STORE: join(cwd, "store") };
    const command = preload === undefined ? [collectorBin] : ["--import", preload, collectorBin];
    const started = await startCollectorChild(command, { cwd, env: { ...folders, ...env } });
    this.later(() => started.stop());
    return started;
  }

  /** The command in a folder, with neither key nor provider. */
  reenact(cwd: string, args: readonly string[], env: Record<string, string | undefined> = {}): Promise<Ended> {
    return launch([process.execPath, bin, ...args], { cwd, env: { ...WITHOUT, ...env } });
  }

  async replay(
    cwd: string,
    args: readonly string[],
    command: readonly string[],
    env: Record<string, string | undefined>,
  ): Promise<Ended & { report: ReplayReport }> {
    const file = join(cwd, "report.json");
    rmSync(file, { force: true });
    const line = ["replay", ...args, "--json-file", file, "--", ...command];
    const ended = await this.reenact(cwd, line, env);
    if (!existsSync(file)) throw new Error(`no report; exit ${ended.code}: ${ended.stderr}`);
    return { ...ended, report: JSON.parse(readFileSync(file, "utf8")) as ReplayReport };
  }
}

export const sealedIn = (collector: Pick<CollectorChild, "get">, count: number): Promise<boolean> =>
  until(`${count} sealed runs`, async () => {
    const { runs } = await collector.get<{ runs: { bytes: number }[] }>("/api/v1/runs?filter=state:sealed");
    // a run that is in no pack yet has none
    return runs.filter(({ bytes }) => bytes > 0).length === count;
  });

/** Paths of the packs in a directory store. */
export function packsIn(store: string): string[] {
  return globSync("v1/runs/*/**/*", { cwd: store, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** The same spans as another run, later, with other attributes on its root. */
export function copyOf(
  { root, spans }: Envelope,
  run: string,
  more: Record<string, unknown> = {},
  laterMs = 0,
): Uint8Array {
  const later = BigInt(laterMs) * 1_000_000n;
  const pieces = spans.map(({ span, scanned }) => {
    const attributes = { ...span.attributes, "reenact.run.id": run, ...(span === root && more) };
    const moved = { startUnixNano: span.startUnixNano + later, endUnixNano: span.endUnixNano + later };
    return encodeTraces({ ...span, ...moved, traceId: run, attributes }, scanned);
  });
  return Buffer.concat(pieces);
}
