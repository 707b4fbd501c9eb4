import { z } from "./zod.ts";

export const modelPrice = z.strictObject({
  /** US dollars per million tokens */
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** of prompt tokens that were read from a cache; default: as `input` */
  cached: z.number().nonnegative().optional(),
});

/** Prices of models by their names, the longest name that the answered model begins with. */
export const modelPrices = z.strictObject({ version: z.string().min(1), models: z.record(z.string(), modelPrice) });

export type ModelPrice = z.infer<typeof modelPrice>;
export type ModelPrices = z.infer<typeof modelPrices>;
