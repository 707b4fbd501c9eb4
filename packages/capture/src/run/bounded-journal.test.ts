import { expect, it } from "vitest";
import { BoundedJournal } from "./bounded-journal.ts";

it("stops at its cap and says so once", () => {
  let said = 0;
  const journal = new BoundedJournal({ events: 3, bytes: 1e6 }, () => said++);
  for (let id = 0; id < 10; id++) journal.append({ k: "s", id, scope: -1 });
  journal.draw("D", -1, 1);
  expect(journal.totals().count).toBe(3);
  expect(said).toBe(1);
});
