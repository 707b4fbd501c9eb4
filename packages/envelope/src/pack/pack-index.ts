import { z } from "../schema/zod.ts";
import { retentionClass, runStatus } from "../schema/manifest.ts";

const size = z.number().int().nonnegative();
const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));

/** Facts about a sealed run that change with who received it, and so are in no digest. Times are milliseconds. */
export const packReceipt = z.looseObject({
  first: z.number(),
  last: z.number(),
  closed: z.string().optional(),
  /** by which it came into this class later than sealing; empty: by none */
  rule: z.string().optional(),
  /** the class without what was said of it later, and its rule */
  floor: z.object({ class: retentionClass, rule: z.string().optional() }).optional(),
  /** the class's time counts from here, where that is later than `last` */
  countFrom: z.number().optional(),
  /** keys of packs in which copies of it may lie that go when it comes into a class that expires */
  earlier: z.array(z.string()).optional(),
});

export const packEntry = z.looseObject({
  run: hex(32),
  revision: size,
  /** of the envelope, from the begin of the pack, bytes */
  offset: size,
  length: size,
  /** bytes of its spans, not compressed */
  raw: size,
  content: hex(64),
  /** nanoseconds since the epoch, decimal */
  started: z.string().regex(/^[0-9]+$/),
  status: runStatus,
  flags: z.array(z.string()),
  /** of the agent; absent in packs of before it was noted, as the next two are where the run has none */
  name: z.string().optional(),
  session: z.string().optional(),
  /** of the process that the run belongs to */
  instance: z.string().optional(),
  receipt: packReceipt,
});

/** Footer of a pack (SPEC.md §11). */
export const packIndex = z.looseObject({
  v: z.literal(1),
  class: retentionClass,
  tenant: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  day: z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/),
  runs: z.array(packEntry),
});

export type PackReceipt = z.infer<typeof packReceipt>;
export type PackEntry = z.infer<typeof packEntry>;
export type PackIndex = z.infer<typeof packIndex>;
