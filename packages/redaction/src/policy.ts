import { z } from "zod";
import { TYPES } from "./hit.ts";
import { patternProblem } from "./custom/pattern-problem.ts";
import type { Detector } from "./custom/detector.ts";

const type = z.string().regex(/^[A-Z][A-Z_]{0,31}$/, "a type is written in capitals, like EMPLOYEE_ID");
const path = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^\u0000-\u001f]+$/)
  .describe("names from the outside in: messages/*/content; * is any one, ** any number of them");

const pattern = z
  .strictObject({
    /** what its tokens begin with */
    type,
    /** a regular expression in `u` mode, without bars around it */
    pattern: z.string().min(1).max(1024),
    ignoreCase: z.boolean().default(false),
  })
  .check((context) => {
    const problem = patternProblem(context.value);
    if (problem !== null) context.issues.push({ code: "custom", input: context.value.pattern, message: problem });
  });

/** The one place that says what a policy may hold. Loaded only where a policy is read from outside. */
export const policySchema = z.strictObject({
  /** shown in records; says nothing of its content */
  name: z.string().min(1).max(64).default("default"),
  /** rules switched off, by type */
  off: z.array(z.enum(TYPES)).default([]),
  /** exact values that are never replaced */
  allow: z.array(z.string().min(1)).default([]),
  /** what becomes of a value, by type: its token; the type alone; nothing. Mask and drop make different values alike */
  actions: z.partialRecord(type, z.enum(["token", "mask", "drop"])).default({}),
  /** values by where they stand, in JSON, forms, headers and arguments; deny wins */
  paths: z
    .strictObject({
      /** never looked into */
      allow: z.array(path).default([]),
      /** replaced as a whole, whatever they are */
      deny: z.array(path).default([]),
      /** found values keep a shape that code can parse */
      shapes: z.array(z.strictObject({ path, as: z.enum(["email", "ipv6", "digits"]) })).default([]),
    })
    .default({ allow: [], deny: [], shapes: [] }),
  /** expressions of your own; each must be bounded, and have one way to match */
  patterns: z.array(pattern).max(200).default([]),
  /** functions of your own; one that throws costs the text, not the agent. `findLater` works in a file of configuration only */
  detectors: z
    .array(
      z.custom<Detector>(
        (value) => isDetector(value),
        "a detector is { name, type, find } with a function find(text), or findLater(text, signal)",
      ),
    )
    .max(50)
    .default([]),
  /** milliseconds that an asynchronous detector may take for one text */
  detectorMs: z.number().int().min(1).max(60_000).default(2000),
  /** pictures, sound and files in base64: kept, or left out, which makes the step lossy */
  media: z.enum(["keep", "drop"]).default("keep"),
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

/** The policy, or one line that says what is wrong with it. */
export function readPolicy(given: unknown): { policy: Policy } | { error: string } {
  const read = policySchema.safeParse(given);
  if (read.success) return { policy: given as Policy };
  const [issue] = read.error.issues;
  const place = issue?.path.map(String).join(".") ?? "";
  return { error: `${place === "" ? "" : `${place}: `}${issue?.message ?? "not a policy"}` };
}

function isDetector(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { name, type: wanted, find, findLater } = value as Record<string, unknown>;
  const isFunction = typeof find === "function" || typeof findLater === "function";
  return typeof name === "string" && type.safeParse(wanted).success && isFunction;
}
