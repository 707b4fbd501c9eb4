import {
  decodeContent,
  deliveredEncoding,
  eventStreamText,
  isFramed,
  mimeOf,
  received,
  type Step,
} from "@reenact/capture/recorder";
import { textOf } from "@reenact/envelope";
import { spanTokens } from "@reenact/envelope/file";

export interface Usage {
  readonly model: string | null;
  /** under the names of `spanTokens`; empty: the answer does not say */
  readonly tokens: Readonly<Record<string, number>>;
}

/** What a call of a model that has ended has used, as its provider says. Null: nothing was used, since it was refused. */
export function usageOfStep({ exchange, operation }: Step): Usage | null {
  if (exchange === null || operation === null) return null;
  const { response, end, requestBody, url } = exchange;
  if (response === null) return end === "error" ? null : { model: null, tokens: {} };
  if (response.status >= 400) return null;
  const mime = mimeOf(response.headers);
  const encoding = deliveredEncoding(exchange.via, response.headers);
  const plain = received(exchange);
  const bytes = encoding === null ? plain.bytes : (decodeContent(plain.bytes, encoding) ?? new Uint8Array());
  const text = isFramed(mime) ? eventStreamText(bytes) : encoding === null ? plain.text : textOf(bytes);
  const asked = typeof requestBody === "string" ? requestBody : requestBody ? textOf(requestBody) : null;
  const answer = { status: response.status, mime, text: text ?? "", bytes: bytes.length };
  const { attributes, model } = operation.view({ url, text: asked }, answer);
  return { model: model.answered ?? model.asked ?? null, tokens: spanTokens({ attributes }) };
}
