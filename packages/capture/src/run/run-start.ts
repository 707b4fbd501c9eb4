import type { TypedText } from "../span/value-snapshot.ts";

/** `surrounding`: the process around its `agent()` calls, without an agentic step of its own */
export type RunTrigger = "process" | "function" | "surrounding";

export interface RunStart {
  trigger: RunTrigger;
  name: string;
  sequence: number;
  parent?: string | null;
  /** typed encoding of the argument list of an `agent()` call, or what it will be made from */
  input?: TypedText | null;
  /** its JSON, where a `toJSON` may give members other names: it is read, not recorded */
  inputJson?: string | null;
}

export interface RunEnd {
  status: "ok" | "failed" | "aborted";
  message?: string;
  /** typed encoding of what an `agent()` call returned or threw, or what it will be made from */
  output?: TypedText | null;
  /** its JSON, as `inputJson` of a start */
  outputJson?: string | null;
  facts?: Record<string, unknown>;
  /** what an `agent()` call threw */
  thrown?: unknown;
}
