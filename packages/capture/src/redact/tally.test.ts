import { expect, test } from "vitest";
import { Tally } from "./scrub-exchange.ts";

test("sums per type, and per rule and place below the parts of a step", () => {
  const tally = new Tally();
  tally.in("request", "body").add({ EMAIL: 2 }, [{ at: "/to", rule: "email", type: "EMAIL", n: 2 }]);
  tally
    .in("request")
    .in("body")
    .add({ EMAIL: 1 }, [{ at: "/to", rule: "email", type: "EMAIL", n: 1 }]);
  tally.in("call", "a/b~c").add({ UNSCANNED: 1 });
  expect(tally.counts).toEqual({ EMAIL: 3, UNSCANNED: 1 });
  expect(tally.places).toEqual([
    { at: "/request/body/to", rule: "email", type: "EMAIL", n: 3 },
    { at: "/call/a~1b~0c", rule: "UNSCANNED", type: "UNSCANNED", n: 1 },
  ]);
});

test("places beyond the limit are added up per rule, and the sums hold", () => {
  const tally = new Tally();
  for (let n = 0; n < 500; n++)
    tally.in("body").add({ EMAIL: 1, IP: 1 }, [
      { at: `/${n}`, rule: "email", type: "EMAIL", n: 1 },
      { at: `/${n}`, rule: "ip.v4", type: "IP", n: 1 },
    ]);
  const { places, counts } = tally;
  expect(places.length).toBeLessThanOrEqual(64 + 2);
  expect(places.filter(({ at }) => at === "").map(({ rule }) => rule)).toEqual(["email", "ip.v4"]);
  const sum = (rule: string) => places.filter((each) => each.rule === rule).reduce((all, { n }) => all + n, 0);
  expect([sum("email"), sum("ip.v4")]).toEqual([counts["EMAIL"], counts["IP"]]);
});
