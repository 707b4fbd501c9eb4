// Generated from the collector's OpenAPI document by `npm run api-client`; edit the schemas there.
type Run = { readonly run: string; readonly revision: number; readonly state: "open" | "sealed"; readonly class: "short" | "sample" | "keep"; readonly rule: string | null; readonly project: string | null; readonly name: string; readonly service: string | null; readonly version: string | null; readonly instance: string | null; readonly session: string | null; readonly user: string | null; readonly trigger: string | null; readonly parent: string | null; readonly replayOf: string | null; readonly status: "ok" | "failed" | "aborted" | "suspended"; readonly complete: boolean; readonly incompleteReasons: readonly (string)[]; readonly error: ({ readonly class: string; readonly message: string; readonly fingerprint: string }) | (null); readonly flags: readonly (string)[]; readonly tags: readonly (string)[]; readonly models: readonly (string)[]; readonly tools: readonly (string)[]; readonly traces: readonly (string)[]; readonly started: number; readonly ended: (number) | (null); readonly durationMs: number | null; readonly received: number; readonly steps: number; readonly llm: number; readonly toolCalls: number; readonly tokens: number; readonly tokenKinds: Readonly<Record<string, number>>; readonly errors: (number) | (null); readonly question: string | null; readonly answer: string | null; readonly cost: number | null; readonly bytes: number };
type Step = { readonly id: string; readonly n: number; readonly parent: string | null; readonly kind: string; readonly name: string; readonly slot: string | null; readonly attempt: (number) | (null); readonly status: "ok" | "failed" | "open"; readonly error: ({ readonly class: string; readonly message: string }) | (null); readonly started: number; readonly ended: (number) | (null); readonly durationMs: number | null; readonly firstChunkMs: number | null; readonly model: string | null; readonly tokens: Readonly<Record<string, number>>; readonly cost: number | null; readonly redactions: number; readonly parts: readonly (Part)[] };
type Part = { readonly name: string; readonly digest: string; readonly bytes: number; readonly type: string };
type Item = { readonly is: "text" | "reasoning" | "call" | "result"; readonly role: "system" | "user" | "assistant" | "tool"; readonly name: string | null; readonly text: string; readonly length: number };
/** What each operation of the API takes and answers; `answer` never: it is no JSON. */
export interface Operations {
  /** Whose key it is, what it may do, and what this collector can */
  whoAmI: { path: Readonly<Record<string, never>>; query: Readonly<Record<string, never>>; body: undefined; answer: { readonly schemaVersion: 1; readonly key: string; readonly project: string; readonly scopes: readonly ("ingest" | "read" | "admin" | "metrics")[]; readonly version: string; readonly capabilities: readonly (string)[] } };
  /** Sign in a browser with a key that may read: sets a session cookie that only pages of this collector use */
  signIn: { path: Readonly<Record<string, never>>; query: Readonly<Record<string, never>>; body: { readonly key: string }; answer: { readonly schemaVersion: 1; readonly key: string; readonly project: string; readonly scopes: readonly ("ingest" | "read" | "admin" | "metrics")[]; readonly version: string; readonly capabilities: readonly (string)[] } };
  /** End the session of this browser */
  signOut: { path: Readonly<Record<string, never>>; query: Readonly<Record<string, never>>; body: {  }; answer: { readonly schemaVersion: 1; readonly signedOut: true } };
  /** Runs, newest first, those still open included */
  listRuns: { path: Readonly<Record<string, never>>; query: { filter?: string | undefined; at?: string | undefined; limit?: number | undefined; after?: string | undefined; order?: "started" | "duration" | "cost" | "tokens" | "errors" | undefined }; body: undefined; answer: { readonly schemaVersion: 1; readonly runs: readonly (Run)[]; readonly next: string | null; readonly count: { readonly value: number; readonly exact: boolean } } };
  /** Runs as they change, as server-sent events `run`, `gone`, `reset`; goes on behind `Last-Event-ID` */
  watchRuns: { path: Readonly<Record<string, never>>; query: { filter?: string | undefined }; body: undefined; answer: never };
  /** One run */
  getRun: { path: { run: string }; query: Readonly<Record<string, never>>; body: undefined; answer: { readonly schemaVersion: 1; readonly run: Run } };
  /** The sealed envelope, whole or a range of its bytes */
  getEnvelope: { path: { run: string }; query: Readonly<Record<string, never>>; body: undefined; answer: never };
  /** The run's spans as OTLP TracesData, as far as they have arrived */
  getSpans: { path: { run: string }; query: Readonly<Record<string, never>>; body: undefined; answer: never };
  /** The steps of an open run as they arrive, as server-sent events `step`, `run`, `reset`, and `sealed` or `gone` at its end */
  watchRun: { path: { run: string }; query: Readonly<Record<string, never>>; body: undefined; answer: never };
  /** The run's steps without their payloads, by start, as far as they have arrived */
  getTree: { path: { run: string }; query: { limit?: number | undefined; after?: number | undefined }; body: undefined; answer: { readonly schemaVersion: 1; readonly run: Run; readonly steps: readonly (Step)[]; readonly total: number; readonly next: (number) | (null) } };
  /** The run for reading: question, answer, cause of the failure, and its steps with what each adds to the conversation */
  getView: { path: { run: string }; query: { limit?: number | undefined; after?: number | undefined }; body: undefined; answer: { readonly schemaVersion: 1; readonly run: Run; readonly question: string | null; readonly answer: string | null; readonly cause: ({ readonly step: number; readonly certain: boolean }) | (null); readonly failed: readonly (number)[]; readonly redacted: number; readonly steps: readonly ({ readonly id: string; readonly parent: string | null; readonly kind: string; readonly name: string; readonly slot: string | null; readonly attempt: (number) | (null); readonly status: "ok" | "failed" | "open"; readonly error: ({ readonly class: string; readonly message: string }) | (null); readonly started: number; readonly ended: (number) | (null); readonly durationMs: number | null; readonly firstChunkMs: number | null; readonly model: string | null; readonly tokens: Readonly<Record<string, number>>; readonly cost: number | null; readonly redactions: number; readonly step: number; readonly depth: number; readonly input: readonly (Item)[]; readonly output: readonly (Item)[] })[]; readonly total: number; readonly next: (number) | (null) } };
  /** What one step adds to the conversation, each text up to 64 KB */
  getItems: { path: { run: string; step: string }; query: Readonly<Record<string, never>>; body: undefined; answer: { readonly schemaVersion: 1; readonly run: string; readonly input: readonly (Item)[]; readonly output: readonly (Item)[] } };
  /** One step, with a list of what can be read of it */
  getStep: { path: { run: string; step: string }; query: Readonly<Record<string, never>>; body: undefined; answer: { readonly schemaVersion: 1; readonly run: string; readonly step: { readonly id: string; readonly n: number; readonly parent: string | null; readonly kind: string; readonly name: string; readonly slot: string | null; readonly attempt: (number) | (null); readonly status: "ok" | "failed" | "open"; readonly error: ({ readonly class: string; readonly message: string }) | (null); readonly started: number; readonly ended: (number) | (null); readonly durationMs: number | null; readonly firstChunkMs: number | null; readonly model: string | null; readonly tokens: Readonly<Record<string, number>>; readonly cost: number | null; readonly redactions: number; readonly parts: readonly (Part)[]; readonly attributes: Readonly<Record<string, string | number | boolean>>; readonly exchange: ({ readonly method: string; readonly url: string; readonly requestHeaders: readonly (readonly [string, string])[]; readonly status: (number) | (null); readonly responseHeaders: readonly (readonly [string, string])[]; readonly end: string; readonly chunks: number }) | (null); readonly redacted: readonly ({ readonly at: string; readonly rule: string; readonly type: string; readonly n: number })[]; readonly source: string | null; readonly lossy: readonly (string)[] } } };
  /** The bytes of one value of a step, whole or a range of them */
  getPart: { path: { run: string; step: string; digest: string }; query: Readonly<Record<string, never>>; body: undefined; answer: never };
  /** The most frequent values of fields, with the number of runs that have them, open ones included */
  getFacets: { path: Readonly<Record<string, never>>; query: { filter?: string | undefined; at?: string | undefined; limit?: number | undefined; fields?: string | undefined }; body: undefined; answer: { readonly schemaVersion: 1; readonly facets: Readonly<Record<string, readonly ({ readonly value: string; readonly runs: number })[]>>; readonly exact: boolean } };
  /** Runs, failures, tokens, cost and percentiles of the duration over time */
  getSeries: { path: Readonly<Record<string, never>>; query: { filter?: string | undefined; from?: number | undefined; to?: number | undefined; buckets?: number | undefined; by?: "run" | "state" | "class" | "rule" | "project" | "name" | "service" | "version" | "instance" | "session" | "user" | "trigger" | "parent" | "replayOf" | "status" | "errorClass" | "fingerprint" | undefined }; body: undefined; answer: { readonly schemaVersion: 1; readonly from: number; readonly to: number; readonly bucketMs: number; readonly exact: boolean; readonly points: readonly ({ readonly at: number; readonly group: string | null; readonly runs: number; readonly open: number; readonly failed: number; readonly aborted: number; readonly tokens: number; readonly cost: number | null; readonly p50: number | null; readonly p95: number | null; readonly p99: number | null })[] } };
  /** Runs in packs that failed in the same way, by fingerprint, the newest group first */
  listErrors: { path: Readonly<Record<string, never>>; query: { filter?: string | undefined; limit?: number | undefined }; body: undefined; answer: { readonly schemaVersion: 1; readonly errors: readonly ({ readonly runs: number; readonly first: number; readonly last: number; readonly fingerprint: string; readonly class: string; readonly message: string; readonly newest: string; readonly agents: readonly ({ readonly value: string; readonly runs: number })[]; readonly versions: readonly ({ readonly value: string; readonly runs: number })[] })[] } };
  /** Sessions of runs in packs with their sums, the newest first */
  listSessions: { path: Readonly<Record<string, never>>; query: { filter?: string | undefined; limit?: number | undefined }; body: undefined; answer: { readonly schemaVersion: 1; readonly sessions: readonly ({ readonly runs: number; readonly failed: number; readonly tokens: number; readonly cost: number | null; readonly first: number; readonly last: number; readonly session: string })[] } };
  /** One session with its runs */
  getSession: { path: { session: string }; query: { limit?: number | undefined; after?: string | undefined }; body: undefined; answer: { readonly schemaVersion: 1; readonly sums: { readonly runs: number; readonly failed: number; readonly tokens: number; readonly cost: number | null; readonly first: number; readonly last: number }; readonly runs: readonly (Run)[]; readonly next: string | null; readonly session: string } };
  /** Users of runs in packs with their sums, the newest first */
  listUsers: { path: Readonly<Record<string, never>>; query: { filter?: string | undefined; limit?: number | undefined }; body: undefined; answer: { readonly schemaVersion: 1; readonly users: readonly ({ readonly runs: number; readonly failed: number; readonly tokens: number; readonly cost: number | null; readonly first: number; readonly last: number; readonly user: string })[] } };
  /** One user, as recorded, with its runs and sessions */
  getUser: { path: { user: string }; query: { limit?: number | undefined; after?: string | undefined }; body: undefined; answer: { readonly schemaVersion: 1; readonly sums: { readonly runs: number; readonly failed: number; readonly tokens: number; readonly cost: number | null; readonly first: number; readonly last: number }; readonly runs: readonly (Run)[]; readonly next: string | null; readonly user: string; readonly sessions: readonly ({ readonly runs: number; readonly failed: number; readonly tokens: number; readonly cost: number | null; readonly first: number; readonly last: number; readonly session: string })[] } };
  /** Two runs step by step: which are the same, which differ and where, which only one has */
  diffRuns: { path: Readonly<Record<string, never>>; query: { a: string; b: string }; body: undefined; answer: { readonly schemaVersion: 1; readonly a: Run; readonly b: Run; readonly same: boolean; readonly complete: boolean; readonly first: (number) | (null); readonly steps: readonly ({ readonly is: "same" | "changed" | "only-a" | "only-b"; readonly a: (number) | (null); readonly b: (number) | (null); readonly kind: string; readonly name: string; readonly slot: string | null; readonly changes: readonly ({ readonly part: string; readonly pointers: readonly (string)[] })[] })[] } };
  /** State of disk, journal and sealing */
  getSystem: { path: Readonly<Record<string, never>>; query: Readonly<Record<string, never>>; body: undefined; answer: { readonly schemaVersion: 1; readonly version: string; readonly unready: readonly (string)[]; readonly store: { readonly missing: ({ readonly phase: "trying" | "away" | "asking"; readonly why: string | null }) | (null) }; readonly catalog: { readonly missing: ({ readonly phase: "opening" | "waiting" | "rebuilding"; readonly why: string | null; readonly progress: ({ readonly packs: number; readonly of: (number) | (null); readonly runs: number; readonly unreadable: number }) | (null) }) | (null) }; readonly journal: { readonly bytes: number; readonly segments: number; readonly damagedBytes: number; readonly lostCommits: number; readonly refusing: boolean }; readonly disk: { readonly freeBytes: number | null }; readonly runs: { readonly open: number; readonly sealing: number; readonly spans: number }; readonly sealed: { readonly runs: number; readonly packs: number; readonly storedBytes: number; readonly failures: number }; readonly watching: number } };
  /** Where spans are forwarded, how far behind each is, and what it did not take */
  listDestinations: { path: Readonly<Record<string, never>>; query: Readonly<Record<string, never>>; body: undefined; answer: { readonly schemaVersion: 1; readonly destinations: readonly ({ readonly name: string; readonly state: "working" | "waiting" | "stopped"; readonly lagMs: number; readonly behindBytes: number; readonly lastFailure: string | null; readonly sent: number; readonly rejected: number; readonly deadLettered: number; readonly dropped: number; readonly retries: number; readonly deadLetters: { readonly letters: number; readonly bytes: number } })[] } };
  /** What a destination did not take, and why */
  listLetters: { path: { destination: string }; query: { limit?: number | undefined }; body: undefined; answer: { readonly schemaVersion: 1; readonly letters: readonly ({ readonly at: number; readonly file: string; readonly spans: number; readonly bytes: number; readonly reason: string })[]; readonly all: number } };
  /** Send again what a destination did not take, the oldest first, until it refuses one */
  resendLetters: { path: { destination: string }; query: Readonly<Record<string, never>>; body: {  }; answer: { readonly schemaVersion: 1; readonly gone: number; readonly left: number; readonly why: string | null } };
  /** Remove what a destination did not take */
  dropLetters: { path: { destination: string }; query: Readonly<Record<string, never>>; body: {  }; answer: { readonly schemaVersion: 1; readonly gone: number; readonly left: number; readonly why: string | null } };
  /** What the store was found to have when the collector started */
  getStore: { path: Readonly<Record<string, never>>; query: Readonly<Record<string, never>>; body: undefined; answer: { readonly schemaVersion: 1; readonly store: { readonly place: string; readonly conditionalWrites: "supported" | "off" | "unsupported" | "denied"; readonly lifecycle: "supported" | "off" | "unsupported" | "denied"; readonly versioning: "supported" | "off" | "unsupported" | "denied"; readonly tagging: "supported" | "off" | "unsupported" | "denied"; readonly objectLock: "supported" | "off" | "unsupported" | "denied" } } };
  /** Runs that could not be sealed: their spans lie in the store as they came */
  listUnsealed: { path: Readonly<Record<string, never>>; query: Readonly<Record<string, never>>; body: undefined; answer: { readonly schemaVersion: 1; readonly runs: readonly ({ readonly run: string; readonly key: string; readonly bytes: number; readonly at: number })[] } };
  /** What a sweep at this moment would remove, what stays, and what both cost a month; removes nothing */
  getRetention: { path: Readonly<Record<string, never>>; query: Readonly<Record<string, never>>; body: undefined; answer: { readonly schemaVersion: 1; readonly goes: { readonly short: { readonly packs: number; readonly runs: number; readonly bytes: number }; readonly sample: { readonly packs: number; readonly runs: number; readonly bytes: number }; readonly keep: { readonly packs: number; readonly runs: number; readonly bytes: number } }; readonly stays: { readonly short: { readonly packs: number; readonly runs: number; readonly bytes: number }; readonly sample: { readonly packs: number; readonly runs: number; readonly bytes: number }; readonly keep: { readonly packs: number; readonly runs: number; readonly bytes: number } }; readonly usdPerMonth: { readonly goes: number; readonly stays: number }; readonly price: { readonly usdPerGbMonth: number; readonly source: string } } };
  /** Marks of the run: flags, feedback and scores, with time and key, removed ones included */
  listMarks: { path: { run: string }; query: Readonly<Record<string, never>>; body: undefined; answer: { readonly schemaVersion: 1; readonly run: string; readonly marks: readonly ({ readonly id: string; readonly kind: "flag" | "feedback" | "score"; readonly name: string; readonly value: number | string | null; readonly at: number; readonly by: string | null; readonly pinned: boolean; readonly removed: ({ readonly at: number; readonly by: string | null }) | (null) })[] } };
  /** Remove a flag, feedback or a score: the run comes back into the class that it has without, and does not expire at once */
  removeMark: { path: { run: string; mark: string }; query: Readonly<Record<string, never>>; body: undefined; answer: { readonly schemaVersion: 1; readonly applied: boolean; readonly mark: string; readonly run: Run } };
  /** Keep the run for ever; one that is not sealed yet, once it is */
  keepRun: { path: { run: string }; query: Readonly<Record<string, never>>; body: { readonly reason?: string }; answer: { readonly schemaVersion: 1; readonly applied: boolean; readonly mark: string; readonly run: Run } };
  /** Flag the run with a reason; the retention rules are asked again, or for the first time when it is sealed */
  flagRun: { path: { run: string }; query: Readonly<Record<string, never>>; body: { readonly reason: string }; answer: { readonly schemaVersion: 1; readonly applied: boolean; readonly mark: string; readonly run: Run } };
  /** A user's or a judge's word on the run; the retention rules are asked again, or for the first time when it is sealed */
  giveFeedback: { path: { run: string }; query: Readonly<Record<string, never>>; body: { readonly kind?: "feedback" | "score"; readonly name?: string; readonly value: (number) | (string) }; answer: { readonly schemaVersion: 1; readonly applied: boolean; readonly mark: string; readonly run: Run } };
  /** This document */
  getOpenApi: { path: Readonly<Record<string, never>>; query: Readonly<Record<string, never>>; body: undefined; answer: never };
}
export const OPERATIONS = {
  whoAmI: { method: "GET", path: "/api/v1/whoami" },
  signIn: { method: "POST", path: "/api/v1/signin" },
  signOut: { method: "POST", path: "/api/v1/signout" },
  listRuns: { method: "GET", path: "/api/v1/runs" },
  watchRuns: { method: "GET", path: "/api/v1/runs/events" },
  getRun: { method: "GET", path: "/api/v1/runs/{run}" },
  getEnvelope: { method: "GET", path: "/api/v1/runs/{run}/envelope" },
  getSpans: { method: "GET", path: "/api/v1/runs/{run}/spans" },
  watchRun: { method: "GET", path: "/api/v1/runs/{run}/events" },
  getTree: { method: "GET", path: "/api/v1/runs/{run}/tree" },
  getView: { method: "GET", path: "/api/v1/runs/{run}/view" },
  getItems: { method: "GET", path: "/api/v1/runs/{run}/view/{step}" },
  getStep: { method: "GET", path: "/api/v1/runs/{run}/steps/{step}" },
  getPart: { method: "GET", path: "/api/v1/runs/{run}/steps/{step}/parts/{digest}" },
  getFacets: { method: "GET", path: "/api/v1/facets" },
  getSeries: { method: "GET", path: "/api/v1/series" },
  listErrors: { method: "GET", path: "/api/v1/errors" },
  listSessions: { method: "GET", path: "/api/v1/sessions" },
  getSession: { method: "GET", path: "/api/v1/sessions/{session}" },
  listUsers: { method: "GET", path: "/api/v1/users" },
  getUser: { method: "GET", path: "/api/v1/users/{user}" },
  diffRuns: { method: "GET", path: "/api/v1/diff" },
  getSystem: { method: "GET", path: "/api/v1/system" },
  listDestinations: { method: "GET", path: "/api/v1/destinations" },
  listLetters: { method: "GET", path: "/api/v1/destinations/{destination}/dead-letters" },
  resendLetters: { method: "POST", path: "/api/v1/destinations/{destination}/dead-letters/retry" },
  dropLetters: { method: "POST", path: "/api/v1/destinations/{destination}/dead-letters/drop" },
  getStore: { method: "GET", path: "/api/v1/store" },
  listUnsealed: { method: "GET", path: "/api/v1/unsealed" },
  getRetention: { method: "GET", path: "/api/v1/retention" },
  listMarks: { method: "GET", path: "/api/v1/runs/{run}/marks" },
  removeMark: { method: "DELETE", path: "/api/v1/runs/{run}/marks/{mark}" },
  keepRun: { method: "POST", path: "/api/v1/runs/{run}/keep" },
  flagRun: { method: "POST", path: "/api/v1/runs/{run}/flag" },
  giveFeedback: { method: "POST", path: "/api/v1/runs/{run}/feedback" },
  getOpenApi: { method: "GET", path: "/api/v1/openapi.json" },
} as const satisfies Record<keyof Operations, { method: string; path: string }>;
