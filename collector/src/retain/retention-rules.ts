import { z } from "zod";
import { retentionClass, runStatus } from "@reenact/envelope/schema";

const names = z.union([z.string(), z.array(z.string()).min(1)]).transform((value) => [value].flat());
const range = z
  .strictObject({ above: z.number().optional(), below: z.number().optional() })
  .refine(({ above, below }) => above !== undefined || below !== undefined, "says neither above nor below");
const rated = z.strictObject({
  name: names.optional(),
  above: z.number().optional(),
  below: z.number().optional(),
  equals: z.union([z.string(), z.number()]).optional(),
});

/**
 * All conditions of a rule must hold. Names are whole names, `*` stands for any characters; a list holds if one of it
 * does. `above` and `below` are never equal to the bound; a value that is not known fits no range.
 */
export const retentionRule = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9 _.-]{1,64}$/, "is no name: letters, digits, blanks and _ . -"),
  class: retentionClass,
  when: z
    .strictObject({
      status: z.union([runStatus, z.array(runStatus).min(1)]).transform((value) => [value].flat()),
      errorClass: names,
      agent: names,
      service: names,
      model: names,
      tool: names,
      flag: names,
      /** US dollars */
      cost: range,
      latencyMs: range,
      /** an attribute of any span, by its name */
      attribute: z.strictObject({
        name: z.string(),
        equals: z.union([z.string(), z.number(), z.boolean()]).optional(),
        like: names.optional(),
        above: z.number().optional(),
        below: z.number().optional(),
      }),
      score: rated,
      feedback: rated,
    })
    .partial()
    .refine((when) => Object.keys(when).length > 0, "has no condition"),
});

/** Looked at in order; the first rule that fits decides. Behind them: failed and flagged runs are kept. */
export const retentionRules = z
  .strictObject({ rules: z.array(retentionRule).max(1_000) })
  .superRefine(({ rules }, context) => {
    const seen = new Set(["failed", "flagged", "sample"]);
    for (const [at, { name }] of rules.entries()) {
      if (seen.has(name))
        context.addIssue({ code: "custom", message: `name ${name} is taken`, path: ["rules", at, "name"] });
      seen.add(name);
    }
  });

export type RetentionRule = z.infer<typeof retentionRule>;
