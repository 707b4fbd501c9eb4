import type { TypedText } from "../span/value-snapshot.ts";

/**
 * `request`: a request that a server of the process got. `job`: a job that a worker of the process got: a message of a queue, a tick
 * of a schedule, an event. `surrounding`: the process around its `agent()` calls, without an
 * agentic step of its own
 */
export type RunTrigger = "process" | "function" | "request" | "job" | "surrounding";

/** Whether such runs come from outside to a program that waits for them; most of them take no agentic step and are not written. */
export function isInbound(trigger: string | undefined): boolean {
  return trigger === "request" || trigger === "job";
}

export interface RunStart {
  trigger: RunTrigger;
  name: string;
  /** −1 until `activated` gives it one: most requests and jobs become no run */
  sequence: number;
  /** called when the run takes its first agentic step, before anything of it is written */
  activated?: () => void;
  parent?: string | null;
  /** id of the run of the request or job whose code made this `agent()` call */
  calledIn?: string;
  /** typed encoding of the argument list of an `agent()` call, of a request or of a job, or what it will be made from */
  input?: TypedText | null;
  /** its JSON, where a `toJSON` may give members other names: it is read, not recorded */
  inputJson?: string | null;
}

export interface RunEnd {
  /** `suspended`: it waits for an answer of a person, with which another process goes on */
  status: "ok" | "failed" | "aborted" | "suspended";
  /** when the last of it happened, epoch ms; absent: now */
  ended?: number;
  message?: string;
  /** typed encoding of what an `agent()` call returned or threw, or of a response, or what it will be made from */
  output?: TypedText | null;
  /** its JSON, as `inputJson` of a start */
  outputJson?: string | null;
  facts?: Record<string, unknown>;
  /** what an `agent()` call threw */
  thrown?: unknown;
}
