import type { DecidedAnswer } from "../source/answer.ts";
import type { Operation } from "../span/dialect.ts";
import type { StepStart } from "../span/open-step.ts";
import type { ExchangeDraft } from "../span/step-content.ts";

/** What is known of an exchange when it begins. */
export type BegunExchange = Pick<ExchangeDraft, "via" | "url" | "requestHeaders" | "requestBody" | "bodyKnown"> &
  Partial<Pick<ExchangeDraft, "redirect" | "options">>;

/** How the step of a request is named and counted. `operation`: what it was recognised as; null: a plain HTTP call. */
export function exchangeStep(
  operation: Operation | null,
  method: string,
  { host }: URL,
): Required<Pick<StepStart, "kind" | "name" | "op" | "operation" | "agentic">> {
  if (operation === null) {
    const name = `${method} ${host}`;
    return { kind: "HTTP", name, op: `http:${name}`, operation, agentic: false };
  }
  const { kind, name, op, agentic } = operation;
  return { kind, name, op, operation, agentic };
}

/** The draft of an exchange of which nothing has been received yet. */
export function exchangeDraft(method: string, begun: BegunExchange): ExchangeDraft {
  return { ...begun, method, response: null, chunks: [], cuts: [], end: null, error: null };
}

/** Notes what is sent in place of what the program made. Gives the answer back. */
export function replaceRequest<T extends DecidedAnswer & { from: "live" }>(draft: ExchangeDraft, answer: T): T {
  const { body, url } = answer;
  if (body !== undefined) [draft.ownBody, draft.requestBody] = [draft.requestBody ?? null, body];
  if (url !== undefined) draft.url = url;
  return answer;
}
