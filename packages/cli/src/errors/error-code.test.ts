import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_CODES } from "./error-code.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const oldNode = readFileSync(new URL("../../bin/old-node.js", import.meta.url), "utf8");

test("every error code is documented, with its exit code and what to do, and none that is not there", () => {
  const rows = [...readme.matchAll(/^\| `(REEN-[A-Z-]+)` \| (\d+) \| (.+) \| (.+) \|$/gm)].map(
    ([, code, exit, means, todo]) => ({ code, exit: Number(exit), means, todo }),
  );
  expect(Object.fromEntries(rows.map(({ code, exit }) => [code, exit]))).toEqual(ERROR_CODES);
  for (const { means, todo } of rows) expect([means, todo].every((text) => (text ?? "").length > 10)).toBe(true);
});

test("what an old Node says has documented codes too", () => {
  const said = [...oldNode.matchAll(/REEN-[A-Z-]+/g)].map(([code]) => code);
  expect(said.length).toBeGreaterThan(0);
  for (const code of said) expect(Object.keys(ERROR_CODES)).toContain(code);
});
