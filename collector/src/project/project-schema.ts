import { z } from "zod";

const usd = z.number().describe("US dollars");
const ms = z.number().describe("milliseconds since the epoch");

export const projectTest = z.object({
  name: z.string(),
  file: z.string().describe("path of the fixture's definition, from the folder of the project"),
  run: z.string().nullable().describe("id of the run that it was made of; null: the definition cannot be read"),
  expect: z.enum(["same", "fixed", "accepted"]).nullable().describe("what is expected of the replay; null: as `run`"),
  command: z.string().nullable().describe("line for a terminal that runs this test alone; null: none is known"),
  problem: z.string().nullable().describe("why the fixture cannot be used"),
  last: z
    .object({
      status: z.enum(["passed", "failed"]),
      what: z.string().describe("the outcome in words"),
      cause: z.string().nullable().describe("why the replay first differs from the recorded run"),
      step: z.number().int().nullable().describe("where it first differs"),
      pointer: z.string().nullable().describe("JSON pointer to it; null: none is known"),
      recorded: z
        .string()
        .nullable()
        .describe("what was recorded there: text, or JSON; of a long one the part that differs"),
      now: z.string().nullable().describe("what the program did instead"),
      replay: z.string().nullable().describe("id of the run of a replay that failed; null: it wrote none"),
      at: ms,
      durationMs: z.number(),
      isStale: z.boolean().describe("the fixture has changed since"),
    })
    .nullable()
    .describe("null: no result is known"),
});

export const projectCheck = z.object({
  id: z.string(),
  ok: z.boolean(),
  line: z.string().describe("what was found"),
  fix: z.string().nullable().describe("what to do about it"),
});
export const checksAnswer = z.object({
  schemaVersion: z.literal(1),
  project: z.string().nullable().describe("name of the project's folder; null: this collector runs over no project"),
  place: z.string().describe("options of a command in that folder, a blank ahead; empty: none are needed"),
  checks: z.array(projectCheck).describe("as `reenact doctor` finds them there; none without a project"),
  admitted: z.boolean().describe("this page may record the demo run"),
});
export const demoAnswer = z.object({
  schemaVersion: z.literal(1),
  run: z.string().nullable().describe("id of the recorded run; null: there is none"),
  failure: z.string().nullable().describe("why there is none"),
});

/** Tests that a page has started. */
export const testsRun = z.object({
  id: z.string(),
  state: z.enum(["running", "ending", "ended"]).describe("ending: they were cancelled, and have not ended yet"),
  started: ms,
  durationMs: z.number().nullable().describe("null: they have not ended"),
  files: z
    .array(z.string())
    .describe("the tests, in their order; one that has ended has a result that is later than `started`"),
  failure: z.string().nullable().describe("why not all of them have a result"),
  cancelled: z.boolean(),
});
export const testsRunAnswer = z.object({ schemaVersion: z.literal(1), run: testsRun });
export const testsBody = z.strictObject({
  files: z
    .array(z.string().min(1).max(4096))
    .max(1000)
    .default([])
    .describe("tests by their `file`; empty: all that can be run"),
});

export const testsAnswer = z.object({
  schemaVersion: z.literal(1),
  project: z.string().nullable().describe("name of the project's folder; null: this collector runs over no project"),
  command: z.string().describe("line for a terminal that runs all tests"),
  place: z
    .string()
    .describe(
      "options with which a command in the folder of the project finds these runs, a blank ahead; empty: none are needed",
    ),
  tests: z.array(projectTest).describe("by name"),
  admitted: z
    .boolean()
    .describe("this page may run them: the collector was started with a command, and the token is its own"),
  run: testsRun.nullable().describe("tests that a page has started last; null: none were"),
});

