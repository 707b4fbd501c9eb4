import type { DraftText, RunFacts, RunMetadata, StepDraft } from "@reenact/capture/recorder";
import type { StoreLayout } from "../config/store-layout.ts";
import { SpoolFile } from "./spool-file.ts";

/** A file with the runs that started in it and are not over. */
export interface Generation {
  readonly file: SpoolFile;
  readonly runs: Map<string, RunFacts>;
  /** by run, all that was said of it: the next file has to say it again */
  readonly metadata: Map<string, RunMetadata>;
  /** by span id, the requests of steps that are under way and are in the file */
  readonly requests: Map<string, StepDraft<DraftText>["request"]>;
}

/** A file of this size takes no new run: a process that lives for months must not have a file of that length. */
const LARGE = 32 * 1024 * 1024;

/**
 * The files of one process, one after another. A run stays in the file that it started in, so that a file whose runs
 * are all over is complete, and is closed: it can be sent or sealed, and goes.
 */
export class SpoolFiles {
  readonly #layout: StoreLayout;
  readonly #name: () => string;
  readonly #preamble: (runs: Iterable<RunFacts>, metadata: Iterable<[run: string, metadata: RunMetadata]>) => Buffer[];
  readonly #large: number;
  readonly #byRun = new Map<string, Generation>();
  #newest: Generation | null = null;

  constructor(
    layout: StoreLayout,
    instance: string,
    /** frames that a file begins with which these runs are in */
    preamble: (runs: Iterable<RunFacts>, metadata: Iterable<[run: string, metadata: RunMetadata]>) => Buffer[],
    large = LARGE,
  ) {
    this.#layout = layout;
    this.#preamble = preamble;
    this.#large = large;
    let made = 0;
    this.#name = () => `${instance}${made++ === 0 ? "" : `-${made - 1}`}`;
  }

  /** Creates what is not there yet: the store, a file for the next run. Throws what the file system throws. */
  ready(): Generation {
    const now = this.#newest;
    if (now !== null && now.file.size < this.#large) return now;
    const runs = new Map<string, RunFacts>();
    const metadata = new Map<string, RunMetadata>();
    const requests: Generation["requests"] = new Map();
    const file = new SpoolFile(this.#layout, this.#name, () => {
      requests.clear();
      return this.#preamble(runs.values(), metadata);
    });
    file.open();
    this.#newest = { file, runs, metadata, requests };
    if (now !== null) this.#closeIfOver(now);
    return this.#newest;
  }

  started(facts: RunFacts): Generation {
    const generation = this.ready();
    generation.runs.set(facts.id, facts);
    this.#byRun.set(facts.id, generation);
    return generation;
  }

  of(run: string): Generation | undefined {
    return this.#byRun.get(run);
  }

  /** Those with a run that is not over. */
  busy(): Set<Generation> {
    return new Set(this.#byRun.values());
  }

  over(run: string): void {
    const generation = this.#byRun.get(run);
    this.#byRun.delete(run);
    generation?.runs.delete(run);
    generation?.metadata.delete(run);
    if (generation !== undefined) this.#closeIfOver(generation);
  }

  /** The process ends in good order. */
  close(): void {
    for (const { file } of this.#all()) file.close();
  }

  /** After a failed write a file ends torn: nothing may follow. */
  break(): void {
    for (const { file } of this.#all()) file.break();
  }

  #closeIfOver(generation: Generation): void {
    const { file, runs } = generation;
    if (runs.size > 0 || (generation === this.#newest && file.size < this.#large)) return;
    file.close();
    if (generation === this.#newest) this.#newest = null;
  }

  #all(): Set<Generation> {
    const all = this.busy();
    if (this.#newest !== null) all.add(this.#newest);
    return all;
  }
}
