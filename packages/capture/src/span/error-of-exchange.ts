import type { RecordedError } from "@reenact/envelope";
import type { ExchangeDraft } from "./step-content.ts";

/** What a step says of the error of its exchange. The whole error stands in the exchange alone. */
export function errorOfExchange({ error }: ExchangeDraft): RecordedError | null {
  if (error === null) return null;
  const { typed: _, ...said } = error;
  return said;
}