export const replayState = z.object({
  id: z.string(),
  run: z.string().describe("id of the run that is replayed"),
  state: z.enum(["running", "ending", "ended"]).describe("ending: it was cancelled, and has not ended yet"),
  started: ms,
  durationMs: z.number().nullable().describe("null: it has not ended"),
  calls: z
    .array(z.object({ step: z.number().int(), slot: z.string(), attempt: z.number().int(), verdict: z.string() }))
    .describe("of the program so far, in order; when the replay has ended, its final word on each"),
  more: z.number().int().describe("calls that are not listed: there are too many"),
  report: z
    .object({
      verdict: z.string(),
      replay: z.string().nullable().describe("id of the run that the replay is; null: it wrote none"),
      recorded: z.number().int().describe("steps that were served from the record"),
      live: z.number().int(),
      costUsd: z.number().nullable().describe("what the live calls have cost, US dollars; null: not known"),
      edited: z.number().int(),
      refused: z.number().int(),
      sockets: z.number().int(),
      missing: z.number().int(),
      findings: z.array(z.string()).describe("names of what else was found: `truncated-recording`, …"),
      divergence: z
        .object({
          step: z.number().int().nullable(),
          run: z
            .string()
            .nullable()
            .describe("the run that differs, where the process has several; null: the one that is replayed"),
          verdict: z.string(),
          cause: z.string(),
          pointer: z.string().nullable(),
          recorded: z
            .string()
            .nullable()
            .describe("text, or JSON; of a long one 4,000 characters around the first difference"),
          now: z.string().nullable(),
        })
        .nullable()
        .describe("where the replay first leaves the record; null: nowhere"),
      notes: z.array(z.string()).describe("what was not compared, and what else a reader should know"),
      stopped: z.string().nullable().describe("why it ended early"),
      next: z.string().describe("line for a terminal"),
    })
    .nullable()
    .describe("null: it has not ended, or has failed"),
  failure: z.string().nullable().describe("why there is no report"),
  cancelled: z.boolean(),
});

export const workbenchAnswer = z.object({
  schemaVersion: z.literal(1),
  project: z.string().nullable().describe("name of the project's folder; null: this collector runs over no project"),
  command: z.string().nullable().describe("what a replay starts; null: no command was given at the start"),
  admitted: z.boolean().describe("the token of the request is the one of the link that was printed at the start"),
  running: z.string().nullable().describe("id of the replay that runs"),
  live: z
    .object({ limit: usd, left: usd.describe("of the limit, for all live replays that are still to come") })
    .nullable()
    .describe("null: pages may send nothing (`reenact up --allow-live`)"),
});
/** A value of a step that is set in a page may be as long as a tool's result. */
export const MOST_SET_BYTES = 1024 * 1024;
export const replayBody = z.strictObject({
  run: z.string().regex(/^[0-9a-f]{32}$/),
  runTools: z
    .array(z.string().min(1).max(200))
    .max(100)
    .default([])
    .describe("tools whose bodies run, instead of serving their recorded results"),
  set: z
    .array(
      z.strictObject({
        form: z.enum(["tool", "input"]).describe("result of a tool or step, or answer to a question"),
        name: z
          .string()
          .min(1)
          .max(200)
          .regex(/^[^=]+$/, "has an equals sign, which no such name may have"),
        n: z.number().int().min(1).max(1_000_000).describe("which call of this name, from 1"),
        value: z.string().max(MOST_SET_BYTES).describe("JSON, or a text"),
        isJson: z.boolean(),
      }),
    )
    .max(100)
    .default([])
    .describe("what calls return, instead of what was recorded"),
});
const hostAndKeys = z.object({
  host: z.string().describe("with its port, as recorded"),
  provider: z.string(),
  variables: z
    .array(z.object({ name: z.string(), isSet: z.boolean() }))
    .describe("variables of this machine from which its key is taken"),
  isAllowed: z.boolean().describe("false: nothing is sent there"),
});
/** A replay that sends real requests is described first, and started by the id of the description. */
export const planBody = replayBody.extend({
  fork: z.number().int().min(1).max(1_000_000).describe("the step from which on calls of models are real"),
  edits: z
    .array(
      z.strictObject({
        what: z.enum(["prompt", "system", "model", "params"]).describe("prompt: of the step `fork`"),
        name: z
          .string()
          .regex(/^[\w.-]{1,100}$/)
          .nullable()
          .default(null)
          .describe("of a parameter"),
        value: z.string().max(MOST_SET_BYTES).describe("a text; of a parameter JSON"),
      }),
    )
    .max(20)
    .default([])
    .describe("how requests are changed"),
});
export const planAnswer = z.object({
  schemaVersion: z.literal(1),
  plan: z.object({
    id: z.string().describe("starts this replay, once"),
    run: z.string(),
    asked: z.string().describe("in the words of the command line"),
    recipients: z.array(hostAndKeys).describe("to whom the record says that calls go"),
    alsoAllowed: z.array(z.string()).describe("origins to which the program may send beside the providers' own hosts"),
    maxCost: usd.describe("nothing more is sent once so much is spent"),
  }),
});
export const replayAnswer = z.object({ schemaVersion: z.literal(1), replay: replayState });
