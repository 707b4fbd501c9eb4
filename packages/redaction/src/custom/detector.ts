/** A stretch of the text, in UTF-16 units, and what it is if not the detector's own type. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly type?: string;
}

/** A function of the user's that finds values in one text. It must always say the same of the same text. */
export interface SyncDetector {
  /** id of its rule */
  readonly name: string;
  /** what its tokens begin with: capitals and `_` */
  readonly type: string;
  find(text: string): Iterable<Found>;
}

/** A model or a service. A recorder asks it on a thread of its own: its policy must stand in the configuration file. */
export interface AsyncDetector {
  readonly name: string;
  readonly type: string;
  /** `signal` is aborted when the time for it is over */
  findLater(text: string, signal: AbortSignal): Promise<Iterable<Found>>;
}

export type Detector = SyncDetector | AsyncDetector;

export interface Pattern {
  readonly type: string;
  readonly pattern: string;
  readonly ignoreCase?: boolean | undefined;
}
