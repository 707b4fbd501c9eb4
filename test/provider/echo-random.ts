import type { Ask } from "@reenact/wire";
import type { Answer } from "../../examples/scripted-provider/answer.ts";

function upTo(limit: number): number {
  return Math.floor(Math.random() * limit);
}

/**
 * An answer that nobody could guess: a random number (`r123456`) and the serial, after 0–10 ms, in 1–6 text deltas
 * (`[[k=3]]` in the last message fixes their number).
 */
export function echoRandom(ask: Ask): Answer {
  const wanted = /\[\[k=(\d+)\]\]/.exec(ask.lastUser)?.[1];
  const said = ask.lastUser
    .replace(/\[\[[^\]]*\]\]/g, "")
    .trim()
    .slice(0, 40);
  return {
    text: `r${String(upTo(1_000_000)).padStart(6, "0")} after "${said}" (${ask.serial})`,
    pieces: wanted === undefined ? 1 + upTo(6) : Number(wanted),
    pace: { first: upTo(11), each: upTo(4) },
  };
}
