import { readFileSync } from "node:fs";
import { ATTR } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { type Tape, tapeOf } from "./tape.ts";

/** The views for people are no part of a tape. */
const TAPED = [ATTR.kind, ATTR.inputValue, ATTR.outputValue];

/** Reads a `.reenact` file as a tape. Errors of the format carry their own names. */
export function loadTape(path: string): Tape {
  return tapeOf(readEnvelope(readFileSync(path), { attributes: TAPED }));
}
