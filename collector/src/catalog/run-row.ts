import type { RetentionClass, RunStatus } from "@reenact/envelope/schema";
import type { RunReplay } from "@reenact/view";

/** The place of one sealed revision of a run. Several parts are merged on read. */
export interface RunPart {
  readonly revision: number;
  /** content digest, hex */
  readonly content: string;
  /** key of the pack in the object store */
  readonly key: string;
  /** of the envelope in the pack, bytes */
  readonly offset: number;
  readonly length: number;
}

/** One run as the catalog knows it. Times are milliseconds since the epoch; null says "not known". */
export interface RunRow {
  readonly tenant: string;
  /** 32 hex digits */
  readonly run: string;
  /** the newest one sealed */
  readonly revision: number;
  readonly state: "open" | "sealed";
  readonly class: RetentionClass;
  /** name of the retention rule that chose the class */
  readonly rule: string | null;
  readonly project: string | null;
  /** of the agent */
  readonly name: string;
  readonly service: string | null;
  readonly version: string | null;
  readonly instance: string | null;
  readonly session: string | null;
  readonly user: string | null;
  readonly trigger: string | null;
  /** the run that called this one */
  readonly parent: string | null;
  /** the run that this one replays */
  readonly replayOf: string | null;
  /** what that replay said; null: it is none. Absent in rows of older collectors */
  readonly replay?: RunReplay | null;
  readonly status: RunStatus;
  readonly complete: boolean;
  readonly incompleteReasons: readonly string[];
  readonly error: { readonly class: string; readonly message: string; readonly fingerprint: string } | null;
  readonly flags: readonly string[];
  readonly tags: readonly string[];
  readonly models: readonly string[];
  /** names of the tools that ran */
  readonly tools: readonly string[];
  readonly traces: readonly string[];
  readonly started: number;
  readonly ended: number | null;
  readonly durationMs: number | null;
  /** when the first span of it arrived: retention counts from here, since senders' clocks may be wrong */
  readonly received: number;
  /** the attempts of one call count once */
  readonly steps: number;
  readonly llm: number;
  readonly toolCalls: number;
  readonly tokens: number;
  /** by kind: prompt, completion, prompt_details.cache_read, …; absent in rows of older collectors */
  readonly tokenKinds?: Readonly<Record<string, number>>;
  /** spans that ended in an error; absent in rows of older collectors */
  readonly errors?: number;
  /** begin of the first text of a user and of the model's last one, as one line; absent in rows of older collectors */
  readonly question?: string | null;
  readonly answer?: string | null;
  /** US dollars */
  readonly cost: number | null;
  readonly parts: readonly RunPart[];
}
