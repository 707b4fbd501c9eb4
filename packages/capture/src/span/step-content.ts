import type { ChunkCut, ExchangeEnd, HeaderPairs, RecordedError } from "@reenact/envelope";
import type { TypedText } from "./value-snapshot.ts";

export interface ExchangeDraft {
  readonly via: "fetch" | "http" | "http2";
  readonly method: string;
  /** where it goes, also where the program has asked for another address */
  url: string;
  /** of a `fetch` that does not follow redirects */
  readonly redirect?: string;
  /** other options of a `fetch` that are not the default, by name */
  readonly options?: Readonly<Record<string, string>>;
  requestHeaders: HeaderPairs;
  /** null: no body; undefined: not known yet (a form being read, a stream being sent) */
  requestBody: string | Uint8Array | null | undefined;
  /** so many bytes of its body were sent when it was over, and the body is not recorded */
  requestCut?: number;
  /** what the program has made, where another body is sent instead */
  ownBody?: string | Uint8Array | null;
  /** the body, or a form's outline, was there when the call was made: the operation was recognised with it */
  readonly bodyKnown: boolean;
  response: {
    status: number;
    reason: string;
    headers: HeaderPairs;
    url: string;
    redirected: boolean;
    type: string;
    hasBody: boolean;
    /** of HTTP/2 */
    trailers?: HeaderPairs;
  } | null;
  readonly chunks: Uint8Array[];
  readonly cuts: ChunkCut[];
  end: ExchangeEnd | null;
  error: RecordedError | null;
}

export interface CallDraft {
  /** typed encoding, or what it will be made from */
  args: TypedText;
  result: TypedText | null;
  error: string | null;
  sync: boolean;
  same: number | null;
  yields: string[] | null;
  /** "sync" | "async" for generators */
  generator: "sync" | "async" | null;
  /** plain JSON of arguments and result where they have one, for `input.value` and `output.value`; of what was copied it is made later */
  input: string | null;
  output: string | null;
  /** the result is a recorded one: what is shown of it is made from its redacted encoding, as its own JSON was not kept */
  served?: boolean;
  /** JSON of errors, yields and what a generator returns, whose `toJSON` may give members other names: it is read, not recorded */
  renamed?: { error?: string; result?: string; yields?: Map<number, string> };
}
