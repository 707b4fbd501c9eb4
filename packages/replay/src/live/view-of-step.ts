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

type Operation = NonNullable<Step["operation"]>;

/** What a call of a model that was answered says, by the map of its provider. Null: it was refused, or has no answer. */
export function viewOfStep({
  exchange,
  operation,
}: Pick<Step, "exchange" | "operation">): ReturnType<Operation["view"]> | null {
  if (exchange === null || operation === null) return null;
  const { response, requestBody, url } = exchange;
  if (response === null || response.status >= 400) return null;
  const mime = mimeOf(response.headers);
  const encoding = deliveredEncoding(exchange.via, response.headers);
  const plain = received(exchange);
  const bytes = encoding === null ? plain.bytes : (decodeContent(plain.bytes, encoding) ?? new Uint8Array());
  const text = isFramed(mime) ? eventStreamText(bytes) : encoding === null ? plain.text : textOf(bytes);
  const asked = typeof requestBody === "string" ? requestBody : requestBody ? textOf(requestBody) : null;
  const answer = { status: response.status, mime, text: text ?? "", bytes: bytes.length };
  return operation.view({ url, text: asked }, answer);
}
