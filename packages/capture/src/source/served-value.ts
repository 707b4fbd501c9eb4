import { decodeValue, type DecodeOptions, type RecordedError, reviveError } from "@reenact/envelope";
import { live } from "../run/context.ts";
import { programErrorClass } from "./program-error-class.ts";

/** A recorded value as the program gets it: its errors are of the classes of the program. Throws `BAD_VALUE`. */
export function servedValue(typed: string): unknown {
  return decodeValue(typed, OF_PROGRAM);
}

/** What an exchange failed with, as the program gets it. Throws `BAD_VALUE`. */
export function servedError(recorded: RecordedError): unknown {
  return reviveError(recorded, OF_PROGRAM);
}

const OF_PROGRAM: DecodeOptions = { errorClass: programErrorClass, call: live };
