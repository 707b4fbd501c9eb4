import { z } from "./zod.ts";
import { recordedError, redactionFacts } from "./record.ts";
import { replayFacts } from "./replay-facts.ts";

const journalSegment = z.looseObject({ lane: z.string(), from: z.number().int().nonnegative(), events: z.string() });

/** A redacted text: digest and size of the whole, its first lines, short digests of the lines behind them. */
const textFacts = z.looseObject({
  sha256: z.string(),
  bytes: z.number(),
  tokens: z.string().optional(),
  keys: z.record(z.string(), z.number()).optional(),
  marks: z.string().optional(),
  lines: z.array(z.string()).optional(),
  more: z.string().optional(),
});
const output = textFacts.extend({
  places: z.array(z.number().int().nonnegative()).optional(),
  tools: z.record(z.string(), textFacts).optional(),
});
const fileState = z.looseObject({
  state: z.string(),
  bytes: z.number().optional(),
  sha256: z.string().optional(),
  permissions: z.number().int().optional(),
});
const files = z.looseObject({
  written: z.array(
    fileState.extend({
      path: z.string(),
      more: z.string().optional(),
      appended: z.boolean().optional(),
      permissionsFrom: z.string().optional(),
      permissionsOnly: z.boolean().optional(),
      before: fileState.extend({ content: z.string().optional(), base64: z.string().optional() }),
      depends: z.boolean().optional(),
      shared: z.boolean().optional(),
      tools: z.array(z.number().int()).optional(),
    }),
  ),
  umask: z.number().int().optional(),
  dropped: z.number().optional(),
  unsettled: z.boolean().optional(),
});
const valueMarks = z.looseObject({ kid: z.string(), places: z.array(z.looseObject({ at: z.string() })) });
const table = z.looseObject({ sha256: z.string(), rows: z.number() });
const databases = z.looseObject({
  opened: z.array(
    z.looseObject({
      path: z.string(),
      before: z.looseObject({ state: z.string(), bytes: z.number(), changes: z.string() }),
      tables: z.record(z.string(), table.nullable()),
      settings: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      unread: z.string().optional(),
      tools: z.array(z.number().int()).optional(),
    }),
  ),
  dropped: z.number().optional(),
});

/** `reenact.root`: every fact about a run that is not a step's (SPEC.md §4). Only `v` is always there. */
export const rootFacts = z.looseObject({
  v: z.literal(1),
  trigger: z.string().optional(),
  name: z.string().optional(),
  /** number of the run in its process, from 0 */
  sequence: z.number().int().optional(),
  /** of an `agent()` call: id of the run of the request or job whose code made it */
  calledIn: z.string().optional(),
  instance: z.string().optional(),
  service: z.looseObject({ name: z.string().optional(), version: z.string().optional() }).optional(),
  process: z.looseObject({}).optional(),
  git: z.looseObject({}).nullable().optional(),
  /** names of the variables read inside the run, with redacted values */
  environment: z.record(z.string(), z.unknown()).optional(),
  /** redacted names of all variables in their order, if a run has listed them */
  environmentNames: z.array(z.string()).optional(),
  stdout: output.optional(),
  stderr: output.optional(),
  files: files.optional(),
  databases: databases.optional(),
  /** totals of every lane's journal */
  lanes: z.record(z.string(), z.looseObject({ events: z.number().int().nonnegative(), sha256: z.string() })).optional(),
  /** how many steps the run had */
  steps: z.number().int().nonnegative().optional(),
  /** what no step has carried */
  journal: z.union([journalSegment, z.array(journalSegment)]).optional(),
  leaks: z.array(z.looseObject({ kind: z.string() })).optional(),
  flags: z.array(z.string()).optional(),
  /** numbers of the steps in whose bodies flags, tags, user and session were said; -1: outside, -2: by the environment */
  said: z.looseObject({}).optional(),
  tools: z.looseObject({ unrecorded: z.number().optional() }).optional(),
  /** typed values */
  input: z.string().optional(),
  output: z.string().optional(),
  /** marks of the values that were replaced in them */
  inputMarks: valueMarks.optional(),
  outputMarks: valueMarks.optional(),
  /** what was replaced in the root itself: its values, names, metadata and facts */
  redacted: redactionFacts.optional(),
  /** the journal has the delays that timers were set to (draws of kind W) */
  delays: z.boolean().optional(),
  prelude: z.looseObject({}).optional(),
  replay: replayFacts.optional(),
  recorder: z.looseObject({ name: z.string(), version: z.string() }).optional(),
  error: recordedError.nullable().optional(),
  lossy: z.array(z.string()).optional(),
  /** true: of a server, from its start until it got its first request that is a run, and what it had begun until then was done */
  startUp: z.boolean().optional(),
  /** true: made by sealing, since the process did not live to write its root */
  died: z.boolean().optional(),
  /** true: it died behind its answer, and nothing of it was under way then */
  answered: z.boolean().optional(),
});

export type RootFacts = z.infer<typeof rootFacts>;
