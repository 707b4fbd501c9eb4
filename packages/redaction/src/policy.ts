import { z } from "zod";

/** The one place that says what a policy may hold. Loaded only where a policy is read from outside. */
export const policySchema = z.strictObject({
  /** shown in records; says nothing of its content */
  name: z.string().min(1).max(64).default("default"),
  /** rules switched off */
  off: z.array(z.enum(["PEM", "JWT", "KEY", "CARD", "EMAIL", "SECRET", "AUTH"])).default([]),
  /** exact values that are never replaced */
  allow: z.array(z.string().min(1)).default([]),
  /** longest leaf that is scanned, in UTF-16 units */
  capUnits: z
    .number()
    .int()
    .min(1024)
    .max(256 * 1024 * 1024)
    .default(16 * 1024 * 1024),
  /** processor time for one text, in milliseconds; strings not reached by then are replaced */
  budgetMs: z.number().int().min(10).max(600_000).default(10_000),
});

/** A policy as a user writes it: every member may be left out. */
export type Policy = z.input<typeof policySchema>;
