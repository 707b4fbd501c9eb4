import { bank, clinic, insurance, people, telephone } from "./office.mjs";
import { planted } from "./planted.mjs";
import { code, devops, shop, support, travel } from "./technical.mjs";

/** What the agents of ten trades say, read and write, and every value in there that should not be in a record. */
export function tradesOf(seed) {
  const m = planted(seed);
  const trades = Object.fromEntries(
    [bank, clinic, telephone, people, insurance, devops, shop, travel, support, code].map((make) => [
      make.name,
      make(m),
    ]),
  );
  return { trades, values: m.values };
}
