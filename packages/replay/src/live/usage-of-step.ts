import type { Step } from "@reenact/capture/recorder";
import type { RecordedError } from "@reenact/envelope";
import { spanTokens } from "@reenact/envelope/file";
import { viewOfStep } from "./view-of-step.ts";

export interface Usage {
  readonly model: string | null;
  /** under the names of `spanTokens`; empty: the answer does not say */
  readonly tokens: Readonly<Record<string, number>>;
}

/** What a call of a model that has ended has used, as its provider says. Null: nothing was used, since it was refused. */
export function usageOfStep(step: Step): Usage | null {
  const { exchange } = step;
  if (exchange === null || step.operation === null) return null;
  if (exchange.response === null) return wasNeverSent(exchange.error) ? null : { model: null, tokens: {} };
  const view = viewOfStep(step);
  if (view === null) return null;
  const { attributes, model } = view;
  return { model: model.answered ?? model.asked ?? null, tokens: spanTokens({ attributes }) };
}

const NO_CONNECTION =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|\w*CERT\w*|REEN-\w+)$/;

/** Whether there was no connection: a call whose connection was cut before its answer may be paid for. */
function wasNeverSent(error: RecordedError | null | undefined): boolean {
  for (let each = error ?? undefined; each !== undefined; each = each.cause)
    if (NO_CONNECTION.test(String(each.code))) return true;
  return false;
}
