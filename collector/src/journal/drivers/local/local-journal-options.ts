import type { Log } from "../../../log.ts";
import type { JournalError } from "../../journal-error.ts";

export interface LocalJournalOptions {
  folder: string;
  /** a new segment is begun once one is this long; default 128 MiB */
  segmentBytes?: number;
  /** shared memory between the receiver and the disk; default 16 MiB; bodies over a quarter of it are moved */
  ringBytes?: number;
  /** how long a small commit waits for more; default 0.3 ms */
  lingerMs?: number;
  /** appends are refused where less than this would be free; default 1 GiB */
  minFreeBytes?: number;
  /** URL of a module whose `files` stands in for the disk: for tests */
  files?: string;
  log?: Log;
  /** the worker ended by itself: nothing can be kept any more */
  onDead?: (error: JournalError) => void;
}
