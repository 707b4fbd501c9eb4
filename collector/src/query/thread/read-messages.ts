import type { CatalogAddress } from "../../catalog/catalog.ts";
import type { JournalAddress } from "../../journal/journal.ts";
import type { PackedColumns } from "../../seal/packed-columns.ts";
import type { LogFields, LogLevel } from "../../log.ts";
import type { Caller } from "../api-deps.ts";
import type { LocalFolder } from "../local-runs.ts";
import type { OpenFacts, OpenRuns } from "../unpacked-runs.ts";
import type { RetentionTimes } from "../../retain/retention-times.ts";
import type { openStoreToRead } from "../../store/open-store.ts";

/** The `workerData` of a reading thread. */
export interface ReadThreadData {
  readonly catalog: CatalogAddress;
  readonly journal: JournalAddress;
  /** its address, as in the configuration */
  readonly store: string;
  readonly s3: Parameters<typeof openStoreToRead>[1];
  readonly times: RetentionTimes;
  /** sealed runs that are shown beside what was received; null: none are */
  readonly local: LocalFolder | null;
  /** the most answers that it makes at a time */
  readonly making: number;
}

/** A method of `OpenRuns` that the receiving thread calls on a reading thread. */
export type OpenCall = Exclude<keyof OpenRuns, "spans" | "texts" | "envelope">;

/** Of a request or an answer; not readonly, as `Headers` takes only this. */
type HeaderList = [name: string, value: string][];

/** To the reading thread. `more`: one more piece of the answer's body may be sent. */
export type ToReader =
  | {
      readonly is: "answer";
      readonly id: number;
      readonly url: string;
      readonly headers: HeaderList;
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

/** From the reading thread. `end` with an error where no answer was made, or its body breaks off. */
export type FromReader =
  | {
      readonly is: "head";
      readonly id: number;
      readonly status: number;
      readonly headers: HeaderList;
      /** the whole body if it is small; null: it follows in pieces */
      readonly body: Uint8Array<ArrayBuffer> | null;
    }
  | { readonly is: "piece"; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly is: "end"; readonly id: number; readonly error: string | null }
  | { readonly is: "called"; readonly id: number; readonly result: unknown }
  | { readonly is: "fact"; readonly id: number; readonly fact: Fact; readonly args: readonly unknown[] }
  | { readonly is: "log"; readonly level: LogLevel; readonly event: string; readonly fields: LogFields };

/** The largest piece of a body that is sent as one message, bytes: it limits how long the receiving thread handles one. */
export const PIECE_BYTES = 256 * 1024;
/** Pieces that may be sent before the receiving thread has asked for more. */
export const WINDOW = 4;
