import { InvalidArgumentError } from "commander";

/** The value of an option that is an amount of US dollars. */
export function dollars(text: string): number {
  if (!/^\d{1,6}(\.\d+)?$/.test(text)) throw new InvalidArgumentError("It is an amount of dollars, such as 0.50.");
  return Number(text);
}
