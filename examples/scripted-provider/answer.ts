import type { ServerResponse } from "node:http";
import type { Answer as WireAnswer, Frames } from "@reenact/wire";

export interface Pace {
  /** milliseconds before the head */
  readonly first?: number;
  /** milliseconds before each further part */
  readonly each?: number;
}

/** Writes frames to a response, well or badly. Ends when nothing more will be written. */
export type Deliver = (response: ServerResponse, frames: Frames, pace: Pace) => Promise<void>;

/** What the model says to one request, and how it is delivered. */
export interface Answer extends WireAnswer {
  readonly pace?: Pace;
  readonly deliver?: Deliver;
}
