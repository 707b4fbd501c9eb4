import type { PackedColumns } from "../../seal/packed-columns.ts";
import type { LogFields, LogLevel } from "../../log.ts";
import type { Caller, OpenFacts, OpenRuns } from "../api-deps.ts";
import type { RetentionTimes } from "../../retain/retention-times.ts";

/** What a reading thread is given when it starts. */
export interface ReadThreadData {
  readonly catalog: string;
  /** of the journal's segments */
  readonly journal: string;
  readonly store: string;
  readonly s3: {
    readonly endpoint?: string | undefined;
    readonly region?: string | undefined;
    readonly pathStyle?: boolean | undefined;
  };
  readonly times: RetentionTimes;
  /** answers that are made at a time */
  readonly making: number;
}

/** A method of the open runs that is called there. */
export type OpenCall = Exclude<keyof OpenRuns, "spans" | "texts">;

/** To the thread. `more`: so many pieces of an answer's body may be sent beyond those before. */
export type ToReader =
  | {
      readonly is: "answer";
      readonly id: number;
      readonly url: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly head: boolean;
      readonly who: Caller;
    }
  | { readonly is: "call"; readonly id: number; readonly method: OpenCall; readonly args: readonly unknown[] }
  | { readonly is: "more"; readonly id: number }
  | { readonly is: "cancel"; readonly id: number }
  | { readonly is: "fact"; readonly id: number; readonly result: FactResult };

type FactResult =
  | { readonly rows: ReturnType<OpenFacts["views"]> }
  | { readonly columns: PackedColumns | null }
  | { readonly texts: readonly string[] };

export type Fact = keyof OpenFacts;

/** From the thread. */
export type FromReader =
  | {
      readonly is: "head";
      readonly id: number;
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      /** the whole body, where it is small; null: it follows */
      readonly body: Uint8Array<ArrayBuffer> | null;
    }
  | { readonly is: "piece"; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly is: "end"; readonly id: number; readonly error: string | null }
  | { readonly is: "called"; readonly id: number; readonly result: unknown }
  | { readonly is: "fact"; readonly id: number; readonly fact: Fact; readonly args: readonly unknown[] }
  | { readonly is: "log"; readonly level: LogLevel; readonly event: string; readonly fields: LogFields };

/** Bytes of an answer that are sent at a time: the receiving thread handles no more in one go. */
export const PIECE_BYTES = 256 * 1024;
/** Pieces that are sent before the receiving thread has asked for more. */
export const WINDOW = 4;
