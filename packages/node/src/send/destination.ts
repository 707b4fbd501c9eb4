import type { DestinationPolicy } from "@reenact/redaction";
import type { Target } from "../spool/target.ts";

/** A target, and how it is reached. Held in memory only: it has keys. */
export interface Destination {
  readonly target: Target;
  /** where spans are posted */
  readonly traces: string;
  readonly headers: Readonly<Record<string, string>>;
  /** replaced besides in what goes there */
  readonly redaction?: DestinationPolicy;
  /** only a spool file names it, not this environment: no key goes there */
  readonly unnamed?: true;
  /** of one exchange, milliseconds */
  readonly timeoutMs: number;
  readonly gzip: boolean;
  /** paths of PEM files */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}
