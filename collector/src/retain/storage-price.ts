import { z } from "zod";

/** The price of storing a gigabyte (10⁹ bytes) for a month. */
export const storagePrice = z.strictObject({ usdPerGbMonth: z.number().nonnegative(), source: z.string() });
export type StoragePrice = z.infer<typeof storagePrice>;

/** List prices; a configuration may state its own. */
export const STORAGE_PRICES: Readonly<Record<"s3" | "directory", StoragePrice>> = {
  s3: { usdPerGbMonth: 0.023, source: "Amazon S3 Standard, us-east-1, first 50 TB, 2025" },
  directory: { usdPerGbMonth: 0, source: "own disk: not priced" },
};

export const monthlyCost = (bytes: number, { usdPerGbMonth }: StoragePrice): number => (bytes / 1e9) * usdPerGbMonth;
