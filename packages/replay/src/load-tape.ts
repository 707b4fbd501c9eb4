import { readFileSync } from "node:fs";
import { readEnvelope } from "@reenact/envelope/file";
import { type Tape, tapeOf } from "./tape.ts";

/** Reads a `.reenact` file as a tape. Errors of the format carry their own names. */
export function loadTape(path: string): Tape {
  return tapeOf(readEnvelope(readFileSync(path)));
}
