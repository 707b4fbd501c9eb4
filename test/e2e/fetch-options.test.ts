import { expect, test } from "vitest";
import { edits } from "./edits.ts";

const { edited } = edits();

const CASES = {
  cache: [`{ cache: "no-store" }`, `{}`],
  referrer: [`{ referrer: "http://one.test/" }`, `{ referrer: "http://two.test/" }`],
  keepalive: [`{}`, `{ keepalive: true }`],
} as const;

for (const [option, [before, after]] of Object.entries(CASES))
  test(`another ${option} option of fetch is a divergence of the call`, async () => {
    const program = (init: string): string => `await call("a"); await (await ask("b", {}, ${init})).text();`;
    const { code, report } = await edited(program(before), program(after));
    expect(report.divergence).toMatchObject({ step: 2, verdict: "changed", of: "option", pointer: `/${option}` });
    expect(report.divergence?.cause).toContain(`the ${option} option of fetch`);
    expect(code).toBe(10);
  });

test("options that are given in a Request are compared, and the default is no option", async () => {
  const program = (init: string): string =>
    `await (await fetch(new Request(base + "/v1/chat/completions", { method: "POST", headers, body: bodyOf("b"), ...${init} }))).text();`;
  const same = await edited(program(`{}`), program(`{ cache: "default", credentials: "same-origin" }`));
  expect(same.report.verdict).toBe("identical");
  const { report } = await edited(program(`{ cache: "reload" }`), program(`{}`));
  expect(report.divergence).toMatchObject({ verdict: "changed", of: "option", pointer: "/cache", recorded: "reload" });
});
