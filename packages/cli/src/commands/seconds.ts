import { InvalidArgumentError } from "commander";

/** The value of an option that is a number of seconds. */
export function seconds(text: string): number {
  if (!/^\d{1,6}(\.\d+)?$/.test(text)) throw new InvalidArgumentError("It is a number of seconds.");
  return Number(text);
}
