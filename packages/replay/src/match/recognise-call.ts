import type { Operation } from "@reenact/capture";
import { recogniseBy } from "@reenact/capture/recorder";
import type { HeaderPairs } from "@reenact/envelope";
import { dialects } from "@reenact/node";

export interface SentCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderPairs;
  /** null: it is no text, or there is none */
  readonly body: string | null;
}

/** Which operation of which provider a request is; null: no call of a provider. */
export function recogniseCall({ method, url, headers, body }: SentCall): Operation | null {
  return recogniseBy(dialects, method, url, headers, body);
}
