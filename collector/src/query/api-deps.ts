import type { SetAsideRun } from "../seal/set-aside.ts";
import type { ScannedSpan } from "@reenact/envelope";
import type { z } from "zod";
import type { OpenRunView } from "../assemble/open-run.ts";
import type { SpanColumns } from "../assemble/span-columns.ts";
import type { CatalogReader } from "../catalog/catalog.ts";
import type { DeadLetters } from "../forward/dead-letters.ts";
import type { destination, SystemState } from "./system-schema.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { Log } from "../log.ts";
import type { Said, Statement } from "../retain/said.ts";
import type { ObjectBody } from "../store/object-store.ts";
import type { RetentionTimes } from "../retain/retention-times.ts";
import type { SweepPlan } from "../retain/sweep.ts";
import type { StoreFacts } from "./api-schema.ts";
import type { Asked, Scope } from "./routes.ts";
import type { EventStreams } from "./live/event-stream.ts";
import type { RunFeed } from "./live/run-feed.ts";
import type { ReadName } from "./read-routes.ts";
import type { RangeStore } from "./run-reader.ts";
import type { StepLine } from "./step-schema.ts";

/** Who asks, or why not. */
export type Admission =
  | {
      readonly admitted: true;
      readonly tenant: string;
      readonly caller: string;
      readonly scopes: readonly Scope[];
      readonly key: string | null;
    }
  | {
      readonly admitted: false;
      readonly code: "UNAUTHENTICATED" | "FORBIDDEN" | "BAD_CALLER";
      readonly message: string;
    };

/** So many runs that are in no pack yet are listed at most, whatever fits: 100,000 may be open. */
export const MOST_LISTED = 2000;

/** Runs that are in no pack yet, as they are read. */
export interface OpenRuns {
  /** those opened last, as far as they are known; nothing of one that is open is final. `prefix`: of their ids */
  rows(tenant: string, prefix?: string): Promise<readonly RunRow[]>;
  /** null: it is in a pack */
  spans(tenant: string, run: string): Promise<readonly ScannedSpan[] | null>;
  /** steps behind the first `from` in the order in which they came, at most `most`; null: it is in a pack */
  lines(tenant: string, run: string, from: number, most: number): Promise<readonly StepLine[] | null>;
  /** what free text search sees of each of them; empty while it is open */
  texts(tenant: string, runs: readonly string[]): Promise<readonly string[]>;
}

/** Facts of runs that are in no pack yet. Only the receiving thread has them; none needs a span to be read. */
export interface OpenFacts {
  /** those opened last, the newest first; `row`: of one that is sealed and waits for its pack */
  views(tenant: string, prefix: string): readonly { readonly view: OpenRunView; readonly row: RunRow | null }[];
  /** where its spans lie in the journal; null: it is in a pack */
  columns(tenant: string, run: string): readonly SpanColumns[] | null;
  texts(tenant: string, runs: readonly string[]): readonly string[];
}

/** What live views need to know of runs that are in no pack yet. */
export interface OpenChanges {
  /** its spans in the order in which they came; null: it is in a pack */
  order(tenant: string, run: string): readonly { readonly id: string; readonly start: bigint }[] | null;
  /** those opened last; `version` is another one when more is known of the run */
  changes(tenant: string): readonly { readonly run: string; readonly version: string }[];
  /** its envelope, one piece after another; null: it is open, or in a pack */
  frames(tenant: string, run: string): readonly ObjectBody[] | null;
}

/** The caller of a request, as it was admitted. */
export interface Caller {
  readonly tenant: string;
  readonly caller: string;
  readonly key: string | null;
  readonly scopes: readonly Scope[];
}

/** Answers requests on another thread, so that reading does not delay receiving. */
export interface Reads {
  /** Rejects with `ApiError`. */
  answer(name: ReadName, request: Request, who: Caller): Promise<Response>;
}

/** The dependencies of the reading routes. */
export interface ReadDeps {
  readonly catalog: CatalogReader;
  readonly store: RangeStore;
  readonly open: OpenRuns;
  /** how long a class is kept, to say what became of a run */
  readonly times: RetentionTimes;
  readonly log: Log;
  readonly now?: () => number;
}

/** Takes what is said of a run. */
export interface RunKeeper {
  /** Resolves when it is on disk, with the run's row as it is then; `applied` false: once the run is sealed. */
  say(row: RunRow, said: Statement): Promise<{ readonly row: RunRow; readonly applied: boolean }>;
  /** All that has been said of it, also what waits for it to be sealed; who said it where that is known. */
  said(row: RunRow): Promise<Said>;
}

/** A destination, and what it did not take. */
export interface ApiDestination {
  state(): Omit<z.infer<typeof destination>, "deadLetters">;
  readonly letters: DeadLetters;
  resend(body: Uint8Array): Promise<string | null>;
}

export interface ApiDeps extends ReadDeps {
  /** absent: the reading routes are answered on this thread */
  readonly reads?: Reads;
  readonly changes: OpenChanges;
  readonly destinations: readonly ApiDestination[];
  /** of disk, journal and sealing */
  system(): SystemState;
  /** changes of runs, for those who watch */
  readonly feed: RunFeed;
  readonly streams: EventStreams;
  readonly keeper: RunKeeper;
  /** What was found out of the store when it was tried. Throws `UNAVAILABLE` before. */
  storeFacts(): StoreFacts;
  /** what a sweep would do now */
  plan(tenant: string): Promise<SweepPlan>;
  /** runs of a tenant that could not be sealed */
  unsealed(tenant: string): Promise<readonly SetAsideRun[]>;
  /** Host, origin and key; `scope` null asks for none. */
  admit(headers: Headers, scope: Asked | null): Promise<Admission> | Admission;
  readonly version: string;
}
