import { styleText } from "node:util";
import { environment } from "../process/environment.ts";

export type Colour = "green" | "red" | "yellow" | "dim";
export type Paint = (colour: Colour, text: string) => string;

/** Colours for what is written to this stream: only on a terminal, and never where NO_COLOR, CI or TERM=dumb forbid it. */
export function painter(stream: NodeJS.WriteStream): Paint {
  const { NO_COLOR, CI, TERM } = environment();
  const plain = !stream.isTTY || (NO_COLOR ?? "") !== "" || (CI ?? "") !== "" || TERM === "dumb";
  return plain ? (_, text) => text : (colour, text) => styleText(colour, text, { validateStream: false });
}
