import { z } from "zod";
import { TYPES } from "./scan/hit.ts";
import { pathProblem } from "./policy/path-policy.ts";
import { RULES } from "./policy/rules.ts";
import { patternProblem } from "./custom/pattern-problem.ts";
import type { Detector } from "./custom/detector.ts";

const type = z.string().regex(/^[A-Z][A-Z_]{0,31}$/, "a type is written in capitals, like EMPLOYEE_ID");
const path = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^\u0000-\u001f]+$/)
  .check((context) => {
    const problem = pathProblem(context.value);
    if (problem !== null) context.issues.push({ code: "custom", input: context.value, message: problem });
  })
  .describe(
    "names from the outside in: messages/*/content; * is any one, ** any number of them, messages[role=system] those of a role",
  );

const value = z.string().min(1);

const expression = z
  .string()
  .min(1)
  .max(1024)
  .check((context) => {
    const problem = patternProblem({ pattern: context.value, ignoreCase: false });
    if (problem !== null) context.issues.push({ code: "custom", input: context.value, message: problem });
  });

const domain = z
  .string()
  .max(253)
  .regex(/^(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+$/u, "a domain is written like example.com, without a sign before it");

const SWITCHES: ReadonlySet<string> = new Set([...TYPES, ...RULES.map(({ id }) => id)]);
const NO_SWITCH = "no type and no rule of RULES.md";

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

/** The schema of a policy. Loaded only where a policy is read from outside. */
export const policySchema = z.strictObject({
  /** shown in records; says nothing of its content */
  name: z.string().min(1).max(64).default("default"),
  /** what is switched off: types (`PHONE`), which are all rules of one, or single rules (`phone.national`) */
  off: z.array(z.string().refine((name) => SWITCHES.has(name), NO_SWITCH)).default([]),
  /** found values that stay: a list of exact values, or values, domains of e-mail addresses and expressions */
  allow: z
    .union([
      z.array(value),
      z.strictObject({
        values: z.array(value).default([]),
        /** addresses at these domains, and at domains below them */
        domains: z.array(domain).max(1000).default([]),
        /** values that one of these matches from end to end; bounded, as `patterns` are */
        patterns: z.array(expression).max(200).default([]),
      }),
    ])
    .default([]),
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

/**
 * What a destination may ask for on top of the policy that a run was recorded with. Without functions, since it is
 * applied on the thread that sends, and functions cannot be handed to another thread. Paths are those inside the JSON of
 * an attribute, and the names of attributes with slashes for their dots.
 */
export const destinationPolicySchema = policySchema.omit({ detectors: true, detectorMs: true });

/** A policy as a user writes it: every member may be left out. */
export type Policy = z.input<typeof policySchema>;
export type DestinationPolicy = z.input<typeof destinationPolicySchema>;

/** The policy, or one line that says what is wrong with it. */
export function readPolicy(given: unknown): { policy: Policy } | { error: string } {
  return readBy(policySchema, given);
}

export function readDestinationPolicy(given: unknown): { policy: DestinationPolicy } | { error: string } {
  return readBy(destinationPolicySchema, given);
}

function readBy<S extends z.ZodType>(schema: S, given: unknown): { policy: z.input<S> } | { error: string } {
  const read = schema.safeParse(given);
  if (read.success) return { policy: given as z.input<S> };
  const [issue] = read.error.issues;
  const { path: at, message } = issue === undefined ? { path: [], message: "not a policy" } : innermost(issue);
  return { error: `${at.length === 0 ? "" : `${at.map(String).join(".")}: `}${message}` };
}

/** Of a value that may have one of several forms, what is wrong in the form that it comes nearest to. */
function innermost(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } {
  if (issue.code !== "invalid_union") return issue;
  const inside = issue.errors.flat().map(innermost);
  const deepest = inside.toSorted((a, b) => b.path.length - a.path.length)[0];
  return deepest === undefined ? issue : { path: [...issue.path, ...deepest.path], message: deepest.message };
}

function isDetector(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { name, type: wanted, find, findLater } = value as Record<string, unknown>;
  const isFunction = typeof find === "function" || typeof findLater === "function";
  return typeof name === "string" && type.safeParse(wanted).success && isFunction;
}
