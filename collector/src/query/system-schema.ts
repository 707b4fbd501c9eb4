import { z } from "zod";

const count = z.number().int();
export const systemAnswer = z.object({
  schemaVersion: z.literal(1),
  version: z.string(),
  unready: z.array(z.string()).describe("why no traffic should come; empty: it may"),
  store: z.object({
    missing: z
      .object({ phase: z.enum(["trying", "away", "asking"]), why: z.string().nullable() })
      .nullable()
      .describe("what is waited for; null: the store is there"),
  }),
  catalog: z.object({
    missing: z
      .object({
        phase: z.enum(["opening", "waiting", "rebuilding", "away"]),
        why: z.string().nullable().describe("of the last attempt that failed"),
        progress: z
          .object({
            packs: count.describe("read, of all attempts"),
            of: count.nullable().describe("in the store; null: not counted yet"),
            runs: count.describe("rows that were made"),
            unreadable: count.describe("packs of which some run cannot be read"),
          })
          .nullable(),
      })
      .nullable()
      .describe("rows are being made from the packs, or it does not answer; null: it has every row"),
  }),
  journal: z.object({
    bytes: z.number().describe("held until they are sealed and forwarded"),
    damagedBytes: z.number(),
    lostCommits: count.describe("that the disk refused; their senders were told"),
    refusing: z.boolean().describe("the disk takes nothing"),
  }),
  disk: z.object({ freeBytes: z.number().nullable().describe("for the journal; null: the disk does not say") }),
  runs: z.object({ open: count, sealing: count, spans: count }),
  sealed: z.object({ runs: count, packs: count, storedBytes: z.number(), failures: count }),
  watching: count.describe("pages that follow runs"),
});
export const destination = z.object({
  name: z.string(),
  state: z.enum(["working", "waiting", "stopped"]),
  lagMs: z.number().describe("age of the oldest spans that it has not got"),
  behindBytes: z.number(),
  lastFailure: z.string().nullable(),
  sent: count.describe("spans, since the collector started"),
  rejected: count,
  deadLettered: count,
  dropped: count,
  retries: count.describe("requests"),
  deadLetters: z.object({ letters: count, bytes: z.number() }),
});
export const destinationsAnswer = z.object({ schemaVersion: z.literal(1), destinations: z.array(destination) });
export const heldLettersQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(1000).default(100) });
export const heldLettersAnswer = z.object({
  schemaVersion: z.literal(1),
  letters: z
    .array(
      z.object({
        at: z.number().describe("when it was given up"),
        file: z.string().describe("in the folder of the destination's dead letters"),
        spans: count,
        bytes: z.number(),
        reason: z.string(),
      }),
    )
    .describe("the oldest first"),
  all: count.describe("letters that are held, listed or not"),
});
export const lettersAnswer = z.object({
  schemaVersion: z.literal(1),
  gone: count.describe("letters that were sent, or dropped"),
  left: count,
  why: z.string().nullable().describe("why the first one that is left was not taken"),
});
export const noBody = z.strictObject({});

export type SystemState = Omit<z.infer<typeof systemAnswer>, "schemaVersion" | "watching">;
