import { encodeValue } from "@reenact/envelope";

/** What a service answered outside of every run that is written. */
export interface ServiceAnswer {
  /** name of the service and of what was asked */
  readonly of: string;
  readonly value: unknown;
}

/** Bytes in the typed encoding: each run tells them again. */
const MOST_BYTES = 16 * 1024;

let kept: readonly ServiceAnswer[] = [];
let bytes = 0;
let isOver = false;

/**
 * Keeps an answer for the runs that follow: a replay of one of them starts the program again, which asks again. What is past the
 * bound, or comes when the first of these runs has ended, is dropped.
 */
export function noteAnswer(answer: ServiceAnswer): void {
  if (isOver || bytes > MOST_BYTES) return;
  bytes += encodeValue(answer.value).text.length;
  if (bytes <= MOST_BYTES) kept = [...kept, answer];
}

/** For the record of a run, so far. */
export function serviceAnswers(): readonly ServiceAnswer[] {
  return kept;
}

/** The first of these runs ends: what comes later is dropped. */
export function endServiceAnswers(): void {
  isOver = true;
}
