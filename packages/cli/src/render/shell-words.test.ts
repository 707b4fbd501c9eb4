import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellWords } from "./shell-words.ts";

test("plain words stay as they are", () => {
  expect(shellWords(["node", "--max-old-space-size=300", "./a/agent.js", "-v", "a@b:1,2"])).toBe(
    "node --max-old-space-size=300 ./a/agent.js -v a@b:1,2",
  );
});

test("what a shell would read otherwise comes back from it as it was", () => {
  const words = ["node c.cjs; node c.cjs", "it's", '"', "$HOME", "`id`", "", "a b", "*", "~", "#x", "A=1", "Grüße\n!"];
  const out = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${shellWords(words)}`], { encoding: "utf8" });
  expect(out.split("\0").slice(0, -1)).toEqual(words);
});
