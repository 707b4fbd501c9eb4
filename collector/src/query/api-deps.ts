import type { SetAsideRun } from "../seal/set-aside.ts";
import type { z } from "zod";
import type { CatalogReader } from "../catalog/catalog.ts";
import type { DeadLetters } from "../forward/dead-letters.ts";
import type { destination, SystemState } from "./system-schema.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { Log } from "../log.ts";
import type { MarkList, MarkChange } from "../retain/mark-list.ts";
import type { RetentionTimes } from "../retain/retention-times.ts";
import type { AskedRetention, SweepPlan } from "../retain/sweep.ts";
import type { Project } from "../project/project.ts";
import type { PayloadReads } from "../settings/payload-reads.ts";
import type { Settings } from "../settings/settings-schema.ts";
import type { StoreFacts } from "./api-schema.ts";
import type { Asked, Scope } from "./routes.ts";
import type { EventStreams } from "./live/event-stream.ts";
import type { RunFeed } from "./live/run-feed.ts";
import type { Sessions } from "./session/sessions.ts";
import type { ReadName } from "./read-routes.ts";
import type { RangeStore } from "./run-reader.ts";
import type { OpenChanges, OpenRuns } from "./unpacked-runs.ts";

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

/** Adds marks to runs, and removes them. */
export interface RunKeeper {
  /** Resolves when it is on disk, with the run's row as it is then; `applied` false: once the run is sealed. */
  mark(row: RunRow, change: MarkChange): Promise<{ readonly row: RunRow; readonly applied: boolean }>;
  /** All marks and removals of a run, those included that wait for it to be sealed; with the key where that is known. */
  marksOf(row: RunRow): Promise<MarkList>;
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
  /** of browsers that signed in */
  readonly sessions: Sessions;
  readonly keeper: RunKeeper;
  /** What was found out of the store when it was tried. Throws `UNAVAILABLE` before. */
  storeFacts(): StoreFacts;
  /** what a sweep would do now */
  plan(tenant: string, asked: AskedRetention): Promise<SweepPlan>;
  settings(tenant: string): Settings;
  readonly payloadReads: PayloadReads;
  /** runs of a tenant that could not be sealed */
  unsealed(tenant: string): Promise<readonly SetAsideRun[]>;
  /** The project that a tenant may see; null: none. */
  projectOf(tenant: string): Project | null;
  /** Host, origin and key; `scope` null asks for none. */
  admit(headers: Headers, scope: Asked | null): Promise<Admission> | Admission;
  readonly version: string;
}
